"""Tell the workers that a capture waits. A hint may be lost: the row is the job, a sweeper finds it."""

import logging
import threading
import time
from datetime import timedelta
from typing import Final
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from tenants.telemetry.tracing import write_headers

logger = logging.getLogger(__name__)

PROCESS_TASK: Final = "memories.tasks.process"

PAUSE_SECONDS: Final = 5.0
"""How long no hint is tried after the broker refused one: a dead broker must not slow every capture down."""

_lock: Final = threading.Lock()
_quiet_until = 0.0


SHORT_BYTES: Final = 1_000
"""Of a capture that goes the short way: some 200 tokens, a second of a slow core with all that is done."""


LONG_LEASES: Final = 3
"""Leases that what is long is held for: its worker has what others leave of a busy machine."""


HINT_SECONDS: Final = 10
"""How long after its commit a capture is left to the hint before the sweeper looks for it."""


def after_hint() -> CombinedExpression:
    """
    Return until when the sweeper leaves a new capture to its hint, by the database's clock as all leases.

    By the clock of a web machine that is ahead, what the broker lost would wait for the difference.
    """
    return Now() + timedelta(seconds=HINT_SECONDS)


def hint(tenant_id: UUID, capture_id: UUID, *, is_short: bool) -> bool:
    """Hint that a capture waits and return whether that went well; raises nothing. Call after the commit."""
    queue = lane_of(tenant_id, is_short=is_short)
    limit = None if is_short else LONG_LEASES * settings.CAPTURE_LEASE_SECONDS
    return send_hint(PROCESS_TASK, tenant_id, capture_id, queue=queue, time_limit=limit)


def is_short(text: str) -> bool:
    """Tell whether a turn is so short that its capture goes the short way; documents never do."""
    return len(text) <= SHORT_BYTES and len(text.encode()) <= SHORT_BYTES


def lane_of(tenant_id: UUID, *, is_short: bool) -> str:
    """
    Return the queue of a tenant's hints.

    A worker takes from the queues in turn, so that who captures ten thousand texts at once keeps waiting
    only whom chance has put into the same lane; they are as many as a worker can listen to at no cost. What
    is long has lanes and a worker of its own: of what is short all costs about the same, and none of it waits
    behind what is long.
    """
    lanes: list[str] = settings.HINT_LANES if is_short else settings.LONG_LANES
    return lanes[tenant_id.int % len(lanes)]


def send_hint(
    task: str, tenant_id: UUID, row_id: UUID, *, expires: float | None = None, queue: str | None = None,
    time_limit: int | None = None,
) -> bool:  # fmt: skip
    """
    Put a hint for this task on the broker and return whether that went well; raises nothing.

    expires: seconds after which no worker need take it any more. queue: None for the common one. time_limit:
    seconds after which its worker is ended; None: the task's own.
    """
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        current_app.send_task(
            task, args=[str(tenant_id), str(row_id)], ignore_result=True, expires=expires, queue=queue,
            time_limit=time_limit, headers=write_headers(),
        )  # fmt: skip
    except Exception as error:  # noqa: BLE001 - each broker has its own; none may fail what is kept
        with _lock:
            _quiet_until = time.monotonic() + PAUSE_SECONDS
        logger.warning("the broker takes no hints (%s); rows are found without them", type(error).__name__)
        return False
    return True
