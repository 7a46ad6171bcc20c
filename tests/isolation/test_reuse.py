"""
One connection for everybody: nothing of one tenant is left in it for the next (SPEC T-01).

Over a pool of one connection, and through a real PgBouncer in transaction mode with one to the server.
"""

import threading
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connections, transaction
from pytest_django import DjangoDbBlocker

from memories.models import Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.conftest import empty_tables
from tests.factories import make_memory, make_tenant
from tests.isolation.bouncer import PORT, find_pgbouncer, pgbouncer

pytestmark = pytest.mark.spec("T-01")

SHARED = "shared"
"""The alias of the database whose every user gets the one connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What SQL with nobody in force finds in the connection."""

    backend: int  #: process id of the server's end
    tenant: str
    clearance: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenants:
    """Two tenants with one memory each, «ada's» and «bo's»."""

    ada: Viewer
    bo: Viewer


def look() -> Seen:
    """Ask the shared connection with nobody in force, and give it back."""
    with connections[SHARED].cursor() as cursor:
        cursor.execute(
            "SELECT pg_backend_pid(), coalesce(current_setting('candor.tenant', true), ''), "
            "coalesce(current_setting('candor.clearance', true), ''), (SELECT count(*) FROM memory)"
        )
        backend, tenant, clearance, rows = cursor.fetchone()
    connections[SHARED].close()
    return Seen(backend=backend, tenant=tenant, clearance=clearance, rows=rows)


def read(viewer: Viewer) -> list[str]:
    """Read all memories as the viewer over the shared connection, and give it back."""
    with tenant_scope(viewer), unit_of_work(using=SHARED):
        found = contents()
    connections[SHARED].close()
    return found


def contents() -> list[str]:
    """Return the texts of all memories that SQL finds now, whoever asks."""
    with connections[SHARED].cursor() as cursor:
        cursor.execute("SELECT content FROM memory ORDER BY content")
        return [content for (content,) in cursor.fetchall()]


RECONNECTS = {"test_a_client_that_goes_away_in_the_middle_leaves_nothing"}
"""Tests after which the server's end is another: PgBouncer closes it on a client that left halfway."""


@pytest.fixture(scope="module")
def both(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Tenants]:
    """Two tenants with one memory each, for all tests here: they only read."""
    with django_db_blocker.unblock():
        ada, bo = make_tenant("ada"), make_tenant("bo")
        make_memory(tenant=ada, content="ada's", terms={})
        make_memory(tenant=bo, content="bo's", terms={})
        yield Tenants(ada=ada, bo=bo)
        connections["default"].close()
        empty_tables()
        connections["owner"].close()


