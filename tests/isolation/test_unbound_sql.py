"""SQL beside our own code, with nobody bound: it reads nothing and writes nothing (SPEC T-02)."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from tenants.managers import TenantManager
from tenants.models import Project
from tenants.scope import tenant_scope, unit_of_work
from tests.isolation.attempts import inserting, parameters
from tests.isolation.doors import REFUSED
from tests.isolation.world import World

pytestmark = pytest.mark.spec("T-02")

NO_UUID = "22P02"
"""invalid_text_representation: the setting is no uuid, and the statement ends there."""

SETTINGS = {
    "never set": None,
    "empty": "",
    "no uuid": "everybody",
    "a list": "00000000-0000-0000-0000-000000000000,%",
    "a tenant that never was": str(uuid4()),
}


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_sql_beside_our_code_reads_nothing_and_writes_nothing(world: World, setting: str | None) -> None:
    through = []
    for target in world.targets:
        name, values = target.table.name, parameters(target)
        tries = {
            "read": f'SELECT 1 FROM "{name}"',
            "insert": inserting(target.table, "their_new"),
            "update": f'UPDATE "{name}" SET {target.table.tenant} = {target.table.tenant}',
            "delete": f'DELETE FROM "{name}"',
        }
        for verb, sql in tries.items():
            outcome = unbound(setting, sql, values)
            if outcome not in (0, REFUSED, NO_UUID) or (verb == "insert" and outcome == 0):
                through.append((name, verb, outcome))
    assert through == []


def unbound(setting: str | None, sql: str, values: dict[str, Any]) -> int | str:
    """Run the SQL in a transaction that knows only this of a tenant; return its rows or its refusal."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if setting is not None:
                cursor.execute("SELECT set_config('candor.tenant', %s, true)", [setting])
                cursor.execute("SELECT set_config('candor.clearance', '3', true)")
            cursor.execute(sql, values)
            return max(cursor.rowcount, 0)
    except DatabaseError as error:
        return str(getattr(error.__cause__, "sqlstate", error))


def test_a_tenant_that_was_deleted_reads_and_writes_nothing(world: World) -> None:
    gone = replace(world.ada, tenant_id=uuid4())
    with tenant_scope(gone), unit_of_work():
        guarded = [model for model in apps.get_models() if isinstance(model._default_manager, TenantManager)]
        assert [model._default_manager.count() for model in guarded] == [0] * len(guarded)
    with pytest.raises(DatabaseError) as caught, tenant_scope(gone), unit_of_work():
        Project.objects.create(slug="ghost", name="Ghost")
    assert isinstance(caught.value.__cause__, psycopg.errors.ForeignKeyViolation)
