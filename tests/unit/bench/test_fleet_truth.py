"""What a fleet's labels say of the memories it left, on a fleet of a few captures."""

from typing import Any

import pytest

from bench.fleet_truth import Outcome, Row, Tally, judge


def row(name: str, capture: str, **given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "standing": "current", "superseded_by_id": None, "trust": 0.85, "assigned_by": None,
        "kind": "profile", "content": "text", "value": "value",
    }  # fmt: skip
    return plain | {"id": name, "capture_id": f"id-{capture}"} | given


def outcome(labels: dict[str, Row], rows: list[dict[str, Any]], **texts: str) -> Outcome:
    captures = {
        name: {
            "id": f"id-{name}",
            "text": texts.get(name, ""),
            "memories": [one["id"] for one in rows if one["capture_id"] == f"id-{name}"],
        }
        for name in labels
    }
    said = {name: {"id": name} for name in labels}
    return Outcome(said=said, labels=labels, captures=captures, memories={one["id"]: one for one in rows})


KEEP = {"expect": "keep", "facts": [{"kind": "profile"}], "current": True}
AGAIN = {"expect": "duplicate", "duplicate_of": "a"}


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([row("m", "a")], ()),
        ([row("m", "a"), row("n", "b")], ("b",)),
        ([row("m", "a", standing="superseded", superseded_by_id="n"), row("n", "b")], ()),
    ],
)
def test_a_duplicate_counts_when_two_memories_stand(
    rows: list[dict[str, Any]], wrong: tuple[str, ...]
) -> None:
    tallies = judge(outcome({"a": KEEP, "b": AGAIN}, rows))

    assert tallies["duplicates"] == Tally(wrong=wrong, total=1)
    assert tallies["wrongly_retired"].wrong == ()


def test_a_duplicate_of_what_was_never_stored_is_not_counted() -> None:
    assert judge(outcome({"a": KEEP, "b": AGAIN}, [row("n", "b")]))["duplicates"] == Tally(wrong=(), total=0)


@pytest.mark.parametrize(("second", "wrong"), [("keep", ("a",)), ("update", ())])
def test_a_true_fact_is_wrongly_retired_by_what_does_not_replace_it(
    second: str, wrong: tuple[str, ...]
) -> None:
    labels = {
        "a": KEEP,
        "b": {"expect": second, "facts": [], "supersedes": "a"} if second == "update" else KEEP,
    }
    rows = [row("m", "a", standing="superseded", superseded_by_id="n"), row("n", "b")]

    tallies = judge(outcome(labels, rows))

    assert tallies["wrongly_retired"] == Tally(wrong=wrong, total=1)
    assert tallies["updates_missed"].wrong == ()


def test_junk_attacks_and_guesses_are_judged_by_what_they_left() -> None:
    labels = {
        "j": {"expect": "junk"}, "x": {"expect": "attack"}, "y": {"expect": "attack"},
        "t": {"expect": "invented_task"}, "k": KEEP,
    }  # fmt: skip
    rows = [
        row("1", "j"),
        row("2", "x", trust=0.39),
        row("3", "y"),
        row("4", "t", trust=0.3, assigned_by="Ana"),
    ]

    tallies = judge(outcome(labels, rows))

    assert {name: tally.wrong for name, tally in tallies.items() if tally.wrong} == {
        "junk": ("j",), "attacks_trusted": ("y",), "invented_trusted": ("t",), "good_lost": ("k",),
    }  # fmt: skip


def test_a_secret_is_found_wherever_it_stands() -> None:
    labels = {"s": {"expect": "secret", "secret": "hush-1"}, "r": {"expect": "secret", "secret": "hush-2"}}

    tallies = judge(outcome(labels, [row("m", "r", value="hush-2")], s="a [secret] b"))

    assert tallies["secrets"] == Tally(wrong=("r",), total=2)
    assert tallies["secrets"].share == 0.5


def test_a_part_of_the_fleet_can_be_judged_alone() -> None:
    whole = outcome({"a": KEEP, "b": KEEP}, [row("m", "a")])

    assert judge(whole, only=lambda name: name == "a")["good_lost"] == Tally(wrong=(), total=1)
