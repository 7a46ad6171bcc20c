"""One row moved at random, so that the log supports estimates: its bounds, and true chances."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.ranking.exploration import Arms, Exploration, explore
from recall.ranking.perturbation import MOST_MOVED, REACH, Moves, move_losses

SCORES = np.array([0.9, 0.8, 0.79, 0.6, 0.58, 0.57, 0.3])
ALL = np.ones(SCORES.size, dtype=np.bool_)


def known(size: int) -> Arms:
    """Return arms of which nobody draws: all were recalled often."""
    same = np.full(size, 9)
    return Arms(
        q=np.full(size, 0.6), kept=np.ones(size), recalled=same, verified=same, gain=np.full(size, 0.1)
    )


def shown(moves: Moves, seed: int, *, arms: Arms | None = None, k: int = 5) -> Exploration:
    rng = np.random.default_rng(seed)
    return explore(np.arange(SCORES.size), SCORES, arms or known(SCORES.size), k=k, rng=rng, moves=moves)


@pytest.mark.spec("R-04")
def test_the_first_stays_and_one_row_moves_at_most() -> None:
    moves = Moves.of(SCORES, ALL, k=5, loss=1.0)
    places = set()
    for seed in range(500):
        result = shown(moves, seed)
        order = result.order.tolist()
        assert order[0] == 0
        if result.moved and result.place is not None:
            places.add(result.place)
            left = [row for row in order if row != order[result.place]]
            assert left == sorted(left)
        else:
            assert order == sorted(order)
    assert places == {1, 2, 3, 4}


@pytest.mark.spec("R-04")
@pytest.mark.parametrize("rare", [False, True], ids=["all known", "some draw for the last place"])
def test_the_stated_propensity_is_how_often_an_order_is_shown(rare: bool) -> None:
    arms = known(SCORES.size)
    if rare:
        arms.recalled[4:] = 0
        arms.verified[4:] = 0
    moves = Moves.of(SCORES, ALL, k=5, loss=1.0)
    rounds = 6000
    seen: Counter[tuple[int, ...]] = Counter()
    stated: dict[tuple[int, ...], float] = {}
    for seed in range(rounds):
        result = shown(moves, seed, arms=arms)
        if result.how == "debut":
            pytest.fail("nothing is owed a first look here")
        order = tuple(result.order.tolist())
        seen[order] += 1
        assert stated.setdefault(order, result.propensity) == pytest.approx(result.propensity)
    assert sum(stated.values()) == pytest.approx(1.0, abs=0.03)
    for order, count in seen.items():
        assert stated[order] == pytest.approx(count / rounds, abs=0.02)


@pytest.mark.spec("R-04")
@given(
    st.lists(st.floats(0.01, 1.0), min_size=3, max_size=60), st.integers(2, 12), st.floats(0.0001, 0.05),
)  # fmt: skip
def test_what_is_lost_of_an_answers_worth_is_within_the_bound(
    given: list[float], k: int, loss: float
) -> None:
    scores = np.sort(given)[::-1]
    moves = Moves.of(scores, np.ones(scores.size, dtype=np.bool_), k=k, loss=loss)

    lost = moves.share * float((moves.chances * move_losses(scores[:REACH], k=k)).sum())

    assert lost <= loss * (1 + 1e-9)
    assert 0 < moves.share <= MOST_MOVED
    assert moves.chances.sum() == pytest.approx(1.0)


def test_what_a_move_loses_is_what_the_worth_of_the_list_says() -> None:
    k, discounts = 5, np.where(np.arange(SCORES.size) < 5, 1 / np.log2(np.arange(SCORES.size) + 2), 0.0)
    losses = move_losses(SCORES, k=k)
    for to in range(1, k):
        for start in range(to, SCORES.size):
            moved = np.insert(np.delete(SCORES, start), to, SCORES[start])
            expected = 1 - (moved @ discounts) / (SCORES @ discounts)
            assert losses[to - 1, start] == pytest.approx(expected)


@pytest.mark.spec("R-06")
def test_what_may_not_rise_rises_to_no_place() -> None:
    free = ALL.copy()
    free[[2, 5]] = False
    chances = Moves.of(SCORES, free, k=5, loss=1.0).chances

    assert [chances[to - 1, 2] > 0 for to in (1, 2)] == [False, True]
    assert not chances[:, 5].any()
