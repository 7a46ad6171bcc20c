"""A night's steps, each by itself and on record; one night at a time (SPEC E-04)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from evolution.models import SleepRun, SleepState
from evolution.sleep import registry
from evolution.sleep.requests import RunView, ask_for_night, find_waiting, get_night, list_nights
from evolution.sleep.run import NightTaken, Pace, rehearse, sleep
from evolution.steps.contract import Cost, Night, Step, StepOutcome
from tenants.models import new_id
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_capture, make_collection_stat, make_recall_event, make_tenant
from tests.isolation.witness import breaking

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("E-04")]

Steps = Callable[..., None]


@pytest.fixture
def ada() -> Viewer:
    return make_tenant("ada")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Put other steps into the registry: what a later part of the product does by a line there."""

    def put(**runs: Callable[[Night], StepOutcome]) -> None:
        costs: dict[str, Cost] = {name: "dream" if name.startswith("dream") else "cheap" for name in runs}
        made = tuple(Step(name=name, cost=costs[name], run=run) for name, run in runs.items())
        monkeypatch.setattr(registry, "STEPS", made)
        monkeypatch.setattr(registry, "STEP_NAMES", tuple(runs))

    return put


def fine(night: Night) -> StepOutcome:
    return StepOutcome(counts={"seen": 3, "none": 0}, tokens_in=5, tokens_out=2)


def failing(night: Night) -> StepOutcome:
    with unit_of_work():
        raise ValueError("The staging server moved to Frankfurt.")


def pace(**more: Any) -> Pace:
    """A watch that strikes a second each time it is looked at."""
    ticks: Iterator[int] = count()
    return Pace(**{"clock": lambda: float(next(ticks)), "slice_seconds": 30, "dream_seconds": 60} | more)


def run(tenant: Viewer, *, run_id: UUID | None = None, now: datetime = NOW) -> RunView | None:
    with tenant_scope(tenant):
        done = sleep(run_id or new_id(), now=now, pace=pace())
        return get_night(done.id) if done else None


def told(night: RunView | None) -> list[tuple[str, str, Mapping[str, int], str]]:
    assert night is not None
    return [(step.name, step.state, step.counts, step.error) for step in night.steps]


def state(tenant: Viewer) -> SleepState:
    with tenant_scope(tenant), unit_of_work():
        row: SleepState = SleepState.objects.get()
        return row


def test_a_failing_step_is_on_record_without_content_and_stops_none_of_the_others(
    ada: Viewer, steps: Steps
) -> None:
    steps(first=fine, second=failing, third=fine)

    night = run(ada)

    assert told(night) == [
        ("first", "done", {"seen": 3}, ""),
        ("second", "failed", {}, "ValueError"),
        ("third", "done", {"seen": 3}, ""),
    ]
    assert night is not None
    assert (night.state, night.trigger, night.dreamt) == ("failed", "beat", False)
    assert [(one.tokens_in, one.tokens_out) for one in night.steps] == [(5, 2), (0, 0), (5, 2)]
    assert all(one.milliseconds >= 1000 for one in night.steps)
    assert night.finished_at is not None
    assert night.finished_at > NOW


def test_a_step_that_is_not_finished_goes_on_where_it_stood_and_then_begins_anew(
    ada: Viewer, steps: Steps
) -> None:
    places: list[str] = []

    def slow(night: Night) -> StepOutcome:
        places.append(night.resume_from)
        return StepOutcome(
            counts={}, resume_from={"": "a third", "a third": "two thirds"}.get(night.resume_from, "")
        )

    steps(slow=slow, other=fine)
    states = [told(run(ada))[0][1] for _ in range(4)]

    assert places == ["", "a third", "two thirds", ""]
    assert states == ["unfinished", "unfinished", "done", "unfinished"]
    assert state(ada).places == {"slow": "a third"}


def test_a_step_that_fails_keeps_its_place(ada: Viewer, steps: Steps) -> None:
    steps(slow=lambda _night: StepOutcome(counts={}, resume_from="half"))
    run(ada)
    steps(slow=failing)
    run(ada)

    assert state(ada).places == {"slow": "half"}


def test_a_steps_slice_of_time_is_its_own(ada: Viewer, steps: Steps) -> None:
    looks: dict[str, int] = {}

    def hungry(name: str) -> Callable[[Night], StepOutcome]:
        def work(night: Night) -> StepOutcome:
            looks[name] = 0
            while not night.is_over():
                looks[name] += 1
            return StepOutcome(counts={})

        return work

    steps(one=hungry("one"), two=hungry("two"), dream_of_it=hungry("dream_of_it"))
    with tenant_scope(ada):
        sleep(ask_for_night(dream=True, now=NOW).id, now=NOW, pace=pace())

    assert looks == {"one": 29, "two": 29, "dream_of_it": 59}


def test_a_tenants_night_is_not_run_twice_at_once_and_another_tenants_is_not_in_its_way(
    ada: Viewer, steps: Steps
) -> None:
    grace = make_tenant("grace")
    seen: list[str] = []

    def meddle(night: Night) -> StepOutcome:
        if night.tenant_id == ada.tenant_id:
            with pytest.raises(NightTaken):
                run(ada)
            seen.append(told(run(grace))[0][1])
        return StepOutcome(counts={})

    steps(meddle=meddle)
    run(ada)

    assert seen == ["done"]
    assert told(run(ada))[0][1] == "done"  # and the lease is given back


