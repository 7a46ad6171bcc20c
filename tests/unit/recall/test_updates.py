"""What was said later is read before what it updates: how far a verdict moves a row (SPEC K-05)."""

from collections.abc import Sequence

import numpy as np
import pytest

from recall.updates import DOUBT, Update, find_stale, newer_first


def moved(
    scores: Sequence[float], *updates: Update, trust: Sequence[float] | None = None, held: Sequence[int] = ()
) -> list[int]:
    """Return the rows in their order after these verdicts."""
    marks = np.array([row in held for row in range(len(scores))])
    believed = np.ones(len(scores)) if trust is None else np.array(trust)
    return np.argsort(-newer_first(np.array(scores), updates, trust=believed, held=marks)).tolist()


def update(older: int, newer: int, confidence: float = 0.9, type_: str = "replaces") -> Update:
    return Update(older=older, newer=newer, type=type_, confidence=confidence)


@pytest.mark.parametrize("type_", ["replaces", "ends", "corrects", "refines"])
def test_the_later_statement_stands_right_above_the_earlier_one(type_: str) -> None:
    assert moved([0.9, 0.5, 0.6, 0.48], update(1, 3, type_=type_)) == [0, 2, 3, 1]


def test_a_contradiction_moves_nothing_and_is_told() -> None:
    denied = update(0, 1, type_="contradicts")

    assert moved([0.5, 0.48], denied) == [0, 1]
    assert find_stale([denied, update(0, 2, type_="refines"), update(1, 2)]) == {0: [1], 1: [2]}


def test_the_better_the_question_fits_the_earlier_one_the_surer_the_verdict_must_be() -> None:
    lag = 0.1
    enough = 1 / (1 + np.exp(-DOUBT * lag))

    assert moved([1.0, 1.0 - lag], update(0, 1, float(enough) + 0.01)) == [1, 0]
    assert moved([1.0, 1.0 - lag], update(0, 1, float(enough) - 0.01)) == [0, 1]
    assert moved([1.0, 0.1], update(0, 1, 1.0)) == [1, 0]  # a person's own word


def test_of_several_verdicts_on_one_statement_the_surest_counts() -> None:
    assert moved([0.5, 0.48, 0.49], update(0, 1, 0.95), update(0, 2, 0.6)) == [1, 0, 2]


def test_a_chain_of_updates_ends_with_the_latest_first() -> None:
    assert moved([0.50, 0.49, 0.48], update(0, 1), update(1, 2)) == [2, 1, 0]


def test_what_is_trusted_far_less_or_was_not_found_does_not_rise() -> None:
    assert moved([0.5, 0.49], update(0, 1), trust=[0.95, 0.6]) == [0, 1]
    assert moved([0.5, 0.49], update(0, 1), trust=[0.95, 0.85]) == [1, 0]
    assert moved([0.5, 0.49], update(0, 1), trust=[0.4, 0.4]) == [0, 1]
    assert moved([0.5, -1.0], update(0, 1, 1.0)) == [0, 1]


def test_nothing_rises_above_what_the_question_quotes() -> None:
    assert moved([0.5, 0.49], update(0, 1), held=[0]) == [0, 1]
