"""States over HTTP: one current truth, what was true in April, and a history that is complete."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tenants.scope import Viewer
from tests.http.conftest import Caller, caller, errors

KEYS = "entity_key=Orbit&concept_key=database"
JANUARY = datetime(2026, 1, 1, 9, tzinfo=UTC)


def runs_on(one: Caller, value: str, at: datetime, **given: Any) -> dict[str, Any]:
    """Write on what Orbit runs since then; return the answer."""
    body = {
        "content": f"Orbit runs on {value}.", "kind": "working_state", "entity_key": "Orbit",
        "concept_key": "database", "value": value, "occurred_at": at.isoformat(),
    }  # fmt: skip
    answer = one.post("memories", body | given)
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json())


def values(one: Caller, query: str) -> list[str]:
    answer = one.get(f"memories?limit=100&{query}")
    assert answer.status_code == 200, answer.content
    return [memory["value"] for memory in answer.json()["results"]]


def moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def changed(one: Caller, times: int, *, every: timedelta = timedelta(days=12)) -> list[dict[str, Any]]:
    """Change the value so many times after the first; return the rows, oldest first."""
    return [
        runs_on(one, f"version {number}", JANUARY + number * every)["memory"] for number in range(times + 1)
    ]


@pytest.mark.spec("M-05", "M-06", "W-12")
@pytest.mark.parametrize("times", [1, 2, 8])
def test_a_fact_that_changed_has_one_current_value_and_its_whole_history(ada: Viewer, times: int) -> None:
    person = caller(ada)
    rows = changed(person, times)

    assert values(person, KEYS) == [f"version {times}"]
    for row in rows:
        chain = person.get(f"memories/{row['id']}/history").json()["chain"]
        assert [one["value"] for one in chain] == [f"version {number}" for number in range(times + 1)]
        assert [one["standing"] for one in chain] == ["superseded"] * times + ["current"]


@pytest.mark.spec("M-02", "W-12")
@pytest.mark.parametrize(("kind", "asks"), [("working_state", 0), ("profile", 1)])
def test_what_changes_by_nature_is_not_asked_about_for_changing_often(
    ada: Viewer, kind: str, asks: int
) -> None:
    person = caller(ada)

    for number in range(5):
        runs_on(person, f"version {number}", JANUARY + number * timedelta(days=5), kind=kind)

    open_ones = person.get("contradictions").json()["results"]
    assert len(open_ones) == asks
    assert values(person, KEYS) == ["version 4"]


@pytest.mark.spec("M-06", "R-08")
def test_what_was_true_at_a_moment_is_one_value_whatever_stands_today(ada: Viewer) -> None:
    person = caller(ada)
    changed(person, 8)

    held = {
        day: values(person, f"{KEYS}&held_at={moment(JANUARY + timedelta(days=day))}")
        for day in (-1, 0, 11, 12, 50, 96, 900)
    }

    assert held == {
        -1: [], 0: ["version 0"], 11: ["version 0"], 12: ["version 1"], 50: ["version 4"],
        96: ["version 8"], 900: ["version 8"],
    }  # fmt: skip


@pytest.mark.spec("M-06")
def test_news_of_old_takes_its_place_in_between(ada: Viewer) -> None:
    person = caller(ada)
    runs_on(person, "SQLite", JANUARY)
    runs_on(person, "PostgreSQL", JANUARY + timedelta(days=20))

    late = runs_on(person, "MySQL", JANUARY + timedelta(days=10))

    assert (late["decision"], late["memory"]["standing"]) == ("coexist", "superseded")
    held = [values(person, f"{KEYS}&held_at={moment(JANUARY + timedelta(days=day))}") for day in (5, 15, 25)]
    assert held == [["SQLite"], ["MySQL"], ["PostgreSQL"]]


@pytest.mark.spec("M-06")
def test_what_was_believed_then_is_not_what_is_known_now(ada: Viewer) -> None:
    person = caller(ada)
    first = runs_on(person, "SQLite", JANUARY)["memory"]
    second = runs_on(person, "PostgreSQL", JANUARY + timedelta(days=20))["memory"]
    before = datetime.fromisoformat(first["created_at"]) - timedelta(seconds=1)
    between = second["created_at"].replace("+00:00", "Z")  # the moment before it counts as superseded

    old = person.get(f"memories/{first['id']}").json()
    early = values(person, f"{KEYS}&known_at={moment(before)}")
    late = values(person, f"{KEYS}&known_at={between}")

    assert old["superseded_at"] == second["created_at"]
    assert (early, late) == ([], ["PostgreSQL"])
    just_before = (datetime.fromisoformat(second["created_at"]) - timedelta(microseconds=1)).isoformat()
    then = just_before.replace("+00:00", "Z")
    assert values(person, f"{KEYS}&known_at={then}") == ["SQLite"]
    assert values(person, f"{KEYS}&known_at={then}&held_at={moment(JANUARY + timedelta(days=30))}") == [
        "SQLite"
    ]


@pytest.mark.spec("M-06", "W-12")
def test_a_value_that_waits_held_until_the_other_was_said_and_a_guess_that_waits_never_did(
    ada: Viewer,
) -> None:
    person = caller(ada)
    runs_on(person, "SQLite", JANUARY)
    assert runs_on(person, "PostgreSQL", JANUARY + timedelta(days=60))["decision"] == "arbitrate"

    held = [values(person, f"{KEYS}&held_at={moment(JANUARY + timedelta(days=day))}") for day in (30, 90)]

    assert held == [["SQLite"], ["PostgreSQL"]]


@pytest.mark.spec("M-06")
def test_of_two_that_both_hold_both_held_since_they_were_said(ada: Viewer) -> None:
    person = caller(ada)
    runs_on(person, "SQLite", JANUARY)
    runs_on(person, "PostgreSQL", JANUARY + timedelta(days=60))
    (question,) = person.get("contradictions").json()["results"]
    person.post(f"contradictions/{question['id']}/resolve", {"verdict": "coexist"})

    held = [
        sorted(values(person, f"{KEYS}&held_at={moment(JANUARY + timedelta(days=day))}")) for day in (30, 90)
    ]

    assert held == [["SQLite"], ["PostgreSQL", "SQLite"]]


@pytest.mark.spec("W-11")
def test_the_same_value_in_another_form_joins_the_first(ada: Viewer) -> None:
    person = caller(ada)
    first = runs_on(person, "$1,200", JANUARY)

    again = runs_on(person, "1200 USD", JANUARY + timedelta(days=1))

    assert (first["decision"], again["decision"]) == ("create", "restate")
    assert sorted(values(person, KEYS)) == ["$1,200", "1200 USD"]


@pytest.mark.parametrize("name", ["held_at", "known_at"])
def test_a_moment_that_is_none_is_refused(ada: Viewer, name: str) -> None:
    assert name in errors(caller(ada).get(f"memories?{name}=april"))


@pytest.mark.spec("M-06", "W-12")
def test_a_value_that_waits_in_arbitration_belongs_to_the_history(ada: Viewer) -> None:
    person = caller(ada)
    rows = changed(person, 2, every=timedelta(days=60))

    for row in rows:
        chain = person.get(f"memories/{row['id']}/history").json()["chain"]
        assert [one["value"] for one in chain] == ["version 0", "version 1", "version 2"]
    assert values(person, KEYS) == ["version 2"]
