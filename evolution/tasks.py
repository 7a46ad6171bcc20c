"""Celery: the beat names the tenants, one task each enters its scope and runs its night (SPEC E-04)."""

import logging
from datetime import UTC, datetime
from time import monotonic
from typing import Final
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import connection

from evolution.sleep import SLEEP_TASK, NightTaken, Pace, find_waiting, sleep
from memories.ingestion import send_hint
from tenants.models import new_id
from tenants.scope import pipeline_viewer, tenant_scope

logger = logging.getLogger(__name__)

DREAM_SECONDS: Final = 900.0
"""Time of one dear step; half of the lease, since a step looks at its watch between batches only."""


@shared_task(name="evolution.tasks.sleep_all", ignore_result=True, acks_late=False)
def sleep_all() -> int:
    """Hint a night for each tenant; return for how many. One that nobody took by the next beat is let go."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM candor_list_tenants()")
        tenants = [tenant_id for (tenant_id,) in cursor.fetchall()]
    expires = float(settings.SLEEP_SECONDS)
    return sum(send_hint(SLEEP_TASK, tenant_id, new_id(), expires=expires) for tenant_id in tenants)


@shared_task(name=SLEEP_TASK, ignore_result=True, acks_late=True, reject_on_worker_lost=True)
def sleep_tenant(tenant_id: str, run_id: str) -> int:
    """
    Run the tenant's night of this id, and those that were asked for and not begun; return how many were run.

    Delivered twice or late, it does nothing more; another worker's night is left alone.
    """
    done = 0
    with tenant_scope(pipeline_viewer(UUID(tenant_id))):
        for one in dict.fromkeys((UUID(run_id), *find_waiting())):
            try:
                done += sleep(one, now=datetime.now(UTC), pace=_pace()) is not None
            except NightTaken:
                logger.info("another worker is at the night of tenant %s", tenant_id)
                break
    return done


def _pace() -> Pace:
    return Pace(clock=monotonic, slice_seconds=settings.SLEEP_STEP_SECONDS, dream_seconds=DREAM_SECONDS)
