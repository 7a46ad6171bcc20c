"""How far a memory that nobody recalls is forgotten: pure maths, no ORM, no clock (SPEC E-02)."""

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The curve lives where ranking reads it; recall may not import from here.
from recall.ranking import GRACE_DAYS, SLOW_DAYS, retention

__all__ = ["Stage", "retention", "stage"]


class Stage(IntEnum):
    """How far a memory that nobody recalls is forgotten (SPEC E-02)."""

    KEPT = 0  #: up to day 30
    FADING = 1  #: up to day 90, × 0.98 a day
    FADED = 2  #: after that, × 0.95 a day


def stage(days_unrecalled: ArrayLike) -> NDArray[np.int64]:
    """
    Return the `Stage` of each row as its number.

    days_unrecalled: shape (n,) or scalar; NaN (never counted) is KEPT. A stage ends with its day: 30 is KEPT.
    """
    days = np.asarray(days_unrecalled, dtype=np.float64)
    return (days > GRACE_DAYS).astype(np.int64) + (days > SLOW_DAYS)
