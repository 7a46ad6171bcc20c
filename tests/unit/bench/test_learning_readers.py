"""The simulated readers of `make bench-learning`."""

import numpy as np
import pytest

from bench.answering.learning_readers import Reader, exponent, regret_of


def test_the_same_seed_is_the_same_reader() -> None:
    first, second = (Reader.of(20, seed=3, asks=50, wrong=0.2) for _ in range(2))
    assert first.asks.tolist() == second.asks.tolist()
    assert first.errs.tolist() == second.errs.tolist()
    assert set(first.asks.tolist()) <= set(first.repeated.tolist())
    assert sorted([*first.repeated.tolist(), *first.unseen.tolist()]) == list(range(20))
    assert first.shares.sum() == pytest.approx(1.0)
    assert first.shares[0] == pytest.approx(2 * first.shares[1])


def test_readers_look_less_at_lower_places_and_are_wrong_as_often_as_said() -> None:
    reader = Reader.of(20, seed=1, asks=4000, wrong=0.2)
    said = [reader.judge(turn, ["a", "b", "c", "d", "e"], {"b"}) for turn in range(4000)]
    shares = [sum(name in one for one in said) / 4000 for name in "abcde"]
    assert shares == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5], abs=0.03)
    of_b = [one["b"] for one in said if "b" in one]
    assert sum(of_b) / len(of_b) == pytest.approx(0.8, abs=0.03)


def test_regret_is_counted_against_the_best_a_question_ever_had() -> None:
    regret = regret_of(np.array([0, 1, 0]), np.array([0.5, 1.0, 1.0]), np.array([0.5, 0.2]))
    assert regret.tolist() == [0.5, 0.5, 0.5]


def test_the_exponent_tells_a_straight_line_from_a_root() -> None:
    turns = np.arange(1.0, 401.0)
    assert exponent(3 * turns) == pytest.approx(1.0)
    assert exponent(3 * np.sqrt(turns)) == pytest.approx(0.5)
