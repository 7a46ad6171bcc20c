"""How stale a memory is that nobody uses: pure maths, no ORM, no clock (SPEC E-05)."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

STALE_DAYS: Final = 21.0
"""Time constant of staleness, days: after so many without access 63 % of it is there. Ours, so that a memory
that was never recalled, has no links and is no older passes 0.60 on day 30 and 0.80 on day 45, the two bounds
of E-06; and the warm tier's 21 days are its measure."""

AGE_SHARE: Final = 0.10
"""What age alone may make of a memory: with it one just accessed is at most 0.10 (SPEC E-05)."""

OLD_DAYS: Final = 365.0
"""Age from which it counts in full."""

USED_SHARE: Final = 0.4
"""How much of staleness much use takes away: of 0.90 there is left 0.54. Not all, or what helped in another
year would stay for ever. Ours."""

LINK_SLOWING: Final = 0.1
"""By how much of itself each link lengthens the time constant. Ours: twenty links make it three times."""

MOST_LINKS: Final = 20
"""Links that count: as many as a memory has by itself (SPEC M-09)."""


def decay(
    days_since_access: ArrayLike,
    age_days: ArrayLike,
    accesses: ArrayLike,
    links: ArrayLike,
    *,
    lasting: ArrayLike = False,
) -> Floats:
    """
    Say how stale each row is, from 0 (fresh) to 1 (SPEC E-05).

    0.90 · (1 − exp(−d / (21 · (1 + 0.1 · links)))) · (0.6 + 0.4 / (1 + accesses)) + 0.10 · min(1, age / 365):
    exponential in the days d since access, linear in age, inverse in the count of accesses, slowed by links.
    days_since_access, age_days: shape (n,), a day in the future counts as today. accesses, links: counts, of
    the links at most 20. lasting: true for what does not decay, a person's correction (SPEC W-18): 0.
    """
    idle = np.maximum(np.asarray(days_since_access, dtype=np.float64), 0.0)
    age = np.maximum(np.asarray(age_days, dtype=np.float64), 0.0)
    known = np.minimum(np.asarray(links, dtype=np.float64), MOST_LINKS)
    used = 1.0 - USED_SHARE + USED_SHARE / (1.0 + np.asarray(accesses, dtype=np.float64))
    staleness = 1.0 - np.exp(-idle / (STALE_DAYS * (1.0 + LINK_SLOWING * known)))
    score = (1.0 - AGE_SHARE) * staleness * used + AGE_SHARE * np.minimum(age / OLD_DAYS, 1.0)
    return np.where(np.asarray(lasting, dtype=np.bool_), 0.0, score)
