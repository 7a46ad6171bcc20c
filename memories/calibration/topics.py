"""
What two texts are about, in whichever language and by whomever they were said (SPEC E-03, W-13).

A vector of the built-in model tells first of all in which language a text is, and who said it when: two
Chinese texts on different matters have a higher cosine than one matter told in Chinese and in English. Both
lie in few directions. What is left without them is compared here.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

FILE: Final = Path(__file__).parent / "topics.npz"
"""Fitted by `manage.py fit_topics` (docs/consolidation.md)."""

SAME_TOPIC: Final = 0.45
"""
Cosine of what is left from which two texts are about one thing. Chosen on 40 themes in four wordings each
(English, Chinese, mixed), measured on 40 others: docs/consolidation.md.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Topics:
    """How vectors of one space are freed from what tells of language and speaker."""

    space: str
    bare: Floats  #: mean of texts embedded as they stand, shape (d,)
    told: Floats  #: mean of texts embedded with speaker and day, shape (d,)
    directions: Floats  #: orthonormal, shape (n, d): what language, speaker and day change

    def strip(self, vectors: ArrayLike, *, told: NDArray[np.bool_]) -> NDArray[np.float32]:
        """
        Return what is left of the vectors, shape (rows, d), of length 1.

        told: shape (rows,), which of them were embedded with speaker and day.
        """
        known = np.asarray(vectors, dtype=np.float64)
        left = known - np.where(told[:, None], self.told, self.bare)
        left -= (left @ self.directions.T) @ self.directions
        lengths = np.linalg.norm(left, axis=1, keepdims=True)
        return np.asarray(left / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def arrays(self) -> dict[str, NDArray[np.float32] | NDArray[np.str_]]:
        """Return what a file holds of it."""
        single = {
            name: np.asarray(getattr(self, name), np.float32) for name in ("bare", "told", "directions")
        }
        return {"space": np.array(self.space), **single}


@lru_cache(maxsize=4)
def find_topics(space: str) -> Topics | None:
    """Return how vectors of this space are compared; None where nothing was fitted for it."""
    with np.load(FILE, allow_pickle=False) as file:
        arrays = dict(file)
    if str(arrays["space"]) != space:
        return None
    return Topics(
        space=space,
        bare=np.asarray(arrays["bare"], dtype=np.float64),
        told=np.asarray(arrays["told"], dtype=np.float64),
        directions=np.asarray(arrays["directions"], dtype=np.float64),
    )
