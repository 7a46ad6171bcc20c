"""Migrations say what the models say, raise each table's walls where they make it, and go back."""

import io
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connections, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from pytest_django import DjangoDbBlocker

from tenants.rls import CapByClearance, IsolateByTenant, TenantKey
from tests.architecture.source import APPS
from tests.conftest import let_go_of_the_database

pytestmark = pytest.mark.spec("T-02")


@pytest.fixture
def loader() -> MigrationLoader:
    """All migrations on disk."""
    return MigrationLoader(None, ignore_no_migrations=True)


def ours(loader: MigrationLoader) -> Iterator[tuple[str, migrations.Migration]]:
    """Yield the project's own migrations with their names."""
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if app in APPS:
            yield f"{app}.{name}", migration


def made(migration: migrations.Migration) -> Iterator[migrations.CreateModel]:
    """Yield the tenants' tables that the migration makes; a tenant field may be added in a second step."""
    later = {
        operation.model_name_lower
        for operation in migration.operations
        if isinstance(operation, migrations.AddField) and operation.name == "tenant"
    }
    for operation in migration.operations:
        if not isinstance(operation, migrations.CreateModel):
            continue
        has_tenant = operation.name_lower in later or "tenant" in dict(operation.fields)
        made_by_sql = operation.options.get("managed") is False
        if has_tenant or made_by_sql or operation.name == "Tenant":
            yield operation


def walled(migration: migrations.Migration, sort: type[Operation]) -> set[str]:
    """Return the models on which the migration runs operations of this sort."""
    return {op.model_name.lower() for op in migration.operations if isinstance(op, sort)}  # type: ignore[attr-defined]


def test_the_models_have_no_change_without_a_migration(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    told = io.StringIO()
    with django_db_blocker.unblock():
        call_command("makemigrations", check_changes=True, dry_run=True, stdout=told)
    assert told.getvalue() == "No changes detected\n"


def test_every_table_of_tenants_is_made_together_with_its_walls(loader: MigrationLoader) -> None:
    bare = []
    for name, migration in ours(loader):
        for model in made(migration):
            fields = {field for field, _ in model.fields}
            if model.name_lower not in walled(migration, IsolateByTenant):
                bare.append(f"{name}: {model.name} is not isolated")
            if "classification" in fields and model.name_lower not in walled(migration, CapByClearance):
                bare.append(f"{name}: {model.name} has a class and no cap")
            keyed = model.options.get("managed", True) and model.name != "Tenant"
            if keyed and model.name_lower not in walled(migration, TenantKey):
                bare.append(f"{name}: {model.name} has no key led by the tenant")
    assert bare == []


def test_every_table_that_is_made_was_looked_at(loader: MigrationLoader) -> None:
    seen = {model.name for _, migration in ours(loader) for model in made(migration)}
    every = {
        operation.name
        for _, migration in ours(loader)
        for operation in migration.operations
        if isinstance(operation, migrations.CreateModel)
    }
    assert seen == every
    assert "Memory" in seen


def test_every_operation_can_be_taken_back_and_says_what_it_does(loader: MigrationLoader) -> None:
    for name, migration in ours(loader):
        for operation in migration.operations:
            assert operation.reversible, name
            assert operation.describe(), name


def test_names_of_migrations_say_what_changed(loader: MigrationLoader) -> None:
    assert [name for name, _ in ours(loader) if "_auto_" in name] == []


@pytest.fixture
def scratch(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The owner's alias on a copy of the migrated database, which is dropped afterwards."""
    owner = connections["owner"]
    name = owner.settings_dict["NAME"]
    with django_db_blocker.unblock():
        connections["default"].close()
        connections["default"].close_pool()  # type: ignore[attr-defined]
        let_go_of_the_database()
        with owner.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}_back"')
        owner.close()
        with owner._nodb_cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}_back" TEMPLATE "{name}"')
        owner.settings_dict["NAME"] = f"{name}_back"
        try:
            yield
        finally:
            owner.close()
            owner.settings_dict["NAME"] = name
            with owner.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{name}_back"')
            owner.close()


def test_all_migrations_go_back_and_forth_again(scratch: None) -> None:
    for app in ("config", "evolution", "recall", "memories", "security", "tenants"):
        call_command("migrate", app, "zero", database="owner", verbosity=0)
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_policy")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM pg_proc WHERE proname ~ '^candor_'")
        assert cursor.fetchone() == (0,)
        cursor.execute(
            "SELECT count(*) FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee "
            "WHERE r.rolname IN ('candor_app', 'candor_definer')"
        )
        assert cursor.fetchone() == (0,)
    call_command("migrate", database="owner", verbosity=0)
