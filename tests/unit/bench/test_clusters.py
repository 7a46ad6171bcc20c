"""The findings that clustering is measured on, and what it is held to."""

from bench.corpora.clusters import SIZES, draw, find_by_pairs


def test_what_is_planted_hangs_together_by_comparing_pairs() -> None:
    crowd = draw(300, seed=5)

    assert len(crowd.keywords) >= 300
    assert {SIZES[0] <= len(cluster) < SIZES[1] for cluster in crowd.planted} == {True}
    assert set(crowd.planted) <= set(find_by_pairs(crowd.keywords))


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    assert draw(50, seed=1) == draw(50, seed=1) != draw(50, seed=2)


def test_pairs_are_joined_from_two_words_in_five() -> None:
    keywords = [("a", "b"), ("a", "b", "c", "d", "e"), ("a", "b", "x"), ("x", "y", "z", "u")]

    assert find_by_pairs(keywords) == [(0, 1, 2)]
