"""The plain methods that the service is measured against."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.scoring.floors import Bm25, fuse, plain_words, rank

TEXTS = ["The red gate.", "A red red wall beside the garden", "Green wall"]


def test_words_are_stemmed_and_function_words_left_out() -> None:
    assert plain_words("The walls WERE painted, and then repainted in 2024!") == [
        "wall", "paint", "repaint", "2024",
    ]  # fmt: skip


def test_han_and_kana_are_searched_by_pairs_of_characters() -> None:
    assert plain_words("我养了一只猫, and 3 dogs；犬がいる。猫") == [
        "我养", "养了", "了一", "一只", "只猫", "3", "dog", "犬が", "がい", "いる", "猫",
    ]  # fmt: skip


def test_bm25_finds_a_part_of_a_sentence_without_spaces() -> None:
    scores = Bm25(["今天天气很好。", "我养了一只猫。"]).score("谁养了猫？")

    assert scores[0] == 0 < scores[1]


def test_bm25_is_the_published_formula() -> None:
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # «red» stands in two of three texts
    lengths, mean = (2, 5, 2), 3.0  # red gate; red red wall besid garden; green wall

    scores = Bm25(TEXTS).score("red")

    once = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * lengths[0] / mean))
    twice = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * lengths[1] / mean))
    np.testing.assert_allclose(scores, [once, twice, 0.0])


def test_a_question_without_a_known_word_finds_nothing() -> None:
    assert Bm25(TEXTS).score("and the zebra").tolist() == [0.0, 0.0, 0.0]


def test_equal_scores_fall_to_the_newer_row() -> None:
    assert rank(np.array([0.5, 0.9, 0.5])).tolist() == [1, 2, 0]


def test_ranks_are_fused_by_their_reciprocals() -> None:
    fused = fuse([np.array([2, 0, 1]), np.array([0, 1, 2])])

    np.testing.assert_allclose(fused, [1 / 62 + 1 / 61, 1 / 63 + 1 / 62, 1 / 61 + 1 / 63])


@given(st.permutations(range(6)))
def test_an_arm_fused_with_itself_keeps_its_order(arm: list[int]) -> None:
    order = np.array(arm)

    assert rank(fuse([order, order])).tolist() == arm
