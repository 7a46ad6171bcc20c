"""Celery: messages are hints. A task enters the tenant's scope and calls one verb."""

import logging
from contextlib import closing
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final
from uuid import UUID

from celery import shared_task
from celery.signals import worker_init, worker_process_init
from django.conf import settings
from django.db import connection, connections

from memories.ingestion import PROCESS_TASK, SHORT_BYTES, hint
from memories.ingestion import LeaseLost as ClaimLost
from memories.pipeline import process_capture, warm_up
from memories.storage import CannotMove, LeaseLost, fill_home, is_due_for_shelf
from memories.vectors import BUILDING, count_frequent_terms, is_miscounted, look_at_homes
from tenants.scope import NotFound, pipeline_viewer, tenant_scope

logger = logging.getLogger(__name__)

SWEEP_MOST: Final = 200
"""Captures a sweep hints: some seconds of a worker's time, so that a backlog does not fill the broker."""

FILL_SECONDS: Final = 60.0
"""How long one round of filling goes on: then other tasks have the worker, and the next round goes on."""

SWEEP_GRACE_SECONDS: Final = 60
"""How long a capture that was hinted again is left in peace."""


@shared_task(
    name=PROCESS_TASK,
    acks_late=True,
    reject_on_worker_lost=True,
    ignore_result=True,
    # A hanging capture ends with its lease: the child is killed, and the attempt was counted before.
    time_limit=settings.CAPTURE_LEASE_SECONDS,
)
def process(tenant_id: str, capture_id: str) -> None:
    """Make memory of a capture; delivered twice or late, it does nothing more."""
    with tenant_scope(pipeline_viewer(UUID(tenant_id))):
        try:
            process_capture(UUID(capture_id), now=datetime.now(UTC))
        except NotFound:
            logger.warning("a hint named a capture that is not there")
        except ClaimLost:
            logger.warning("a capture was taken over by another worker; nothing was kept here")


@shared_task(name="memories.tasks.sweep", ignore_result=True)
def sweep() -> int:
    """Hint the captures that nobody hinted, or whose worker was lost; return how many were due."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tenant_id, capture_id, bytes <= %s FROM candor_claim_due_v3(%s, %s)",
            [SHORT_BYTES, SWEEP_MOST, SWEEP_GRACE_SECONDS],
        )
        due = cursor.fetchall()
    for tenant_id, capture_id, is_short in due:
        hint(tenant_id, capture_id, is_short=is_short)
    return len(due)


@shared_task(name="memories.tasks.fill_homes", ignore_result=True, acks_late=False, time_limit=600)
def fill_homes() -> int:
    """
    Go on with every move that nobody is at, and log who is due for a shelf; return what was written.

    A move is begun, indexed and switched by the operator's commands; this does the long part of it.
    """
    ends_at = monotonic() + FILL_SECONDS
    written = 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM candor_list_tenants()")
        tenants = [tenant_id for (tenant_id,) in cursor.fetchall()]
    for tenant_id in tenants:
        with tenant_scope(pipeline_viewer(tenant_id)):
            written += _fill_home(tenant_id, ends_at=ends_at)
    return written


def _fill_home(tenant_id: UUID, *, ends_at: float) -> int:
    homes = look_at_homes()
    if homes[0].shelf == 0 and is_due_for_shelf():
        logger.warning("tenant %s is due for a shelf of its own: manage.py shelve", tenant_id)
    if homes[0].shelf and is_miscounted():
        count_frequent_terms()
    if all(home.state != BUILDING for home in homes):
        return 0
    written = 0
    try:
        with closing(fill_home()) as filling:
            for part in filling:
                written += part
                if monotonic() > ends_at:
                    break
    except (CannotMove, LeaseLost):
        logger.info("another process fills the vectors of tenant %s", tenant_id)
    return written


@worker_init.connect
def warm_before_fork(**_: Any) -> None:
    """Load what is slow before the worker forks, so that its children share one copy of the model."""
    warm_up()
    close_pools()


@worker_process_init.connect
def close_pools(**_: Any) -> None:
    """Drop database connections around a fork: a socket shared by two processes answers neither."""
    for alias in connections:
        wrapper = connections[alias]
        wrapper.close()
        if hasattr(wrapper, "close_pool"):
            wrapper.close_pool()
