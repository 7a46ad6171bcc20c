"""What a prompt is told beside what the question found: read in one statement, recorded like a find."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.db import DatabaseError, connection

from memories.access import visible_params
from memories.domain import KINDS
from memories.language import tag_terms
from recall.answering import Answer, Result
from recall.channels import DEADLINE_MS, SQL
from recall.context.text import SECTIONS
from recall.questions import Question
from tenants.models import new_id
from tenants.scope import unit_of_work, viewer_in_force
from tenants.sql import Queries, run_text

log = logging.getLogger(__name__)

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "context.sql")

LEAST_OUTCOME: Final = 0.8
"""From here on an example is a good one, on a scale from 0 to 1 (SPEC C-01)."""

MOST_BESIDE: Final = 3
"""Memories of one section that are told without having been found. Ours: they fill what room is left."""

OUT: Final = "sections"
"""What `degraded` says when only the question's own finds can be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a memory that may be told."""

    id: UUID
    content: str
    card: str
    kind: str
    trust: float
    provenance: str
    classification: int
    occurred_at: datetime
    effective_at: datetime
    last_verified_at: datetime
    speaker: str
    entity_key: str | None = None
    concept_key: str | None = None
    value: str | None = None
    cardinality: str | None = None
    assigned_by: str | None = None
    outcome: float | None = None
    q_value: float = 0.5
    verified: int = 0
    standing: str = "current"
    valid_until: datetime | None = None
    annotations: Sequence[Mapping[str, Any]] = ()
    mode: str = "assertion"
    concluded: bool = False  #: from other memories, and stated by nobody
    pending: bool = False  #: a capture that waits, and no memory yet
    discussed: int = 1  #: sessions in which it was spoken of, as far as that was asked
    leads: bool = False  #: it stands before what holds as far as is known
    place: int | None = None  #: among those of its section told unasked; 0: it moved; None: found only


def read_known(question: Question, answer: Answer, *, now: datetime) -> tuple[list[Known], tuple[str, ...]]:
    """Return what may be told, the most wanted first, and what could not be asked."""
    ids = _wanted(answer)
    try:
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {DEADLINE_MS}")
            found = run_text(
                _find_beside(question.where.condition, with_tags=bool(question.tags)),
                _parameters(question, ids, now),
            )
            rows = [
                _as_found(Known(**row | {"annotations": json.loads(row["annotations"])}), answer)
                for row in found
            ]
    except DatabaseError:
        log.exception("nothing but the question's own finds can be told")
        return [_from_result(result) for result in answer.results], (OUT,)
    rank = {one: number for number, one in enumerate(ids)}
    after_best = 0.5  # what was found to have moved stands behind the best find, whatever was asked
    return sorted(
        rows,
        key=lambda one: (rank.get(one.id, after_best if one.place == 0 else len(rank)), one.place or 0),
    ), ()


def _wanted(answer: Answer) -> list[UUID]:
    """Return what is told if there is room: behind the best find, what failed near to it before."""
    found = [result.id for result in answer.results]
    return list(dict.fromkeys([*found[:1], *(one.id for one in answer.failed_before), *found[1:]]))


@lru_cache(maxsize=32)
def _find_beside(where: str, *, with_tags: bool) -> str:
    seen = SQL["seen"] + where + ("\n" + SQL["having_tags"] if with_tags else "")
    return _SQL["find_beside"].replace("{seen}", seen)


def _parameters(question: Question, found: Sequence[UUID], now: datetime) -> dict[str, Any]:
    of_section = {
        section: [kind for kind, policy in KINDS.items() if policy.section == section] for section in SECTIONS
    }
    return {
        **visible_params(viewer_in_force(), question.now or now, projects=question.projects),
        **question.where.parameters(),
        "of_then": False,
        "kinds": list(question.kinds) or None,
        "tags": list(tag_terms(question.tags)),
        "found": list(found),
        "session": question.session,
        "lessons": of_section["recent_lessons"],
        "examples": of_section["high_score_examples"],
        "patterns": of_section["reusable_patterns"],
        "outcome": LEAST_OUTCOME,
        # What is told unasked is what holds now; who asks of another time is told what was found.
        "most": 0 if question.asks_of_another_time else MOST_BESIDE,
    }


def _as_found(known: Known, answer: Answer) -> Known:
    """Return a found memory as the answer tells it: its text and standing may be those of another time."""
    result = next((one for one in answer.results if one.id == known.id), None)
    if result is None:
        return known
    annotations = known.annotations if result.content == known.content else ()
    return replace(
        known, content=result.content, standing=result.standing, valid_until=result.valid_until,
        annotations=annotations, discussed=result.discussed,
    )  # fmt: skip


def read_waiting(answer: Answer) -> list[Known]:
    """Return what waits in the session and bears on what was found, as it may be told."""
    weaker = {change.capture: change.is_weaker for change in answer.overlay.changes}
    return [
        Known(
            id=one.id, content=one.content, card="event", kind="episode", trust=one.trust,
            provenance=one.provenance, classification=one.classification, occurred_at=one.occurred_at,
            effective_at=one.occurred_at, last_verified_at=one.occurred_at, speaker=one.speaker, pending=True,
            leads=not weaker[one.id],
        )
        for one in answer.overlay.shown
        if one.id in weaker
    ]  # fmt: skip


def _from_result(result: Result) -> Known:
    told = {field.name: getattr(result, field.name) for field in fields(Known) if hasattr(result, field.name)}
    return Known(**told, last_verified_at=result.occurred_at)


def add_shown(answer: Answer, beside: Sequence[Known]) -> None:
    """Record these beside the recall's own, in the caller's unit of work, as memories that were shown."""
    _SQL.run(
        "add_shown",
        recall=answer.recall_id,
        after=len(answer.on_record),
        ids=[new_id() for _ in beside],
        memories=[one.id for one in beside],
        classes=[one.classification for one in beside],
    )
