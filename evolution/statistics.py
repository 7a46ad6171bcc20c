"""How a tenant's memory does: what came in, what was refused and why, how recall answered, what it cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tenants.model_budget import read_budget
from tenants.scope import unit_of_work
from tenants.sql import Queries

MOST_DAYS: Final = 90
"""Days that statistics go back at most: as long as questions are kept by the shortest rule of retention."""

_SQL: Final = Queries(Path(__file__).parent / "sql" / "statistics.sql")

_BY_DAY: Final = {
    "memories_by_day": ("memories",),
    "captures_by_day": ("discarded", "quarantined", "dead"),
    "recalls_by_day": ("answered", "nothing_known", "degraded"),
    "verdicts_by_day": ("helpful", "unhelpful", "used"),
    "tokens_by_day": ("tokens_in", "tokens_out"),
}
"""Statements that count by day, and what; a day that a statement does not name has none."""

TIMES: Final = ("p50_ms", "p95_ms")
"""Of a day without a question there is no time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The figures of the last days, as the viewer in force may see what they count."""

    since: datetime
    days: list[dict[str, Any]]  #: by day of UTC, the first first: `day`, counts, and milliseconds or None
    refused: list[dict[str, Any]]  #: gate, verdict, reason, captures
    missing_channels: list[dict[str, Any]]  #: channel, recalls
    totals: dict[str, int]  #: memories that there are: all, current, superseded, archived
    models: dict[str, int]  #: tokens of language and decision models: the budget of a day, and what is taken


def get_statistics(*, days: int, now: datetime) -> Statistics:
    """Return the figures of today and the days before, so many in all (1 to `MOST_DAYS`), by UTC."""
    first = now.astimezone(UTC).date() - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), tzinfo=UTC)
    names = [*_BY_DAY, "refused_by_reason", "missing_channels", "totals"]
    with unit_of_work():
        budget = read_budget()
        rows = dict(zip(names, _SQL.run_together([(name, {"since": since}) for name in names]), strict=True))
    return Statistics(
        since=since,
        days=list(_days(rows, first=first, count=days)),
        refused=rows["refused_by_reason"],
        missing_channels=rows["missing_channels"],
        totals=rows["totals"][0],
        models={"tokens_a_day": budget.a_day, "tokens_today": budget.taken},
    )


def _days(rows: dict[str, list[dict[str, Any]]], *, first: date, count: int) -> Iterator[dict[str, Any]]:
    found: dict[date, dict[str, Any]] = {}
    for statement in _BY_DAY:
        for row in rows[statement]:
            found.setdefault(row["day"], {}).update(row)
    for day in (first + timedelta(days=number) for number in range(count)):
        of_day = found.get(day, {})
        counted = {name: int(of_day.get(name) or 0) for names in _BY_DAY.values() for name in names}
        yield {"day": day.isoformat(), **counted, **{name: of_day.get(name) for name in TIMES}}
