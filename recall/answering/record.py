"""Leave the facts of a recall behind before its answer leaves (SPEC R-13)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from recall.channels import SQL
from tenants.models import new_id
from tenants.scope import viewer_in_force
from tenants.sql import Statement, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """One memory in one place of the answer."""

    memory_id: UUID
    score: float
    factors: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """What was asked and how it was answered."""

    query: str
    session: str
    k: int
    policy: str
    project_id: UUID | None
    asked_at: datetime
    channels: dict[str, Any]
    degraded: Sequence[str]
    draws: dict[str, Any]
    shown: Sequence[ShownRow]
    took_ms: int  #: from the question to its ranked answer, in milliseconds
    asked: dict[str, Any] | None = None  #: besides the words, see `recall.questions.question_record`
    candidates: bytes = b""  #: what it was chosen from, see `recall.ranking.event_candidates`
    cluster: bytes = b""  #: the sketch of its kind of question (SPEC E-13)


def event_statement(event: RecallRecord, *, now: datetime) -> tuple[UUID, Statement]:
    """
    Return the event's id, and the statement that writes it with what it showed, for the viewer in force.

    The question may hold what its asker knows, so the event takes the asker's own clearance as its class;
    what was shown takes the memory's.
    """
    event_id, viewer = new_id(), viewer_in_force()
    written = {
        "id": event_id,
        "at": now,
        "agent": viewer.agent_id,
        "project": event.project_id,
        "api_key": viewer.key_id,
        "session": event.session,
        "query": event.query,
        "asked_at": event.asked_at,
        "k": event.k,
        "policy": event.policy,
        "channels": to_json(event.channels),
        "degraded": to_json(list(event.degraded)),
        "draws": to_json(event.draws),
        "asked": to_json(event.asked) if event.asked else None,
        "candidates": event.candidates,
        "cluster": event.cluster,
        "took_ms": event.took_ms,
        "person": viewer.person,
        "classification": viewer.clearance,
    }
    return event_id, (SQL["write_event"], {**written, **_shown(event.shown)})


def beside_statement(
    event_id: UUID, shown: Sequence[ShownRow], *, classes: Sequence[int], after: int
) -> Statement:
    """
    Return the statement that adds what an answer tells beside its `after` results to what it showed.

    classes: of each, as it was read: told already, it is recorded whatever became of it since.
    """
    return SQL["write_shown"], {"id": event_id, "after": after, "classes": list(classes), **_shown(shown)}


def _shown(shown: Sequence[ShownRow]) -> dict[str, Any]:
    return {
        "ids": [new_id() for _ in shown],
        "memories": [row.memory_id for row in shown],
        "scores": [row.score for row in shown],
        # One text: the driver escapes each sign of a text in an array.
        "factors": to_json([row.factors for row in shown]),
    }
