"""Which findings belong together: held to the square comparison, and to what is planted."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolution.consolidation import clusters
from evolution.consolidation.clusters import Finding, find_clusters, need

pytestmark = pytest.mark.spec("E-03")

FINDING = st.builds(
    Finding,
    group=st.sampled_from("AB"),
    keywords=st.frozensets(st.sampled_from([f"w{n}" for n in range(14)]), max_size=12),
)


def square(findings: Sequence[Finding]) -> list[tuple[int, ...]]:
    """Return the clusters by comparing each two findings."""
    parent = list(range(len(findings)))

    def root(at: int) -> int:
        while parent[at] != at:
            at = parent[at]
        return at

    for one, other in combinations(range(len(findings)), 2):
        mine, theirs = set(findings[one].keywords), set(findings[other].keywords)
        same = findings[one].group == findings[other].group and mine and theirs
        if same and len(mine & theirs) / len(mine | theirs) >= 0.4:
            parent[root(one)] = root(other)
    found: dict[int, list[int]] = {}
    for at in range(len(findings)):
        found.setdefault(root(at), []).append(at)
    return sorted(tuple(cluster) for cluster in found.values() if len(cluster) > 1)


def of(*words: str, group: str = "A") -> Finding:
    return Finding(group=group, keywords=frozenset(" ".join(words).split()))


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(st.lists(FINDING, max_size=30))
def test_they_are_those_of_comparing_each_two(findings: list[Finding]) -> None:
    assert find_clusters(findings) == square(findings)


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(st.lists(FINDING, min_size=5, max_size=30), st.integers(1, 12), st.integers(1, 4))
def test_smaller_parts_and_long_walks_find_the_same(findings: list[Finding], parts: int, pairs: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "MOST_PARTS", parts)
        patch.setattr(clusters, "ALL_PAIRS", pairs)
        assert find_clusters(findings) == square(findings)


def test_two_of_five_words_are_enough_and_three_of_eight_are_not() -> None:
    assert find_clusters([of("a b"), of("a b c d e")]) == [(0, 1)]  # 2 / 5 = 0.40
    assert find_clusters([of("a b c d e"), of("a b c f g h")]) == []  # 3 / 8 = 0.375


def test_whoever_is_joined_to_the_same_one_is_joined() -> None:
    chain = [of("a b c d"), of("c d e f"), of("a b c d e f"), of("x y")]

    assert find_clusters(chain) == [(0, 1, 2)]


def test_other_groups_and_findings_without_words_stay_apart() -> None:
    assert find_clusters([of("a b"), of("a b", group="B"), of(), of()]) == []


def test_nothing_has_no_clusters() -> None:
    assert find_clusters([]) == []


def test_the_number_of_common_words_is_that_of_the_index() -> None:
    for a, b in combinations(range(1, 40), 2):
        fewest = next(shared for shared in range(a + b) if shared / (a + b - shared) >= 0.4)
        assert need(a, b) == fewest


def test_a_word_that_everybody_uses_joins_nobody() -> None:
    findings = [of("service", f"a{n}", f"b{n}", f"c{n}") for n in range(3000)]

    assert find_clusters(findings) == []


def test_what_is_planted_among_zipf_words_is_found() -> None:
    draw = np.random.default_rng(7)
    findings: list[Finding] = []
    planted = []
    for topic in range(60):
        core = [f"topic{topic}-{n}" for n in range(5)]
        begin = len(findings)
        for _ in range(3 + topic % 5):
            rare = [f"w{n}" for n in np.minimum(draw.zipf(1.3, 2), 5000)]
            findings.append(of(*core, *rare))
        planted.append(tuple(range(begin, len(findings))))
        for _ in range(25):
            findings.append(of(*(f"w{n}" for n in 100 + draw.integers(0, 50_000, 6))))

    assert find_clusters(findings) == planted
