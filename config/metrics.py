"""
The page `/metrics`: what the processes counted, and what the database says at this moment (SPEC O-03).

It counts over all tenants and classes, so it is for operators: behind a token of their own, no API key.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

import evolution.events
import evolution.sleep  # noqa: F401 - so that all are there, whatever this process does
from memories import metrics as _of_captures  # noqa: F401
from recall import metrics as _of_recalls  # noqa: F401
from tenants.telemetry.metrics import REGISTRY, tenant_label

log = logging.getLogger(__name__)

_QUEUE: Final = "SELECT tenant_id, state, waits_for, captures, oldest FROM candor_queue_state()"
_SESSIONS: Final = (
    "SELECT coalesce(state, 'unknown'), count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND usename = current_user GROUP BY 1"
)


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a scrape that has the operator's token; there is no such page while none is set."""
    if not settings.METRICS_TOKEN:
        raise Http404
    said = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not compare_digest(said.encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(scrape(), content_type=CONTENT_TYPE_LATEST)


def scrape() -> bytes:
    """Return all metrics as Prometheus reads them."""
    now = CollectorRegistry()
    now.register(_Database())
    counted = REGISTRY
    if settings.METRICS_DIR:
        _forget_the_dead(Path(settings.METRICS_DIR))
        counted = CollectorRegistry()
        MultiProcessCollector(counted, path=settings.METRICS_DIR)  # type: ignore[no-untyped-call]
    return bytes(generate_latest(counted) + generate_latest(now))


def _forget_the_dead(folder: Path) -> None:
    """Drop what processes that ended said of themselves at the moment; what they counted stays."""
    for pid in {int(one.stem.rsplit("_", 1)[1]) for one in folder.glob("gauge_live*_*.db")}:
        with suppress(PermissionError):  # it is there, and another's
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                mark_process_dead(pid, path=str(folder))  # type: ignore[no-untyped-call]


class _Database(Collector):
    """What the database says of the queue and of the service's sessions."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask it once; where it does not answer, only that is told."""
        up = GaugeMetricFamily("candor_database_up", "1 when PostgreSQL answers.")
        try:
            found = _ask()
        except Error:
            log.exception("the database could not be asked for metrics")
            found = None
        up.add_metric([], float(found is not None))
        yield up
        if found is not None:
            yield from _queue(found[0])
            yield _sessions(found[1])


def _ask() -> tuple[list[Any], list[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE)
        queue = cursor.fetchall()
        cursor.execute(_SESSIONS)
        return queue, cursor.fetchall()


def _queue(rows: Iterable[Any]) -> Iterator[GaugeMetricFamily]:
    now = datetime.now(UTC)
    captures: Counter[tuple[str, str]] = Counter()
    waiting: Counter[str] = Counter()
    ages: dict[str, float] = {}
    for tenant_id, state, waits_for, count, oldest in rows:
        captures[tenant_label(tenant_id), state] += count
        ages[state] = max(ages.get(state, 0.0), (now - oldest).total_seconds())
        if waits_for:
            waiting[waits_for] += count
    by_state = GaugeMetricFamily(
        "candor_captures", "Captures that are not at their end, by state.", labels=["tenant", "state"]
    )
    for (tenant, state), count in captures.items():
        by_state.add_metric([tenant, state], count)
    by_part = GaugeMetricFamily(
        "candor_captures_waiting", "Captures that wait for what is out, by what.", labels=["part"]
    )
    for part, count in waiting.items():
        by_part.add_metric([part], count)
    oldest_of = GaugeMetricFamily(
        "candor_capture_oldest_seconds", "Age of the oldest capture in a state.", labels=["state"]
    )
    for state, age in ({"pending": 0.0} | ages).items():
        oldest_of.add_metric([state], max(0.0, age))
    yield from (by_state, by_part, oldest_of)


def _sessions(rows: Iterable[Any]) -> GaugeMetricFamily:
    told = GaugeMetricFamily(
        "candor_database_sessions", "The service's sessions in PostgreSQL, by their state.", labels=["state"]
    )
    for state, count in rows:
        told.add_metric([state], count)
    return told
