"""Connections that wait in the pool: handed out without being asked, and never when they have ended."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg_pool import ConnectionPool
from pytest_django import DjangoDbBlocker

from tenants.db.base import check_unless_silent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_tenant


@pytest.fixture(autouse=True)
def nobody_connected(database: None) -> Iterator[None]:
    connection.close()
    yield
    connection.close()


def ask(statement: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        [(answer,)] = cursor.fetchall()
    return answer


def ask_from_a_thread(statement: str, *values: Any) -> Any:
    def work() -> Any:
        try:
            return ask(statement, *values)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def test_a_connection_that_the_server_has_ended_is_not_handed_out() -> None:
    kept = ask("SELECT pg_backend_pid()")
    held = connection.connection
    assert ask_from_a_thread(f"SELECT pg_terminate_backend({kept}, 5000)")

    with pytest.raises(psycopg.OperationalError):
        check_unless_silent(held)


def test_the_pool_looks_before_it_hands_a_connection_out() -> None:
    ask("SELECT 1")

    assert connection.pool._check is check_unless_silent  # type: ignore[attr-defined]


def test_a_connection_that_waits_silently_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[psycopg.Connection[Any]] = []
    monkeypatch.setattr(ConnectionPool, "check_connection", staticmethod(asked.append))
    ask("SELECT 1")

    check_unless_silent(connection.connection)

    assert asked == []


def test_a_unit_whose_connection_fails_as_it_ends_takes_no_other_with_it(
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """What fails is the way back to committing by itself, after the commit."""
    ada = make_tenant("ada")
    with tenant_scope(ada), pytest.raises(RuntimeError, match="not allowed"):
        end_badly(django_db_blocker)
    django_db_blocker.restore()

    make_agent(tenant=ada, slug="vera")

    assert ask_from_a_thread_as(ada, "SELECT count(*) FROM agent") == 1


def end_badly(blocker: DjangoDbBlocker) -> None:
    with unit_of_work():
        connection.cursor().execute("SELECT 1")
        blocker.block()


def ask_from_a_thread_as(viewer: Viewer, statement: str) -> Any:
    def work() -> Any:
        try:
            with tenant_scope(viewer), unit_of_work():
                return ask(statement)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
