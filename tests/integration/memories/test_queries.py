"""Statements as the write track runs them: bound by the server, prepared, several in one round trip."""

from dataclasses import replace
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction

from memories.queries import run, run_alone, run_together, unit_that_runs
from tenants.models import new_id
from tenants.scope import NoTenant, Viewer, bound_viewer, tenant_scope, unit_of_work
from tenants.sql import bound_cursor
from tests.factories import make_memory, make_tenant
from tests.integration.memories.writing import NOW, ask

GROW = ("move_stat", {"classification": 1, "documents": 1, "length": 7})
LOOK = ("read_version", {"rank": 3})
OFTEN = 12  # the driver prepares a statement after 5 runs
SIZES = "SELECT documents, total_length FROM collection_stat WHERE tenant_id = %(tenant)s"


def test_statements_that_run_together_see_what_those_before_them_wrote() -> None:
    ada = make_tenant("ada")

    with tenant_scope(ada), unit_of_work():
        found = run_together([LOOK, GROW, LOOK, GROW, LOOK])

    assert [[row["version"] for row in rows] for rows in found] == [[0], [], [1], [], [2]]
    assert ask(ada, SIZES) == [(2, 14)]


def test_the_first_of_them_that_fails_undoes_them_all_and_the_connection_serves_on() -> None:
    ada = make_tenant("ada")
    used = ("insert_usage", {"memory": new_id(), "now": NOW, "classification": 1})

    with tenant_scope(ada), pytest.raises(IntegrityError, match="usage_pkey"), unit_of_work():
        run_together([GROW, used, used, GROW])

    with tenant_scope(ada), unit_of_work():
        assert run("read_version", rank=3) == [{"version": 0}]
    assert ask(ada, SIZES) == []


def test_statements_that_run_alone_are_one_transaction_bound_to_who_asks() -> None:
    ada, bo = make_tenant("ada"), make_tenant("bo")

    with tenant_scope(ada):
        found = run_alone([GROW, LOOK])
        assert not connection.in_atomic_block
    with tenant_scope(bo):
        other = run_alone([LOOK])

    assert (found, other) == ([[], [{"version": 1}]], [[{"version": 0}]])
    assert ask(ada, SIZES) == [(1, 7)]


def test_the_first_of_them_that_fails_alone_undoes_them_all() -> None:
    ada = make_tenant("ada")
    used = ("insert_usage", {"memory": new_id(), "now": NOW, "classification": 1})

    with tenant_scope(ada), pytest.raises(IntegrityError, match="usage_pkey"):
        run_alone([GROW, used, used, GROW])

    with tenant_scope(ada):
        assert run_alone([LOOK]) == [[{"version": 0}]]


def test_a_unit_that_runs_statements_is_bound_and_commits_at_its_end() -> None:
    ada = make_tenant("ada")

    with tenant_scope(ada), unit_that_runs([GROW, LOOK]) as found:
        assert bound_viewer() == ada
        run("move_stat", **GROW[1])
        inside = run("read_version", rank=3)

    assert (found, inside, bound_viewer()) == ([[], [{"version": 1}]], [{"version": 2}], None)
    assert ask(ada, SIZES) == [(2, 14)]


def test_a_unit_that_fails_undoes_the_statements_that_opened_it() -> None:
    ada = make_tenant("ada")

    with tenant_scope(ada), pytest.raises(ZeroDivisionError), unit_that_runs([GROW]):
        raise ZeroDivisionError

    assert bound_viewer() is None
    assert ask(ada, SIZES) == []


def test_within_a_unit_of_work_they_are_part_of_it() -> None:
    ada = make_tenant("ada")

    with tenant_scope(ada), unit_of_work():
        run_alone([GROW])
        with unit_that_runs([GROW, LOOK]) as (_, seen):
            pass
        transaction.set_rollback(True)

    assert seen == [{"version": 2}]
    assert ask(ada, SIZES) == []


def test_statements_of_nobody_do_not_run_alone() -> None:
    with pytest.raises(NoTenant):
        run_alone([LOOK])
    with pytest.raises(NoTenant), unit_that_runs([LOOK]):
        pass


def test_a_statement_that_comes_again_is_prepared() -> None:
    ada = make_tenant("ada")
    prepared = (
        "SELECT count(*) FROM pg_prepared_statements "
        "WHERE statement LIKE 'SELECT coalesce(sum(version), 0) AS version FROM collection_stat%%'"
    )

    with tenant_scope(ada):
        for _ in range(8):
            with unit_of_work():
                run("read_version", rank=3)
        with unit_of_work(), bound_cursor() as cursor:
            cursor.execute(prepared.replace("%%", "%"))
            assert cursor.fetchone() == (1,)


def see(viewer: Viewer) -> set[UUID]:
    """Return what row security alone lets through, by a statement that names no tenant."""
    with tenant_scope(viewer), unit_of_work(), bound_cursor() as cursor:
        cursor.execute("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)")
        cursor.execute("SELECT id FROM memory")
        return {row[0] for row in cursor.fetchall()}


@pytest.mark.spec("T-02", "T-07")
def test_a_prepared_statement_shows_each_viewer_their_own_rows() -> None:
    ada, bo = make_tenant("ada"), make_tenant("bo")
    plain = make_memory(tenant=ada, classification=1)
    secret = make_memory(tenant=ada, classification=3)
    other = make_memory(tenant=bo, classification=1)
    low = replace(ada, clearance=1)

    seen = [[see(viewer) for viewer in (ada, low, bo)] for _ in range(OFTEN)]

    assert ask(ada, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user") == [
        (False,)
    ]
    assert seen == [[{plain.id, secret.id}, {plain.id}, {other.id}]] * OFTEN
