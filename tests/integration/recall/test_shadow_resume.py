"""A run that is killed, cancelled or hopeless, and what nobody may write about one (SPEC S-06, O-04)."""

import pytest
from django.db import DatabaseError, connection

from recall.models import ShadowQuestion, ShadowRun
from recall.shadow.replaying import MOST_ATTEMPTS, LeaseLost, RunTaken, replay
from recall.shadow.runs import Sample, ask_for_run, cancel_run
from recall.shadow.verdict import Limits
from tenants.scope import Viewer, unit_of_work
from tests.factories import make_shadow_run
from tests.integration.recall.conftest import NOW
from tests.integration.recall.shadowing import (
    as_pipeline,
    ask_all,
    hurry,
    make_town,
    questions_of,
    try_out,
)

pytestmark = pytest.mark.spec("S-06")


class Killed(BaseException):
    """What ends a worker here; no clean-up of ours catches it, but the lease's."""


def begin(tenant: Viewer) -> ShadowRun:
    ask_for_run({"kind": "in_force"}, sample=Sample(), limits=Limits(), now=NOW, hinted=False)
    with unit_of_work():
        return ShadowRun.objects.get(tenant_id=tenant.tenant_id)


def kill_after(count: int) -> object:
    """Return a progress that ends its worker after so many questions."""

    def progress(done: int, _total: int) -> None:
        if done == count:
            raise Killed

    return progress


@pytest.mark.spec("O-04")
def test_a_run_that_was_killed_goes_on_and_asks_no_question_twice() -> None:
    town = make_town()
    ask_all(town.agent, times=2)
    with as_pipeline(town.tenant):
        run = begin(town.tenant)
        with pytest.raises(Killed):
            replay(run.id, now=lambda: NOW, pace=hurry(1e9), progress=kill_after(3))  # type: ignore[arg-type]
        with unit_of_work():
            ShadowQuestion.objects.filter(done_at__isnull=False).update(done_at="2026-01-01T00:00:00Z")

        assert replay(run.id, now=lambda: NOW, pace=hurry(1e9))

    asked = questions_of(town.tenant, run)
    assert [one.done_at.year for one in asked] == [2026] * 8
    assert [one.done_at == NOW for one in asked] == [False] * 3 + [True] * 5
    with as_pipeline(town.tenant), unit_of_work():
        assert ShadowRun.objects.values_list("state", "done", "total").get() == ("done", 8, 8)


def test_a_slice_ends_with_its_time_and_the_next_goes_on() -> None:
    town = make_town()
    ask_all(town.agent)
    with as_pipeline(town.tenant):
        run = begin(town.tenant)

        assert [replay(run.id, now=lambda: NOW, pace=hurry(1.0)) for _ in range(5)] == [False] * 4 + [True]


def test_two_workers_do_not_share_a_run_and_a_cancelled_one_is_let_go() -> None:
    town = make_town()
    ask_all(town.agent)

    def second(_done: int, _total: int) -> None:
        with pytest.raises(RunTaken):
            replay(run.id, now=lambda: NOW, pace=hurry(1e9))
        cancel_run(run.id, now=NOW)

    with as_pipeline(town.tenant):
        run = begin(town.tenant)
        with pytest.raises(LeaseLost):
            replay(run.id, now=lambda: NOW, pace=hurry(1e9), progress=second)
        with unit_of_work():
            assert ShadowRun.objects.values_list("state", "done", "verdict").get() == ("cancelled", 1, None)


def test_a_question_that_ends_every_worker_ends_the_run() -> None:
    town = make_town()
    ask_all(town.agent)
    with as_pipeline(town.tenant):
        run = begin(town.tenant)
        with unit_of_work():
            ShadowRun.objects.update(attempts=MOST_ATTEMPTS)

        assert replay(run.id, now=lambda: NOW, pace=hurry(1e9))

        with unit_of_work():
            assert ShadowRun.objects.values_list("state", "verdict").get() == ("dead", None)


@pytest.mark.parametrize(
    "fault",
    [
        {"leaks": 1}, {"failures": 1}, {"planted_caught": 39}, {"planted": 0}, {"done": 199}, {"real": 199},
        {"state": "running"},
    ],
)  # fmt: skip
def test_the_table_itself_lets_no_run_pass_that_may_not(fault: dict[str, object]) -> None:
    town = make_town()
    good = {
        "state": "done",
        "verdict": "passed",
        "total": 200,
        "done": 200,
        "real": 200,
        "planted": 40,
        "planted_caught": 40,
    }
    make_shadow_run(tenant=town.tenant, **good)

    with pytest.raises(DatabaseError, match="shadow_run_passed"):
        make_shadow_run(tenant=town.tenant, **good | fault)


def test_a_checker_that_sees_nothing_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    town = make_town()
    ask_all(town.agent)
    monkeypatch.setattr("recall.shadow.leaks.judge", lambda *_args, **_kwargs: ())

    run = try_out(town.tenant)

    assert run.planted_caught == 0
    assert run.reasons[0].startswith(f"Of {run.planted} planted leaks 0 were found; missed: ")


def test_what_is_planted_is_taken_back() -> None:
    town = make_town()
    ask_all(town.agent)
    tables = ("memory", "capture", "erasure", "audit_event", "posting")

    def rows() -> list[int]:
        with unit_of_work(), connection.cursor() as cursor:
            return [cursor.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in tables]

    with as_pipeline(town.tenant):
        run = begin(town.tenant)
        before = rows()
        replay(run.id, now=lambda: NOW, pace=hurry(1.0))

        assert rows() == before
        with unit_of_work():
            planted, caught = ShadowRun.objects.values_list("planted", "planted_caught").get()
    assert planted == caught > 10
