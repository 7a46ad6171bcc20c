"""Celery: what a recall leaves to do when its answer is out."""

from uuid import UUID

from celery import shared_task

from recall.prefetch import PREFETCH_TASK, prefetch
from tenants.scope import pipeline_viewer, tenant_scope


@shared_task(name=PREFETCH_TASK, ignore_result=True, acks_late=False, time_limit=30)
def prefetch_next(tenant_id: str, recall_id: str) -> int:
    """Embed what the session of this recall will likely ask next; lost or late, nobody misses it."""
    with tenant_scope(pipeline_viewer(UUID(tenant_id))):
        return prefetch(UUID(recall_id))
