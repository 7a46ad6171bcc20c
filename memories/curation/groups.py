"""Take a memory out of the group of those that say the same (SPEC K-04)."""

from datetime import datetime
from typing import Final
from uuid import UUID

from memories.curation.archive import checked_reason
from memories.models import Memory
from memories.reconciliation import CURRENT
from memories.storage import MemoryView, memory_view, one_in_sight
from security import audit
from tenants.rights import require_person, require_right
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

BOTH_HOLD: Final = "multi"
"""The cardinality of a state that a person sets beside the one it was taken for: both hold from then on."""


def ungroup_memory(memory_id: UUID, *, now: datetime, reason: str = "") -> MemoryView:
    """
    Let a memory stand by itself, whatever says the same; the same wish again changes nothing.

    The others keep their group. Raises NotForAgents, NotFound, NoRight, BadCapture.
    """
    viewer = require_person("What says the same is a person's to part")
    reason = checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "correct", row.project_id)
        if row.group_id is None:
            return memory_view(row)
        cardinality = BOTH_HOLD if _is_one_truth(row) and row.group_id != row.id else row.cardinality
        hand_on(row, now)
        Memory.objects.filter(id=row.id).update(group_id=None, cardinality=cardinality, updated_at=now)
        audit.append(
            "memory.ungroup", object_type="memory", object_id=row.id, now=now, reason=reason,
            classification=row.classification,
        )  # fmt: skip
        return memory_view(one_in_sight(memory_id))


def _is_one_truth(row: Memory) -> bool:
    return row.card == "state" and row.cardinality == "single" and row.standing == CURRENT


def hand_on(row: Memory, now: datetime) -> None:
    """
    Give a group that loses its first member another first one.

    A current value among the others becomes one of several that hold: only one of a group may be single.
    """
    if row.group_id != row.id:
        return
    others = Memory.objects.filter(group_id=row.id).exclude(id=row.id)
    heir = others.order_by("effective_at", "id").first()
    if heir is None:
        return
    others.exclude(id=heir.id).update(group_id=heir.id, updated_at=now)
    cardinality = BOTH_HOLD if _is_one_truth(heir) else heir.cardinality
    Memory.objects.filter(id=heir.id).update(group_id=heir.id, cardinality=cardinality, updated_at=now)
