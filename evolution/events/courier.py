"""The courier: goes round the tenants' webhooks that have news, some at a time (SPEC I-04)."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final
from uuid import UUID

from django.db import DatabaseError, connection

from evolution.events.delivery import deliver
from tenants.scope import pipeline_viewer, tenant_scope

logger = logging.getLogger(__name__)

AT_A_TIME: Final = 8
"""Webhooks that are seen to at a time: each mostly waits for its receiver."""

OF_ONE_TENANT: Final = 4
"""At most so many of them of one tenant, whose receivers may all be slow."""

MOST_DUE: Final = 200
"""Webhooks that are looked at in a round."""

PAUSE_SECONDS: Final = 1.0
"""Between two rounds that find nothing new."""

OUTAGE_SECONDS: Final = 5.0
"""Until the database is asked again after it did not answer."""


class Courier:
    """Delivers until it is told to stop. Several may run, on one machine or many: a webhook is leased."""

    def __init__(self, *, at_a_time: int = AT_A_TIME) -> None:
        self._at_a_time = at_a_time
        self._stopped = threading.Event()
        self._busy: dict[UUID, tuple[UUID, Future[int]]] = {}  #: webhook to its tenant and its work

    def stop(self) -> None:
        """End after what is under way."""
        self._stopped.set()

    def run(self) -> None:
        """Deliver until `stop`; outlives outages of the database."""
        with ThreadPoolExecutor(self._at_a_time, thread_name_prefix="courier") as pool:
            while not self._stopped.is_set():
                self._stopped.wait(self._round(pool))

    def run_once(self) -> int:
        """Deliver what is due, one webhook after the other, and return how many events were taken."""
        taken = 0
        for tenant_id, webhook_id in _due(1_000):
            taken += _deliver(tenant_id, webhook_id)
        return taken

    def _round(self, pool: ThreadPoolExecutor) -> float:
        """Give out what is due and return the seconds until the next look."""
        self._busy = {one: work for one, work in self._busy.items() if not work[1].done()}
        if len(self._busy) >= self._at_a_time:
            return PAUSE_SECONDS / 10
        try:
            due = _due(MOST_DUE)
        except DatabaseError:
            logger.warning("the database does not answer; webhooks wait for it")
            return OUTAGE_SECONDS
        finally:
            connection.close()
        given = sum(self._give_out(pool, tenant_id, webhook_id) for tenant_id, webhook_id in due)
        return PAUSE_SECONDS / 10 if given else PAUSE_SECONDS

    def _give_out(self, pool: ThreadPoolExecutor, tenant_id: UUID, webhook_id: UUID) -> bool:
        """Begin with a webhook, if there is room for it, and return whether."""
        of_tenant = sum(tenant == tenant_id for tenant, _ in self._busy.values())
        if webhook_id in self._busy or len(self._busy) >= self._at_a_time or of_tenant >= OF_ONE_TENANT:
            return False
        self._busy[webhook_id] = tenant_id, pool.submit(_deliver, tenant_id, webhook_id)
        return True


def _due(most: int) -> list[tuple[UUID, UUID]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, webhook_id FROM candor_due_webhooks(%s)", [most])
        return [(tenant_id, webhook_id) for tenant_id, webhook_id in cursor.fetchall()]


def _deliver(tenant_id: UUID, webhook_id: UUID) -> int:
    try:
        with tenant_scope(pipeline_viewer(tenant_id)):
            return deliver(webhook_id)
    except Exception:  # whatever it is, the other webhooks' turn comes
        logger.exception("a webhook could not be seen to; its lease ends by itself")
        return 0
    finally:
        connection.close()