@pytest.fixture(scope="module", params=["direct", "pgbouncer"])
def settings_of_one(request: pytest.FixtureRequest, both: Tenants) -> Iterator[dict[str, Any]]:
    """Settings of a database that has one connection for everybody."""
    settings = deepcopy(connections["default"].settings_dict)
    if request.param == "direct":
        settings["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 1, "timeout": 20}
        yield settings
        return
    program = find_pgbouncer()
    if program is None:
        pytest.skip("pgbouncer is not installed: apt-get install pgbouncer")
    settings["OPTIONS"].pop("pool", None)
    settings["OPTIONS"]["prepare_threshold"] = None
    with pgbouncer(program, settings) as folder:
        yield settings | {"HOST": str(folder), "PORT": str(PORT), "PASSWORD": ""}


@pytest.fixture
def tenants(
    request: pytest.FixtureRequest,
    both: Tenants,
    settings_of_one: dict[str, Any],
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Tenants]:
    """Two tenants, and the alias SHARED for the one connection that both use, left as it was found."""
    connections.settings[SHARED] = settings_of_one
    with django_db_blocker.unblock():
        before = look()
        yield both
        after = look()
        connections[SHARED].close_pool()  # type: ignore[attr-defined]
    del connections[SHARED]
    del connections.settings[SHARED]
    same = request.node.originalname not in RECONNECTS
    assert after == Seen(backend=before.backend if same else after.backend, tenant="", clearance="", rows=0)


def nothing() -> tuple[str, str, int]:
    """Return what must be found with nobody in force."""
    seen = look()
    return seen.tenant, seen.clearance, seen.rows


NOTHING = ("", "", 0)


def test_each_tenant_finds_its_own_and_nobody_nothing(tenants: Tenants) -> None:
    assert read(tenants.ada) == ["ada's"]
    assert nothing() == NOTHING
    assert read(tenants.bo) == ["bo's"]
    assert read(tenants.ada.capped(0)) == []


def test_an_error_in_a_unit_of_work_leaves_nothing(tenants: Tenants) -> None:
    with pytest.raises(KeyError), tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        raise KeyError
    assert nothing() == NOTHING
    assert read(tenants.bo) == ["bo's"]


def test_an_error_of_the_database_leaves_nothing(tenants: Tenants) -> None:
    with pytest.raises(DatabaseError), tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        connections[SHARED].cursor().execute("SELECT 1 / 0")
    assert nothing() == NOTHING
    assert read(tenants.bo) == ["bo's"]


def sleep_too_long() -> None:
    """Ask for five seconds where twenty milliseconds are given."""
    with connections[SHARED].cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '20ms'")
        cursor.execute("SELECT pg_sleep(5)")


def test_a_statement_that_is_cut_off_leaves_nothing(tenants: Tenants) -> None:
    with pytest.raises(DatabaseError), tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        sleep_too_long()
    assert nothing() == NOTHING
    assert read(tenants.bo) == ["bo's"]


def test_an_undone_savepoint_hands_back_to_the_outer_viewer(tenants: Tenants) -> None:
    with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        with pytest.raises(KeyError), tenant_scope(tenants.bo), unit_of_work(using=SHARED):
            raise KeyError(contents())
        assert contents() == ["ada's"]
    assert nothing() == NOTHING


def test_a_savepoint_in_an_aborted_transaction_hands_back_to_the_outer_viewer(tenants: Tenants) -> None:
    with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        with pytest.raises(DatabaseError), tenant_scope(tenants.bo), unit_of_work(using=SHARED):
            connections[SHARED].cursor().execute("SELECT 1 / 0")
        assert contents() == ["ada's"]


def test_a_nested_unit_that_is_marked_for_rollback_hands_back_to_the_outer_viewer(tenants: Tenants) -> None:
    with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        with tenant_scope(tenants.bo), unit_of_work(using=SHARED):
            transaction.set_rollback(True, using=SHARED)
        assert contents() == ["ada's"]


def test_a_nested_unit_of_another_viewer_hands_back_to_the_outer_one(tenants: Tenants) -> None:
    with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        with tenant_scope(tenants.bo), unit_of_work(using=SHARED):
            assert [memory.content for memory in Memory.objects.using(SHARED)] == ["bo's"]
            with tenant_scope(tenants.bo.capped(0)), unit_of_work(using=SHARED):
                assert contents() == []
            assert contents() == ["bo's"]
        assert [memory.content for memory in Memory.objects.using(SHARED)] == ["ada's"]
    assert nothing() == NOTHING


def test_a_unit_inside_a_plain_transaction_leaves_it_with_nobody(tenants: Tenants) -> None:
    with transaction.atomic(using=SHARED):
        with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
            assert contents() == ["ada's"]
        assert contents() == []
    assert nothing() == NOTHING


def test_an_answer_that_is_read_halfway_leaves_nothing(tenants: Tenants) -> None:
    def stream() -> Iterator[str]:
        with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
            yield from contents()
            yield from contents()

    lines = stream()
    assert next(lines) == "ada's"
    lines.close()
    assert nothing() == NOTHING
    assert read(tenants.bo) == ["bo's"]


def test_a_callback_after_the_commit_finds_nothing(tenants: Tenants) -> None:
    found: list[list[str]] = []
    with tenant_scope(tenants.ada), unit_of_work(using=SHARED):
        transaction.on_commit(lambda: found.append(contents()), using=SHARED)
    assert found == [[]]


def test_two_threads_in_turns_each_find_their_own(tenants: Tenants) -> None:
    found: dict[str, set[tuple[str, ...]]] = {"ada": set(), "bo": set()}

    def work(name: str, viewer: Viewer) -> None:
        for turn in range(100):
            found[name].add(tuple(read(viewer)))
            if turn % 10 == 0:
                found[name].add((str(look().rows), "with nobody in force"))

    threads = [threading.Thread(target=work, args=(name, getattr(tenants, name))) for name in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    nobody = ("0", "with nobody in force")
    assert found == {"ada": {("ada's",), nobody}, "bo": {("bo's",), nobody}}


def test_a_client_that_goes_away_in_the_middle_leaves_nothing(tenants: Tenants) -> None:
    settings = connections[SHARED].settings_dict
    address = {
        "host": settings["HOST"],
        "port": settings["PORT"] or None,
        "password": settings["PASSWORD"] or None,
    }
    client = psycopg.connect(dbname=settings["NAME"], user=settings["USER"], **address)
    client.execute("SELECT set_config('candor.tenant', %s, true)", [str(tenants.ada.tenant_id)])
    client.pgconn.finish()
    assert nothing() == NOTHING


def test_a_tenant_set_for_the_session_would_be_noticed(tenants: Tenants) -> None:
    with connections[SHARED].cursor() as cursor:
        cursor.execute(
            "SELECT set_config('candor.tenant', %s, false), set_config('candor.clearance', '3', false)",
            [str(tenants.ada.tenant_id)],
        )
    connections[SHARED].close()
    assert nothing() == (str(tenants.ada.tenant_id), "3", 1)
    with connections[SHARED].cursor() as cursor:
        cursor.execute(
            "SELECT set_config('candor.tenant', '', false), set_config('candor.clearance', '', false)"
        )
    connections[SHARED].close()
