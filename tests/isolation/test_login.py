"""Who the service is to PostgreSQL: a login that row security holds (SPEC T-02)."""

import pytest
from django.core.checks import run_checks
from django.db import connection

from tenants.roles import APP_ROLE, OWNER_ROLE, faults_of_login
from tests.isolation.catalogue import tenant_tables
from tests.isolation.witness import backup, superuser

pytestmark = [pytest.mark.spec("T-02"), pytest.mark.usefixtures("asking")]


def test_the_tests_and_the_service_log_in_as_the_same_role() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, session_user")
        assert cursor.fetchone() == (APP_ROLE, APP_ROLE)


def test_the_login_has_no_power_that_row_security_would_not_hold() -> None:
    with connection.cursor() as cursor:
        assert faults_of_login(cursor, APP_ROLE, serves=True) == []


def test_a_login_that_bypasses_row_security_is_reported() -> None:
    with backup() as witness, witness.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (role,) = cursor.fetchone() or ("",)
        assert "has BYPASSRLS" in faults_of_login(cursor, role, serves=True)
        assert "is a member of pg_read_all_data" in faults_of_login(cursor, role, serves=True)


def test_a_scratch_login_is_reported_for_each_power_it_gets() -> None:
    powers = {
        "ALTER ROLE scratch BYPASSRLS": "has BYPASSRLS",
        "ALTER ROLE scratch SUPERUSER": "is a superuser",
        "ALTER ROLE scratch CREATEROLE": "has CREATEROLE",
        f"GRANT {OWNER_ROLE} TO scratch": f"is a member of {OWNER_ROLE}",
        "GRANT CREATE ON SCHEMA public TO scratch": "may create in the schema public",
        "ALTER TABLE memory OWNER TO scratch": "owns table memory",
        "ALTER ROLE scratch SET row_security = off": "starts its sessions with row_security=off",
    }
    with superuser() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE ROLE scratch LOGIN")
        assert faults_of_login(cursor, "scratch", serves=True) == []
        for sql, fault in powers.items():
            cursor.execute("SAVEPOINT power")
            cursor.execute(sql)
            assert fault in faults_of_login(cursor, "scratch", serves=True)
            cursor.execute("ROLLBACK TO SAVEPOINT power")


def test_nothing_beyond_rows_is_granted_on_any_table_of_tenants() -> None:
    with connection.cursor() as cursor:
        granted = {table.name: table.verbs for table in tenant_tables(cursor)}
    beyond = {name: verbs - {"SELECT", "INSERT", "UPDATE", "DELETE"} for name, verbs in granted.items()}
    assert {name: verbs for name, verbs in beyond.items() if verbs} == {}


def test_start_up_finds_nothing_wrong_with_both_logins() -> None:
    assert run_checks(databases=["default", "owner"], tags=["database"]) == []
