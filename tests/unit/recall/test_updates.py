"""What was said later is read before what it updates: how far a verdict moves a row (SPEC K-05)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from memories.domain.kinds import PROVENANCE_WEIGHT
from recall.retrieval.updates import (
    BENEFIT,
    DOUBT,
    LIFT_FROM,
    Answers,
    Asked,
    Later,
    Update,
    find_stale,
    is_weaker,
    newer_first,
    of_shown,
)

EQUAL = np.ones(4)
"""How near rows are that all answer as well."""


def answers(
    own: Sequence[float],
    *,
    named: Sequence[float] = (),
    elsewhere: Sequence[int] = (),
    said_at: Sequence[float] = (),
) -> Answers:
    """Return rows that answer this well: each said a day after the one before it, none of them named."""
    days = np.arange(len(own), dtype=np.float64)
    return Answers(
        scores=np.array(own),
        named=np.array(named or np.ones(len(own))),
        elsewhere=np.isin(days, elsewhere),
        said_at=np.array(said_at or days),
        nearness=np.array(own),
    )


def moved(
    scores: Sequence[float], *updates: Update, held: Sequence[int] = (), by: Answers | None = None
) -> list[int]:
    """Return the rows in their order after these verdicts. by: how well they answer, if other than scored."""
    marks = np.array([row in held for row in range(len(scores))])
    result = newer_first(np.array(scores), updates, held=marks, answers=by or answers(scores))
    return np.argsort(-result).tolist()


def update(
    older: int, newer: int, confidence: float = 0.9, type_: str = "replaces", *, weaker: bool = False
) -> Update:
    return Update(older=older, newer=newer, type=type_, confidence=confidence, is_weaker=weaker)


@pytest.mark.parametrize("type_", ["replaces", "ends", "corrects", "refines"])
def test_the_later_statement_stands_right_above_the_earlier_one(type_: str) -> None:
    assert moved([0.9, 0.5, 0.6, 0.48], update(1, 3, type_=type_)) == [0, 2, 3, 1]


def test_a_contradiction_moves_nothing_and_is_told() -> None:
    denied = update(0, 1, type_="contradicts")

    assert moved([0.5, 0.48], denied) == [0, 1]
    assert find_stale([denied, update(0, 2, type_="refines"), update(1, 2)], EQUAL) == {
        0: Later(rows=[1]), 1: Later(rows=[2])
    }  # fmt: skip


def test_the_better_the_question_fits_the_earlier_one_the_surer_the_verdict_must_be() -> None:
    lag = 0.3
    enough = 1 / (1 + np.exp(BENEFIT - DOUBT * lag))

    assert moved([1.0, 1.0 - lag], update(0, 1, float(enough) + 0.01)) == [1, 0]
    assert moved([1.0, 1.0 - lag], update(0, 1, float(enough) - 0.01)) == [0, 1]
    assert moved([1.0, 0.1], update(0, 1, 1.0)) == [1, 0]  # a person's own word


def test_what_is_too_unlikely_is_told_and_lifts_nothing() -> None:
    assert moved([1.0, 1.0], update(0, 1, LIFT_FROM + 0.01)) == [1, 0]
    assert moved([1.0, 1.0], update(0, 1, LIFT_FROM - 0.01)) == [0, 1]
    assert find_stale([update(0, 1, LIFT_FROM - 0.01)], EQUAL) == {0: Later(rows=[1])}


def test_of_several_verdicts_on_one_statement_the_surest_counts() -> None:
    verdicts = update(0, 1, 0.6), update(0, 2, 0.95)

    assert moved([0.5, 0.49, 0.48], *verdicts) == [2, 0, 1]
    assert moved([0.5, 0.48, 0.49], *verdicts) == [2, 0, 1]


@pytest.mark.spec("K-05")
def test_of_a_value_that_changed_more_than_once_the_last_is_lifted_if_it_answers_no_worse() -> None:
    verdicts = update(0, 1, 0.95), update(0, 2, 0.45)

    assert moved([0.8, 0.6, 0.6], *verdicts) == [2, 0, 1]  # too doubtful to change it, sure enough to follow
    assert moved([0.8, 0.6, 0.59], *verdicts) == [1, 0, 2]
    assert moved([0.8, 0.6, 0.6], *verdicts, by=answers([0.8, 0.6, 0.6], said_at=[0, 2, 1])) == [1, 0, 2]
    assert moved([0.8, 0.6, 0.6], update(0, 2, 0.45)) == [0, 1, 2]


@pytest.mark.spec("K-05")
def test_nothing_follows_a_persons_own_word_but_another_one() -> None:
    assert moved([0.8, 0.6, 0.7], update(0, 1, 1.0), update(0, 2, 0.95)) == [1, 0, 2]
    assert moved([0.8, 0.6, 0.7], update(0, 1, 1.0), update(0, 2, 1.0)) == [2, 0, 1]


@pytest.mark.spec("K-05")
def test_the_further_a_row_has_to_be_lifted_the_surer_the_verdict_must_be() -> None:
    chain = update(0, 1, 0.9), update(1, 2, 0.7)

    assert moved([0.8, 0.6, 0.55], *chain) == [2, 1, 0]
    assert moved([0.8, 0.6, 0.45], *chain) == [
        1,
        0,
        2,
    ]  # near to the one before it, far from that one's place
    # Ranking asks more than once: what a row was lifted to is not how well it answers.
    assert moved([0.8, 0.80001, 0.6], *chain, by=answers([0.8, 0.6, 0.45])) == [1, 0, 2]


@pytest.mark.spec("K-05")
@pytest.mark.parametrize(
    ("question", "first", "then", "names"),
    [
        ("When does gate 2 open?", "Gate 2 opens at six.", "Gate 3 opens at seven.", True),
        ("When does gate 3 open?", "Gate 2 opens at six.", "Gate 3 opens at seven.", False),
        ("When do the gates open?", "Gate 2 opens at six.", "Gate 3 opens at seven.", False),
        ("When do gates 2 and 3 open?", "Gate 2 opens at six.", "Gate 3 opens at seven.", False),
        ("二号门几点开？", "二号门六点开。", "三号门七点开。", True),
        # In other words nothing stands in another's place, and a word that is left out has no other in its.
        ("Who guards gate 2?", "Gate 2 is guarded by Rui.", "From May on it is Ann who does that.", False),
        ("Is the ramp icy?", "The ramp of gate 2 is icy.", "The ramp is icy.", False),
        ("", "Gate 2 opens at six.", "Gate 3 opens at seven.", False),
    ],
)
def test_a_question_names_the_earlier_of_two_things_by_a_word_that_the_later_has_another_for(
    question: str, first: str, then: str, names: bool
) -> None:
    assert Asked(question, [first, then]).names_older(update(0, 1)) is names


def test_it_takes_a_surer_verdict_to_lift_above_what_the_question_names() -> None:
    asked = Asked("When does gate 2 open?", ["Gate 2 opens at six.", "Gate 3 opens at seven."])
    scored = [0.9, 0.9]
    by = replace(answers(scored), asked=asked)

    assert moved(scored, update(0, 1, 0.8)) == [1, 0]
    assert moved(scored, update(0, 1, 0.8), by=by) == [0, 1]
    assert moved(scored, update(0, 1, 0.9), by=by) == [1, 0]
    assert moved(scored, update(0, 1, 1.0), by=by) == [1, 0]  # a person's own word


def test_what_updates_a_statement_on_the_thing_named_counts_as_being_of_it() -> None:
    scores, doubtful = [0.84, 0.59], update(0, 1, 0.57)

    assert moved(scores, doubtful) == [0, 1]
    assert moved(scores, doubtful, by=answers(scores, named=[1.15, 1.0])) == [1, 0]
    assert moved(scores, doubtful, by=answers(scores, named=[1.15, 1.15])) == [0, 1]
    assert moved(scores, doubtful, by=answers(scores, named=[1.15, 1.0], elsewhere=[1])) == [0, 1]


def test_a_chain_of_updates_ends_with_the_latest_first() -> None:
    assert moved([0.50, 0.49, 0.48], update(0, 1), update(1, 2)) == [2, 1, 0]


def test_what_counts_less_or_was_not_found_does_not_rise() -> None:
    assert moved([0.5, 0.49], update(0, 1, weaker=True)) == [0, 1]
    assert moved([0.5, 0.49], update(0, 1)) == [1, 0]
    assert moved([0.5, -1.0], update(0, 1, 1.0)) == [0, 1]


def test_it_is_told_of_what_counts_less_where_nothing_else_says_so() -> None:
    said = [update(0, 1, weaker=True), update(0, 2), update(3, 1, weaker=True)]

    assert find_stale(said, EQUAL) == {0: Later(rows=[2]), 3: Later(rows=[1], is_weaker=True)}


@pytest.mark.spec("V-05", "M-08")
@pytest.mark.parametrize("earlier", ["user_correction", "user_stated", "measured"])
def test_what_comes_from_outside_the_agents_is_updated_by_the_same_alone(earlier: str) -> None:
    stronger = {later for later in PROVENANCE_WEIGHT if not is_weaker(later, earlier, gap=0.0)}

    assert stronger == {"user_correction", "user_stated", "measured"}


def test_between_others_the_gap_of_trust_counts() -> None:
    assert not is_weaker("agent_chat", "user_relayed", gap=0.05)
    assert is_weaker("extracted", "user_relayed", gap=0.30)
    assert is_weaker("user_stated", "user_stated", gap=0.30)


def test_verdicts_on_what_another_row_stands_for_are_on_that_row() -> None:
    moved_to = of_shown([update(0, 1), update(2, 3), update(1, 3)], {0: 4, 1: 4, 4: 4})

    assert [(one.older, one.newer) for one in moved_to] == [(2, 3), (4, 3)]


def test_nothing_rises_above_what_the_question_quotes() -> None:
    assert moved([0.5, 0.49], update(0, 1), held=[0]) == [0, 1]
