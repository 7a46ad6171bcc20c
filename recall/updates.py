"""
Put what was said later before what it updates, as an arbiter judged it when it was stored (SPEC K-05).

A verdict retires nothing: both rows are found, the later one first, and an alert says that the earlier one
may have changed. How sure the verdict must be depends on the question: the better the earlier statement
answers it than the later one does, the surer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recall.candidates import Pool
from recall.ranking import TRUST_GAP

Floats = NDArray[np.float64]

UPDATES: Final = frozenset({"replaces", "ends", "corrects", "refines"})
"""Verdicts by which the later statement is to be read first."""

STALE: Final = frozenset({"replaces", "ends", "corrects", "contradicts"})
"""Verdicts by which the earlier statement may not hold any more."""

DOUBT: Final = 3.6
"""
Log odds that a verdict must have for each 1.0 by which the earlier statement is more similar to the question.

Chosen on the arbiter's own pairs over plain cosine, by a linear fit that saw other domains: for 0, 20, 40
and 80 to each 1.0 of cosine the right statement stood first in .70, .72, .70 and .67 of the questions, and
without any verdict in .56. A calibrated similarity of 1.0 is some 0.18 of cosine.
"""

MOST_STEPS: Final = 3
"""Times that a chain of updates is followed: what was updated three times in one answer is rare. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A verdict between two rows of a pool."""

    older: int
    newer: int
    type: str
    confidence: float


def read_updates(pool: Pool) -> list[Update]:
    """Return the verdicts whose rows are both in the pool: what the asker does not find says nothing."""
    rows = {str(id_): row for row, id_ in enumerate(pool.ids)}
    return [
        Update(older=older, newer=rows[source], type=type_, confidence=float(confidence))
        for older, verdicts in enumerate(pool.columns["verdicts"])
        for source, type_, confidence in verdicts or ()
        if source in rows
    ]


def newer_first(
    scores: Floats, updates: Sequence[Update], *, similarity: Floats, trust: Floats, held: NDArray[np.bool_]
) -> Floats:
    """
    Return the scores with the surest update of each statement lifted above it.

    One of each: what was said once can have been updated by one statement, and further verdicts on it are
    doubtful. A value that was updated twice is followed from one to the next.

    scores: shape (n,); a row below 0 is not shown, and is lifted all the same: what it updates is shown.
    similarity: to the question, calibrated, NaN where it is not known. trust: in [0, 1]; a later row that is
    trusted less by TRUST_GAP or more is not lifted (SPEC V-05). held: rows above which nothing is lifted.
    """
    result = scores.copy()
    alike = np.nan_to_num(similarity)
    surest: dict[int, Update] = {}
    for one in updates:
        if (
            one.type in UPDATES
            and not held[one.older]
            and trust[one.newer] > trust[one.older] - TRUST_GAP
            and _odds(one.confidence) >= DOUBT * max(0.0, float(alike[one.older] - alike[one.newer]))
            and (one.older not in surest or one.confidence > surest[one.older].confidence)
        ):
            surest[one.older] = one
    moving = surest.values()
    for _ in range(MOST_STEPS):
        low = [one for one in moving if 0 <= result[one.older] >= result[one.newer]]
        if not low:
            break
        for one in low:
            result[one.newer] = max(result[one.newer], np.nextafter(result[one.older], np.inf))
    return result


def _odds(confidence: float) -> float:
    return math.log(confidence / (1.0 - confidence)) if confidence < 1.0 else math.inf


def find_stale(updates: Sequence[Update]) -> dict[int, list[int]]:
    """Return the rows that may have changed, each with the later rows that say so."""
    found: dict[int, list[int]] = {}
    for one in updates:
        if one.type in STALE:
            found.setdefault(one.older, []).append(one.newer)
    return found
