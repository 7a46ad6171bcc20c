"""Thompson sampling for the last place: its bounds, its repeatability, and a true propensity."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from recall.ranking.exploration import Arms, Exploration, explore


def make_arms(size: int, **given: list[float]) -> Arms:
    defaults: dict[str, float] = {"q": 0.5, "kept": 1.0, "recalled": 0, "verified": 0, "gain": 0.1}
    columns = {name: np.array(given.get(name, [value] * size)) for name, value in defaults.items()}
    return Arms(**columns)


def play(scores: list[float], arms: Arms, *, k: int = 5, seed: int = 1, **more: object) -> Exploration:
    return explore(
        np.arange(len(scores)),
        scores,
        arms,
        k=k,
        rng=np.random.default_rng(seed),
        **more,  # type: ignore[arg-type]
    )


FALLING = [0.9, 0.8, 0.7, 0.6, 0.5, 0.49, 0.48, 0.47]


@pytest.mark.spec("R-04")
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_exploration_changes_at_most_the_last_of_the_k_places_and_never_the_first(seed: int, k: int) -> None:
    result = play(FALLING, make_arms(8), k=k, seed=seed)
    order = result.order.tolist()
    kept = max(1, min(k - 1, 8))
    assert order[:kept] == list(range(8))[:kept]
    assert sorted(order) == list(range(8))
    if result.place is not None:
        others = [row for row in range(8) if row != order[result.place]]
        assert [row for index, row in enumerate(order) if index != result.place] == others
        assert result.moved == (order[result.place] != result.place)


@pytest.mark.spec("R-04")
def test_the_same_seed_gives_the_same_list_draws_and_propensity() -> None:
    first, second = (play(FALLING, make_arms(8), seed=7) for _ in range(2))
    assert first.order.tolist() == second.order.tolist()
    assert first.propensity == second.propensity
    np.testing.assert_array_equal(first.draws, second.draws)


@pytest.mark.spec("R-04")
def test_a_lucky_newcomer_takes_the_last_place_from_a_known_row() -> None:
    arms = make_arms(3, recalled=[9, 9, 0], gain=[0.5, 0.5, 0.5])
    shown = {tuple(play([0.9, 0.5, 0.45], arms, k=2, seed=seed).order.tolist()) for seed in range(50)}
    assert shown == {(0, 1, 2), (0, 2, 1)}


def test_a_row_recalled_five_times_is_no_longer_explored() -> None:
    arms = make_arms(8, recalled=[5.0] * 8)
    result = play(FALLING, arms)
    assert (result.place, result.moved, result.propensity) == (None, False, 1.0)
    assert result.order.tolist() == list(range(8))
    assert np.isnan(result.draws).all()


@pytest.mark.parametrize("k", [1, 8, 20])
def test_a_single_place_or_a_pool_that_fits_is_left_alone(k: int) -> None:
    result = play(FALLING, make_arms(8), k=k)
    assert (result.place, result.moved, result.propensity) == (None, False, 1.0)


@given(st.integers(0, 10_000))
def test_a_row_that_is_not_eligible_is_never_lifted(seed: int) -> None:
    eligible = [True] * 6 + [False, True]
    result = play(FALLING, make_arms(8, gain=[1.0] * 8), seed=seed, eligible=eligible)
    assert result.order[4] != 6
    assert np.isnan(result.draws[6])


def test_a_row_that_no_luck_could_lift_does_not_draw() -> None:
    result = play([0.9, 0.8, 0.7, 0.1], make_arms(4, recalled=[0, 9, 0, 0]), k=2)
    assert np.isnan(result.draws).tolist() == [True, True, True, True]
    assert result.order.tolist() == [0, 1, 2, 3]
    assert result.propensity == 1.0


def test_a_draw_that_is_logged_explains_the_winner() -> None:
    arms = make_arms(8, recalled=[0, 1, 2, 3, 4, 9, 2, 0], verified=[0, 1, 0, 3, 1, 4, 2, 0])
    for seed in range(30):
        result = play(FALLING, arms, seed=seed)
        drawn = np.where(np.isnan(result.draws), arms.q, result.draws)
        lots = np.array(FALLING) + 0.1 * (np.maximum(0.10, drawn) - 0.5)
        assert result.order[4] == 4 + int(np.argmax(lots[4:]))


def test_the_propensity_of_two_equal_newcomers_is_a_half() -> None:
    assert play([0.9, 0.5, 0.5], make_arms(3), k=2).propensity == pytest.approx(0.5, abs=0.01)


def test_the_propensity_against_a_known_row_is_a_tail_of_the_beta_distribution() -> None:
    arms = make_arms(3, recalled=[9, 9, 3], verified=[9, 9, 1])
    wins = float(beta(2, 3).sf(0.7))  # the newcomer passes the known row's 0.52 where 0.45 + 0.1 · draw does
    seen = {play([0.9, 0.52, 0.50], arms, k=2, seed=seed).moved for seed in range(60)}
    assert seen == {False, True}
    for seed in range(60):
        result = play([0.9, 0.52, 0.50], arms, k=2, seed=seed)
        assert result.propensity == pytest.approx(wins if result.moved else 1 - wins, abs=0.01)


def test_a_holder_that_is_not_eligible_still_defends_its_place() -> None:
    arms = make_arms(3, recalled=[9, 9, 0])
    orders = {
        tuple(play([0.9, 0.52, 0.50], arms, k=2, seed=seed, eligible=[True, False, True]).order.tolist())
        for seed in range(40)
    }
    assert orders == {(0, 1, 2), (0, 2, 1)}


def test_nothing_is_played_where_usefulness_counts_for_nothing() -> None:
    result = play(FALLING, make_arms(8, gain=[0.0] * 8))
    assert (result.place, result.moved, result.propensity) == (None, False, 1.0)


def test_more_verified_than_recalled_counts_as_never_failed() -> None:
    arms = make_arms(3, recalled=[9, 9, 1], verified=[9, 9, 4])
    chance = float(beta(5, 1).sf(0.7))
    result = play([0.9, 0.52, 0.50], arms, k=2)
    assert result.propensity == pytest.approx(chance if result.moved else 1 - chance, abs=0.01)


@pytest.mark.parametrize(
    ("scores", "kept", "recalled", "challenger_wins"),
    [
        (
            [0.9, 0.52, 0.50],
            [1.0, 0.05, 1.0],
            [9, 0, 0],
            0.3,
        ),  # the faded holder's lot is 0.52 whatever it draws
        ([0.9, 0.50, 0.49], [1.0, 0.5, 1.0], [9, 0, 9], 0.3),  # the holder's lot is 0.475 + 0.05 · draw
    ],
)
def test_retention_dampens_a_draw_in_the_propensity(
    scores: list[float], kept: list[float], recalled: list[float], challenger_wins: float
) -> None:
    results = [play(scores, make_arms(3, kept=kept, recalled=recalled), k=2, seed=seed) for seed in range(40)]
    assert {result.moved for result in results} == {False, True}
    for result in results:
        expected = challenger_wins if result.moved else 1 - challenger_wins
        assert result.propensity == pytest.approx(expected, abs=0.01)


def test_even_the_rarest_win_has_a_propensity_that_can_be_divided_by() -> None:
    arms = make_arms(3, recalled=[9, 9, 0])
    rare = next(
        result for seed in range(5000) if (result := play([0.9, 0.5496, 0.50], arms, k=2, seed=seed)).moved
    )
    assert rare.propensity == 1 / 128


def test_propensities_are_the_frequencies_in_which_rows_are_shown() -> None:
    rows = 30
    scores = np.linspace(0.9, 0.5, rows).tolist()
    rng = np.random.default_rng(3)
    recalled = rng.integers(0, 8, rows)
    verified = np.minimum(recalled, rng.integers(0, 4, rows))
    kept = np.where(np.arange(rows) % 3 == 0, 0.3, 1.0)
    arms = make_arms(rows, recalled=recalled.tolist(), verified=verified.tolist(), kept=kept.tolist())
    shown: Counter[int] = Counter()
    stated: dict[int, float] = {}
    for _ in range(3000):
        result = explore(np.arange(rows), scores, arms, k=5, rng=rng)
        shown[int(result.order[4])] += 1
        stated[int(result.order[4])] = result.propensity
    assert len(shown) > 3
    for row, count in shown.items():
        assert stated[row] == pytest.approx(count / 3000, abs=0.03)


def test_more_verified_use_before_means_a_better_chance() -> None:
    def chance(verified: int) -> float:
        arms = make_arms(3, recalled=[9, 9, 4], verified=[9, 9, verified])
        return next(
            result.propensity
            for seed in range(500)
            if (result := play([0.9, 0.52, 0.50], arms, k=2, seed=seed)).moved
        )

    chances = [chance(verified) for verified in range(5)]
    assert chances == sorted(chances)
    assert chances[0] < 0.1 < chances[4]


# Four rows of two places: the first two are liked, the third was never shown and says more than the second.
LIKED: dict[str, list[float]] = {
    "q": [0.9, 0.9, 0.5, 0.5],
    "recalled": [9, 9, 0, 9],
    "verified": [8, 8, 0, 4],
}


@pytest.mark.spec("W-10")
@pytest.mark.spec("R-04")
@given(st.integers(0, 10_000))
def test_a_row_that_lacks_nothing_but_a_past_takes_the_last_place_without_luck(seed: int) -> None:
    result = play([0.9, 0.6, 0.58, 0.5], make_arms(4, **LIKED), k=2, seed=seed, chance=0.1)
    assert (result.order.tolist(), result.place, result.moved) == ([0, 2, 1, 3], 1, True)
    assert (result.propensity, np.isnan(result.draws).all()) == (1.0, True)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"recalled": [9, 9, 1, 9]}, "it was shown before"),
        ({"gain": [0.01] * 4}, "it says less than the holder, whoever was liked"),
        ({"q": [0.5] * 4}, "nobody is liked"),
    ],
)
def test_a_first_look_is_owed_to_nobody_else(changed: dict[str, list[float]], why: str) -> None:
    moved = {
        play([0.9, 0.6, 0.58, 0.5], make_arms(4, **(LIKED | changed)), k=2, seed=seed).propensity == 1.0
        and play([0.9, 0.6, 0.58, 0.5], make_arms(4, **(LIKED | changed)), k=2, seed=seed).moved
        for seed in range(20)
    }
    assert moved == {False}, why


def test_a_first_look_is_not_given_to_a_row_that_may_not_be_lifted() -> None:
    arms = make_arms(4, **LIKED)
    eligible = [True, True, False, True]
    assert play([0.9, 0.6, 0.58, 0.5], arms, k=2, eligible=eligible).order.tolist()[:2] == [0, 1]


@pytest.mark.parametrize(
    ("q", "verified", "rests", "judged"),
    [(0.5, 0, 0.0, False), (0.475, 0, 0.0, True), (0.5, 1, 0.0, True), (0.5, 0, 0.2, True)],
)
def test_a_row_is_judged_once_somebody_said_whether_it_helped(
    q: float, verified: int, rests: float, judged: bool
) -> None:
    arms = Arms(
        q=np.array([q]),
        kept=np.ones(1),
        recalled=np.array([3]),
        verified=np.array([verified]),
        gain=np.full(1, 0.1),
        rests=np.array([rests]),
    )
    assert arms.judged().tolist() == [judged]
