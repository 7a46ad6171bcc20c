"""Simulated readers: what they ask again, how far down they look, what they say of it. No service here."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ZIPF: Final = 1.0
"""The n-th of the repeated questions is asked 1/n as often as the first."""

HALF: Final = 2
"""One question of two is repeated; the others are never asked while learning goes on."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reader:
    """Somebody who asks and judges; all luck is drawn ahead, so that two arms see the same reader."""

    repeated: NDArray[np.intp]  #: questions asked again and again, most asked first
    unseen: NDArray[np.intp]  #: questions never asked
    shares: Floats  #: how often each repeated question is asked, together 1
    asks: NDArray[np.intp]  #: shape (asks,), the question asked at each turn
    looks: Floats  #: shape (asks, places), luck by which a place is looked at
    errs: NDArray[np.bool_]  #: shape (asks, places), where the opposite is said

    @classmethod
    def of(cls, questions: int, *, seed: int, asks: int, wrong: float, places: int = 5) -> Self:
        """Draw a reader who says the opposite of what is so in this share of verdicts."""
        rng = np.random.default_rng(seed)
        shuffled = rng.permutation(questions)
        repeated = shuffled[: questions // HALF]
        weights = 1.0 / np.arange(1, repeated.size + 1) ** ZIPF
        shares = weights / weights.sum()
        return cls(
            repeated=repeated,
            unseen=shuffled[repeated.size :],
            shares=shares,
            asks=rng.choice(repeated, size=asks, p=shares),
            looks=rng.random((asks, places)),
            errs=rng.random((asks, places)) < wrong,
        )

    def judge(self, turn: int, shown: Sequence[str], gold: Collection[str]) -> dict[str, bool]:
        """
        Return what is said of what is looked at: whether it helped.

        The n-th place is looked at with a chance of 1/n (Joachims and others, WSDM 2017).
        """
        return {
            memory: (memory in gold) != bool(self.errs[turn, place])
            for place, memory in enumerate(shown)
            if self.looks[turn, place] < 1 / (place + 1)
        }


def regret_of(asks: NDArray[np.intp], got: Floats, at_end: Floats) -> Floats:
    """
    Return the regret summed up: how far each answer's first hit stood behind the question's best.

    asks: shape (turns,), the question of each turn. got: shape (turns,), 1 / place of its first hit. at_end:
    shape (questions,), the same before or after all turns, whichever is better.
    """
    best = at_end.copy()
    np.maximum.at(best, asks, got)
    return np.cumsum(best[asks] - got)


def exponent(regret: NDArray[Any]) -> float:
    """Return e where the regret grows like t^e: the slope in logarithms from an eighth of the turns on."""
    turns = np.arange(1, regret.size + 1)
    late = turns >= regret.size // 8
    slope = np.polyfit(np.log(turns[late]), np.log(np.maximum(regret[late], 1e-9)), 1)[0]
    return float(slope)
