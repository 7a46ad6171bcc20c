"""The step that lets go what a tenant's rules of retention no longer keep (SPEC O-06)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.steps import Night, StepOutcome
from memories.access import EXPIRED
from security import audit
from tenants.retention import Retention, note_place, read_retention
from tenants.scope import unit_of_work
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "retention.sql")

BATCH: Final = 1_000
"""Rows that one transaction lets go: of questions, some ten thousand with all that was shown."""

_BEGINNING: Final = (datetime(1970, 1, 1, tzinfo=UTC), UUID(int=0))

Batch = Callable[[Retention, datetime, Night], int]
"""Lets one batch of records from before a moment go, and returns how many; in a dry run all, as a count."""


def retain(night: Night) -> StepOutcome:
    """
    Let go what is older than its rule keeps it, batch by batch; each is on the trail with its number.

    Without a rule nothing goes. A night that is over goes on in the next one where it stopped.
    """
    counts: dict[str, int] = {}
    for name, rule in read_retention().items():
        gone = _let_go(name, night) if not night.dry_run else _count(name, rule, night)
        counts |= {name: gone} if gone else {}
    return StepOutcome(counts=counts)


def _let_go(name: str, night: Night) -> int:
    gone = 0
    while not night.is_over():
        with unit_of_work() as viewer:
            rule = read_retention().get(name)
            if rule is None:
                break
            before = night.now - timedelta(days=rule.days)
            done = _BATCHES[name](rule, before, night)
            if done:
                audit.append(
                    "retention.prune", object_type="tenant", object_id=viewer.tenant_id, now=night.now,
                    detail={"records": name, "count": done, "days": rule.days},
                )  # fmt: skip
        gone += done
        if done < BATCH:
            break
    return gone


def _count(name: str, rule: Retention, night: Night) -> int:
    before = night.now - timedelta(days=rule.days)
    with unit_of_work():
        return _BATCHES[name](rule, before, night)


def _recalls(_rule: Retention, before: datetime, night: Night) -> int:
    old = [row["id"] for row in SQL.run("find_old_recalls", before=before, most=_most(night))]
    if night.dry_run or not old:
        return len(old)
    return int(SQL.run("retain_recalls", recalls=old)[0]["size"])


def _nights(_rule: Retention, before: datetime, night: Night) -> int:
    if night.dry_run:
        return int(SQL.run("count_old_nights", before=before)[0]["size"])
    return int(SQL.run("retain_nights", most=BATCH)[0]["size"])


def _captures(rule: Retention, before: datetime, night: Night) -> int:
    return _emptied("captures", "empty_captures", rule, before, night, marker=EXPIRED)


def _traces(rule: Retention, before: datetime, night: Night) -> int:
    return _emptied("traces", "empty_traces", rule, before, night)


def _emptied(name: str, statement: str, rule: Retention, before: datetime, night: Night, **more: Any) -> int:
    at, row = rule.place or _BEGINNING
    old = SQL.run("find_old_captures", at=at, id=row, before=before, most=_most(night))
    if night.dry_run or not old:
        return len(old)
    SQL.run(statement, captures=[one["id"] for one in old], **more)
    note_place(name, old[-1]["created_at"], old[-1]["id"])
    return len(old)


def _most(night: Night) -> int:
    return 2**31 - 1 if night.dry_run else BATCH


_BATCHES: Final[dict[str, Batch]] = {
    "recalls": _recalls, "captures": _captures, "traces": _traces, "nights": _nights,
}  # fmt: skip
