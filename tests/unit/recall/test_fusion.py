"""Fusion of channel scores: hand-worked numbers and laws."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from recall.ranking.fusion import fuse_ranks, fuse_scores, keep_first, lend_to_neighbours, order, scale_scores

NAN = np.nan
SCORES = st.floats(-1e6, 1e6, width=32) | st.just(NAN)
TABLES = hnp.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 12)), elements=SCORES)
OWN = hnp.arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1))


def test_scaling_puts_the_best_found_row_at_one_the_worst_at_zero_and_a_missing_one_at_zero() -> None:
    assert scale_scores([4.0, NAN, 2.0, 3.0]).tolist() == [1.0, 0.0, 0.0, 0.5]


@pytest.mark.parametrize(
    ("scores", "scaled"),
    [([NAN, -7.0], [0.0, 1.0]), ([2.0, NAN, 2.0], [1.0, 0.0, 1.0]), ([NAN, NAN], [0.0, 0.0]), ([], [])],
)
def test_a_single_hit_and_equal_hits_count_in_full(scores: list[float], scaled: list[float]) -> None:
    assert scale_scores(scores).tolist() == scaled


def test_rows_that_set_no_scale_count_at_most_as_its_ends_and_move_nobody() -> None:
    scores, by = [9.0, 4.0, 2.0, 3.0, 1.0], [False, True, True, True, False]
    assert scale_scores(scores, by=by).tolist() == [1.0, 1.0, 0.0, 0.5, 0.0]
    assert scale_scores([9.0, NAN, 3.0], by=[False, True, False]).tolist() == [1.0, 0.0, 0.0]
    assert scale_scores([9.0, 4.0, 1.0], by=[False, True, False]).tolist() == [1.0, 1.0, 0.0]


@given(TABLES)
def test_scaled_scores_lie_in_the_unit_interval_and_keep_the_order_of_what_was_found(
    table: np.ndarray,
) -> None:
    scores = table[0]
    scaled = scale_scores(scores)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    found = ~np.isnan(scores)
    by_score = np.argsort(scores[found], kind="stable")
    assert (np.diff(scaled[found][by_score]) >= 0).all()


@pytest.mark.spec("R-02")
def test_score_fusion_is_the_weighted_mean_of_scaled_scores() -> None:
    channels = [[0.9, 0.8, 0.7, NAN], [NAN, 3.0, 1.0, 5.0]]
    fused = fuse_scores(channels, [3.0, 1.0])
    assert fused.tolist() == pytest.approx([0.75, 0.375 + 0.125, 0.0, 0.25])


def test_a_channel_that_found_nothing_leaves_the_scores_as_if_it_did_not_exist() -> None:
    one = [[0.9, 0.8, NAN]]
    assert fuse_scores([*one, [NAN, NAN, NAN]], [1.0, 5.0]).tolist() == fuse_scores(one, [1.0]).tolist()
    assert fuse_ranks([*one, [NAN, NAN, NAN]]).tolist() == fuse_ranks(one).tolist()


def test_no_channel_of_weight_gives_zeros() -> None:
    assert fuse_scores([[NAN, NAN]], [1.0]).tolist() == [0.0, 0.0]
    assert fuse_scores([[1.0, 2.0]], [0.0]).tolist() == [0.0, 0.0]
    assert fuse_ranks([[NAN, NAN]]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 1.0], "1 channels need as many weights, not shape (2,)."),
        ([-1.0], "A channel's weight must be at least 0; leave a channel out to switch it off."),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights: list[float], message: str) -> None:
    with pytest.raises(ValueError) as refusal:
        fuse_scores([[1.0, 2.0]], weights)
    assert str(refusal.value) == message


def test_a_flat_list_of_scores_is_refused() -> None:
    with pytest.raises(ValueError, match=r"one table of shape \(channels, rows\), not \(2,\)"):
        fuse_ranks([1.0, 2.0])


@pytest.mark.spec("R-02")
def test_rank_fusion_adds_reciprocal_ranks_as_a_share_of_the_best_possible_sum() -> None:
    fused = fuse_ranks([[9.0, 8.0, NAN], [0.1, 0.3, 0.2]])
    assert fused.tolist() == pytest.approx([(1 + 61 / 63) / 2, (61 / 62 + 1) / 2, (0 + 61 / 62) / 2])


def test_equal_scores_share_the_better_rank_and_the_next_rank_is_skipped() -> None:
    fused = fuse_ranks([[5.0, 7.0, 5.0, 1.0]], k=1)
    assert fused.tolist() == pytest.approx([2 / 3, 2 / 2, 2 / 3, 2 / 5])


def test_a_rank_offset_that_is_not_positive_is_refused() -> None:
    with pytest.raises(ValueError, match="60 is the usual one"):
        fuse_ranks([[1.0]], k=0)


@given(TABLES, st.randoms(use_true_random=False))
def test_fusion_does_not_depend_on_the_order_of_rows_or_channels(table: np.ndarray, random: Random) -> None:
    rows, channels = list(range(table.shape[1])), list(range(table.shape[0]))
    random.shuffle(rows)
    random.shuffle(channels)
    weights = np.arange(1.0, 1 + table.shape[0])
    shuffled = table[channels][:, rows]
    np.testing.assert_allclose(fuse_scores(shuffled, weights[channels]), fuse_scores(table, weights)[rows])
    np.testing.assert_allclose(fuse_ranks(shuffled), fuse_ranks(table)[rows])


@given(TABLES)
def test_fused_scores_lie_in_the_unit_interval(table: np.ndarray) -> None:
    for fused in (fuse_scores(table, np.ones(table.shape[0])), fuse_ranks(table)):
        assert ((fused >= 0) & (fused <= 1)).all()


@pytest.mark.spec("R-17")
def test_the_better_of_two_neighbours_lends_its_share() -> None:
    scores = [0.9, 0.2, 0.5, 0.1, 0.4]
    lent = lend_to_neighbours(scores, ["a", "a", "a", "b", None], [1, 2, 3, 4, 2], "xyxyx")
    assert lent.tolist() == pytest.approx([0.9 + 0.06, 0.2 + 0.27, 0.5 + 0.06, 0.1, 0.4])


@pytest.mark.spec("R-17")
def test_lending_never_decides_the_first_place() -> None:
    scores = [0.50, 0.49, 0.48, 0.47]
    lent = lend_to_neighbours(scores, ["alone", "a", "a", "a"], [1, 1, 2, 3], "xxyx")
    assert lent.tolist()[1:] == pytest.approx([0.634, 0.627, 0.614])
    assert lent[0] == np.nextafter(lent[1], np.inf)
    assert order(lent, [0, 0, 0, 0]).tolist() == [0, 1, 2, 3]


@pytest.mark.spec("R-17")
def test_who_leads_the_whole_is_kept_first_when_only_a_part_was_lent() -> None:
    kept = keep_first([0.7, 0.6, 0.1], [0.7, 0.8, 0.2])
    assert kept.tolist() == [np.nextafter(0.8, 1), 0.8, 0.2]
    assert keep_first([0.7, 0.6], [0.9, 0.8]).tolist() == [0.9, 0.8]
    assert keep_first([], []).tolist() == []


def test_rows_that_lead_together_stay_together() -> None:
    lent = lend_to_neighbours([0.5, 0.5, 0.4], ["a", "b", "b"], [1, 1, 2], "xxy")
    assert lent.tolist() == pytest.approx([0.62, 0.62, 0.55])
    assert lent[0] == lent[1]


@pytest.mark.spec("R-17")
def test_what_one_says_next_is_no_answer_and_borrows_nothing() -> None:
    lent = lend_to_neighbours([0.9, 0.2, 0.1, 0.3], ["a"] * 4, [1, 2, 3, 4], "xxyy")
    assert lent.tolist() == pytest.approx([0.9, 0.2 + 0.03, 0.1 + 0.06, 0.3])


def test_two_notes_of_one_turn_lend_the_better_score() -> None:
    lent = lend_to_neighbours([0.9, 0.2, 0.6, 0.1], ["a"] * 4, [7, 1, 1, 2], "xxxy")
    assert lent[3] == pytest.approx(0.1 + 0.3 * 0.6)


@given(OWN, st.data())
def test_lending_takes_from_nobody_is_bounded_and_keeps_the_leader(
    own: np.ndarray, data: st.DataObject
) -> None:
    sessions = data.draw(st.lists(st.sampled_from(["a", "b", None]), min_size=own.size, max_size=own.size))
    positions = data.draw(st.lists(st.integers(0, 4), min_size=own.size, max_size=own.size))
    voices = data.draw(st.lists(st.sampled_from("xy"), min_size=own.size, max_size=own.size))
    lent = lend_to_neighbours(own, sessions, positions, voices)
    assert (lent >= own).all()
    assert lent.max() <= 1.3 * own.max() + 1e-12
    assert own[order(lent, np.zeros(own.size))[0]] == own.max()


def test_without_a_share_or_without_rows_nothing_is_lent() -> None:
    assert lend_to_neighbours([0.4, 0.3], ["a", "a"], [1, 2], "xy", share=0).tolist() == [0.4, 0.3]
    assert lend_to_neighbours([], [], [], []).tolist() == []


@pytest.mark.spec("R-02")
def test_ties_fall_to_the_newer_and_an_unknown_time_is_the_oldest() -> None:
    assert order([0.5, 0.7, 0.5, 0.5], [10.0, 1.0, NAN, 20.0]).tolist() == [1, 3, 0, 2]
