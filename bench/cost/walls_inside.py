"""
Run by the service's own Python: the same acts with row security and the audit, and without, in turns.

A side is what stands: row security, the audit, both, or neither. Row security is switched off on every table
that has it; the audit's function is replaced by one that does nothing, and its caller by one that calls none.
Sides change after every few acts, for what else the machine does comes and goes; after each change some acts
are not counted, because every plan is made anew. It connects as the service's login, which owns nothing.
"""

from typing import Final

CODE: Final = r'''
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg
from django.db import connection

from config.embedded import ensure
from memories.embedders import get_embedder
from memories.ingestion import CaptureRequest, get_capture, notify, take_capture
from memories.language import fold
from memories.pipeline import process_capture
from recall.answering import recall
from recall.context import ContextRequest, compose
from recall.answering.post_response import wait_until_counted
from recall.questions import Question
from recall.questions.vectors import keep_vector
from security import audit
from security.audit import events
from security.screening.secrets import redact
from tenants.scope import Viewer, pipeline_viewer, tenant_scope

BLOCK: Final = 10
"""Acts until the sides change."""

WARM_UP: Final = 3
"""Acts after each change that are not counted."""

SIDES: Final[Mapping[str, tuple[bool, bool]]] = {
    "both": (True, True),
    "row security": (True, False),
    "audit": (False, True),
    "neither": (False, False),
}
"""Name to whether row security and the audit stand."""

TABLES: Final = """
SELECT c.oid::regclass::text FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relforcerowsecurity ORDER BY 1
"""

SILENT: Final = """
CREATE OR REPLACE FUNCTION candor_append_audit(events jsonb) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS ''
"""

Act = Callable[[str, int], float]
"""Do the n-th thing on a side; return its milliseconds."""

Times = dict[str, list[float]]
"""Milliseconds by side, in the same order on each."""


class Walls:
    """Row security and the audit of one database, to be taken down and put up again."""

    def __init__(self, admin: psycopg.Connection[Any]) -> None:
        self._admin = admin
        self._tables = [name for (name,) in admin.execute(TABLES).fetchall()]
        row = admin.execute("SELECT pg_get_functiondef('candor_append_audit'::regproc)").fetchone()
        assert row is not None
        self._append = row[0]
        self._replaced = (
            (events, "_write", events._write, _no_write),
            (audit, "as_json", audit.as_json, _no_json),
        )

    def stand(self, side: str) -> None:
        """Let stand what the side is named after."""
        rows, trail = SIDES[side]
        with self._admin.transaction():
            for name in self._tables:
                change = "ENABLE" if rows else "DISABLE"
                self._admin.execute(f"ALTER TABLE {name} {change} ROW LEVEL SECURITY")
            self._admin.execute(self._append if trail else SILENT)
        for module, name, ours, none in self._replaced:
            setattr(module, name, ours if trail else none)


def _no_write(_events: Sequence[audit.Event], _now: datetime) -> None:
    return


def _no_json(_events: Sequence[audit.Event], *, now: datetime) -> str:  # noqa: ARG001
    return "[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is measured, as the file says it."""

    reader: str  #: the tenant that is asked
    writers: Mapping[str, str]  #: for each side the tenant that is written to
    agents: Mapping[str, str]  #: the agent of each tenant
    questions: Sequence[str]
    notes: Sequence[str]


def main(path: str) -> None:
    """Measure what the file plans, and print milliseconds by act and side as the last line."""
    plan = Plan(**json.loads(Path(path).read_text()))
    notify._quiet_until = float("inf")  # no worker is to take what is written here
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("candor_app",)
    with psycopg.connect(ensure().admin_database_url, dbname="candor", autocommit=True) as admin:
        walls = Walls(admin)
        try:
            print(json.dumps(_measure(plan, walls)))
        finally:
            walls.stand("both")


def _measure(plan: Plan, walls: Walls) -> dict[str, Any]:
    reader = _agent(plan, plan.reader)
    embedded = _embed_ahead(plan)
    answers: dict[tuple[str, int], int] = {}
    asked = _in_turns(walls, len(plan.questions), _asking(reader, plan.questions, answers))
    differing = sum(answers[side, n] != answers["both", n] for side, n in answers)
    prompted = _in_turns(walls, len(plan.questions), _prompting(reader, plan.questions))
    vectors: Times = {side: [] for side in SIDES}
    stored = _in_turns(walls, len(plan.notes), _writing(plan, vectors))
    return {
        "recall": asked, "context": prompted, "write": stored, "embedding_of_note": vectors,
        "embedding_of_question": embedded, "differing": differing,
    }  # fmt: skip


def _agent(plan: Plan, tenant: str) -> Viewer:
    """Return the tenant's agent as its key makes it."""
    viewer = pipeline_viewer(UUID(tenant), actor_kind="agent", actor_id="crowd")
    return replace(viewer, agent_id=UUID(plan.agents[tenant]), clearance=1)


def _embed_ahead(plan: Plan) -> list[float]:
    """Put the questions' vectors where a prefetch would; return what each took, those counted only."""
    embedder, took = get_embedder(), []
    for question in plan.questions:
        query = fold(redact(question).text)
        began = time.perf_counter()
        vector = embedder.embed_query(query)
        took.append(1000 * (time.perf_counter() - began))
        keep_vector(UUID(plan.reader), vector, space=embedder.space, query=query)
    return [ms for place, ms in enumerate(took) if _counts(place)]


def _counts(place: int) -> bool:
    return place % (BLOCK + WARM_UP) >= WARM_UP


def _in_turns(walls: Walls, count: int, act: Act) -> Times:
    """Do everything on every side, block by block, each time beginning with another side."""
    took: Times = {side: [] for side in SIDES}
    for turn, start in enumerate(range(0, count, BLOCK + WARM_UP)):
        for offset in range(len(SIDES)):
            side = [*SIDES][(turn + offset) % len(SIDES)]
            walls.stand(side)
            for place in range(start, min(start + BLOCK + WARM_UP, count)):
                ms = act(side, place)
                if _counts(place):
                    took[side].append(ms)
    return took


def _asking(reader: Viewer, questions: Sequence[str], answers: dict[tuple[str, int], int]) -> Act:
    def ask(side: str, place: int) -> float:
        question = Question(query=questions[place], seed=place, min_relevance=0)
        with tenant_scope(reader):
            began = time.perf_counter()
            answer = recall(question, now=datetime.now(UTC))
            took = 1000 * (time.perf_counter() - began)
        wait_until_counted()
        assert answer.results
        assert not answer.degraded
        answers[side, place] = len(answer.results)
        return took

    return ask


def _prompting(reader: Viewer, questions: Sequence[str]) -> Act:
    def prompt(_side: str, place: int) -> float:
        question = Question(query=questions[place], seed=place, min_relevance=0)
        wanted = ContextRequest(question=question, guard="brief")
        with tenant_scope(reader):
            began = time.perf_counter()
            compose(wanted, now=datetime.now(UTC))
            took = 1000 * (time.perf_counter() - began)
        wait_until_counted()
        return took

    return prompt


def _writing(plan: Plan, vectors: Times) -> Act:
    def write(side: str, place: int) -> float:
        tenant = plan.writers[side]
        said = CaptureRequest(text=plan.notes[place], role="user", speaker="Ann", clock=datetime.now(UTC))
        began = time.perf_counter()
        with tenant_scope(_agent(plan, tenant)):
            taken = take_capture(said, now=datetime.now(UTC))
        with tenant_scope(pipeline_viewer(UUID(tenant))):
            state = process_capture(taken.id, now=datetime.now(UTC))
            took = 1000 * (time.perf_counter() - began)
            trace = get_capture(taken.id).trace
        assert state == "stored", trace
        if _counts(place):
            vectors[side].append(sum(entry.get("ms", 0.0) for entry in trace if entry["step"] == "embed"))
        return took

    return write
'''
"""A program by itself: nothing beside the house imports it. `main` takes the path of the plan."""
