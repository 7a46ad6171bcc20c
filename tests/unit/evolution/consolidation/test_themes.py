"""Findings are joined by the mean of what they mean, and near pairs are found among many."""

import numpy as np
import pytest

from evolution.consolidation.clusters import Finding
from evolution.consolidation.near import EXACT, near_pairs
from evolution.consolidation.themes import find_centre, find_themes

pytestmark = pytest.mark.spec("E-03")


def turned(*degrees: float) -> list[Finding]:
    """Return findings without keywords, whose vectors stand at these angles."""
    angles = np.radians(degrees)
    return [
        Finding(group=0, keywords=(), vector=np.array([np.cos(one), np.sin(one)], dtype=np.float32))
        for one in angles
    ]


def test_a_bridge_between_two_matters_joins_none() -> None:
    """The one in the middle is near to both sides (50 degrees: 0.64), the sides are not near each other."""
    assert find_themes(turned(0, 1, 2, 50, 100, 101, 102)) == [(0, 1, 2, 3), (4, 5, 6)]


def test_findings_of_two_groups_stay_apart() -> None:
    one, other = turned(0, 1)
    stranger = Finding(group=1, keywords=(), vector=other.vector)

    assert find_themes([one, other, stranger]) == [(0, 1)]


def test_one_keyword_joins_nothing_and_two_do() -> None:
    def of(*words: str) -> Finding:
        return Finding(group=0, keywords=words)

    assert find_themes([of("tom"), of("tom"), of("ledger", "vat"), of("ledger", "vat")]) == [(2, 3)]


def test_the_centre_is_the_finding_most_like_the_others() -> None:
    vectors = [one.vector for one in turned(0, 30, 70)]

    assert find_centre(vectors, [frozenset()] * 3) == 1
    assert find_centre([None] * 3, [frozenset("ab"), frozenset("abcd"), frozenset("cd")]) == 1


def test_of_many_vectors_most_near_pairs_are_found_and_none_is_made_up() -> None:
    draw = np.random.default_rng(3)
    planted = 2_200
    vectors = np.repeat(draw.normal(size=(planted, 64)), 4, axis=0)
    vectors += draw.normal(size=vectors.shape) * 0.7
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    assert len(vectors) > EXACT

    found = {(one, other) for _, one, other in near_pairs(vectors, floor=0.6, most=5)}

    assert all(vectors[one] @ vectors[other] >= 0.599 for one, other in found)
    kin = [
        (4 * at + one, 4 * at + other) for at in range(planted) for one in range(4) for other in range(one)
    ]
    near = {(min(pair), max(pair)) for pair in kin if vectors[pair[0]] @ vectors[pair[1]] >= 0.6}
    assert len(found & near) / len(near) >= 0.8
