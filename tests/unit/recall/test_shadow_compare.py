"""The figures of a shadow run: hand-worked values, and the laws that hold for any two answers (SPEC S-06)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.shadow.compare import Side, compare, kendall_tau, overlap, rank_biased_overlap, score_drift

pytestmark = pytest.mark.spec("S-06")

rankings = st.lists(st.integers(0, 12), unique=True, max_size=10)
depths = st.floats(0.05, 0.95)


def test_an_answer_that_lost_one_of_five_is_told_in_every_figure() -> None:
    before = Side(items=("a", "b", "c", "d", "e"), scores=(0.9, 0.8, 0.7, 0.6, 0.5))
    after = Side(items=("b", "a", "c", "d", "x"), scores=(0.9, 0.8, 0.7, 0.5, 0.4))

    told = compare(before, after)

    assert (told.overlap, told.newcomers, told.lost) == (0.8, ("x",), ("e",))
    assert told.tau == pytest.approx(4 / 6)  # of six pairs one is turned round
    assert told.drift == pytest.approx((0.1 + 0.1 + 0.0 + 0.1) / 4)
    # X_d = 0, 2, 3, 4, 4: (1 − p)/p · (2/2 p² + 3/3 p³ + 4/4 p⁴ + 4/5 p⁵) + 4/5 p⁵
    p = 0.9
    by_hand = (1 - p) / p * (p**2 + p**3 + p**4 + 0.8 * p**5) + 0.8 * p**5
    assert told.rbo == pytest.approx(by_hand)


def test_the_extrapolation_takes_a_shorter_list_for_what_it_would_go_on_as() -> None:
    # s = 1, l = 2, X = 1, 1: (1 − p)/p · (p + p²/2 + 1·1/(1·2)·p²) + (0/2 + 1/1)·p² = (1 − p)(1 + p) + p²
    assert rank_biased_overlap(["a"], ["a", "b"], p=0.5) == pytest.approx(1.0)
    assert rank_biased_overlap(["b"], ["a", "b"], p=0.5) == pytest.approx(
        (0.5 / 0.5) * (0 + 1 / 2 * 0.25 + 0) + ((1 - 0) / 2 + 0) * 0.25
    )


@given(rankings, rankings)
def test_what_is_told_of_two_answers_does_not_depend_on_which_comes_first(
    one: list[int], other: list[int]
) -> None:
    assert overlap(one, other) == overlap(other, one)
    assert rank_biased_overlap(one, other) == pytest.approx(rank_biased_overlap(other, one))
    assert kendall_tau(one, other) == kendall_tau(other, one)


@given(rankings, rankings, depths)
def test_every_figure_lies_within_its_range(one: list[int], other: list[int], p: float) -> None:
    assert 0 <= overlap(one, other) <= 1
    assert 0 <= rank_biased_overlap(one, other, p=p) <= 1
    assert -1 <= (kendall_tau(one, other) or 0) <= 1


@given(rankings, depths)
def test_an_answer_is_wholly_like_itself(one: list[int], p: float) -> None:
    side = Side(items=tuple(one), scores=tuple(map(float, one)))

    told = compare(side, side)

    assert (told.overlap, told.drift, told.newcomers, told.lost) == (1, 0, (), ())
    assert told.tau == (None if len(one) < 2 else 1)
    assert rank_biased_overlap(one, one, p=p) == pytest.approx(1)


@given(rankings)
def test_answers_that_share_nothing_are_wholly_unlike(one: list[int]) -> None:
    other = [item + 100 for item in one]

    assert overlap(one, other) == (0 if one else 1)
    assert rank_biased_overlap(one, other) == (0 if one else 1)
    assert kendall_tau(one, other) is None
    assert score_drift(dict.fromkeys(one, 1.0), dict.fromkeys(other, 2.0)) == 0


@given(rankings.filter(lambda ranking: len(ranking) > 1))
def test_an_order_turned_round_is_the_least_like(one: list[int]) -> None:
    assert kendall_tau(one, one[::-1]) == -1


@given(rankings.filter(lambda ranking: len(ranking) > 2))
def test_a_difference_at_the_top_weighs_more_than_one_at_the_end(one: list[int]) -> None:
    at_the_top = [99, *one[1:]]
    at_the_end = [*one[:-1], 99]

    assert rank_biased_overlap(one, at_the_top) < rank_biased_overlap(one, at_the_end)


def test_tau_counts_the_pairs_that_are_turned_round() -> None:
    for order in permutations(range(4)):
        pairs = [(order.index(i) < order.index(j)) == (i < j) for i in range(4) for j in range(i)]
        assert kendall_tau(range(4), order) == pytest.approx((pairs.count(True) - pairs.count(False)) / 6)


def test_a_persistence_that_is_no_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rank_biased_overlap([1], [1], p=1.0)
