"""Celery: the beat has the chains' new links signed, tenant by tenant (SPEC S-03)."""

import logging
from datetime import UTC, datetime

from celery import shared_task

from security.audit import BadCheckpoint, ChainBroken
from security.audit import write_checkpoints as write
from tenants.read import list_tenants
from tenants.scope import pipeline_viewer, tenant_scope

logger = logging.getLogger(__name__)


@shared_task(name="security.tasks.write_checkpoints", ignore_result=True, acks_late=True)
def write_checkpoints() -> int:
    """Sign what every tenant's chain has grown by; return how many links that are. A broken one is left."""
    signed = 0
    for tenant in list_tenants():
        with tenant_scope(pipeline_viewer(tenant.id, actor_id="audit")):
            try:
                signed += write(now=datetime.now(UTC))
            except (ChainBroken, BadCheckpoint):
                logger.exception("no checkpoint was signed for tenant %s", tenant.id)
    return signed
