"""Is the process alive, and can it serve? (SPEC O-03)"""

import logging
from collections.abc import Callable
from typing import Any, Final

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.celery import app
from config.health_outages import outages
from config.health_writes import disk, writes
from security.rest import BUCKETS
from security.rest.api_view import Door
from tenants.checks import check_databases

log = logging.getLogger(__name__)

BROKER_SECONDS: Final = 2
"""How long the broker may take to answer before it counts as gone."""

_ALIVE = inline_serializer("Alive", {"status": serializers.ChoiceField(choices=["ok"])})
_PART = inline_serializer(
    "Part", {"ok": serializers.BooleanField(), "faults": serializers.ListField(child=serializers.CharField())}
)
_READY = inline_serializer(
    "Readiness",
    {
        "status": serializers.ChoiceField(choices=["ok", "degraded", "unready"]),
        "parts": serializers.DictField(child=_PART),
    },
)


class _OpenDoor(Door):
    """An endpoint that needs no key and tells nothing of any tenant."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    throttle_classes: list[Any] = []


class Live(_OpenDoor):
    """The process answers."""

    @extend_schema(operation_id="health_live", responses=_ALIVE, auth=[])
    def get(self, _request: Request) -> Response:
        """Say that the process is alive; looks at nothing else."""
        return Response({"status": "ok"})


class Ready(_OpenDoor):
    """The process can serve."""

    @extend_schema(operation_id="health_ready", responses={200: _READY, 503: _READY}, auth=[])
    def get(self, _request: Request) -> Response:
        """
        Look at the database's role and walls, whether it writes, its migrations and the broker; 503 without.

        Without the store of rate limits it serves, degraded: each process holds them by itself. So it does
        while the disk with its home is nearly full, and while captures wait for a model, an embedder or the
        database that is out: they are named.
        """
        parts = {name: _look(part) for name, part in PARTS.items()}
        faulty = {name for name, part in parts.items() if not part["ok"]}
        status = "unready" if faulty - CAN_DO_WITHOUT else "degraded" if faulty else "ok"
        return Response({"status": status, "parts": parts}, status=503 if status == "unready" else 200)


def _look(part: Callable[[], list[str]]) -> dict[str, Any]:
    """Return the part's state; whatever stops the look is a fault too, and its text stays in the log."""
    try:
        faults = part()
    except Exception:
        log.exception("a health check failed")
        faults = ["unreachable"]
    return {"ok": not faults, "faults": faults}


def _database() -> list[str]:
    """Return the ids of the start-up checks that do not hold; `manage.py check` says how to mend them."""
    messages = check_databases(["default"])
    return sorted({str(message.id) for message in messages if message.is_serious()})


def _migrations() -> list[str]:
    """Return the migrations that the code has and the database has not."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM candor_applied_migrations()")
            applied = set(cursor.fetchall())
    except DatabaseError:
        return ["none applied"]
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return sorted(f"{label}.{name}" for label, name in set(loader.disk_migrations) - applied)


def _broker() -> list[str]:
    """Return a fault when the broker does not answer in time."""
    with app.connection_for_write(connect_timeout=BROKER_SECONDS) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=BROKER_SECONDS)
    return []


def _limits() -> list[str]:
    """Return a fault while the rate limits hold in each process apart."""
    return [] if BUCKETS.answers() else ["local"]


PARTS: Final[dict[str, Callable[[], list[str]]]] = {
    "database": _database,
    "writes": writes,
    "migrations": _migrations,
    "broker": _broker,
    "limits": _limits,
    "disk": disk,
    "outages": outages,
}

CAN_DO_WITHOUT: Final = {"limits", "disk", "outages"}
"""Parts without which the service is degraded and serves."""
