"""Ask one tenant both ways: over HTTP, and the bare way that cannot be done without."""

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

import psycopg

from bench.corpora.crowd import SPACE, Owner, written
from bench.rig.client import Api
from bench.rig.service import Service

WARM_UP: Final = 20
NEAREST: Final = """
SELECT memory_id FROM embedding
WHERE tenant_id = %(tenant)s AND space = %(space)s
ORDER BY vector <#> %(vector)s::halfvec LIMIT %(most)s
"""
"""Every row of the tenant is looked at: with index scans off, whatever indexes there are."""

HELD_TO_NOTHING: Final = {"min_relevance": 0}
"""
Notes that are made by the thousand from a few forms are all as near to a question, so nothing stands out and
most would be answered by nothing, which is sooner said. So they are judged, as by default, and none is held
back.
"""

MAKE_AHEAD: Final = """
import json
from pathlib import Path
from uuid import UUID
from memories.embedders import get_embedder
from memories.language.script import fold
from recall.questions.vectors import keep_vector
from security.screening.secrets import redact
embedder = get_embedder()
for question in json.loads(Path({path!r}).read_text()):
    query = fold(redact(question).text)
    keep_vector(UUID({tenant!r}), embedder.embed_query(query), space=embedder.space, query=query)
"""
"""Run by the service's own Python: puts the questions' vectors where a prefetch would."""

Floor = Callable[[str], tuple[float, float]]
"""Answer a question the bare way; return the milliseconds of the embedding and of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of each question, in their order."""

    floor: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)  #: the floor's first part
    recall: list[float] = field(default_factory=list)

    def bare(self) -> list[float]:
        """Return the floor without the embedding."""
        return [whole - part for whole, part in zip(self.floor, self.embedding, strict=True)]


class Bare:
    """The floor of one tenant: the embedder, and exact nearest neighbours by the service's own login."""

    def __init__(self, app: psycopg.Connection[Any], owner: Owner, model: Any) -> None:
        self._app, self._owner, self._model = app, owner, model
        self._is_bound = False
        user = app.execute("SELECT current_user").fetchone()
        assert user == ("candor_app",), user  # a superuser would see past row security, and be faster

    def ask(self, question: str) -> tuple[float, float]:
        """Embed the question and read its 20 nearest; return the milliseconds of the embedding and of all."""
        began = time.perf_counter()
        vector = written(self._model.query(question))
        embedded = time.perf_counter()
        rows = self._nearest(vector, most=20)
        ended = time.perf_counter()
        assert len(rows) == 20, rows
        return 1000 * (embedded - began), 1000 * (ended - began)

    def nearest(self, question: str, *, most: int) -> list[UUID]:
        """Return the ids of the nearest memories, exactly."""
        return self._nearest(written(self._model.query(question)), most=most)

    def _nearest(self, vector: str, *, most: int) -> list[UUID]:
        self._bind()
        asked = {"tenant": self._owner.tenant, "space": SPACE, "vector": vector, "most": most}
        return [row[0] for row in self._app.execute(NEAREST, asked).fetchall()]

    def _bind(self) -> None:
        """Bind the connection to the tenant, for good and once: the floor is not to pay for it each time."""
        if self._is_bound:
            return
        self._app.execute(
            "SELECT set_config('candor.tenant', %s, false), set_config('candor.clearance', '3', false), "
            # An own leaf's index must not stand in for the exact scan.
            "set_config('enable_indexscan', 'off', false)",
            (str(self._owner.tenant),),
        )
        self._is_bound = True


def alternate(api: Api, floor: Bare, questions: Sequence[str], **asked: Any) -> Times:
    """Ask each question both ways in turn; the first ones warm the caches up and are not counted."""
    times = Times()
    for place, question in enumerate(questions):
        embedding, bare = floor.ask(question)
        took = ask(api, question, **asked)
        if place >= WARM_UP:
            times.embedding.append(embedding)
            times.floor.append(bare)
            times.recall.append(took)
    return times


def ask(api: Api, question: str, **asked: Any) -> float:
    """Recall over HTTP; return the milliseconds. Raises RuntimeError when the answer is empty or degraded."""
    began = time.perf_counter()
    answer = api.post("recall", {"query": question, **HELD_TO_NOTHING, **asked})
    took = 1000 * (time.perf_counter() - began)
    if not answer["results"] or answer["degraded"]:
        raise RuntimeError(f"No full answer to «{question}»: {answer}")
    return took


def make_ahead(service: Service, owner: Owner, questions: Sequence[str]) -> None:
    """Have the service embed these questions ahead, so that none is embedded when it is asked."""
    path = service.home / "questions.json"
    path.write_text(json.dumps(list(questions)))
    code = MAKE_AHEAD.format(path=str(path), tenant=str(owner.tenant))
    service.manage("shell", "--no-imports", "-v", "0", "-c", code)


def quantile(values: Sequence[float], percent: int) -> float:
    """Return the percentile, between two neighbours by share. Needs two values."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def ratios(times: Times, *, embedded: bool) -> Mapping[str, float]:
    """Return p50 and p95 of recall as ratios to the floor's; embedded: with the embedding on both sides."""
    floor = times.floor if embedded else times.bare()
    return {
        f"p{percent}": round(quantile(times.recall, percent) / quantile(floor, percent), 3)
        for percent in (50, 95)
    }
