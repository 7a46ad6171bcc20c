"""
Move one row of an answer at random, so that the log can say how other weights would have done. Pure.

# Note [One move, every place but the first]
To learn from what was answered, what was answered has to vary where other weights would have answered
otherwise (SPEC E-12). A whole list drawn anew (Plackett and Luce) would move many rows at once; R-04 allows
one. So one place after the first is chosen, each alike, and one row for it, among those that stand there or
behind it, by the same law: with a chance proportional to exp(score / (temperature × best score)). The row
takes the place, those between move down by one. There are at most (k − 1) · 32 such moves, each with a known
chance: every marginal that an estimate needs is an exact sum, not a simulation.

# Note [What a move may cost]
A policy states how much of an answer's worth moves may cost, expected over the chance (`explore_loss`). The
worth is what ranking itself believes: the sum of score / log2(1 + place) over the k places (Järvelin and
Kekäläinen, ACM TOIS 20, 2002). The share of recalls with a move is as large as that bound leaves, and never
above `MOST_MOVED`.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

TEMPERATURE: Final = 0.05
"""Of the draw, in units of the best score: a row 5 % of it behind has a chance smaller by e. Ours."""

MOST_MOVED: Final = 0.30
"""The largest share of recalls in which a row is moved, whatever it would cost. Ours."""

REACH: Final = 32
"""Places from which a row may be drawn: as many as an event's log keeps (`event_candidates`)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moves:
    """All moves that may happen to one list of m rows, and how often one happens at all."""

    chances: Floats  #: shape (k − 1, m): of the row that stands at j to be put to place r + 1, together 1
    share: float  #: chance of a move at all, in [0, MOST_MOVED]

    @classmethod
    def of(
        cls, scores: ArrayLike, free: ArrayLike, *, k: int, loss: float, temperature: float = TEMPERATURE
    ) -> Self:
        """
        Return the moves of a list.

        scores: shape (n,), best first, at least 0. free: shape (n,), what may rise. k: places of the answer,
        at least 2. loss: the bound of Note [What a move may cost], in [0, 1].
        """
        kept = np.asarray(scores, dtype=np.float64)[:REACH]
        chances = move_chances(kept, np.asarray(free, dtype=np.bool_)[:REACH], k=k, temperature=temperature)
        expected = float((chances * move_losses(kept, k=k)).sum())
        share = MOST_MOVED if expected * MOST_MOVED <= loss else loss / expected
        return cls(chances=chances, share=share)

    def draw(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return a move: from which place to which, both counted from 0. The two are equal for none."""
        one = int(rng.choice(self.chances.size, p=self.chances.ravel()))
        to, start = divmod(one, self.chances.shape[1])
        return start, to + 1

    @property
    def stays(self) -> float:
        """Return the chance of a move from a place to itself, in [0, 1]."""
        return float(np.diagonal(self.chances, offset=1).sum())

    def chance_of(self, start: int, to: int) -> float:
        """Return the chance of this move, once one happens; 0 for one that is none. Places from 0."""
        places, reach = self.chances.shape
        return float(self.chances[to - 1, start]) if to <= places and start < reach else 0.0


def move_chances(
    scores: Floats, free: NDArray[np.bool_], *, k: int, temperature: float = TEMPERATURE
) -> Floats:
    """
    Return the chance of each move, shape (min(k, m) − 1, m), together 1: see Note [One move].

    scores: shape (m,), best first. free: shape (m,); who is not free may keep its place, and rises to none.
    """
    places = min(k, scores.size) - 1
    logits = scores / (temperature * max(float(scores[0]), 1e-9))
    to, start = np.arange(1, places + 1)[:, None], np.arange(scores.size)[None, :]
    allowed = (start == to) | ((start > to) & free)
    lots = np.where(allowed, np.exp(np.minimum(logits[None, :] - logits[1 : places + 1, None], 0.0)), 0.0)
    return np.asarray(lots / lots.sum(axis=1, keepdims=True) / places, dtype=np.float64)


def move_losses(scores: Floats, *, k: int) -> Floats:
    """Return what share of the list's worth each move loses, shape as `move_chances`, at least 0."""
    m = scores.size
    discounts = np.where(np.arange(m) < k, 1 / np.log2(np.arange(m) + 2), 0.0)
    worth = float(scores @ discounts)
    if worth <= 0:
        return np.zeros((min(k, m) - 1, m))
    down = np.concatenate([[0.0], np.cumsum(scores[:-1] * (discounts[:-1] - discounts[1:]))])
    to, start = np.arange(1, min(k, m))[:, None], np.arange(m)[None, :]
    lost = down[start] - down[to] - scores[start] * (discounts[to] - discounts[start])
    return np.where(start > to, np.maximum(lost, 0.0), 0.0) / worth


def places_after(chances: Floats) -> NDArray[np.intp]:
    """Return where each row stands after each move, shape (k − 1, m, m), by move and row, from 0."""
    places, m = chances.shape
    to, start = np.arange(1, places + 1)[:, None, None], np.arange(m)[None, :, None]
    row = np.arange(m)[None, None, :]
    pushed = (row >= to) & (row < start)
    return np.where((row == start) & (start > to), to, row + pushed)
