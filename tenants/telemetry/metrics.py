"""
What all metrics share: where they are kept, whose they are, how full the pool is (SPEC O-03).

No label holds a word of a tenant's: they are names of ours and of models in the settings, and ids of tenants
that the operator has listed.
"""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection
from prometheus_client import CollectorRegistry, Gauge

REGISTRY: Final = CollectorRegistry()
"""Of what this service counts."""

OTHER: Final = "other"
"""Whose it is where the operator did not list the tenant."""

SECONDS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)
"""Bounds of durations: narrow where a recall is, up to what a long capture takes."""

_POOL: Final = Gauge(
    "candor_pool_connections", "Connections of the process's pool, by whether they are in use.",
    ["state"], registry=REGISTRY, multiprocess_mode="livesum",
)  # fmt: skip
_POOL_WAITING: Final = Gauge(
    "candor_pool_waiting",
    "Threads that wait for a connection.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)


def tenant_label(tenant_id: UUID) -> str:
    """Return the tenant's id where the operator listed it, else OTHER."""
    label = str(tenant_id)
    return label if label in settings.METRICS_TENANTS else OTHER


def note_pool() -> None:
    """Note how full this process's pool of connections is."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    told = pool.get_stats()
    free = told.get("pool_available", 0)
    _POOL.labels("free").set(free)
    _POOL.labels("used").set(told.get("pool_size", 0) - free)
    _POOL_WAITING.set(told.get("requests_waiting", 0))
