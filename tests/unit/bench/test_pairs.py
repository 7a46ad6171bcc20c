"""How pairs are scored."""

import numpy as np
import pytest

from bench.remembering.pairs import is_fitted, jaccard, precision_at


def test_precision_is_read_off_where_enough_is_found_with_all_ties() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.1])
    same = np.array([True, True, True, False, True, False, True])

    assert precision_at(scores, same, recall=0.6) == pytest.approx(3 / 4)
    assert precision_at(scores, same, recall=0.8) == pytest.approx(4 / 5)
    assert precision_at(scores, same, recall=1.0) == pytest.approx(5 / 7)


def test_precision_where_nothing_is_the_same_is_not_a_number() -> None:
    assert np.isnan(precision_at(np.array([0.5]), np.array([False])))


def test_words_and_chinese_characters_are_counted_once_in_any_case() -> None:
    assert jaccard("Red red pump", "red valve") == pytest.approx(1 / 3)
    assert jaccard("缓存", "缓冲") == pytest.approx(1 / 3)


def test_a_pair_belongs_to_one_half_whatever_else_the_file_holds() -> None:
    halves = [is_fitted(f"text {number}", "other") for number in range(100)]

    assert halves == [is_fitted(f"text {number}", "other") for number in range(100)]
    assert 30 < sum(halves) < 70
