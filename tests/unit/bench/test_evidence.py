"""How rankings are judged, by hand-worked numbers."""

from math import log2

import pytest

from bench.scoring.evidence import Found, judge, judge_sources, mean_figures


def test_evidence_counts_by_the_share_of_it_that_is_found_early() -> None:
    ranked = ["a", "b", "c", "d", "e", "f", "g"]

    found = judge(ranked, ["c", "g", "nowhere"])

    assert found == Found(
        r1=0.0, r5=1 / 3, r10=2 / 3, reciprocal=1 / 3,
        ndcg10=pytest.approx((1 / log2(4) + 1 / log2(8)) / (1 + 1 / log2(3) + 1 / log2(4))),
    )  # fmt: skip


def test_a_ranking_without_the_evidence_is_worth_nothing() -> None:
    assert judge(["a", "b"], ["z"]) == Found(r1=0.0, r5=0.0, r10=0.0, reciprocal=0.0, ndcg10=0.0)


def test_what_stands_behind_the_tenth_place_counts_for_the_reciprocal_rank_only() -> None:
    assert judge(list(range(20)), [15]) == Found(r1=0.0, r5=0.0, r10=0.0, reciprocal=1 / 16, ndcg10=0.0)


def test_a_place_may_hold_several_sources_or_none() -> None:
    ranked = [set(), {"a", "x"}, {"a"}, {"y"}, {"b", "c"}, {"d"}]

    found = judge_sources(ranked, ["a", "b", "d", "nowhere"])

    assert found == Found(
        r1=0.0, r5=2 / 4, r10=3 / 4, reciprocal=1 / 2,
        ndcg10=pytest.approx(
            (1 / log2(3) + 1 / log2(6) + 1 / log2(7)) / sum(1 / log2(1 + place) for place in range(1, 5))
        ),
    )  # fmt: skip


def test_a_question_without_evidence_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="cannot be judged"):
        judge(["a"], [])


def test_figures_are_means_over_questions() -> None:
    each = [
        Found(r1=1.0, r5=1.0, r10=1.0, reciprocal=0.5, ndcg10=1.0),
        Found(r1=0.0, r5=0.0, r10=0.5, reciprocal=0.25, ndcg10=0.5),
    ]

    assert mean_figures(each) == {"r1": 0.5, "r5": 0.5, "r10": 0.75, "mrr": 0.375, "ndcg10": 0.75}


def test_no_questions_have_no_mean() -> None:
    with pytest.raises(ValueError, match="no question"):
        mean_figures([])
