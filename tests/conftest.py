"""What every test with a database shares: real transactions, the service's own login, a clean start."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

os.environ.setdefault("OMP_NUM_THREADS", "1")

#: Filled by migrations, not by tests.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, django_db_modify_db_settings: None
) -> Iterator[None]:
    """
    Make this process's own test database: created and migrated by the owner, used by the service's login.

    pytest-django makes databases for tests with its marks only, and ours have none.
    """
    with django_db_blocker.unblock():
        made = setup_databases(
            verbosity=0, interactive=False, aliases={"default", "owner"}, serialized_aliases=set()
        )
        stop_waiting_for_the_disk()
    yield
    with django_db_blocker.unblock():
        connections["default"].close()
        connections["default"].close_pool()  # type: ignore[attr-defined]
        teardown_databases(made, verbosity=0)


def stop_waiting_for_the_disk() -> None:
    """Let commits of the test database return at once: what is killed here is never the server."""
    with connections["owner"].cursor() as cursor:
        name = connections["owner"].settings_dict["NAME"]
        assert name == connections["default"].settings_dict["NAME"] != "candor"
        cursor.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    connections["owner"].close()


@pytest.fixture
def database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give the test the real database, as the service sees it, and empty it afterwards as the owner."""
    with django_db_blocker.unblock():
        yield
        connections["default"].close()
        empty_tables()
        connections["owner"].close()


def empty_tables() -> None:
    """Empty every table at once, as the owner: the service's login may not."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [f'"{name}"' for (name,) in cursor.fetchall() if name not in KEPT]
        cursor.execute(f"TRUNCATE {', '.join(tables)} RESTART IDENTITY CASCADE")


@pytest.fixture(autouse=True)
def no_network_in_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail on a socket that our code opens inside a transaction; PostgreSQL's own are not Python's."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        busy = [alias for alias in connections if _in_transaction(alias)]
        if busy:
            raise AssertionError(f"a socket to {address!r} was opened inside a transaction on {busy}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


def _in_transaction(alias: str) -> bool:
    return hasattr(connections._connections, alias) and connections[alias].in_atomic_block
