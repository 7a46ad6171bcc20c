"""Take back that a memory was superseded: a person says that it was no update (SPEC K-05, H-02)."""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from memories.curation.archive import checked_reason
from memories.curation.corrections import audience_of
from memories.curation.groups import BOTH_HOLD
from memories.models import Link, Memory
from memories.reconciliation import CURRENT, SUPERSEDED
from memories.storage import MemoryView, memory_view, one_in_sight, revive
from security import audit
from tenants.rights import require_person, require_right
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant


class NotSuperseded(RuntimeError):
    """Nothing took this memory's place, or what did is a pattern: take that apart. Nothing was changed."""


def reinstate_memory(memory_id: UUID, *, now: datetime, reason: str = "") -> MemoryView:
    """
    Let a superseded memory hold again beside what took its place; the same wish again changes nothing.

    What said the same and was superseded by the same comes back with it. Of a single-valued state both values
    hold from then on, as by the answer «both hold». No word is lost either way: the former place in its
    history is in the trail. Raises NotForAgents, NotFound, NoRight, BadCapture, NotSuperseded.
    """
    viewer = require_person("Whether something changed is a person's to say")
    reason = checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "correct", row.project_id)
        if row.standing == CURRENT:
            return memory_view(row)
        if row.standing != SUPERSEDED or row.superseded_by_id is None or _is_of_a_pattern(row):
            raise NotSuperseded(NotSuperseded.__doc__)
        rows = _with_restatements(row)
        _let_both_hold(row, rows, now)
        for one in rows:
            _bring_back(one, now, reason=reason)
        return memory_view(one_in_sight(memory_id))


def _is_of_a_pattern(row: Memory) -> bool:
    """Tell whether the row went into a pattern: `unconsolidate` gives back all that did."""
    return Link.objects.filter(
        source_id=row.superseded_by_id, target_id=row.id, type="derived_from"
    ).exists()  # fmt: skip


def _with_restatements(row: Memory) -> list[Memory]:
    """Return the row, with those of its group and its readers that the same memory superseded."""
    if row.group_id is None:
        return [row]
    others = Memory.objects.filter(
        group_id=row.group_id, standing=SUPERSEDED, superseded_by_id=row.superseded_by_id,
        **asdict(audience_of(row)),
    ).exclude(id=row.id)  # fmt: skip
    return [row, *others.order_by("effective_at", "id")]


def _let_both_hold(row: Memory, rows: list[Memory], now: datetime) -> None:
    """Let several values of a state's concept hold where another is current: one truth has room for one."""
    if row.card != "state" or None in (row.entity_key, row.concept_key):
        return
    others = Memory.objects.filter(
        entity_key=row.entity_key, concept_key=row.concept_key, card="state", standing=CURRENT,
        archived_at=None, **asdict(audience_of(row)),
    ).exclude(id__in=[one.id for one in rows])  # fmt: skip
    if others.exists():
        ids = [*others.values_list("id", flat=True), *(one.id for one in rows)]
        Memory.objects.filter(id__in=ids).update(cardinality=BOTH_HOLD, updated_at=now)


def _bring_back(row: Memory, now: datetime, *, reason: str) -> None:
    by = row.superseded_by_id
    revive([row], now=now)
    Link.objects.filter(source_id=by, target_id=row.id, type="supersedes").delete()
    audit.append(
        "memory.reinstate", object_type="memory", object_id=row.id, now=now, reason=reason,
        detail={"superseded_by": str(by)}, classification=row.classification,
    )  # fmt: skip
