"""How the facts bench tells what speaks of one thing, and what stands above what."""

import pytest

from bench.remembering.facts import First, Question, above, is_replaced, judge_first, prefixes

FACTS = [
    "Tavoy is ruled by the house of Brill.",
    "Skagen is ruled by the house of Dorn.",
    "Ulm is ruled by the house of Esk.",
    "Tavoy is ruled by the house of Falk.",
    "Tavoy is loved.",
]


def test_a_value_begins_behind_the_longest_run_of_words_that_three_facts_share() -> None:
    assert prefixes(FACTS) == [
        "Tavoy is ruled by the house of",
        "Skagen is ruled by the house of",
        "Ulm is ruled by the house of",
        "Tavoy is ruled by the house of",
        "Tavoy is loved.",
    ]


def test_only_a_later_fact_of_the_same_thing_replaces() -> None:
    gold = prefixes(FACTS)

    assert [is_replaced(place, FACTS, gold) for place in range(5)] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("place", "answered", "stale"), [(3, True, False), (0, False, True), (1, False, False)]
)
def test_the_first_memory_is_judged_by_its_value_and_by_what_came_later(
    place: int, answered: bool, stale: bool
) -> None:
    question = Question(text="Which house is Tavoy ruled by?", answers=("Falk",))

    first = judge_first(FACTS[place], [place], question, FACTS, prefixes(FACTS))

    assert first == First(answered=answered, stale=stale, half=first.half)


@pytest.mark.parametrize(
    ("ranked", "held"),
    [(["b", "a"], True), (["a", "b"], False), (["c", "b"], True), (["c"], False)],
)
def test_an_update_stands_above_only_if_it_is_found_first(ranked: list[str], held: bool) -> None:
    assert above(ranked, frozenset("b"), frozenset("a")) is held
