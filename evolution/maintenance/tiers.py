"""Which tier a memory belongs to, and why: pure maths over arrays, no ORM, no clock (SPEC E-06)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Names = NDArray[np.str_]

HOT, WARM, ARCHIVE = "hot", "warm", "archive"

TIER_OF: Final[dict[str, str]] = {
    "manual_pin": HOT,
    "active_connections": HOT,
    "dense_graph": HOT,
    "high_priority": HOT,
    "recent_access": HOT,
    "low_decay": HOT,
    "manual_tags_present": WARM,
    "connected_graph": WARM,
    "moderate_priority": WARM,
    "recently_accessed": WARM,
    "cold_and_disconnected": ARCHIVE,
    "stale_and_low_priority": ARCHIVE,
}
"""
Reason → the tier it is for. The first that holds is told, so the narrower stands before what it implies: who
has four recent links has a dense graph, who was accessed in three days has not decayed.
"""

BOUNDS: Final = {
    "hot_priority": 0.65,
    "hot_decay": 0.25,
    "hot_days": 3.0,
    "hot_relationship": 6,
    "hot_recent": 4,
    "warm_priority": 0.30,
    "warm_days": 21.0,
    "warm_relationship": 3,
    "archive_days": 30.0,
    "archive_decay": 0.60,
    "cold_days": 45.0,
    "cold_decay": 0.80,
    "unused_days": 4.0,
}
"""The numbers of SPEC E-06, by the names that `sql/tiers.sql` gives them."""

RECENT_DAYS: Final = 7
"""Age up to which a link is recent (SPEC E-06)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TierStanding:
    """What a tier is decided by: arrays of shape (n,)."""

    tier: Names  #: the one each is in
    priority: Floats
    decay: Floats
    days: Floats  #: since access
    links: NDArray[np.int64]  #: memories it is linked with
    recent: NDArray[np.int64]  #: those linked in the last 7 days
    tagged: NDArray[np.bool_]  #: has manual tags
    pinned: NDArray[np.bool_]


def relationship(links: ArrayLike, recent: ArrayLike) -> NDArray[np.int64]:
    """Return links + 2 × recent links, shape (n,) (SPEC E-06)."""
    return np.asarray(links, dtype=np.int64) + 2 * np.asarray(recent, dtype=np.int64)


def choose_tiers(rows: TierStanding) -> tuple[Names, Names]:
    """
    Return the tier each row belongs to, and the reason where it is another than it is in, else "".

    A row for which nothing speaks stays where it is; a hot one grows warm after 4 unused days only. Deciding
    again on the tiers that are returned changes nothing.
    """
    reasons = _first_reasons(rows)
    tiers = np.array([TIER_OF.get(reason, "") for reason in reasons.tolist()])
    too_soon = (rows.tier == HOT) & (tiers == WARM) & (rows.days < BOUNDS["unused_days"])
    moved = (tiers != "") & ~too_soon & (tiers != rows.tier)
    return np.where(moved, tiers, rows.tier), np.where(moved, reasons, "")


def _first_reasons(rows: TierStanding) -> Names:
    """Return the first reason that holds of each row, "" where none does."""
    holds = _holds(rows)
    return np.select([holds[reason] for reason in TIER_OF], list(TIER_OF), default="")


def _holds(rows: TierStanding) -> dict[str, NDArray[np.bool_]]:
    bound, tied = BOUNDS, relationship(rows.links, rows.recent)
    alone = (rows.priority < bound["warm_priority"]) & (tied < bound["warm_relationship"])
    alone &= (rows.recent == 0) & ~rows.tagged
    cold = (tied == 0) & (rows.days >= bound["cold_days"]) & (rows.decay >= bound["cold_decay"])
    return {
        "manual_pin": rows.pinned,
        "active_connections": rows.recent >= bound["hot_recent"],
        "dense_graph": tied >= bound["hot_relationship"],
        "high_priority": rows.priority >= bound["hot_priority"],
        "recent_access": rows.days <= bound["hot_days"],
        "low_decay": rows.decay <= bound["hot_decay"],
        "manual_tags_present": rows.tagged,
        "connected_graph": tied >= bound["warm_relationship"],
        "moderate_priority": rows.priority >= bound["warm_priority"],
        "recently_accessed": rows.days <= bound["warm_days"],
        "cold_and_disconnected": alone & cold,
        "stale_and_low_priority": alone
        & (rows.days >= bound["archive_days"])
        & (rows.decay >= bound["archive_decay"]),
    }
