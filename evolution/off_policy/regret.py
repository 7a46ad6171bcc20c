"""How recall did, week by week, by the word of those who asked (SPEC V-04, E-12)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from evolution.models import LEAST_PROOF
from tenants.scope import unit_of_work
from tenants.sql import Queries

MOST_WEEKS: Final = 52

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "learning.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningWeek:
    """What was asked and judged in a week, as far as the viewer in force may see it."""

    week: date  #: its Monday, UTC
    recalls: int
    judged: int  #: on which a verdict stands
    regret: float | None  #: mean of 1 - 1 / place of the first row that helped, in [0, 1); None: none did
    missed: int  #: judged, and nothing of it helped
    varied: int  #: in which luck changed a place


def list_weeks(*, weeks: int, now: datetime) -> tuple[LearningWeek, ...]:
    """Return the last weeks, so many (1 to `MOST_WEEKS`), this one last; one without a recall is left out."""
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=today.weekday(), weeks=weeks - 1)
    since = datetime.combine(first, datetime.min.time(), tzinfo=UTC)
    with unit_of_work():
        rows = _SQL.run("weeks", since=since, least=LEAST_PROOF)
    return tuple(LearningWeek(**row) for row in rows)
