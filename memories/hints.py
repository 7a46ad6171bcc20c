"""Tell the workers that a capture waits. A hint may be lost: the row is the job, a sweeper finds it."""

import logging
import threading
import time
from typing import Final
from uuid import UUID

from celery import current_app
from django.conf import settings

logger = logging.getLogger(__name__)

PROCESS_TASK: Final = "memories.tasks.process"

PAUSE_SECONDS: Final = 5.0
"""How long no hint is tried after the broker refused one: a dead broker must not slow every capture down."""

_lock: Final = threading.Lock()
_quiet_until = 0.0


def hint(tenant_id: UUID, capture_id: UUID) -> bool:
    """Hint that a capture waits and return whether that went well; raises nothing. Call after the commit."""
    return send_hint(PROCESS_TASK, tenant_id, capture_id, queue=lane_of(tenant_id))


def lane_of(tenant_id: UUID) -> str:
    """
    Return the queue of a tenant's hints.

    A worker takes from the queues in turn, so that who captures ten thousand texts at once keeps waiting
    only whom chance has put into the same lane; they are as many as a worker can listen to at no cost.
    """
    lanes: list[str] = settings.HINT_LANES
    return lanes[tenant_id.int % len(lanes)]


def send_hint(
    task: str, tenant_id: UUID, row_id: UUID, *, expires: float | None = None, queue: str | None = None
) -> bool:
    """
    Put a hint for this task on the broker and return whether that went well; raises nothing.

    expires: seconds after which no worker need take it any more. queue: None for the common one.
    """
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        current_app.send_task(
            task, args=[str(tenant_id), str(row_id)], ignore_result=True, expires=expires, queue=queue
        )
    except Exception as error:  # noqa: BLE001 - each broker has its own; none may fail what is kept
        with _lock:
            _quiet_until = time.monotonic() + PAUSE_SECONDS
        logger.warning("the broker takes no hints (%s); rows are found without them", type(error).__name__)
        return False
    return True
