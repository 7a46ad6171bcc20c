"""What the leak checker names, and what a run makes of it: the rules by themselves (SPEC S-06)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from recall.shadow.leaks import Asker, judge
from recall.shadow.pace import LOOK_SECONDS, QUIET_SECONDS, rest_after, wait_for
from recall.shadow.verdict import Limits, Totals, decide, quantile, sum_up, warnings

pytestmark = pytest.mark.spec("S-06")

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TENANT, ME, OTHER, MOON = (UUID(int=number) for number in range(1, 5))

ASKER = Asker(
    tenant_id=TENANT, clearance=1, agent_id=ME, all_owners=False, projects=frozenset({MOON}), unfiled=True,
    domains=frozenset({"ops"}), at=NOW,
)  # fmt: skip
PAST = replace(ASKER, past=(NOW - 20 * DAY, NOW - 10 * DAY))


def row(**columns: Any) -> dict[str, Any]:
    return {
        "id": uuid4(), "tenant": TENANT, "classification": 1, "standing": 0, "archived_at": None,
        "card": "state", "kind": "finding", "project_id": None, "agent_id": None, "shared": False,
        "domain": "", "person": "",
        "valid_from": None, "valid_until": None, "effective_at": NOW - 30 * DAY, "ended_at": None,
        "created_at": NOW - 20 * DAY,
        "disputed": False, "quarantined": False, **columns,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({}, ()),
        ({"tenant": OTHER}, ("other_tenant",)),
        ({"classification": 2}, ("above_ceiling",)),
        ({"archived_at": NOW}, ("archived",)),
        ({"quarantined": True}, ("quarantined",)),
        ({"standing": 2}, ("superseded",)),
        ({"standing": 1}, ("contender",)),
        ({"valid_from": NOW}, ()),
        ({"valid_from": NOW + DAY}, ("not_yet_valid",)),
        ({"valid_until": NOW}, ("expired",)),
        ({"valid_until": NOW + DAY}, ()),
        ({"agent_id": ME}, ()),
        ({"agent_id": OTHER}, ("others_private",)),
        ({"person": "vera"}, ("other_person",)),
        ({"agent_id": OTHER, "shared": True}, ()),
        ({"agent_id": OTHER, "shared": True, "domain": "ops"}, ()),
        ({"agent_id": OTHER, "shared": True, "domain": "*"}, ()),
        ({"agent_id": OTHER, "shared": True, "domain": "law"}, ("others_private",)),
        ({"project_id": MOON}, ()),
        ({"project_id": OTHER}, ("other_project",)),
        ({"classification": 3, "standing": 2}, ("above_ceiling", "superseded")),
    ],
)
def test_a_shown_row_is_named_for_all_that_is_wrong_with_it(
    columns: dict[str, Any], named: tuple[str, ...]
) -> None:
    assert judge(row(**columns), ASKER) == named


def test_a_row_that_is_not_there_was_forgotten_or_is_anothers() -> None:
    assert judge(None, ASKER) == ("other_tenant",)
    assert judge(None, ASKER, erased=True) == ("forgotten",)


def test_who_looks_from_above_sees_every_owner_and_a_person_only_what_they_may_view() -> None:
    above = replace(ASKER, all_owners=True, unfiled=False)

    assert judge(row(agent_id=OTHER, project_id=MOON), above) == ()
    assert judge(row(agent_id=OTHER), above) == ("other_project",)


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({"standing": 2, "ended_at": NOW - 15 * DAY}, ()),
        ({"standing": 2, "ended_at": NOW - 25 * DAY}, ("superseded",)),
        ({"standing": 2, "ended_at": NOW - 40 * DAY}, ("superseded",)),  # it lost to an earlier value
        ({"standing": 2, "ended_at": NOW - 15 * DAY, "card": "knowledge"}, ("superseded",)),
        ({"standing": 2, "effective_at": NOW - 5 * DAY}, ("superseded",)),
        ({"standing": 1, "disputed": True}, ()),
        ({"standing": 1}, ("contender",)),
        ({"valid_until": NOW - 12 * DAY}, ()),
        ({"valid_until": NOW - 25 * DAY}, ("expired",)),
        ({"archived_at": NOW, "standing": 2, "ended_at": NOW - 15 * DAY}, ("archived",)),
    ],
)
def test_a_question_about_the_past_may_show_what_held_then(
    columns: dict[str, Any], named: tuple[str, ...]
) -> None:
    assert judge(row(**columns), PAST) == named


GOOD = Totals(
    total=200, real=200, done=200, failures=0, planted=40, caught=40, missed=(), leaks={}, baseline_leaks={},
    figures={"overlap": {"mean": 0.7}, "rbo": {"mean": 0.6}, "latency": {"ratio_p50": 1.5}},
)  # fmt: skip


def test_a_run_passes_with_nothing_against_it() -> None:
    assert decide(GOOD, Limits()) == ()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"leaks": {"archived": 2}}, "The candidate shows what its asker may not see: 2 archived."),
        ({"caught": 39, "missed": ("expired",)}, "Of 40 planted leaks 39 were found; missed: expired."),
        ({"planted": 0, "caught": 0}, "Of 0 planted leaks 0 were found."),
        ({"done": 199}, "Of 200 questions 199 were asked."),
        ({"failures": 1}, "1 questions could not be answered by both."),
        ({"real": 199}, "It rests on 199 questions that were really asked; 200 are needed."),
    ],
)
def test_one_fault_is_enough_to_fail(fault: dict[str, Any], reason: str) -> None:
    assert decide(replace(GOOD, **fault), Limits()) == (reason,)


def test_quality_decides_only_where_a_limit_was_asked_for() -> None:
    limits = Limits(least_overlap=0.8, least_rbo=0.6, most_latency_ratio=1.2)

    assert decide(GOOD, limits) == (
        "The mean overlap is 0.7, below 0.8.",
        "The candidate takes 1.5 times as long, above 1.2.",
    )


def test_a_leak_of_what_is_in_force_is_told_and_does_not_decide_on_the_candidate() -> None:
    leaking = replace(GOOD, baseline_leaks={"expired": 1})

    assert decide(leaking, Limits()) == ()
    assert warnings(leaking) == ("What is in force shows what its asker may not see: 1 expired.",)


def test_what_was_forgotten_meanwhile_counts_neither_as_asked_nor_as_failed() -> None:
    nothing = {"failed": [], "leaks": {"baseline": [], "candidate": []}}

    totals = sum_up([nothing | {"skipped": True}, nothing | {"failed": ["baseline: x"]}], total=2, real=2)

    assert (totals.done, totals.real, totals.failures, totals.figures) == (2, 1, 1, {})


def test_the_rest_makes_work_the_share_it_may_have() -> None:
    assert rest_after(0.03, share=0.03) == pytest.approx(0.97)
    assert rest_after(1.0, share=1.0) == 0.0
    with pytest.raises(ValueError, match="above 0"):
        rest_after(1.0, share=0.0)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"valid_at": NOW - 25 * DAY}, ()),
        ({"valid_at": NOW - 35 * DAY}, ("not_yet_valid",)),
        ({"known_at": NOW - 15 * DAY}, ()),
        ({"known_at": NOW - 25 * DAY}, ("not_yet_valid",)),
        ({"valid_at": NOW, "known_at": NOW - 25 * DAY}, ("not_yet_valid",)),
    ],
)
def test_where_another_time_is_asked_about_what_came_later_is_a_leak(
    asked: dict[str, datetime], named: tuple[str, ...]
) -> None:
    former = row(standing=2, ended_at=NOW - 10 * DAY)

    assert judge(former, replace(ASKER, **asked)) == named  # type: ignore[arg-type]
    assert judge(former | {"classification": 2}, replace(ASKER, **asked)) == ("above_ceiling", *named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("last_sign", "wait"),
    [(None, 0.0), (0.0, LOOK_SECONDS), (QUIET_SECONDS - 0.01, 0.01), (QUIET_SECONDS, 0.0), (3.0, 0.0)],
)
def test_a_run_waits_until_the_others_have_been_quiet_for_long_enough(
    last_sign: float | None, wait: float
) -> None:
    assert wait_for(last_sign) == pytest.approx(wait)


def test_a_quantile_is_a_value_that_there_is() -> None:
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0.1, 0.5, 0.95)] == [1.0, 2.0, 3.0]
