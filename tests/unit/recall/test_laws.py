"""
The laws that every step of ranking keeps (SPEC R-02 to R-06).

Better is never worse, what is missing is neutral, scores are bounded, and the order of rows decides nothing.
"""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from recall.ranking.formulas import (
    NEUTRAL,
    USEFULNESS_FLOOR,
    Factors,
    Weights,
    contain,
    demote_inferred,
    final_scores,
    freshness,
    recency,
    usefulness,
)
from recall.ranking.fusion import fuse_ranks, fuse_scores, lend_to_neighbours

ROWS = 6
UNIT = st.floats(0, 1)
DAYS = st.floats(0, 5_000)
KNOWN_OR_NOT = st.integers(-1_000, 1_000).map(float) | st.just(np.nan)
TABLES = hnp.arrays(np.float64, (3, ROWS), elements=KNOWN_OR_NOT)
COLUMN = hnp.arrays(np.float64, ROWS, elements=UNIT)
MARKS = hnp.arrays(np.bool_, ROWS)
SHUFFLES = st.randoms(use_true_random=False)


def shuffled(random: Random) -> list[int]:
    """Return the rows in some other order."""
    return random.sample(range(ROWS), ROWS)


def make_factors(values: np.ndarray) -> Factors:
    """Return six factors from a table of shape (6, rows)."""
    return Factors(**dict(zip(NEUTRAL, values, strict=True)))


FACTORS = hnp.arrays(np.float64, (len(NEUTRAL), ROWS), elements=UNIT)


@pytest.mark.spec("R-02")
@given(TABLES, st.integers(0, 2), st.integers(0, ROWS - 1), st.integers(1, 500))
def test_a_better_score_in_a_channel_never_lowers_a_row_in_either_fusion(
    table: np.ndarray, channel: int, row: int, gain: int
) -> None:
    better = table.copy()
    better[channel, row] += gain  # of a row that was not found it stays unknown

    assert fuse_ranks(better)[row] >= fuse_ranks(table)[row]
    assert fuse_scores(better, [1, 1, 1])[row] >= fuse_scores(table, [1, 1, 1])[row] - 1e-12


@pytest.mark.spec("R-02")
@given(TABLES)
def test_a_channel_that_found_nothing_moves_nobody_in_either_fusion(table: np.ndarray) -> None:
    more = np.vstack([table, np.full(ROWS, np.nan)])

    assert fuse_ranks(more).tolist() == fuse_ranks(table).tolist()
    assert fuse_scores(more, [1, 2, 3, 4]) == pytest.approx(fuse_scores(table, [1, 2, 3]))


@pytest.mark.spec("R-02")
@given(TABLES, st.floats(0.1, 10))
def test_only_the_proportions_of_the_channels_weights_count(table: np.ndarray, times: float) -> None:
    weights = np.array([1.0, 0.5, 0.25])

    assert fuse_scores(table, weights * times) == pytest.approx(fuse_scores(table, weights))


@pytest.mark.spec("R-03", "R-05")
@given(DAYS, DAYS, st.floats(0, 0.1))
def test_time_never_makes_fresher_and_takes_no_more_than_all(one: float, other: float, rate: float) -> None:
    sooner, later = sorted((one, other))

    for aged in (lambda days: freshness(days, rate), recency):
        assert 0 <= aged(later) <= aged(sooner) <= 1
    assert freshness([np.nan, 5.0], [rate, np.nan]).tolist() == [1.0, 1.0]
    assert recency([np.nan]).tolist() == [1.0]


@pytest.mark.spec("R-03")
@given(UNIT, UNIT, UNIT, UNIT)
def test_usefulness_rises_with_what_helped_and_what_is_kept_of_it(
    a: float, b: float, c: float, d: float
) -> None:
    (worse, better), (less, more) = sorted((a, b)), sorted((c, d))

    assert USEFULNESS_FLOOR <= usefulness(worse, less) <= usefulness(better, more) <= 1


@pytest.mark.spec("R-06")
@given(FACTORS, COLUMN, st.integers(0, ROWS - 1))
def test_more_trust_never_lowers_a_score_and_unknown_trust_is_full(
    values: np.ndarray, trust: np.ndarray, row: int
) -> None:
    more, unknown = trust.copy(), trust.copy()
    more[row], unknown[row] = 1.0, np.nan
    scores = [
        final_scores(make_factors(values), Weights(), trust=each).total for each in (trust, more, unknown)
    ]

    assert scores[0][row] <= scores[1][row] == scores[2][row]


@pytest.mark.spec("R-03", "R-06")
@given(FACTORS, COLUMN, MARKS, SHUFFLES)
def test_scores_do_not_depend_on_the_order_of_the_rows(
    values: np.ndarray, trust: np.ndarray, layer: np.ndarray, random: Random
) -> None:
    rows = shuffled(random)
    total = final_scores(make_factors(values), Weights(), trust=trust, same_layer=layer).total
    moved = final_scores(
        make_factors(values[:, rows]), Weights(), trust=trust[rows], same_layer=layer[rows]
    ).total

    assert moved.tolist() == total[rows].tolist()


@pytest.mark.spec("V-05")
@given(FACTORS, COLUMN, MARKS, SHUFFLES)
def test_holding_guesses_down_does_not_depend_on_the_order_of_the_rows(
    values: np.ndarray, similarity: np.ndarray, guessed: np.ndarray, random: Random
) -> None:
    rows = shuffled(random)
    held = contain(make_factors(values), similarity, guessed=guessed)
    moved = contain(make_factors(values[:, rows]), similarity[rows], guessed=guessed[rows])

    for name in NEUTRAL:
        assert getattr(moved, name).tolist() == getattr(held, name)[rows].tolist()


@pytest.mark.spec("R-06")
@given(
    st.lists(UNIT, min_size=ROWS, max_size=ROWS, unique=True),
    MARKS,
    st.lists(st.sampled_from(["x", "y", None]), min_size=ROWS, max_size=ROWS),
    SHUFFLES,
)
def test_dealing_out_a_subjects_scores_does_not_depend_on_the_order_of_the_rows(
    scores: list[float], inferred: np.ndarray, subjects: list[str | None], random: Random
) -> None:
    rows, own, age = shuffled(random), np.array(scores), np.arange(float(ROWS))
    dealt = demote_inferred(own, age, inferred=inferred, subjects=subjects)
    moved = demote_inferred(
        own[rows], age[rows], inferred=inferred[rows], subjects=[subjects[row] for row in rows]
    )

    assert moved.tolist() == dealt[rows].tolist()


@pytest.mark.spec("R-17")
@given(COLUMN, st.lists(st.integers(0, 8), min_size=ROWS, max_size=ROWS, unique=True), SHUFFLES)
def test_lending_does_not_depend_on_the_order_of_the_rows(
    scores: np.ndarray, places: list[int], random: Random
) -> None:
    rows, at = shuffled(random), np.array(places)
    voices = at // 2 % 2
    lent = lend_to_neighbours(scores, ["s"] * ROWS, at, voices.tolist())

    moved = lend_to_neighbours(scores[rows], ["s"] * ROWS, at[rows], voices[rows].tolist())
    assert moved.tolist() == lent[rows].tolist()
