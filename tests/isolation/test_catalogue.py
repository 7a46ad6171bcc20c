"""What the catalogue's audit sees: whole walls, and each way a table can lack them (SPEC T-02)."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.db import connection, connections

from tenants.managers import TenantManager
from tenants.rls import audit
from tenants.rls.audit import DEFINER_FUNCTIONS, EXEMPT, Breach
from tenants.rls.operations import tenant_references
from tenants.rls.policies import TENANT_SETTING, isolate_table
from tests.isolation.catalogue import reference_faults, references, tenant_tables, unique_faults
from tests.isolation.witness import superuser

pytestmark = [pytest.mark.spec("T-02"), pytest.mark.usefixtures("asking")]

SCRATCH = "CREATE TABLE scratch (tenant_id uuid NOT NULL, id uuid, text text, PRIMARY KEY (tenant_id, id))"
WALLS = "; ".join(isolate_table("scratch", verbs=["SELECT", "INSERT"]))


@pytest.fixture
def breaker() -> Iterator[psycopg.Connection[Any]]:
    """A superuser's transaction, rolled back afterwards."""
    with superuser() as connection:
        yield connection


def reported(breaker: psycopg.Connection[Any], *statements: str) -> list[Breach]:
    """Run the statements and return what the audit says then."""
    with breaker.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return audit(cursor)


def test_all_walls_stand_in_a_migrated_database() -> None:
    with connection.cursor() as cursor:
        assert audit(cursor) == []


def test_a_table_with_whole_walls_passes(breaker: psycopg.Connection[Any]) -> None:
    assert reported(breaker, SCRATCH, WALLS) == []


@pytest.mark.parametrize(
    ("statements", "faults"),
    [
        pytest.param(
            [SCRATCH],
            [
                "row security is off",
                "row security is not forced on the owner",
                "policy candor_tenant is missing",
            ],
            id="no walls at all",
        ),
        pytest.param(
            [SCRATCH, WALLS.replace("candor.tenant", "candor.project")],
            ["policy candor_tenant differs from the maker's"],
            id="a policy on the wrong setting",
        ),
        pytest.param(
            [SCRATCH, WALLS, "ALTER POLICY candor_tenant ON scratch USING (true)"],
            ["policy candor_tenant differs from the maker's"],
            id="a policy that is always true",
        ),
        pytest.param(
            [SCRATCH, WALLS, "CREATE POLICY more ON scratch TO candor_app USING (true)"],
            ["policy more is not one of the maker's"],
            id="one more policy",
        ),
        pytest.param(
            [SCRATCH, WALLS, f"ALTER POLICY candor_tenant ON scratch USING (id = {TENANT_SETTING})"],
            ["policy candor_tenant differs from the maker's"],
            id="a policy on the wrong column",
        ),
        pytest.param(
            [SCRATCH, WALLS, "ALTER TABLE scratch ADD classification smallint"],
            ["policy candor_clearance is missing"],
            id="content without clearance",
        ),
        pytest.param(
            ["CREATE TABLE scratch (id uuid PRIMARY KEY, tenant_id uuid)"],
            ["it has no NOT NULL tenant_id and no written exemption"],
            id="a tenant that may be missing",
        ),
        pytest.param(
            [SCRATCH, WALLS, "GRANT TRUNCATE ON scratch TO candor_app"],
            ["candor_app holds TRUNCATE on it"],
            id="a grant beyond rows",
        ),
        pytest.param(
            ["CREATE VIEW scratch AS SELECT * FROM memory"],
            ["views and foreign tables answer past row security; drop it"],
            id="a view",
        ),
        pytest.param(
            ["CREATE MATERIALIZED VIEW scratch AS SELECT * FROM memory"],
            ["views and foreign tables answer past row security; drop it"],
            id="a materialized view",
        ),
        pytest.param(
            ["CREATE SCHEMA aside", "CREATE TABLE aside.scratch (id uuid)"],
            ["it stands in the schema aside, which nothing guards"],
            id="a table in another schema",
        ),
    ],
)
def test_a_table_without_whole_walls_is_reported(
    breaker: psycopg.Connection[Any], statements: list[str], faults: list[str]
) -> None:
    wanted = [Breach(subject="Table «scratch»", fault=fault) for fault in faults]
    assert reported(breaker, *statements) == wanted


def test_a_new_leaf_of_a_partition_is_reported_until_it_has_its_own_walls(
    breaker: psycopg.Connection[Any],
) -> None:
    leaf = "CREATE TABLE embedding_shelf_7 PARTITION OF embedding FOR VALUES IN (7)"
    assert {breach.subject for breach in reported(breaker, leaf)} == {"Table «embedding_shelf_7»"}


@pytest.mark.parametrize("table", sorted(EXEMPT))
def test_an_exempt_table_that_gains_a_grant_is_reported(breaker: psycopg.Connection[Any], table: str) -> None:
    gained = "TRUNCATE" if table == "django_session" else "DELETE"
    assert reported(breaker, f"GRANT {gained} ON {table} TO candor_app") == [
        Breach(subject=f"Table «{table}»", fault=f"candor_app holds {gained} on it")
    ]


