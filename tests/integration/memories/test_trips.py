"""Statements that go to PostgreSQL in one packet: what one of them breaks, and what comes after it."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from tenants.db.statement_batch import send_together
from tenants.models import new_id
from tenants.scope import Viewer, bound_viewer, tenant_scope, unit_of_work
from tenants.sql import run_texts_and_end, run_texts_together, unit_that_runs_texts
from tests.factories import make_project, make_tenant
from tests.statements import statements_run

OFTEN = 7  # the driver prepares a statement after 5 runs
ADD = "SELECT %(one)s::int + %(other)s::int AS sum"
TWICE = "SELECT %(word)s::text || %(word)s::text AS twice, '100 %%'::text AS all"
BREAK = "SELECT 1 / %(nothing)s::int AS broken"
PREPARED = "SELECT count(*)::int AS prepared FROM pg_prepared_statements WHERE statement = %(text)s"

add = (ADD, {"one": 2, "other": 40, "unnamed": "left out"})
twice = (TWICE, {"word": "ha"})
broken = (BREAK, {"nothing": 0})
how_many = (PREPARED, {"text": "SELECT $1::int + $2::int AS sum"})


def sent(*statements: tuple[str, dict[str, object]]) -> list[list[dict[str, object]]]:
    return send_together(connection, statements)


def test_each_statement_answers_with_its_own_rows_by_column() -> None:
    with transaction.atomic():
        found = sent(add, ("SET LOCAL work_mem = '8MB'", {}), twice)

    assert found == [[{"sum": 42}], [], [{"twice": "haha", "all": "100 %"}]]


def test_no_statement_needs_no_trip() -> None:
    assert sent() == []


def test_outside_of_a_transaction_a_trip_is_one_by_itself() -> None:
    begun = "SELECT transaction_timestamp() AS at"

    first, second = sent((begun, {}), (begun, {}))
    [later] = sent((begun, {}))

    assert first == second != later
    assert not connection.in_atomic_block


def test_a_trip_begins_the_transaction_that_the_connection_is_to_be_in() -> None:
    with transaction.atomic():
        sent(("SELECT set_config('candor.actor', 'ann', true) AS told", {}))
        inside = sent(("SELECT current_setting('candor.actor', true) AS told", {}))
    after = sent(("SELECT coalesce(current_setting('candor.actor', true), '') AS told", {}))

    assert (inside, after) == ([[{"told": "ann"}]], [[{"told": ""}]])


def test_what_comes_often_is_prepared_once() -> None:
    with transaction.atomic():
        found = [sent(add, add) for _ in range(OFTEN)]
        prepared = sent(how_many)

    assert found == [[[{"sum": 42}], [{"sum": 42}]]] * OFTEN
    assert prepared == [[{"prepared": 1}]]


def test_the_first_that_fails_is_told_of_and_those_after_it_are_not_run() -> None:
    with pytest.raises(Exception, match="division by zero"), transaction.atomic():
        sent(add, broken, ("SELECT no_such_column", {}))

    assert sent(add) == [[{"sum": 42}]]


def test_what_was_to_be_prepared_after_a_failure_is_prepared_again() -> None:
    never_reached = ("SELECT %(word)s::text AS never_reached", {"word": "ha"})
    for _ in range(OFTEN):
        with pytest.raises(Exception, match="division by zero"):
            sent(broken, never_reached)

    found = [sent(never_reached) for _ in range(OFTEN)]

    assert found == [[[{"never_reached": "ha"}]]] * OFTEN


def test_in_a_savepoint_that_was_rolled_back_to_statements_run_on() -> None:
    with transaction.atomic():
        for _ in range(OFTEN):
            with pytest.raises(Exception, match="division by zero"), transaction.atomic():
                sent(add, broken, twice)
        found = sent(add, twice)

    assert found == [[{"sum": 42}], [{"twice": "haha", "all": "100 %"}]]


def test_a_broken_rule_is_raised_as_django_names_it() -> None:
    tenant = make_tenant("ada")
    make_project(tenant=tenant, slug="moon")
    again = ("INSERT INTO project SELECT * FROM project", {})

    with pytest.raises(IntegrityError, match="duplicate key"), tenant_scope(tenant), unit_of_work():
        sent(add, again)


def test_a_connection_that_ends_in_the_midst_is_given_up_and_the_next_one_serves() -> None:
    end = ("SELECT pg_terminate_backend(pg_backend_pid()) AS ended", {})

    with pytest.raises(OperationalError), transaction.atomic():
        sent(add, end, add)
    connection.close_if_unusable_or_obsolete()

    assert sent(add) == [[{"sum": 42}]]


def test_a_connection_whose_answer_was_not_waited_for_is_given_up() -> None:
    def interrupt(*_: object) -> None:
        raise InterruptedError

    former = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(InterruptedError):
            sent(add, ("SELECT pg_sleep(1)", {}), add)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert connection.connection.closed
    connection.close_if_unusable_or_obsolete()

    assert sent(add) == [[{"sum": 42}]]


def test_each_statement_of_a_trip_is_seen_by_who_watches() -> None:
    with statements_run() as seen:
        sent(add, twice)

    assert seen == [ADD, TWICE]


def test_a_large_trip_there_and_back_comes_through() -> None:
    """Both sides write before the other has read: neither may wait for the other."""
    text = "word " * 400_000
    echo = ("SELECT %(text)s::text AS said", {"text": text})

    assert sent(echo, echo, echo) == [[{"said": text}]] * 3


ADD_PROJECT = """
INSERT INTO project (id, tenant_id, slug, name, created_at)
VALUES (%(id)s::uuid, %(tenant)s, %(slug)s::text, '', now())
"""
COUNT_PROJECTS = "SELECT count(*)::int AS projects FROM project WHERE tenant_id = %(of)s::uuid"


def in_another_process_of_postgres(viewer: Viewer) -> int:
    """Return how many projects another connection sees: those that are committed."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(count_projects, viewer).result()


