"""Calibrated similarity: hand-worked numbers, laws, and the thresholds of the shipped tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.calibration import (
    CALIBRATIONS,
    LINK_ABOVE,
    MERGE_FROM,
    SKIP_ABOVE,
    BadTable,
    Calibration,
    Knots,
    NoCalibration,
    Threshold,
    fit,
    get_calibration,
    measure_quality,
    read_table,
    table_name,
    use_folder,
    weigh_labels,
    write_table,
)

COSINES = st.floats(-1, 1)
SHIPPED = pytest.mark.parametrize("table", CALIBRATIONS.values(), ids=lambda table: table.pairing)


def make_calibration(*knots: tuple[float, float]) -> Calibration:
    return Calibration(space="toy", pairing="passage-passage", knots=knots)


def test_similarity_is_linear_between_knots_and_level_outside() -> None:
    table = make_calibration((0.8, 0.0), (0.9, 0.5), (1.0, 1.0))
    assert table.similarity([-1.0, 0.8, 0.84, 0.95, 1.0, 1.1]).tolist() == pytest.approx(
        [0.0, 0.0, 0.2, 0.75, 1.0, 1.0]
    )


def test_a_cosine_that_is_not_known_stays_unknown() -> None:
    assert np.isnan(make_calibration((0.8, 0.0), (1.0, 1.0)).similarity([np.nan])).all()


def test_the_cosine_of_a_similarity_is_the_lowest_that_reaches_it() -> None:
    table = make_calibration((0.5, 0.1), (0.8, 0.4), (0.9, 0.4), (1.0, 0.9))
    assert [table.cosine_at(level) for level in (0.0, 0.1, 0.25, 0.4, 0.65, 0.9)] == pytest.approx(
        [0.5, 0.5, 0.65, 0.8, 0.95, 1.0]
    )
    with pytest.raises(ValueError, match=r"No cosine reaches 0\.95 here; the highest similarity is 0\.9\."):
        table.cosine_at(0.95)


@pytest.mark.parametrize(
    ("knots", "message"),
    [
        (((0.5, 0.5),), "A calibration needs at least two knots (cosine, similarity)."),
        (
            ((0.5, 0.1), (0.5, 0.2)),
            "Knots must rise: sort them by cosine, and let no similarity fall.",
        ),
        (
            ((0.5, 0.3), (0.6, 0.2)),
            "Knots must rise: sort them by cosine, and let no similarity fall.",
        ),
        (((0.5, 0.0), (0.6, 1.2)), "Similarities must lie in [0, 1]."),
    ],
)
def test_knots_that_make_no_table_are_refused(knots: Knots, message: str) -> None:
    with pytest.raises(ValueError) as refusal:
        make_calibration(*knots)
    assert str(refusal.value) == message


@pytest.mark.spec("W-13")
@SHIPPED
@given(one=COSINES, other=COSINES)
def test_a_shipped_table_never_falls_and_stays_in_the_unit_interval(
    table: Calibration, one: float, other: float
) -> None:
    low, high = table.similarity(sorted((one, other)))
    assert 0 <= low <= high <= 1


@SHIPPED
@given(level=st.floats(0.001, 1))
def test_the_cosine_of_a_similarity_gives_that_similarity_back(table: Calibration, level: float) -> None:
    assert table.similarity(table.cosine_at(level)) == pytest.approx(level, abs=1e-9)


@pytest.mark.spec("W-13")
@SHIPPED
def test_a_shipped_table_gives_identical_texts_the_highest_similarity(table: Calibration) -> None:
    assert table.similarity(1.0) == 1.0


@pytest.mark.spec("W-13")
def test_the_thresholds_of_connect_are_cosines_of_the_built_in_space() -> None:
    table = get_calibration("e5-small-q4", "passage-passage")
    thresholds = [table.cosine_at(level) for level in (LINK_ABOVE, MERGE_FROM, SKIP_ABOVE)]
    assert thresholds == pytest.approx([0.8982, 0.9826, 0.9878])


@pytest.mark.spec("W-13")
def test_a_space_without_a_table_is_refused_with_what_to_do() -> None:
    with pytest.raises(NoCalibration, match="Fit one from labelled pairs"):
        get_calibration("another-model", "passage-passage")


@pytest.mark.spec("W-13")
def test_fitting_pools_what_falls_and_reads_the_curve_off_at_the_levels() -> None:
    # The fall from 1 to 0 between 0.4 and 0.5 is pooled to 0.5 in its middle, 0.45.
    knots = fit([0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0, 0, 1, 0, 1, 1])
    expected = [
        (0.2, 0.0),
        (0.27, 0.05),
        (0.29, 0.1),
        (0.33, 0.2),
        (0.39, 0.35),
        (0.45, 0.5),
        (0.51, 0.65),
        (0.55, 0.75),
        (0.59, 0.85),
        (0.61, 0.9),
        (0.63, 0.95),
        (1.0, 1.0),
    ]
    assert [value for pair in knots for value in pair] == pytest.approx(
        [value for pair in expected for value in pair]
    )


@pytest.mark.spec("W-13")
def test_fitting_recovers_a_known_curve() -> None:
    cosines = np.linspace(0.7, 1.0, 3001)
    table = make_calibration(*fit(cosines, np.clip((cosines - 0.8) / 0.15, 0, 1)))
    at = np.linspace(0.81, 0.94, 14)
    np.testing.assert_allclose(table.similarity(at), (at - 0.8) / 0.15, atol=0.001)


@given(
    st.lists(st.tuples(COSINES, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_fitting_gives_a_valid_table_whatever_the_pairs_and_their_order(
    pairs: list[tuple[float, float]], random: Random
) -> None:
    pairs = [*pairs, (-0.5, 0.0), (0.5, 1.0)]
    table = make_calibration(*fit(*zip(*pairs, strict=True)))
    assert table.similarity(1.0) == 1.0
    random.shuffle(pairs)
    again = make_calibration(*fit(*zip(*pairs, strict=True)))
    at = np.linspace(-1, 1, 41)
    np.testing.assert_allclose(again.similarity(at), table.similarity(at), atol=1e-6)


def test_fitting_keeps_a_step_steeper_than_the_knots_are_wide() -> None:
    table = make_calibration(*fit([0.5, 0.50001], [0, 1]))
    assert table.similarity([0.5, 0.502]).tolist() == pytest.approx([0.0, 0.95], abs=0.001)


def test_weights_let_a_small_source_speak_as_loud_as_a_large_one() -> None:
    cosines, same = [0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9], [0, 0, 0, 0, 0, 1, 1]
    even = fit(cosines, same, weights=[1, 1, 1, 1, 1, 4, 1])
    assert make_calibration(*even).similarity(0.5) == pytest.approx(0.5)
    assert make_calibration(*fit(cosines, same)).similarity(0.5) == pytest.approx(0.2)


@pytest.mark.parametrize(("cosines", "same"), [([], []), ([0.5], [1]), ([0.5], [0]), ([0.5, 0.6], [1])])
def test_fitting_without_both_labels_is_refused(cosines: list[float], same: list[float]) -> None:
    with pytest.raises(ValueError, match="pairs labelled 0 as well as pairs labelled 1"):
        fit(cosines, same)


def test_every_label_weighs_the_same_in_sum() -> None:
    assert weigh_labels([0, 0, 0, 1]).tolist() == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2.0])


@pytest.mark.spec("W-13")
def test_the_quality_of_a_table_is_its_error_by_bin_and_what_its_thresholds_let_through() -> None:
    table = make_calibration((0.0, 0.0), (1.0, 1.0))

    quality = measure_quality(table, [0.12, 0.14, 0.92, 0.94], [0, 0, 1, 0])

    # Labels weigh 2/3 (three 0) and 2 (one 1); bin 0.1: gap 0.26 · 2/3; bin 0.9: (2·0.92 + 2/3·0.94 - 2).
    assert quality.pairs == 4
    assert quality.error == pytest.approx((0.26 * 2 / 3 + 2 * 0.92 + 2 / 3 * 0.94 - 2) / 4)
    assert quality.thresholds == (
        Threshold(similarity=0.35, cosine=pytest.approx(0.35), pairs=2, precision=pytest.approx(0.75)),
        Threshold(similarity=0.85, cosine=pytest.approx(0.85), pairs=2, precision=pytest.approx(0.75)),
        Threshold(similarity=0.95, cosine=pytest.approx(0.95), pairs=0, precision=None),
    )


@pytest.fixture
def no_folder() -> Iterator[None]:
    yield
    use_folder(None)


@pytest.mark.spec("W-13")
@pytest.mark.usefixtures("no_folder")
def test_a_fitted_table_is_found_for_its_space_and_goes_before_the_shipped_one(tmp_path: Path) -> None:
    mine = Calibration(space="maker/model v2", pairing="passage-passage", knots=((0.1, 0.0), (0.9, 1.0)))
    better = Calibration(space="e5-small-q4", pairing="passage-passage", knots=((0.7, 0.0), (1.0, 1.0)))
    for table in (mine, better):
        write_table(table, tmp_path / table_name(table.space, table.pairing), pairs=7)

    use_folder(tmp_path)

    assert get_calibration("maker/model v2", "passage-passage") == mine
    assert get_calibration("e5-small-q4", "passage-passage") == better
    assert get_calibration("e5-small-q4", "query-turn") == CALIBRATIONS["e5-small-q4", "query-turn"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "e5-small-q4.passage-passage.json",
        "maker-model-v2.passage-passage.json",
    ]
    use_folder(None)
    assert get_calibration("e5-small-q4", "passage-passage") != better


@pytest.mark.parametrize(
    "content",
    [
        "no JSON",
        "[]",
        json.dumps({"space": "s", "pairing": "passage-passage"}),
        json.dumps({"space": "s", "pairing": "cat-dog", "knots": [[0, 0], [1, 1]]}),
        json.dumps({"space": "s", "pairing": "passage-passage", "knots": [[0, 0], [1, 2]]}),
    ],
)
def test_a_file_that_holds_no_table_is_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)

    with pytest.raises(BadTable, match=r"broken\.json holds no similarity table"):
        read_table(path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="No folder of similarity tables at"):
        use_folder(tmp_path / "elsewhere")
