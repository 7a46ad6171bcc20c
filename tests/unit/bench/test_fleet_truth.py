"""What a fleet's labels say of the memories it left, on a fleet of a few captures."""

from typing import Any

import pytest

from bench.scoring.fleet_truth import Outcome, Tally, judge
from bench.scoring.own_words import Row


def row(name: str, capture: str, **given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "standing": "current", "superseded_by_id": None, "trust": 0.85, "assigned_by": None,
        "kind": "profile", "content": "text", "value": "value",
    }  # fmt: skip
    return plain | {"id": name, "capture_id": f"id-{capture}"} | given


def outcome(
    labels: dict[str, Row],
    rows: list[dict[str, Any]],
    answers: dict[str, list[list[dict[str, Any]]]] | None = None,
    **texts: str,
) -> Outcome:
    captures = {
        name: {
            "id": f"id-{name}",
            "text": texts.get(name, ""),
            "memories": [one["id"] for one in rows if one["capture_id"] == f"id-{name}"],
        }
        for name in labels
    }
    said = {name: {"id": name, "text": texts.get(name, f"text of {name}")} for name in labels}
    memories = {one["id"]: one for one in rows}
    return Outcome(said=said, labels=labels, captures=captures, memories=memories, answers=answers or {})


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
def test_a_duplicate_makes_a_row_too_many_when_two_memories_stand(
    rows: list[dict[str, Any]], wrong: tuple[str, ...]
) -> None:
    tallies = judge(outcome({"a": KEEP, "b": AGAIN}, rows))

    assert tallies["duplicate_rows"] == Tally(wrong=wrong, total=1)
    assert tallies["wrongly_retired"].wrong == ()


A, B, OTHER = row("m", "a"), row("n", "b"), row("o", "c")


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ({"b": [[B, A]]}, ("b",)),
        ({"a": [[A, OTHER, B]], "b": [[B]]}, ("b",)),  # the words of the earlier one show both
        ({"a": [[A, OTHER]], "b": [[B, OTHER]]}, ()),
        ({"b": [[B, *[OTHER] * 4, A]]}, ()),  # not within the first five
        ({"b": [[B, A | {"standing": "superseded"}]]}, ()),
        ({"b": [[B], [B, A]]}, ()),  # asked as of another time
    ],
)
def test_a_duplicate_counts_when_one_recall_shows_its_fact_twice(
    answers: dict[str, list[list[dict[str, Any]]]], wrong: tuple[str, ...]
) -> None:
    tallies = judge(outcome({"a": KEEP, "b": AGAIN, "c": KEEP}, [A, B, OTHER], answers))

    assert tallies["duplicates"] == Tally(wrong=wrong, total=1)
    assert tallies["duplicate_rows"].wrong == ("b",)


def test_a_duplicate_of_what_was_never_stored_is_not_counted() -> None:
    tallies = judge(outcome({"a": KEEP, "b": AGAIN}, [row("n", "b")]))

    assert tallies["duplicates"] == tallies["duplicate_rows"] == Tally(wrong=(), total=0)


def test_what_is_good_is_lost_when_no_recall_finds_its_words() -> None:
    labels = {"now": KEEP, "then": KEEP, "half": KEEP, "gone": KEEP}
    told = "Roost production listens on port 8088."
    found, half = row("m", "now", content=told), row("n", "half", content="Roost listens on 8088.")
    answers = {"now": [[half, found]], "then": [[], [found]], "half": [[half]], "gone": [[], []]}

    tallies = judge(outcome(labels, [half], answers, **dict.fromkeys(labels, told)))

    assert tallies["good_lost"].wrong == ("half", "gone")
    assert tallies["good_lost_rows"].wrong == ("now", "then", "gone")


def test_a_secret_is_not_missed_in_what_is_found() -> None:
    labels = {"s": {"expect": "secret", "secret": "hush-1234"}}
    answers = {"s": [[row("m", "s", content="The key is [secret] and works on Mondays.")]]}

    tallies = judge(outcome(labels, [], answers, s="The key is hush-1234 and works on Mondays."))

    assert tallies["secret_notes_lost"].wrong == ()
    assert tallies["secret_notes_lost_rows"].wrong == ("s",)


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
        "junk": ("j",), "attacks_trusted": ("y",), "invented_trusted": ("t",),
        "good_lost": ("k",), "good_lost_rows": ("k",),
    }  # fmt: skip


def test_a_secret_is_found_wherever_it_stands() -> None:
    labels = {"s": {"expect": "secret", "secret": "hush-1"}, "r": {"expect": "secret", "secret": "hush-2"}}

    tallies = judge(outcome(labels, [row("m", "r", value="hush-2")], s="a [secret] b"))

    assert tallies["secrets"] == Tally(wrong=("r",), total=2)
    assert tallies["secrets"].share == 0.5


def test_a_part_of_the_fleet_can_be_judged_alone() -> None:
    whole = outcome({"a": KEEP, "b": KEEP}, [row("m", "a")])

    assert judge(whole, only=lambda name: name == "a")["good_lost_rows"] == Tally(wrong=(), total=1)