def count_projects(viewer: Viewer) -> int:
    try:
        with tenant_scope(viewer), unit_of_work():
            return int(run_texts_together([(COUNT_PROJECTS, {"of": viewer.tenant_id})])[0][0]["projects"])
    finally:
        connection.close()


def test_the_last_statements_of_a_unit_commit_it_in_their_own_trip() -> None:
    viewer = make_tenant("ada")
    with tenant_scope(viewer), unit_that_runs_texts([]):
        found = run_texts_and_end([(ADD_PROJECT, {"id": new_id(), "slug": "moon"}), add])

        assert in_another_process_of_postgres(viewer) == 1
    assert found == [[], [{"sum": 42}]]


def test_what_is_run_after_the_end_of_a_unit_is_told_nobody() -> None:
    viewer = make_tenant("ada")
    with tenant_scope(viewer), unit_of_work():
        run_texts_together([(ADD_PROJECT, {"id": new_id(), "slug": "moon"})])
    with tenant_scope(viewer), unit_that_runs_texts([]):
        before = run_texts_and_end([(COUNT_PROJECTS, {"of": viewer.tenant_id})])

        assert bound_viewer() is None
        assert before == [[{"projects": 1}]]
        assert run_texts_together([(COUNT_PROJECTS, {"of": viewer.tenant_id})]) == [[{"projects": 0}]]


def test_a_unit_inside_another_one_does_not_end_it() -> None:
    viewer = make_tenant("ada")
    with tenant_scope(viewer), unit_of_work():
        with unit_that_runs_texts([]):
            run_texts_and_end([(ADD_PROJECT, {"id": new_id(), "slug": "moon"})])

        assert in_another_process_of_postgres(viewer) == 0
    assert count_projects(viewer) == 1
