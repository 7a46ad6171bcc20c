"""Leave the facts of a recall behind before its answer leaves (SPEC R-13)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.queries import bound_cursor, to_json
from recall.channels import SQL
from tenants.models import new_id
from tenants.scope import Viewer, viewer_in_force


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """One memory in one place of the answer."""

    memory_id: UUID
    score: float
    factors: dict[str, Any]
    classification: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
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
    asked: dict[str, Any] | None = None  #: besides the words, see `recall.asked_for`
    candidates: bytes = b""  #: what it was chosen from, see `recall.event_candidates`
    cluster: bytes = b""  #: the sketch of its kind of question (SPEC E-13)


def write_event(event: Event, *, now: datetime) -> UUID:
    """
    Write the event and what it showed in the caller's unit of work; return the event's id.

    The question may hold what its asker knows, so the event takes the asker's own clearance as its class.
    """
    viewer = viewer_in_force()
    event_id = new_id()
    with bound_cursor() as cursor:
        cursor.execute(SQL["write_event"], _parameters(event_id, event, viewer, now))
    return event_id


def _parameters(event_id: UUID, event: Event, viewer: Viewer, now: datetime) -> dict[str, Any]:
    shown = event.shown
    return {
        "tenant": viewer.tenant_id,
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
        "classification": viewer.clearance,
        "ids": [new_id() for _ in shown],
        "memories": [row.memory_id for row in shown],
        "scores": [row.score for row in shown],
        "factors": [to_json(row.factors) for row in shown],
        "classes": [row.classification for row in shown],
    }
