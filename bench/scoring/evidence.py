"""How well rankings find what answers a question."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log2
from statistics import fmean
from typing import Final

DEPTH: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where one question's evidence stands in a ranking, each value in [0, 1]."""

    r1: float  #: share of the evidence in the first place
    r5: float  #: share of the evidence among the first 5
    r10: float  #: share of the evidence among the first 10
    reciprocal: float  #: 1 / place of the first evidence; 0 when it is not in the ranking
    ndcg10: float  #: discounted gain of the first 10 as a share of the best there could be


def judge(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> Found:
    """
    Compare a ranking, best first, with the evidence wanted. Raises ValueError when nothing is wanted.

    Only what stands in `ranked` counts: cut it to the same depth for all that are compared.
    """
    return judge_sources([{one} for one in ranked], gold)


def judge_sources(ranked: Sequence[Collection[Hashable]], gold: Collection[Hashable]) -> Found:
    """
    Compare a ranking whose places each hold any number of sources, none too, with the evidence wanted.

    Evidence in several places counts once. Raises ValueError when nothing is wanted.
    """
    if not gold:
        raise ValueError("A question without evidence cannot be judged; leave it out.")
    wanted = set(gold)
    places = [place for place, sources in enumerate(ranked, start=1) if wanted.intersection(sources)]

    def share(depth: int) -> float:
        return len(wanted.intersection(chain.from_iterable(ranked[:depth]))) / len(wanted)

    return Found(
        r1=share(1), r5=share(5), r10=share(10), reciprocal=1 / places[0] if places else 0.0,
        ndcg10=_ndcg(ranked[:DEPTH], wanted),
    )  # fmt: skip


def _ndcg(ranked: Sequence[Collection[Hashable]], wanted: set[Hashable]) -> float:
    """
    Return the normalised discounted cumulative gain (Järvelin and Kekäläinen, ACM TOIS 20, 2002), in [0, 1].

    A place gains for each piece of evidence that it shows first; the best ranking has one in each place.
    """
    left, gain = set(wanted), 0.0
    for place, sources in enumerate(ranked, start=1):
        new = left.intersection(sources)
        left -= new
        gain += len(new) / log2(1 + place)
    best = sum(1 / log2(1 + place) for place in range(1, min(len(wanted), DEPTH) + 1))
    return min(1.0, gain / best)


def mean_figures(found: Iterable[Found]) -> dict[str, float]:
    """Return the means over questions, {r1, r5, r10, mrr, ndcg10}, 4 decimals. Raises ValueError for none."""
    each = list(found)
    if not each:
        raise ValueError("There is no question to take the mean over.")
    return {
        "r1": round(fmean(one.r1 for one in each), 4),
        "r5": round(fmean(one.r5 for one in each), 4),
        "r10": round(fmean(one.r10 for one in each), 4),
        "mrr": round(fmean(one.reciprocal for one in each), 4),
        "ndcg10": round(fmean(one.ndcg10 for one in each), 4),
    }
