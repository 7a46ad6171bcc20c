"""
Take back what an origin wrote, in one audited verb, and give it back in another (proof 26, H-04).

# Note [Withdrawn]
What is withdrawn is archived and keeps its words and its standing; under `withdrawn` its metadata have the
withdrawal's id, by which it is found again. What holds again has beside the id what had superseded it. So no
word is lost, and giving back needs no other record. A row that a person brought back meanwhile stays back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from evolution.feedback import give_back as let_count_again
from evolution.feedback import take_back, taken_back
from evolution.withdrawal.plan import (
    NothingWritten,
    WithdrawalPlan,
    WithdrawalScope,
    find_judged,
    find_written,
    plan_withdrawal,
)
from memories.curation import checked_reason, give_back, restore_archived, rivals_of
from memories.models import Link, Memory
from memories.reconciliation import CONTENDER, CURRENT
from memories.storage import (
    archive_conclusions,
    leave_search,
    memories_in_sight,
    place_row,
    revive,
    supersede,
)
from security import audit
from tenants.models import new_id
from tenants.rights import require_person, require_right
from tenants.scope import NotFound, acting_for, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

WITHDRAWN: Final = "withdrawn"
"""The key of metadata that names the withdrawal of a row."""

FELL: Final = "a premise was withdrawn"

PARTS: Final = ("written", "derived", "concluded", "dissolved", "reinstated")
"""What a withdrawal tells of, and the trail counts."""

MOST_TOLD: Final = 200
"""Memories that the trail names of one withdrawal; how many there were stands beside them."""

A_PERSONS: Final = "What an origin wrote is taken back by a person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """What was taken back or given back, or would be; of each the ids that the viewer may see."""

    id: UUID | None  #: None: a dry run
    written: tuple[UUID, ...]
    derived: tuple[UUID, ...] = ()
    concluded: tuple[UUID, ...] = ()
    dissolved: tuple[UUID, ...] = ()
    reinstated: tuple[UUID, ...] = ()
    verdicts: int = 0  #: that count no more, or again
    waiting: int = 0  #: captures of the origin that are not processed yet, and are not taken back


def withdraw(scope: WithdrawalScope, *, now: datetime, reason: str, dry_run: bool = False) -> Withdrawal:
    """
    Hide what an origin wrote in a time, with what rests on it alone; what it superseded holds again, and its
    verdicts count no more.

    Raises NotForAgents, NoRight, BadCapture for the reason, NothingWritten, TooMuchWritten. All or nothing.
    """
    viewer, reason = require_person(A_PERSONS), checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        written, verdicts = find_written(scope), find_judged(scope)
        touched = [*written, *(one.memory for one in verdicts)]
        if not touched:
            raise NothingWritten(NothingWritten.__doc__)
        require_right(viewer, "correct", *{row.project_id for row in touched})
        number = None if dry_run else new_id()
        with tenant_scope(acting_for(viewer)), unit_of_work():
            plan = plan_withdrawal(written, verdicts, scope)
            if number is not None:
                _carry_out(plan, number, now)
        told = _told(plan, number)
        if number is not None:
            _note("memory.withdraw", number, told, reason, now, touched)
        return told


def revert_withdrawal(number: UUID, *, now: datetime, reason: str) -> Withdrawal:
    """
    Give back what a withdrawal hid, and let it supersede again what it had superseded.

    A second time nothing is left to give back: NotFound, as for one that never was. Raises NotForAgents,
    NoRight, BadCapture.
    """
    viewer, reason = require_person(A_PERSONS), checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        with tenant_scope(acting_for(viewer)), unit_of_work():
            rows = list(_rows_of(number))
            touched = [*rows, *(one.memory for one in taken_back(number).select_related("memory"))]
        if not touched or not memories_in_sight([row.id for row in touched]):
            raise NotFound(NotFound.__doc__)
        require_right(viewer, "correct", *{row.project_id for row in touched})
        with tenant_scope(acting_for(viewer)), unit_of_work():
            told = replace(_give_back(rows, now), verdicts=let_count_again(by=number))
        seen = memories_in_sight([*told.written, *told.reinstated])
        told = replace(
            told, id=number, written=_seen(told.written, seen), reinstated=_seen(told.reinstated, seen)
        )
        _note("memory.revert_withdrawal", number, told, reason, now, touched)
        return told


def _carry_out(plan: WithdrawalPlan, number: UUID, now: datetime) -> None:
    take_back(plan.verdicts, by=number)
    for row in plan.dissolved.values():
        give_back(row, now=now)
    archive_conclusions(list(plan.concluded), now=now, what=FELL)
    hidden = Memory.objects.select_related("document").filter(id__in=[*plan.written, *plan.derived])
    for row in hidden.order_by("id"):  # as they are now: a pattern may have given some back
        leave_search(place_row(row))
        noted = {**row.metadata, WITHDRAWN: {"by": str(number)}}
        Memory.objects.filter(id=row.id).update(archived_at=now, updated_at=now, metadata=noted)
    for row in plan.reinstated.values():
        _reinstate(row, number, now)


def _reinstate(row: Memory, number: UUID, now: datetime) -> None:
    """Let a superseded row hold again; beside another current value of its concept it waits for an answer."""
    by = row.superseded_by_id
    noted = {**row.metadata, WITHDRAWN: {"by": str(number), "was_superseded_by": str(by)}}
    standing = CONTENDER if rivals_of(row).exists() else CURRENT
    Memory.objects.filter(id=row.id).update(metadata=noted)
    revive([row], standing=standing, now=now)
    Link.objects.filter(source_id=by, target_id=row.id, type="supersedes", origin="auto").delete()


def _rows_of(number: UUID) -> Iterable[Memory]:
    marked = Memory.objects.select_related("document").filter(metadata__withdrawn__by=str(number))
    return marked.order_by("id")


def _give_back(rows: list[Memory], now: datetime) -> Withdrawal:
    """Supersede again what holds only because its heir was hidden, then bring the hidden rows back."""
    hidden = [row for row in rows if "was_superseded_by" not in row.metadata[WITHDRAWN]]
    back = [row for row in hidden if row.archived_at is not None]
    heirs = {str(row.id) for row in back}
    again = [row for row in rows if row.metadata[WITHDRAWN].get("was_superseded_by") in heirs]
    for row in again:
        if row.standing in (CURRENT, CONTENDER):
            supersede([place_row(row)], by=UUID(row.metadata[WITHDRAWN]["was_superseded_by"]), now=now)
    for row in back:
        restore_archived(row, now)
    for row in rows:
        kept = {name: value for name, value in row.metadata.items() if name != WITHDRAWN}
        Memory.objects.filter(id=row.id).update(metadata=kept)
    return Withdrawal(
        id=None, written=tuple(row.id for row in back), reinstated=tuple(row.id for row in again)
    )


def _told(plan: WithdrawalPlan, number: UUID | None) -> Withdrawal:
    """Return what was done, as far as the viewer may see it."""
    parts = {name: tuple(getattr(plan, name)) for name in PARTS}
    seen = memories_in_sight([one for ids in parts.values() for one in ids]) | set(plan.written)
    return Withdrawal(
        id=number, verdicts=len(plan.verdicts), waiting=plan.waiting,
        **{name: _seen(ids, seen) for name, ids in parts.items()},
    )  # fmt: skip


def _seen(ids: tuple[UUID, ...], seen: set[UUID]) -> tuple[UUID, ...]:
    return tuple(one for one in ids if one in seen)


def _note(
    action: str, number: UUID, told: Withdrawal, reason: str, now: datetime, rows: Iterable[Memory]
) -> None:
    counts: dict[str, Any] = {name: len(getattr(told, name)) for name in PARTS} | {"verdicts": told.verdicts}
    audit.append(
        action, object_type="withdrawal", object_id=number, now=now, reason=reason,
        detail=counts | {"memories": [str(one) for one in told.written[:MOST_TOLD]]},
        classification=max(row.classification for row in rows),
    )  # fmt: skip
