"""The five factors and the fused score: hand-worked numbers and laws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from recall.ranking.formulas import (
    NEUTRAL,
    Factors,
    Weights,
    contain,
    demote_inferred,
    final_scores,
    freshness,
    outranked,
    recency,
    retention,
    usefulness,
)
from recall.ranking.fusion import order

NAN = np.nan
UNIT = st.floats(0, 1)
KEY = ("ada", "residence")


def make_factors(**given: list[float]) -> Factors:
    size = len(next(iter(given.values())))
    return Factors(**{name: np.array(given.get(name, [NAN] * size), dtype=float) for name in NEUTRAL})


@pytest.mark.spec("R-05")
def test_freshness_decays_with_the_kinds_lambda_and_a_kind_without_one_does_not_age() -> None:
    fresh = freshness([0.0, 50.0, 50.0, 50.0, NAN, -3.0], [0.02, 0.02, 0.0, NAN, 0.02, 0.02])
    assert fresh.tolist() == pytest.approx([1.0, 0.36787944, 1.0, 1.0, 1.0, 1.0])


@pytest.mark.spec("R-03")
def test_recency_loses_one_percent_a_day() -> None:
    assert recency([0.0, 1.0, 69.3147, NAN]).tolist() == pytest.approx([1.0, 0.99004983, 0.5, 1.0], abs=1e-6)


@pytest.mark.spec("E-02")
def test_retention_has_three_stages() -> None:
    days = [0.0, 30.0, 31.0, 60.0, 90.0, 91.0, 111.0, 112.0, NAN]
    expected = [1.0, 1.0, 0.98, 0.545484, 0.297553, 0.282675, 0.101335, 0.096268, 1.0]
    assert retention(days).tolist() == pytest.approx(expected, abs=1e-6)


@given(st.floats(0, 5000), st.floats(0, 5000))
def test_retention_never_rises_with_time_and_stays_in_the_unit_interval(one: float, other: float) -> None:
    early, late = retention([min(one, other), max(one, other)])
    assert 1 >= early >= late >= 0


@given(st.floats(0, 400), st.floats(0, 400))
def test_the_slow_and_the_fast_stage_forget_by_the_day_however_the_days_are_cut(
    start: float, more: float
) -> None:
    late = 90 + start
    assert retention(late + more) == pytest.approx(retention(late) * 0.95**more)


@pytest.mark.spec("R-03", "E-02")
def test_usefulness_is_q_times_retention_and_never_below_a_tenth() -> None:
    assert usefulness([0.8, 0.8, 0.0], [1.0, 0.1, 1.0]).tolist() == pytest.approx([0.8, 0.1, 0.1])


@pytest.mark.spec("R-03")
def test_the_five_factors_keep_their_proportions_beside_the_fused_score() -> None:
    assert Weights().effective() == pytest.approx(
        {
            "semantic": 0.34,
            "keyword": 0.1275,
            "usefulness": 0.1275,
            "importance": 0.1275,
            "recency": 0.1275,
            "fused": 0.15,
        }
    )


@pytest.mark.spec("R-03", "R-06", "T-10")
def test_the_final_score_is_the_weighted_sum_times_trust_and_boosts() -> None:
    factors = make_factors(
        semantic=[0.9], keyword=[0.5], usefulness=[0.6], importance=[0.8], recency=[0.7], fused=[1.0]
    )
    ranked = final_scores(factors, Weights(), trust=[0.8], same_layer=[True], wishes=[True], named=[True])
    base = 0.34 * 0.9 + 0.1275 * (0.5 + 0.6 + 0.8 + 0.7) + 0.15
    assert ranked.explain(0) == pytest.approx(
        {
            "semantic": 0.306,
            "keyword": 0.06375,
            "usefulness": 0.0765,
            "importance": 0.102,
            "recency": 0.08925,
            "fused": 0.15,
            "trust": 0.9,
            "layer": 1.05,
            "standing": 1.1,
            "named": 1.15,
            "verdicts": 1.0,
            "interests": 1.0,
            "total": base * 0.9 * 1.05 * 1.1 * 1.15,
        }
    )


def test_a_missing_signal_counts_as_its_neutral_value() -> None:
    missing = make_factors(semantic=[0.9, NAN])
    stated = make_factors(**{name: [value, value] for name, value in NEUTRAL.items()})
    stated = replace(stated, semantic=np.array([0.9, 0.0]))
    totals = [final_scores(factors, Weights(), trust=[NAN, NAN]).total for factors in (missing, stated)]
    assert totals[0].tolist() == totals[1].tolist()


@given(hnp.arrays(np.float64, 6, elements=UNIT), st.sampled_from(sorted(NEUTRAL)))
def test_a_signal_missing_for_all_rows_leaves_their_order_unchanged(
    semantic: np.ndarray, absent: str
) -> None:
    others = {name: np.linspace(0, 1, 6) for name in NEUTRAL} | {"semantic": semantic}
    without = Factors(**(others | {absent: np.full(6, NAN)}))
    constant = Factors(**(others | {absent: np.full(6, 0.4)}))
    newer = np.arange(6)
    first = final_scores(without, Weights(), trust=np.ones(6)).total.round(12)
    second = final_scores(constant, Weights(), trust=np.ones(6)).total.round(12)
    shift = (first - second).round(9)
    assert (shift == shift[0]).all()
    assert order(first.round(9), newer).tolist() == order((second + shift[0]).round(9), newer).tolist()


@given(st.sampled_from(sorted(NEUTRAL)), UNIT, UNIT, UNIT)
def test_a_better_factor_never_lowers_the_score(name: str, rest: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    values = {factor: np.array([rest, rest]) for factor in NEUTRAL} | {name: np.array([low, high])}
    worse, better = final_scores(Factors(**values), Weights(), trust=[0.7, 0.7]).total
    assert better >= worse


@given(hnp.arrays(np.float64, (6, 4), elements=UNIT), hnp.arrays(np.float64, 4, elements=UNIT))
def test_scores_lie_between_zero_and_the_layer_boost(values: np.ndarray, trust: np.ndarray) -> None:
    factors = Factors(**dict(zip(NEUTRAL, values, strict=True)))
    total = final_scores(factors, Weights(), trust=trust, same_layer=True).total
    assert ((total >= 0) & (total <= 1.05 + 1e-12)).all()


@pytest.mark.spec("R-06")
def test_a_guess_loses_half_of_its_score_and_what_is_believed_half_of_its_doubt() -> None:
    factors = make_factors(semantic=[1.0] * 7)
    trust = [1.0, 0.95, 0.80, 0.60, 0.44, 0.40, 0.0]
    totals = final_scores(factors, Weights(), trust=trust).total
    assert (totals / totals[0]).tolist() == pytest.approx([1.0, 0.975, 0.90, 0.80, 0.62, 0.50, 0.50])


@pytest.mark.spec("T-10")
def test_the_layer_boost_takes_nothing_from_other_layers() -> None:
    factors = make_factors(semantic=[0.5, 0.5])
    plain = final_scores(factors, Weights(), trust=[1.0, 1.0]).total
    boosted = final_scores(factors, Weights(), trust=[1.0, 1.0], same_layer=[True, False]).total
    assert boosted.tolist() == pytest.approx([plain[0] * 1.05, plain[1]])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"semantic": 0.5}, "The five factors' weights make 1.1; scale them to make 1."),
        ({"fused": 1.5}, "Weight fused must lie in [0, 1]."),
        ({"semantic": NAN}, "Weight semantic must lie in [0, 1]."),
    ],
)
def test_weights_that_do_not_add_up_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError) as refusal:
        Weights(**weights)
    assert str(refusal.value) == message


@pytest.mark.spec("R-06")
def test_an_inferred_row_falls_below_every_stated_row_on_its_subject() -> None:
    scores = [0.9, 0.8, 0.3, 0.6]
    subjects = [KEY, None, KEY, KEY]
    demoted = demote_inferred(scores, [0, 0, 0, 0], inferred=[True, True, False, False], subjects=subjects)
    assert demoted.tolist() == [0.3, 0.8, 0.6, 0.9]


@pytest.mark.spec("R-06")
def test_an_inferred_row_that_ties_with_a_stated_one_falls_strictly_below_it() -> None:
    demoted = demote_inferred([0.5, 0.5], [9, 1], inferred=[True, False], subjects=[KEY, KEY])
    assert demoted.tolist() == [np.nextafter(0.5, 0), 0.5]


def test_inferred_rows_keep_their_scores_where_nobody_stated_anything() -> None:
    scores = [0.9, 0.5, 0.4]
    inferred, subjects = [True, True, False], [KEY, None, None]
    assert demote_inferred(scores, [0, 0, 0], inferred=inferred, subjects=subjects).tolist() == scores
    assert outranked(inferred, subjects).tolist() == [False, False, False]


def test_of_two_stated_rows_that_tie_the_newer_takes_the_better_score() -> None:
    demoted = demote_inferred(
        [0.5, 0.5, 0.9], [1, 2, 3], inferred=[False, False, True], subjects=[KEY, KEY, KEY]
    )
    assert demoted.tolist() == [0.5, 0.9, np.nextafter(0.5, 0)]


@given(
    st.lists(
        st.tuples(UNIT, st.booleans(), st.sampled_from([None, "a", "b"]), st.integers(0, 3)),
        min_size=1,
        max_size=12,
    )
)
def test_no_inferred_row_is_ever_ranked_above_a_stated_one_on_its_subject(
    rows: list[tuple[float, bool, str | None, int]],
) -> None:
    scores, inferred, subjects, newer = (list(column) for column in zip(*rows, strict=True))
    demoted = demote_inferred(scores, newer, inferred=inferred, subjects=subjects)
    seen_guess: set[str | None] = set()
    for row in order(demoted, newer).tolist():
        assert inferred[row] or subjects[row] is None or subjects[row] not in seen_guess
        if inferred[row]:
            seen_guess.add(subjects[row])
    np.testing.assert_allclose(np.sort(demoted), np.sort(scores), atol=1e-15)


@pytest.mark.spec("V-05")
def test_a_guess_is_held_to_the_best_that_is_known_on_the_matter() -> None:
    factors = make_factors(
        semantic=[0.9, 0.6, 0.3], keyword=[1.0, 0.2, 0.5], fused=[1.0, 0.7, 0.0], importance=[1.0, 0.6, 0.6]
    )

    held = contain(factors, [0.9, 0.6, 0.3], guessed=[True, False, False])

    assert held.semantic.tolist() == [0.6, 0.6, 0.3]
    assert held.keyword.tolist() == [0.5, 0.2, 0.5]
    assert held.fused.tolist() == [0.7, 0.7, 0.0]
    assert held.importance.tolist() == [1.0, 0.6, 0.6]


@pytest.mark.parametrize("known", [[], [0.34], [0.1, 0.2]])
def test_where_nobody_else_has_anything_to_say_guesses_stay_as_they_are(known: list[float]) -> None:
    similarity = [0.9, *known]
    factors = make_factors(semantic=similarity, fused=[1.0, *[0.2] * len(known)])

    assert contain(factors, similarity, guessed=[True, *[False] * len(known)]) is factors


@given(hnp.arrays(np.float64, 6, elements=UNIT), hnp.arrays(np.bool_, 6))
def test_containing_changes_no_row_that_is_known_and_lifts_no_guess(
    similarity: np.ndarray, guessed: np.ndarray
) -> None:
    factors = make_factors(semantic=similarity.tolist(), keyword=similarity[::-1].tolist())

    held = contain(factors, similarity, guessed=guessed)

    for name in ("semantic", "keyword"):
        before, after = getattr(factors, name), getattr(held, name)
        assert (after[~guessed] == before[~guessed]).all()
        assert (after <= before).all()
