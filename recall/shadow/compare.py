"""Compare two answers to one question: what stands in both, in which order, with which scores. Pure."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)

PERSISTENCE: Final = 0.9
"""Chance that a reader goes on to the next place, p of rank-biased overlap: its first ten places then carry
86 % of the weight (Webber, Moffat and Zobel, ACM TOIS 28, 2010, table II)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(Generic[Item]):
    """One answer: distinct items best first, and the score of each."""

    items: tuple[Item, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Generic[Item]):
    """How far the candidate's answer is from the baseline's."""

    overlap: float  #: share of the places that both fill with the same items, in [0, 1]
    rbo: float  #: rank-biased overlap, extrapolated, in [0, 1]
    tau: float | None  #: Kendall's τ of the shared items, in [-1, 1]; None with fewer than two
    drift: float  #: mean absolute difference of the shared items' scores; 0 when nothing is shared
    newcomers: tuple[Item, ...]  #: in the candidate's answer only, best first
    lost: tuple[Item, ...]  #: in the baseline's only, best first


def compare(baseline: Side[Item], candidate: Side[Item]) -> Comparison[Item]:
    """Compare the candidate's answer with the baseline's."""
    before, after = baseline.items, candidate.items
    in_before, in_after = set(before), set(after)
    return Comparison(
        overlap=overlap(before, after),
        rbo=rank_biased_overlap(before, after),
        tau=kendall_tau(before, after),
        drift=score_drift(_scores(baseline), _scores(candidate)),
        newcomers=tuple(item for item in after if item not in in_before),
        lost=tuple(item for item in before if item not in in_after),
    )


def _scores(side: Side[Item]) -> dict[Item, float]:
    return dict(zip(side.items, side.scores, strict=True))


def overlap(one: Sequence[Item], other: Sequence[Item]) -> float:
    """
    Return the share of places filled with the same items in both, in [0, 1].

    Divided by the longer answer's length, for k places may not all be filled; 1 when both are empty.
    """
    longest = max(len(one), len(other))
    return len(set(one) & set(other)) / longest if longest else 1.0


def rank_biased_overlap(one: Sequence[Item], other: Sequence[Item], *, p: float = PERSISTENCE) -> float:
    """
    Return RBO_EXT of two rankings of distinct items, in [0, 1]; 1 only for equal ones.

    Equation 32 of Webber, Moffat and Zobel (ACM TOIS 28, 2010), for rankings of uneven length s ≤ l: with
    X_d items shared by the first d of both,
    (1 − p)/p · (Σ_{d=1..l} X_d/d · p^d + Σ_{d=s+1..l} X_s (d − s)/(s d) · p^d)
    + ((X_l − X_s)/l + X_s/s) · p^l.
    Two empty rankings are equal, an empty one and another share nothing. Raises ValueError unless 0 < p < 1.
    """
    if not 0 < p < 1:
        raise ValueError("Set p to a value between 0 and 1.")
    short, long = sorted((one, other), key=len)
    if not short:
        return 1.0 if not long else 0.0
    shared = _shared_by_depth(short, long)
    s, l = len(short), len(long)  # noqa: E741 - the paper's names
    at_s, at_l = shared[s - 1], shared[l - 1]
    total = sum(shared[d - 1] / d * p**d for d in range(1, l + 1))
    total += sum(at_s * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    value = (1 - p) / p * total + ((at_l - at_s) / l + at_s / s) * p**l
    return min(1.0, max(0.0, value))  # sums of floats may end a hair outside


def _shared_by_depth(short: Sequence[Item], long: Sequence[Item]) -> list[int]:
    """Return how many items the first d of both share, for d from 1 to the longer one's length."""
    seen_short: set[Item] = set()
    seen_long: set[Item] = set()
    found = []
    for depth, item in enumerate(long):
        seen_long.add(item)
        seen_short.update(short[depth : depth + 1])
        found.append(len(seen_short & seen_long))
    return found


def kendall_tau(one: Sequence[Item], other: Sequence[Item]) -> float | None:
    """
    Return Kendall's τ over the items that stand in both, in [-1, 1]: pairs in the same order less those in
    the other, as a share of all pairs (Kendall, Biometrika 30, 1938). None with fewer than two such items.
    """
    places = {item: place for place, item in enumerate(other)}
    shared = [places[item] for item in one if item in places]
    pairs = len(shared) * (len(shared) - 1) // 2
    if not pairs:
        return None
    return sum(1 if first < second else -1 for first, second in combinations(shared, 2)) / pairs


def score_drift(before: Mapping[Item, float], after: Mapping[Item, float]) -> float:
    """Return the mean absolute difference of the scores of what stands in both; 0 when nothing does."""
    shared = before.keys() & after.keys()
    return sum(abs(after[item] - before[item]) for item in shared) / len(shared) if shared else 0.0
