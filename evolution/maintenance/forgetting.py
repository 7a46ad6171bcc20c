"""How far a memory that nobody recalls is forgotten: pure maths, no ORM, no clock (SPEC E-02)."""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The curve lives where ranking reads it; recall may not import from here.
from recall.ranking import (
    FAST_FACTOR,
    GRACE_DAYS,
    SLOW_DAYS,
    SLOW_FACTOR,
    USEFULNESS_FLOOR,
    retention,
)

__all__ = ["CURVE", "Stage", "retention", "stage"]

CURVE: Final = {
    "grace_days": GRACE_DAYS,
    "slow_days": SLOW_DAYS,
    "slow_factor": SLOW_FACTOR,
    "fast_factor": FAST_FACTOR,
    "floor": USEFULNESS_FLOOR,
}
"""The curve's numbers by the names that `sql/tiers.sql` gives them, so that they stand in one place."""


class Stage(IntEnum):
    """How far a memory that nobody recalls is forgotten (SPEC E-02)."""

    KEPT = 0  #: up to day 30
    FADING = 1  #: up to day 90, × 0.98 a day
    FADED = 2  #: after that, × 0.95 a day
    SPENT = 3  #: less than 0.10 is left, from day 112 on: whatever it was worth, ranking reads the floor


def stage(days_unrecalled: ArrayLike) -> NDArray[np.int64]:
    """
    Return the `Stage` of each row as its number.

    days_unrecalled: shape (n,) or scalar; NaN (never counted) is KEPT. A stage ends with its day: 30 is KEPT.
    """
    days = np.asarray(days_unrecalled, dtype=np.float64)
    spent = retention(days) < USEFULNESS_FLOOR
    return (days > GRACE_DAYS).astype(np.int64) + (days > SLOW_DAYS) + spent
