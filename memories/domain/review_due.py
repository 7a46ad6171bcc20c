"""
How due a state is for a second look: the one use of a clock for truth (SPEC E-08). Pure.

Only states with nothing outside to check them against grow due by time alone. The score feeds the ageing
alert and the verify-first queue; ranking and conflicts never read it.
"""

from datetime import datetime
from typing import Final

KEPT_A_WEEK: Final = 0.98
"""What a full week without reinforcement leaves of the score (SPEC E-08)."""

FLOOR: Final = 0.30
"""The score falls no lower than this, or than where it began (SPEC E-08)."""

REVIEW_BELOW: Final = 0.35
"""Score beneath which a state is due. Ours: an agent's guess (0.40) is due after 7 weeks, what was read in a
document (0.60) after 27, what a person stated (0.95) after 50. What began below it never fell."""

EXEMPT: Final = "user_correction"
"""The origin that time does not wear (SPEC E-08)."""

SECONDS_A_WEEK: Final = 7 * 86_400


def full_weeks(since: datetime, now: datetime) -> int:
    """Return the full weeks between two moments, 0 for one that lies ahead."""
    return max(0, int((now - since).total_seconds() // SECONDS_A_WEEK))


def review_score(start: float, weeks: int) -> float:
    """
    Return the score after full weeks without reinforcement: max(min(0.30, start), start · 0.98^weeks).

    start: the fact's trust, in [0, 1]. A closed form: a night that was missed or ran twice changes nothing.
    The same as in SQL in `evolution/sql/verify.sql`.
    """
    return max(min(FLOOR, start), start * KEPT_A_WEEK**weeks)


def is_due(
    *, trust: float, provenance: str, last_verified_at: datetime, has_watermark: bool, now: datetime
) -> bool:
    """Tell whether a state should be looked at again because of time alone."""
    weeks = full_weeks(last_verified_at, now)
    if has_watermark or provenance == EXEMPT or weeks == 0:
        return False
    return review_score(trust, weeks) < REVIEW_BELOW <= trust