def test_a_lost_workers_night_is_marked_and_the_next_one_is_whole(ada: Viewer, steps: Steps) -> None:
    steps(first=fine, second=fine)
    night = run(ada)
    assert night is not None
    with tenant_scope(ada), unit_of_work():
        SleepRun.objects.update(state="running", finished_at=None)
        SleepState.objects.update(lease_token=new_id(), leased_until=NOW - timedelta(days=9_000))

    after = run(ada, now=NOW + timedelta(hours=1))

    assert after is not None
    with tenant_scope(ada):
        assert get_night(night.id).state == "interrupted"
    assert [one[1] for one in told(after)] == ["done", "done"]


def test_a_message_that_comes_twice_runs_one_night(ada: Viewer, steps: Steps) -> None:
    steps(first=fine)
    one = new_id()

    assert run(ada, run_id=one) is not None
    assert run(ada, run_id=one) is None
    with tenant_scope(ada):
        assert len(list_nights(after=None, most=10)) == 1


def test_steps_asked_for_by_name_are_run_alone_and_in_their_order(ada: Viewer, steps: Steps) -> None:
    steps(first=fine, second=fine, dream_of_it=fine)
    with tenant_scope(replace(ada, actor_kind="person", actor_id="grace")):
        asked = ask_for_night(steps=["dream_of_it", "first"], now=NOW)
    with tenant_scope(ada):
        assert find_waiting() == [asked.id]

    night = run(ada, run_id=asked.id)

    assert night is not None
    assert [one[0] for one in told(night)] == ["first", "dream_of_it"]
    assert (night.trigger, night.asked_by, night.dreamt) == ("hand", "grace", False)
    with tenant_scope(ada):
        assert find_waiting() == []


def made_at(tenant: Viewer, moment: datetime) -> None:
    """Let the tenant have been made at this moment; the service's login may not."""
    with breaking() as superuser:
        superuser.execute("UPDATE tenant SET created_at = %s WHERE id = %s", [moment, tenant.tenant_id])


def worth_a_dream(tenant: Viewer, *, sessions: int = 5, memories: int = 50) -> None:
    """Give the tenant sessions and memories; it was made two days and an hour ago."""
    made_at(tenant, NOW - timedelta(hours=49))
    for number in range(sessions):
        if number % 2:
            make_recall_event(tenant=tenant, session=f"talk {number}", at=NOW - timedelta(hours=1))
        else:
            make_capture(tenant=tenant, session=f"talk {number}", created_at=NOW - timedelta(hours=1))
    make_collection_stat(tenant=tenant, documents=memories)


def test_the_dear_steps_are_run_when_the_gate_is_open_and_not_again_before_a_day(
    ada: Viewer, steps: Steps
) -> None:
    steps(first=fine, dream_of_it=fine)
    worth_a_dream(ada)

    first, second = run(ada), run(ada, now=NOW + timedelta(hours=5))

    assert first is not None
    assert second is not None
    assert [one[0] for one in told(first)] == ["first", "dream_of_it"]
    assert (first.gate["answer"], first.gate["sessions"], first.gate["memories"]) == ("dream", 5, 50)
    assert [one[0] for one in told(second)] == ["first"]
    assert second.gate["answer"] == "too_soon"
    assert state(ada).dreamt_at == NOW


@pytest.mark.parametrize(
    ("short", "answer"), [({"sessions": 4}, "few_sessions"), ({"memories": 49}, "few_memories")]
)
def test_the_gate_stays_shut_while_a_dream_is_not_worth_it(
    ada: Viewer, steps: Steps, short: dict[str, int], answer: str
) -> None:
    steps(first=fine, dream_of_it=fine)
    worth_a_dream(ada, **short)

    night = run(ada)

    assert night is not None
    assert (night.gate["answer"], night.dreamt) == (answer, False)


def test_the_gate_goes_by_the_tenants_own_clock(steps: Steps) -> None:
    steps(first=fine, dream_of_it=fine)
    answers = {}
    for slug, zone in (("tokyo", "Asia/Tokyo"), ("here", "UTC")):
        tenant = make_tenant(slug, time_zone=zone)
        worth_a_dream(tenant)
        made_at(tenant, NOW - timedelta(hours=30))
        night = run(tenant, now=NOW.replace(hour=19, minute=5))  # 04:05 in Tokyo
        assert night is not None
        answers[slug] = night.gate["answer"]

    assert answers == {"tokyo": "dream", "here": "not_at_night"}


def test_a_rehearsal_leaves_no_record(ada: Viewer, steps: Steps) -> None:
    dry: list[bool] = []

    def note(night: Night) -> StepOutcome:
        dry.append(night.dry_run)
        return StepOutcome(counts={"would": 1})

    steps(first=note, dream_of_it=note)
    with tenant_scope(ada):
        outcomes = rehearse([], dream=True, now=NOW, pace=pace())
        assert list_nights(after=None, most=10) == []

    assert {name: one.counts for name, one in outcomes.items()} == {
        "first": {"would": 1}, "dream_of_it": {"would": 1},
    }  # fmt: skip
    assert dry == [True, True]


def test_nobody_sees_another_tenants_night(ada: Viewer, steps: Steps) -> None:
    steps(first=fine)
    night = run(ada)
    assert night is not None

    with tenant_scope(make_tenant("grace")):
        assert list_nights(after=None, most=10) == []
        with pytest.raises(NotFound):
            get_night(night.id)
