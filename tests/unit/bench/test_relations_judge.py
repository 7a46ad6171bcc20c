"""What a later statement did to an earlier one, on answers made by hand."""

from dataclasses import replace
from typing import Any

import pytest

from bench.scoring.relations_judge import Answer, Answers, Pair, Statement, Verdict, figures, judge, read_pair

OLD = "The stand-up of Kestrel is at 9:15 in the kitchen."
NEW = "Kestrel: stand-up at 9:45 in room Berlin."


def said(text: str, day: int) -> Statement:
    return Statement(role="user", speaker="Ottilie", clock=f"2026-03-{day:02}T08:40:00+01:00", text=text)


PAIR = Pair(
    id="p1",
    lang="en",
    first=said(OLD, 1),
    then=said(NEW, 4),
    relation="replaces",
    question="When is the stand-up?",
    gold=(("9:45", "Berlin"), ("a quarter to ten",)),
    stale=("9:15",),
)


def result(text: str, **given: Any) -> dict[str, Any]:
    return {"id": f"id of {text}", "content": text, "standing": "current"} | given


def verdict(*shown: dict[str, Any], pair: Pair = PAIR, alerts: tuple[dict[str, Any], ...] = ()) -> Verdict:
    own = [Answer(results=[result(one.text)]) for one in (pair.first, pair.then)]
    return judge(pair, Answers(first=own[0], then=own[1], question=Answer(results=shown, alerts=alerts)))


def test_a_pair_is_asked_about_a_week_after_its_later_statement() -> None:
    late_first = replace(PAIR, first=replace(PAIR.first, clock="2026-03-04T23:00:00-08:00"))

    assert PAIR.asked_at == "2026-03-11T08:40:00+01:00"
    assert late_first.asked_at == "2026-03-11T23:00:00-08:00"


def test_a_pair_is_read_from_a_line_of_the_file() -> None:
    statement = {"role": "user", "speaker": "Ottilie", "clock": PAIR.first.clock, "text": OLD}
    later = statement | {"clock": PAIR.then.clock, "text": NEW}
    row = {
        "id": "p1", "lang": "en", "first": statement, "then": later,
        "relation": "replaces", "question": "When is the stand-up?",
        "gold": [["9:45", "Berlin"], ["a quarter to ten"]], "stale": ["9:15"], "both": False, "note": "",
    }  # fmt: skip

    assert read_pair(row) == PAIR


@pytest.mark.parametrize(
    ("texts", "right1", "right5", "stale1"),
    [
        ([NEW, OLD], True, True, False),
        ([OLD, NEW], False, True, True),
        (["The canteen opens at noon.", "It is at A QUARTER TO TEN."], False, True, False),
        ([f"{OLD} {NEW}"], True, True, False),  # with the right words the outdated ones do no harm
        (["Now at 9:45."], False, False, False),  # half of an answer is none
        ([], False, False, False),
    ],
)
def test_the_right_words_are_looked_for_in_the_first_and_in_the_first_five(
    texts: list[str], right1: bool, right5: bool, stale1: bool
) -> None:
    found = verdict(*map(result, texts))

    assert (found.right1, found.right5, found.stale1) == (right1, right5, stale1)


def test_of_a_contradiction_both_sides_have_to_be_shown() -> None:
    pair = replace(PAIR, relation="contradicts")

    one, both = verdict(result(NEW), pair=pair), verdict(result("x"), result(NEW), result(OLD), pair=pair)

    assert (one.right1, one.right5) == (False, False)
    assert (both.right1, both.right5) == (True, True)


@pytest.mark.parametrize(
    ("given", "alerts", "unmarked"),
    [
        ({}, (), True),
        ({"standing": "superseded"}, (), False),
        ({}, ({"type": "contradiction", "memories": [f"id of {OLD}"], "text": "…"},), False),
        ({}, ({"type": "ageing", "memories": [], "text": f"«{OLD}» is old"},), False),
        ({}, ({"type": "ageing", "memories": ["another"], "text": "…"},), True),
    ],
)
def test_an_outdated_result_is_marked_by_its_standing_or_by_an_alert(
    given: dict[str, Any], alerts: tuple[dict[str, Any], ...], unmarked: bool
) -> None:
    assert verdict(result(NEW), result(OLD, **given), alerts=alerts).unmarked5 is unmarked


@pytest.mark.parametrize(
    ("texts", "twice"), [([OLD, NEW], True), ([OLD], False), ([f"{OLD} {NEW}"], False), ([NEW, "x"], False)]
)
def test_a_pair_shows_twice_when_two_results_hold_it(texts: list[str], twice: bool) -> None:
    assert verdict(*map(result, texts)).twice is twice


def test_each_statement_is_kept_and_intact_by_its_own_answer() -> None:
    changed = Answer(results=[result(OLD.replace("9:15", "9:20"))])
    answers = Answers(first=changed, then=Answer(results=[]), question=Answer(results=[]))

    found = judge(PAIR, answers)

    assert found.kept == (True, False)  # one token of thirteen differs
    assert found.intact == (False, False)
    assert found.lost


def test_a_share_is_taken_of_the_relations_that_it_speaks_of() -> None:
    plain = Verdict(
        id="p", lang="en", relation="same", kept=(True, True), intact=(True, False),
        right1=True, right5=True, stale1=True, unmarked5=True, twice=True,
    )  # fmt: skip
    verdicts = [
        plain,
        replace(plain, relation="ends", right1=False),
        replace(plain, relation="corrects", stale1=False, unmarked5=False, right1=False, right5=False),
        replace(plain, relation="adds", kept=(True, False)),
        replace(plain, relation="refines"),
        replace(plain, relation="unrelated"),
    ]

    assert figures(verdicts) == {
        "n": 6, "kept": 0.917, "intact": 0.5, "right1": 0.667, "right5": 0.833,
        "stale1": 0.5, "unmarked5": 0.5, "lost": 0.333, "twice": 1.0,
    }  # fmt: skip


def test_of_nothing_there_is_no_share() -> None:
    assert figures([]) == {
        "n": 0, "kept": None, "intact": None, "right1": None, "right5": None,
        "stale1": None, "unmarked5": None, "lost": None, "twice": None,
    }  # fmt: skip