@pytest.mark.parametrize("table", ["django_admin_log", "django_migrations"])
def test_a_table_that_is_never_granted_is_reported_when_it_is(
    breaker: psycopg.Connection[Any], table: str
) -> None:
    assert reported(breaker, f"GRANT SELECT ON {table} TO PUBLIC") == [
        Breach(subject=f"Table «{table}»", fault="candor_app holds SELECT on it")
    ]


def test_the_audit_trail_that_may_be_changed_is_reported(breaker: psycopg.Connection[Any]) -> None:
    assert reported(breaker, "GRANT UPDATE (reason) ON audit_event TO candor_app") == [
        Breach(subject="Table «audit_event»", fault="candor_app holds UPDATE on it")
    ]


def test_every_exemption_is_of_a_table_there_is_and_has_a_reason() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        there = {name for (name,) in cursor.fetchall()}
    assert EXEMPT.keys() <= there
    assert all(exemption.reason for exemption in EXEMPT.values())


def test_the_functions_that_cross_tenants_are_the_written_ones() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.proname || '(' || oidvectortypes(p.proargtypes) || ')' FROM pg_proc p "
            "JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.prosecdef AND n.nspname = 'public'"
        )
        assert {name for (name,) in cursor.fetchall()} == DEFINER_FUNCTIONS.keys()


def test_one_more_function_that_runs_as_its_owner_is_reported(breaker: psycopg.Connection[Any]) -> None:
    peek = "CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT 1::bigint'"
    assert {breach.fault for breach in reported(breaker, peek)} == {
        "it runs as its owner and is not on the written list",
        f"it belongs to {breaker.info.user}, not to candor_definer",
        "its search_path is not pinned",
        "everybody may execute it",
    }


def test_start_up_refuses_a_database_with_an_open_wall() -> None:
    with connections["owner"].cursor() as owner:
        owner.execute("ALTER TABLE memory NO FORCE ROW LEVEL SECURITY")
        try:
            found = run_checks(databases=["default"], tags=["database"])
        finally:
            owner.execute("ALTER TABLE memory FORCE ROW LEVEL SECURITY")
    assert [(message.id, message.msg) for message in found] == [
        ("candor.E007", "Table «memory»: row security is not forced on the owner.")
    ]


def test_the_owner_may_migrate_a_database_with_an_open_wall() -> None:
    with connections["owner"].cursor() as owner:
        owner.execute("ALTER TABLE memory NO FORCE ROW LEVEL SECURITY")
        try:
            found = run_checks(databases=["owner"], tags=["database"])
        finally:
            owner.execute("ALTER TABLE memory FORCE ROW LEVEL SECURITY")
    assert found == []


@pytest.mark.spec("T-03")
def test_no_unique_index_tells_one_tenant_what_another_has() -> None:
    with connection.cursor() as cursor:
        assert unique_faults(cursor) == []


@pytest.mark.spec("T-03")
def test_a_unique_index_across_tenants_is_reported(breaker: psycopg.Connection[Any]) -> None:
    with breaker.cursor() as cursor:
        cursor.execute("CREATE UNIQUE INDEX scratch ON memory (content_hash)")
        assert unique_faults(cursor) == ["scratch on memory begins with content_hash"]


@pytest.mark.spec("T-03")
def test_every_reference_between_tenants_rows_carries_the_tenant_and_waits_for_the_commit() -> None:
    with connection.cursor() as cursor:
        assert reference_faults(cursor) == []


@pytest.mark.spec("T-03")
def test_a_reference_without_the_tenant_is_reported(breaker: psycopg.Connection[Any]) -> None:
    with breaker.cursor() as cursor:
        cursor.execute("CREATE UNIQUE INDEX scratch ON project (id)")
        cursor.execute(
            "ALTER TABLE agent ADD CONSTRAINT plain FOREIGN KEY (project_id) REFERENCES project (id)"
        )
        assert reference_faults(cursor) == [
            "plain on agent does not carry the tenant",
            "plain on agent is not deferrable",
        ]


@pytest.mark.spec("T-03")
def test_every_reference_that_django_knows_is_kept_by_the_database() -> None:
    with connection.cursor() as cursor:
        kept = {(one.table, one.columns) for one in references(cursor)}
    known = {
        (model._meta.db_table, ("tenant_id", field.column))
        for model in apps.get_models()
        for field in tenant_references(model)
    }
    assert kept == known


@pytest.mark.spec("T-03")
def test_every_key_of_tenants_rows_begins_with_the_tenant() -> None:
    with connection.cursor() as cursor:
        firsts = {table.name: table.key[0] for table in tenant_tables(cursor)}
    assert firsts.pop("tenant") == "id"
    assert set(firsts.values()) == {"tenant_id"}


def test_every_model_of_tenants_rows_has_the_guarded_manager() -> None:
    with connection.cursor() as cursor:
        walled = {table.name for table in tenant_tables(cursor)}
    bare = {
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.db_table in walled
        and not (
            isinstance(model._default_manager, TenantManager)
            and isinstance(model._base_manager, TenantManager)
        )
    }
    assert bare == set()
