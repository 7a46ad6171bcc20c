"""Whether two texts say the same."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.calibration import MERGE_FROM
from memories.comparison.paraphrase import CHINESE, ENGLISH, Alike, ParaphraseWeights, judge_same
from tests.unit.memories.minimal_pairs import MINIMAL_PAIRS

SIMILARITIES = st.floats(0, 1)
TEXTS = st.lists(
    st.sampled_from(
        [
            "redis",
            "the",
            "cache",
            "not",
            "red",
            "blue",
            "3",
            "Anna",
            "Bob",
            "from",
            "to",
            "在",
            "缓存",
            "红",
            "不",
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(("what", "a", "b"), MINIMAL_PAIRS)
def test_a_minimal_pair_is_never_the_same_however_near_the_vectors(what: str, a: str, b: str) -> None:
    for similarity in (0.86, 0.96, 1.0):
        assert judge_same(a, b, similarity=similarity).verdict != "same"
        assert judge_same(b, a, similarity=similarity).verdict != "same"


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The cache expires after 5 minutes.", "the cache expires after five minutes"),
        ("We met on 2026-03-05 at the depot.", "We met at the depot on 5 March 2026."),
        ("Wei's laptop is slow.", "The laptop of Wei is slow."),
        ("Ada and Ben own the billing code.", "Ben and Ada own the billing code."),
        ("The retry loop hides the timeout.", "The retry loop is hiding the timeouts."),
        ("We need to purchase more disks.", "We need to buy more disks."),
        ("缓存在五分钟后失效。", "缓存五分钟后失效"),
        ("连接池耗尽的原因是没有超时设置", "连接池耗尽的缘故是没有超时设置。"),
    ],
)
def test_the_same_in_other_words_is_the_same_when_the_vectors_agree(a: str, b: str) -> None:
    alike = judge_same(a, b, similarity=0.97)

    assert (alike.verdict, alike.differing) == ("same", frozenset())
    assert judge_same(b, a, similarity=0.97) == alike


@pytest.mark.spec("W-11")
def test_what_the_vectors_hold_apart_is_not_the_same_whatever_the_words() -> None:
    near = judge_same(
        "Ada owns the billing code.", "The billing code Ada owns.", similarity=MERGE_FROM - 0.01
    )

    assert near.verdict != "same"


def test_another_word_in_the_place_of_one_is_unsure_and_not_different() -> None:
    alike = judge_same("Leon prefers the quiet desk.", "Leon prefers the sunny desk.", similarity=0.99)

    assert (alike.verdict, alike.differing) == ("unsure", frozenset())


def test_another_question_is_not_the_same() -> None:
    alike = judge_same("When does the export end?", "Where does the export end?", similarity=0.99)

    assert alike.verdict == "unsure"


@pytest.mark.parametrize(
    ("a", "b"),
    [("It is  done.", "It is done."), ("ＡＰＩ 3", "API 3"), ("缓\u200b存", "缓存"), ("", "")],
)
def test_texts_that_fold_to_one_score_one_at_any_similarity(a: str, b: str) -> None:
    expected = Alike(score=1.0, differing=frozenset(), verdict="same")

    assert judge_same(a, b, similarity=0.0) == expected


@pytest.mark.parametrize("similarity", [-0.01, 1.01, float("nan")])
def test_a_similarity_that_is_not_calibrated_is_refused(similarity: float) -> None:
    with pytest.raises(ValueError, match="A calibrated similarity lies in"):
        judge_same("a", "b", similarity=similarity)


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS, SIMILARITIES)
def test_the_order_of_the_texts_plays_no_part(a: str, b: str, similarity: float) -> None:
    assert judge_same(a, b, similarity=similarity) == judge_same(b, a, similarity=similarity)


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS, st.lists(SIMILARITIES, min_size=2, max_size=5))
def test_the_score_never_falls_as_the_similarity_rises(a: str, b: str, similarities: list[float]) -> None:
    scores = [judge_same(a, b, similarity=each).score for each in sorted(similarities)]

    assert all(0 <= low <= high <= 1 for low, high in pairwise(scores))


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS)
def test_what_differs_is_never_the_same(a: str, b: str) -> None:
    alike = judge_same(a, b, similarity=1.0)

    assert not (alike.differing and alike.verdict == "same")


@pytest.mark.parametrize("weights", [ENGLISH, CHINESE])
def test_no_weight_lets_a_difference_or_less_similarity_speak_for_the_same(
    weights: ParaphraseWeights,
) -> None:
    against = ("polarity", "role", "wording", "inverted", "swapped", "asks_other")

    assert min(weights.similarity) > 0
    assert all(weights.signs.get(name, 0) <= 0 for name in against)
