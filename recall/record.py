"""Leave the facts of a recall behind: the event before the answer leaves, counters after it (SPEC R-13)."""

import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import close_old_connections, connection

from recall.channels import SQL
from recall.models import RecallEvent
from tenants.models import new_id
from tenants.scope import Viewer, tenant_scope, unit_of_work, viewer_in_force

log = logging.getLogger(__name__)


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


def write_event(event: Event, *, now: datetime) -> UUID:
    """
    Write the event and what it showed in the caller's unit of work; return the event's id.

    The question may hold what its asker knows, so the event takes the asker's own clearance as its class.
    """
    viewer = viewer_in_force()
    row: RecallEvent = RecallEvent.objects.create(
        at=now,
        agent_id=viewer.agent_id,
        project_id=event.project_id,
        api_key_id=viewer.key_id,
        session=event.session,
        query=event.query,
        asked_at=event.asked_at,
        k=event.k,
        policy=event.policy,
        channels=event.channels,
        degraded=list(event.degraded),
        draws=event.draws,
        classification=viewer.clearance,
    )
    if event.shown:
        with connection.cursor() as cursor:
            cursor.execute(SQL["write_shown"], _shown_parameters(row.id, event.shown, viewer))
    return row.id


def _shown_parameters(recall_id: UUID, shown: Sequence[ShownRow], viewer: Viewer) -> dict[str, Any]:
    return {
        "tenant": viewer.tenant_id,
        "recall": recall_id,
        "ids": [new_id() for _ in shown],
        "memories": [row.memory_id for row in shown],
        "places": list(range(1, len(shown) + 1)),
        "scores": [row.score for row in shown],
        "factors": [json.dumps(row.factors) for row in shown],
        "classes": [row.classification for row in shown],
    }


@lru_cache(maxsize=1)
def _counter() -> ThreadPoolExecutor:
    """Return this process's one counting thread, made at its first use and so after any fork."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="count-shown")


_last: list[Future[None]] = []


def count_later(memories: Sequence[UUID], *, now: datetime) -> None:
    """Count the recall on these memories without making the answer wait. Call it after the event's commit."""
    if memories:
        do_later(_count, viewer_in_force(), list(memories), now)


def do_later(work: Callable[..., None], *args: Any) -> None:
    """Do this after the answer, in turn, in this process's one thread for it. The work raises nothing."""
    _last[:] = [_counter().submit(work, *args)]


def wait_until_counted() -> None:
    """Return when all recalls of this process so far have been counted."""
    for future in _last:
        future.result()


def _count(viewer: Viewer, memories: list[UUID], now: datetime) -> None:
    try:
        with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
            cursor.execute(SQL["count_shown"], {"tenant": viewer.tenant_id, "memories": memories, "at": now})
    except Exception:
        # The event row has what was shown, so a lost count can be made up for; an answer cannot wait for it.
        log.exception("a recall could not be counted")
    finally:
        close_old_connections()
