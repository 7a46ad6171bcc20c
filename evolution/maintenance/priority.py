"""How much a memory matters, as far as one can tell without a question: pure maths (SPEC E-05)."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall.ranking import recency

Floats = NDArray[np.float64]

EXPLICIT, ACCESS, DENSITY, RECENCY, SOURCE = 0.4, 0.2, 0.2, 0.1, 0.1
"""What a priority is made of (SPEC E-05); together 1."""

HALF_USED: Final = 4.0
"""Accesses at which their part is one half: n / (n + 4). Ours: as many as exploration gives a newcomer."""

FULL_DENSITY: Final = 20.0
"""Links at which their part is 1: as many as a memory has by itself (SPEC M-09)."""

HIGHEST_IMPORTANCE: Final = 5.0


def priority(
    explicit: ArrayLike,
    accesses: ArrayLike,
    links: ArrayLike,
    days_since_access: ArrayLike,
    source: ArrayLike,
) -> Floats:
    """
    Say how much each row matters, in [0, 1] (SPEC E-05).

    0.4 · explicit + 0.2 · n/(n + 4) + 0.2 · min(1, links/20) + 0.1 · exp(−0.01 · days) + 0.1 · source.
    explicit: shape (n,), the importance 1 to 5 that a person gave, as a share of 5; NaN where nobody did: the
    other four then make the whole, scaled by 1/0.6. source: the weight of its origin, in [0, 1] (SPEC M-08).
    """
    given = np.asarray(explicit, dtype=np.float64)
    count = np.asarray(accesses, dtype=np.float64)
    rest = (
        ACCESS * count / (count + HALF_USED)
        + DENSITY * np.minimum(np.asarray(links, dtype=np.float64) / FULL_DENSITY, 1.0)
        + RECENCY * recency(days_since_access)
        + SOURCE * np.asarray(source, dtype=np.float64)
    )
    return np.where(np.isnan(given), rest / (1.0 - EXPLICIT), EXPLICIT * given + rest)
