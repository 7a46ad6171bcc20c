"""Celery: what a recall leaves to do when its answer is out, and shadow runs beside all recalls."""

import logging
import time
from datetime import UTC, datetime
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import connection

from memories.ingestion import send_hint
from recall.answering import PREFETCH_TASK, prefetch
from recall.shadow import SHADOW_TASK, LeaseLost, Pace, RunTaken, find_due, replay
from tenants.scope import pipeline_viewer, tenant_scope

logger = logging.getLogger(__name__)


@shared_task(name=PREFETCH_TASK, ignore_result=True, acks_late=False, time_limit=30)
def prefetch_next(tenant_id: str, recall_id: str) -> int:
    """Embed what the session of this recall will likely ask next; lost or late, nobody misses it."""
    with tenant_scope(pipeline_viewer(UUID(tenant_id))):
        return prefetch(UUID(recall_id))


@shared_task(name=SHADOW_TASK, ignore_result=True, acks_late=True, reject_on_worker_lost=True)
def shadow_slice(tenant_id: str, run_id: str) -> bool:
    """
    Work on a shadow run for a while, then hint the rest; return whether the run is over.

    Delivered twice, the second leaves it to the first. One that is killed is found by the next beat.
    """
    pace = Pace(clock=time.monotonic, sleep=time.sleep, slice_seconds=settings.SHADOW_SLICE_SECONDS)
    try:
        with tenant_scope(pipeline_viewer(UUID(tenant_id))):
            over = replay(UUID(run_id), now=lambda: datetime.now(UTC), pace=pace)
    except (RunTaken, LeaseLost) as others:
        logger.info("shadow run %s: %s", run_id, others)
        return False
    if not over:
        send_hint(SHADOW_TASK, UUID(tenant_id), UUID(run_id))
    return over


@shared_task(name="recall.tasks.resume_shadow", ignore_result=True, acks_late=False)
def resume_shadow() -> int:
    """Hint the shadow runs that nobody works on, of every tenant; return how many there were."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM candor_list_tenants()")
        tenants = [tenant_id for (tenant_id,) in cursor.fetchall()]
    found = 0
    for tenant_id in tenants:
        with tenant_scope(pipeline_viewer(tenant_id)):
            due = find_due()
        found += len(due)
        for run_id in due:
            send_hint(SHADOW_TASK, tenant_id, run_id, expires=float(settings.SHADOW_SECONDS))
    return found
