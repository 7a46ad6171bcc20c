"""A gate to open: shadow runs as their table has them, and all the steps at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, connections
from django.utils import timezone
from psycopg.types.json import Jsonb

from security.gate import in_force, open_gate, validate_gate
from tenants.rls import APPEND, isolate_table
from tenants.rls.policies import definer_own_policy
from tenants.roles import DEFINER_ROLE, OWNER_ALIAS
from tenants.scope import FULL_CLEARANCE, Viewer, tenant_scope, unit_of_work

_TABLE = (
    "CREATE TABLE shadow_run (tenant_id uuid NOT NULL, id uuid PRIMARY KEY, state text, verdict text, "
    "candidate jsonb, started_at timestamptz, in_force text)"
)


@contextmanager
def shadow_runs() -> Iterator[None]:
    """Have what the gate reads of shadow runs, in a table of its own where the service has none yet."""
    with connections[OWNER_ALIAS].cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.shadow_run')")
        if is_bare := cursor.fetchone() == (None,):
            walls = (*isolate_table("shadow_run", verbs=APPEND), definer_own_policy("shadow_run"))
            for statement in (_TABLE, *walls, f"GRANT SELECT ON shadow_run TO {DEFINER_ROLE}"):
                cursor.execute(statement)
    try:
        yield
    finally:
        if is_bare:
            connections["default"].close()
            with connections[OWNER_ALIAS].cursor() as cursor:
                cursor.execute("DROP TABLE shadow_run")


def make_run(tenant: Viewer, **columns: Any) -> UUID:
    """Make a shadow run of what is in force that began now and passed, unless said otherwise."""
    run = uuid4()
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE)), unit_of_work():
        row = {
            "state": "done", "verdict": "passed", "started_at": timezone.now(), "in_force": in_force(),
            "candidate": {"kind": "in_force"},
        } | columns  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO shadow_run (tenant_id, id, state, verdict, candidate, started_at, in_force) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s)",
                [tenant.tenant_id, run, row["state"], row["verdict"], Jsonb(row["candidate"]),
                 row["started_at"], row["in_force"]],
            )  # fmt: skip
    return run


def open_for(tenant: Viewer, user_id: int, *, now: datetime | None = None) -> None:
    """Validate the tenant's gate by a run that passed, and open it as this operator."""
    moment = now or timezone.now()
    with tenant_scope(replace(tenant, actor_kind="operator", actor_id="console")):
        validate_gate(make_run(tenant), now=moment)
    with tenant_scope(replace(tenant, actor_kind="person", actor_id=f"user:{user_id}")):
        open_gate(reason="looked through", now=moment)
