"""What every test with a database shares: real transactions, the service's own login, a clean start."""

import gc
import itertools
import os
import socket
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from recall.answering.post_response import wait_until_counted

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
        made = make_database()
    yield
    with django_db_blocker.unblock():
        drop_database(made)


def make_database() -> Any:
    """Make this process's own test database, and return what `drop_database` needs to know of it."""
    made = setup_databases(
        verbosity=0, interactive=False, aliases={"default", "owner"}, serialized_aliases=set()
    )
    stop_waiting_for_the_disk()
    return made


def drop_database(made: Any) -> None:
    """Drop the test database of this process."""
    connections["default"].close()
    connections["default"].close_pool()  # type: ignore[attr-defined]
    gc.collect()  # what threads had open goes with them: it would stand in the way of the drop
    let_go_of_the_database()
    teardown_databases(made, verbosity=0, keepdb=drop_by_force())


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
        wait_until_counted()  # a recall's counting goes on after its answer, and needs the database, too
        connections["default"].close()
        empty_tables()
        connections["owner"].close()


def empty_tables() -> None:
    """
    Empty every table.

    To truncate them all makes some 400 files anew and leaves as many for the next checkpoint to remove, a
    tenth of a second for each test; the few rows of one are deleted sooner. Only a superuser may do that past
    row security and the triggers that guard the rows, so where none is known, and now and then to be rid of
    what deleting leaves behind, they are truncated.
    """
    may_delete = "CANDOR_TEST_ADMIN_URL" in os.environ and next(_emptied) % TRUNCATED_EVERY
    if not (may_delete and _delete_few()):
        _truncate_all()


TRUNCATED_EVERY = 200
FEW = 1_000  # of more, a table's statistics would tell for long
_emptied = itertools.count(1)

RESTART = """
SELECT setval(s.oid::regclass, q.seqstart, false)
FROM pg_class s JOIN pg_sequence q ON q.seqrelid = s.oid
JOIN pg_depend d ON d.objid = s.oid AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
WHERE d.refobjid = ANY (%s::text[]::regclass[])
"""


def _delete_few() -> bool:
    """Delete what the tables hold, unless one of them holds many; return whether all is gone."""
    connection = _as_superuser()
    with connection.transaction():
        tables = _tables(connection)
        connection.execute("SET LOCAL session_replication_role = replica")
        # As to truncate does: who still writes is waited for.
        connection.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        look = (
            f"SELECT '{one}', (SELECT count(*) FROM (SELECT FROM {one} LIMIT {FEW}) few)" for one in tables
        )
        rows = dict(connection.execute(" UNION ALL ".join(look)).fetchall())
        held = [name for name, count in rows.items() if count]
        if max(rows.values()) >= FEW:
            return False
        for name in held:
            connection.execute(f"DELETE FROM {name}")
        connection.execute(RESTART, [held])
    return True


def _truncate_all() -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(_tables(cursor))} RESTART IDENTITY CASCADE")


def _tables(cursor: Any) -> list[str]:
    """Return the tables that tests fill, quoted."""
    found = cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") or cursor
    return [f'"{name}"' for (name,) in found.fetchall() if name not in KEPT]


def _as_superuser() -> psycopg.Connection[Any]:
    """Return the one connection that is kept for this: a new one would read the catalogue anew."""
    name = connections["owner"].settings_dict["NAME"]
    if not _superuser:
        url = os.environ["CANDOR_TEST_ADMIN_URL"]
        _superuser.append(psycopg.connect(url, dbname=name, autocommit=True))
    return _superuser[0]


def drop_by_force() -> bool:
    """
    Drop the test database with whoever is connected to it; return False where no superuser is known for it.

    A thread that a test left behind may hold a connection, or open one anew a moment after it was closed:
    a plain drop fails then, after the last test has passed.
    """
    if "CANDOR_TEST_ADMIN_URL" not in os.environ:
        return False
    name = connections["owner"].settings_dict["NAME"]
    connections["owner"].close()
    with psycopg.connect(os.environ["CANDOR_TEST_ADMIN_URL"], autocommit=True) as admin:
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    return True


def let_go_of_the_database() -> None:
    """Close what is kept open beside Django's connections: it would stand in the way of a copy or a drop."""
    while _superuser:
        _superuser.pop().close()


_superuser: list[psycopg.Connection[Any]] = []


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
