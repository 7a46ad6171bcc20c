"""
Logged recalls as arrays, with the chance of every candidate to be shown in every place. Pure.

# Note [Which orders could have been shown]
Luck does one of three things to the order that ranking made: it moves one row (`recall.ranking`'s
`perturbation`), plays for the last place (`exploration`), or gives that place to a row that is owed a first
look, which is no luck at all. The event holds the chances of each, so the chance of a candidate to be shown
in a place is a sum over at most (k − 1) · 32 orders. Nothing is simulated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recall.ranking import NEUTRAL, REACH, LoggedCandidate, move_chances, places_after

Floats = NDArray[np.float64]

FACTORS: Final = tuple(NEUTRAL)
"""The six factors of a score, in the order of the arrays here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRecall:
    """One recall of the log: what it was chosen from, what luck could do, and what was said of it."""

    question: str  #: recalls of one question are no independent evidence
    k: int
    candidates: Sequence[LoggedCandidate]  #: in the order of the answer
    verdicts: Mapping[int, float]  #: index of a candidate → what it was worth, in [0, 1]
    share: float = 0.0  #: chance of a move
    held: frozenset[int] = frozenset()  #: indexes of what a move may not lift either
    play: float = 0.0  #: chance of a play for the last place
    chances: Mapping[int, float] | None = None  #: index → of winning it
    debut: bool = False  #: the last place was owed

    def place_chances(self) -> Floats:
        """Return the chance of each candidate to be shown in each place, shape (n, k)."""
        if self.debut or not self.candidates:
            return _identity(len(self.candidates), self.k)
        scores = np.array([one.score for one in self.candidates])
        best_first = np.argsort(-scores, kind="stable")
        rank = np.empty_like(best_first)
        rank[best_first] = np.arange(best_first.size)
        base = _identity(scores.size, self.k)
        shown = (1 - self.share) * self._played(base, rank)
        if self.share > 0 and 1 < self.k < scores.size:
            shown += self.share * self._moved(scores[best_first], best_first)
        return np.asarray(shown[rank], dtype=np.float64)

    def _played(self, base: Floats, rank: NDArray[np.intp]) -> Floats:
        if not self.chances or base.shape[0] < self.k:
            return base
        played = base.copy()
        played[self.k - 1 :, self.k - 1] = 0.0
        for index, chance in self.chances.items():
            played[rank[index], self.k - 1] += chance / sum(self.chances.values())
        return (1 - self.play) * base + self.play * played

    def _moved(self, scores: Floats, best_first: NDArray[np.intp]) -> Floats:
        rises = np.array([one.may_be_lifted for one in self.candidates]) & ~np.isin(
            np.arange(best_first.size), list(self.held)
        )
        reach = min(REACH, scores.size)
        chances = move_chances(scores[:reach], rises[best_first][:reach], k=self.k)
        places = places_after(chances)
        shown = np.zeros((scores.size, self.k))
        for place in range(self.k):
            shown[:reach, place] = (chances[:, :, None] * (places == place)).sum(axis=(0, 1))
        return shown


def _identity(rows: int, k: int) -> Floats:
    return np.eye(rows, k)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Log:
    """N recalls with up to M candidates each; what a recall has fewer of is filled with −inf, 0 or NaN."""

    questions: NDArray[np.intp]  #: shape (N,), a number for each question
    k: NDArray[np.intp]  #: shape (N,)
    scores: Floats  #: shape (N, M), before luck; −inf for no candidate
    multiplier: Floats  #: shape (N, M)
    factors: Floats  #: shape (N, M, 6)
    worth: Floats  #: shape (N, M), what verdicts say in [0, 1]; NaN where nothing was said
    looked: Floats  #: shape (N, M), the chance that a verdict was given, in [0, 1]

    @classmethod
    def of(cls, recalls: Sequence[LoggedRecall]) -> "Log":
        """
        Return the log of these recalls; one that had nothing to choose from says nothing, and is left out.

        How often a place is judged is read from the log itself: verdicts on what was shown there, of all that
        was, one of each added so that nothing is sure.
        """
        recalls = [one for one in recalls if one.candidates]
        shape = (len(recalls), max((len(one.candidates) for one in recalls), default=0))
        scores, multiplier = np.full(shape, -np.inf), np.zeros(shape)
        factors, worth = np.zeros((*shape, len(FACTORS))), np.full(shape, np.nan)
        most = max((one.k for one in recalls), default=1)
        judged, shown = np.ones(most), np.full(most, 2.0)
        numbers: dict[str, int] = {}
        questions = [numbers.setdefault(one.question, len(numbers)) for one in recalls]
        for row, one in enumerate(recalls):
            size = len(one.candidates)
            scores[row, :size] = [each.score for each in one.candidates]
            multiplier[row, :size] = [each.multiplier for each in one.candidates]
            factors[row, :size] = [_filled(each.factors) for each in one.candidates]
            for index, value in one.verdicts.items():
                worth[row, index] = value
            places = np.arange(min(one.k, size))
            shown[places] += 1
            judged[places] += ~np.isnan(worth[row, places])
        looked = np.zeros(shape)
        for row, one in enumerate(recalls):
            looked[row, : len(one.candidates)] = one.place_chances() @ (judged / shown)[: one.k]
        return cls(
            questions=np.array(questions, dtype=np.intp),
            k=np.array([one.k for one in recalls], dtype=np.intp),
            scores=scores, multiplier=multiplier, factors=factors, worth=worth, looked=looked,
        )  # fmt: skip

    def part(self, rows: NDArray[np.bool_]) -> "Log":
        """Return the recalls that are marked, shape (N,)."""
        return Log(
            questions=self.questions[rows], k=self.k[rows], scores=self.scores[rows],
            multiplier=self.multiplier[rows], factors=self.factors[rows], worth=self.worth[rows],
            looked=self.looked[rows],
        )  # fmt: skip

    def values(self, change: Floats) -> Floats:
        """
        Return what each place is worth that other weights would give the candidates, shape (N, M).

        change: shape (6,), what is added to the factors' parts of the whole. 1 / log2(1 + place) within the k
        places, 0 behind them (Järvelin and Kekäläinen, ACM TOIS 20, 2002). What ranking does after weighing,
        such as what is newer first, stays as it was.
        """
        scores = self.scores + self.multiplier * (self.factors @ change)
        order = np.argsort(-scores, axis=1, kind="stable")
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(order.shape[1])[None, :], axis=1)
        inside = (places < self.k[:, None]) & np.isfinite(self.scores)
        return np.where(inside, 1 / np.log2(places + 2), 0.0)


def _filled(factors: Mapping[str, float | None]) -> list[float]:
    return [NEUTRAL[name] if (value := factors[name]) is None else value for name in FACTORS]
