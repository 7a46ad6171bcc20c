"""A question, made ready: folded, tokenised, embedded once, with its asker and clock."""

import logging
import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memories.calibration import Calibration
from memories.embedders import get_embedder
from memories.normalise.script import fold
from memories.tags import phrases, tag_terms
from memories.tokens import words
from recall.asking import asks_for_current_value
from security.screening.secrets import redact

log = logging.getLogger(__name__)

_SURFACE = re.compile(r"[^\W_][\w.+-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked (DESIGN §8). `now` is the asker's clock; None means the service's."""

    query: str
    k: int | None = None
    project_id: UUID | None = None
    session: str = ""
    layer: str = "work"
    ceiling: int | None = None
    now: datetime | None = None
    timezone: str = "UTC"
    tags: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    deep: bool = False
    seed: int | None = None
    explain: bool = False
    policy: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question as the channels take it. `vector` is None when the embedder is out."""

    query: str  #: folded and redacted: what is logged
    terms: tuple[str, ...]
    tag_terms: tuple[str, ...]
    required_tags: tuple[str, ...]
    vector: str | None  #: as PostgreSQL writes a halfvec
    space: str
    of_passages: Calibration  #: what the space's cosines mean, question to a text as it stands
    of_turns: Calibration  #: the same to a turn told with its speaker and day
    wants_current_value: bool = False  #: what something is now, not what it was


def prepare(question: Question) -> Prepared:
    """Return the question tokenised and embedded. An embedder that fails is reported by a missing vector."""
    query = fold(redact(question.query).text)
    surface = _SURFACE.findall(query.casefold())
    embedder = get_embedder()
    return Prepared(
        query=query,
        terms=tuple(dict.fromkeys(words(query))),
        tag_terms=tuple(tag_terms(phrases(surface))),
        required_tags=tuple(tag_terms(question.tags)),
        vector=_embed(query),
        space=embedder.space,
        of_passages=embedder.calibration("query-passage"),
        of_turns=embedder.calibration("query-turn"),
        wants_current_value=asks_for_current_value(query),
    )


def _embed(query: str) -> str | None:
    try:
        vector = get_embedder().embed_query(query)
    except Exception:
        # Whatever stops an embedder (a model's file, a provider's outage) must not stop a recall (SPEC O-04);
        # the answer names the channel that is missing.
        log.exception("the question could not be embedded")
        return None
    return "[" + ",".join(map(str, vector.tolist())) + "]"
