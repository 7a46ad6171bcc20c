from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from recall.answering.alerts import Alert, Rival, Shown, find_alerts

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
        ({"cardinality": "multi", "trust": 0.95}, 349, False),
        pytest.param({"cardinality": "multi", "trust": 0.95}, 350, True, marks=pytest.mark.spec("E-08")),
        ({"cardinality": "multi", "trust": 0.95, "provenance": "user_correction"}, 4000, False),
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
        text=f"Last confirmed on {(NOW - timedelta(days=days)).date()}, {days} days ago. Verify it first.",
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


@pytest.mark.spec("R-11")
def test_what_waits_against_a_shown_value_is_shown_in_the_alert() -> None:
    rival = Rival(id=UUID(int=7), content="Mara lives in Lisbon.")

    alerts = find_alerts([shown(1, rivals=(rival,)), shown(2, concept_key="employer", value="acme")], now=NOW)

    assert alerts == (
        Alert(
            type="contradiction",
            memories=(UUID(int=1), UUID(int=7)),
            text="Not settled against: «Mara lives in Lisbon.». Ask before relying on either.",
        ),
    )


def test_a_rival_that_is_shown_itself_is_told_of_once() -> None:
    alerts = find_alerts(
        [shown(1, rivals=(Rival(id=UUID(int=2), content="x"),)), shown(2, value="lisbon")], now=NOW
    )
    assert [alert.memories for alert in alerts] == [(UUID(int=1), UUID(int=2))]


@pytest.mark.spec("E-08")
def test_what_has_a_watermark_does_not_age_by_time() -> None:
    old = shown(1, last_verified_at=NOW - timedelta(days=4000))

    assert find_alerts([old], now=NOW, watched={old.id}) == ()
