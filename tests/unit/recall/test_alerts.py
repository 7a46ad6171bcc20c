from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from recall.alerts import Alert, Shown, find_alerts

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def shown(number: int, **changes: object) -> Shown:
    told: dict[str, object] = {
        "id": UUID(int=number),
        "card": "state",
        "kind": "profile",
        "entity_key": "mara",
        "concept_key": "residence",
        "value": "porto",
        "cardinality": "single",
        "assigned_by": None,
        "last_verified_at": NOW,
    }
    return Shown(**{**told, **changes})  # type: ignore[arg-type]


@pytest.mark.spec("R-11")
def test_two_values_of_one_single_valued_state_raise_one_alert() -> None:
    alerts = find_alerts([shown(1), shown(2, value="lisbon")], now=NOW)

    assert alerts == (
        Alert(
            type="contradiction",
            memories=(UUID(int=1), UUID(int=2)),
            text="These disagree on residence of mara. Ask before relying on either.",
        ),
    )


@pytest.mark.parametrize(
    "other",
    [{"value": "porto"}, {"entity_key": "tom"}, {"concept_key": "employer"}, {"cardinality": "multi"}],
)
def test_rows_that_can_both_hold_raise_none(other: dict[str, object]) -> None:
    first = shown(1, cardinality=other.get("cardinality", "single"))

    assert find_alerts([first, shown(2, **{"value": "lisbon", **other})], now=NOW) == ()


@pytest.mark.spec("R-11")
@pytest.mark.parametrize(
    ("row", "days", "old"),
    [
        ({}, 180, False),
        ({}, 181, True),
        ({"cardinality": "multi"}, 400, False),
        ({"card": "knowledge", "kind": "finding"}, 90, False),
        ({"card": "knowledge", "kind": "finding"}, 91, True),
        ({"card": "event", "kind": "episode"}, 4000, False),
    ],
)
def test_what_ages_is_called_old_after_its_time(row: dict[str, object], days: int, old: bool) -> None:
    alerts = find_alerts([shown(1, last_verified_at=NOW - timedelta(days=days), **row)], now=NOW)

    expected = Alert(
        type="ageing",
        memories=(UUID(int=1),),
        text=f"Last verified {days} days ago. Verify it first.",
    )
    assert alerts == ((expected,) if old else ())


@pytest.mark.spec("W-17")
def test_a_task_that_nobody_assigned_is_called_a_guess() -> None:
    rows = [shown(1, kind="task", assigned_by=None), shown(2, kind="task", assigned_by="Mara", value="porto")]

    assert find_alerts(rows, now=NOW) == (
        Alert(
            type="unassigned_task",
            memories=(UUID(int=1),),
            text="Nobody assigned these tasks: they are guesses.",
        ),
    )
