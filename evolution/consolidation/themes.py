"""
Find the findings that speak of one thing, by what they mean and by their keywords (SPEC E-03). Pure.

# Note [Two ways to belong together]
By meaning: pairs are gone through, the nearest first, and two clusters are joined if their members' mean
cosine is high enough. One near pair would otherwise be a bridge between two matters: of 160 findings on 40
matters single links joined 18 % with strangers, means joined none (docs/consolidation.md). By keywords:
whatever `find_clusters` connects; one keyword alone says nothing.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evolution.consolidation.clusters import Finding, find_clusters
from evolution.consolidation.near import Singles, near_pairs
from memories.calibration import SAME_TOPIC

MOST_NEAR: Final = 20
"""Nearest findings that each is held against. Ours: a theme that more repeat hangs together over these."""

FEWEST_KEYWORDS: Final = 2
"""Keywords of a finding that may belong together by them. Ours: «thanks, Tom» would be a theme."""


def find_themes(findings: Sequence[Finding]) -> list[tuple[int, ...]]:
    """
    Return the findings that belong together, two and more each, as places in the sequence, ascending.

    A finding without a vector belongs by its keywords alone. Findings of different groups never do.
    """
    clusters = _Clusters(findings)
    for left, right in _alike(findings):
        if clusters.likeness(left, right) >= SAME_TOPIC:
            clusters.join(left, right)
    several = [place for place, one in enumerate(findings) if len(one.keywords) >= FEWEST_KEYWORDS]
    for first, *others in find_clusters([findings[place] for place in several]):
        for other in others:
            clusters.join(several[first], several[other])
    return clusters.parts()


def find_centre(vectors: Sequence[Singles | None], keywords: Sequence[frozenset[str]]) -> int:
    """Return the place of the finding that is most like the others, the first of equals."""
    if all(vector is not None for vector in vectors):
        table = np.array(vectors, dtype=np.float64)
        return int(np.argmax(np.round(table @ table.sum(axis=0), 6)))
    return max(
        range(len(keywords)), key=lambda at: (sum(_overlap(keywords[at], one) for one in keywords), -at)
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _alike(findings: Sequence[Finding]) -> list[tuple[int, int]]:
    """Return the pairs of one group that are near by meaning, the nearest first."""
    of_group: dict[object, list[int]] = {}
    for place, one in enumerate(findings):
        if one.vector is not None:
            of_group.setdefault(one.group, []).append(place)
    found: list[tuple[float, int, int]] = []
    for places in of_group.values():
        vectors = np.array([findings[place].vector for place in places], dtype=np.float32)
        for likeness, left, right in near_pairs(vectors, floor=SAME_TOPIC, most=MOST_NEAR):
            found.append((-likeness, places[left], places[right]))
    return [(left, right) for _, left, right in sorted(found)]


class _Clusters:
    """Disjoint sets of findings, each with the sum of its vectors: their mean cosine costs one product."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._above = list(range(len(findings)))
        self._sum: list[NDArray[np.float64] | None] = [
            None if one.vector is None else np.asarray(one.vector, dtype=np.float64) for one in findings
        ]
        self._known = [int(one.vector is not None) for one in findings]

    def likeness(self, one: int, other: int) -> float:
        """Return the mean cosine between the members of both clusters; 1 where it is not known."""
        mine, theirs = self._find(one), self._find(other)
        a, b = self._sum[mine], self._sum[theirs]
        if a is None or b is None or mine == theirs:
            return 1.0
        return float(a @ b) / (self._known[mine] * self._known[theirs])

    def join(self, one: int, other: int) -> None:
        """Make one cluster of both."""
        mine, theirs = self._find(one), self._find(other)
        if mine == theirs:
            return
        self._above[theirs] = mine
        a, b = self._sum[mine], self._sum[theirs]
        self._sum[mine] = b if a is None else a if b is None else a + b
        self._known[mine] += self._known[theirs]

    def parts(self) -> list[tuple[int, ...]]:
        """Return the clusters of two and more, in the order of their first member."""
        members: dict[int, list[int]] = {}
        for place in range(len(self._above)):
            members.setdefault(self._find(place), []).append(place)
        return sorted(tuple(part) for part in members.values() if len(part) > 1)

    def _find(self, place: int) -> int:
        while self._above[place] != place:
            self._above[place] = self._above[self._above[place]]
            place = self._above[place]
        return place
