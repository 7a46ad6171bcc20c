"""Take a pattern apart: a person's act, remembered (SPEC E-03, H-01)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from evolution.models import Consolidation
from memories.curation import give_back
from memories.models import Lineage, Memory
from memories.reconciliation import CURRENT
from memories.storage import within_sight
from security import audit
from tenants.rights import require_person, require_right
from tenants.scope import NotFound, Viewer, acting_for, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

ACTION: Final = "memory.unconsolidate"


class NotConsolidated(RuntimeError):
    """This memory is no pattern that stands for findings now. Nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenApart:
    """A pattern that is archived, and the findings that live again."""

    pattern: UUID
    sources: tuple[UUID, ...]
    repeated: bool  #: it was taken apart before; nothing was changed


def unconsolidate(pattern_id: UUID, *, now: datetime, reason: str = "") -> TakenApart:
    """
    Let the findings of a pattern live again and archive it; the same wish again changes nothing.

    They are not consolidated again. Raises NotForAgents, NotFound, NoRight, NotConsolidated.
    """
    viewer = require_person("Taking a pattern apart is a person's act")
    with unit_of_work():
        pattern = within_sight(None).filter(id=pattern_id).first()
    if pattern is None:
        raise NotFound(NotFound.__doc__)
    require_right(viewer, "correct", pattern.project_id)
    # The deed is the viewer's; the sight is the pipeline's: all sources come back, or the pattern stays.
    acting = acting_for(viewer)
    with tenant_scope(acting), unit_of_work():
        lock_tenant(LockNamespace.STORE)
        return _take_apart(pattern_id, viewer, reason=reason, now=now)


def _take_apart(pattern_id: UUID, viewer: Viewer, *, reason: str, now: datetime) -> TakenApart:
    """Take the pattern apart, under the lock."""
    record = Consolidation.objects.filter(pattern_id=pattern_id).first()
    pattern = Memory.objects.get(id=pattern_id)
    if record is not None and record.undone_at is not None:
        return TakenApart(pattern=pattern_id, sources=_sources(pattern_id), repeated=True)
    if record is None or pattern.standing != CURRENT or pattern.archived_at is not None:
        raise NotConsolidated(NotConsolidated.__doc__)
    given_back = give_back(pattern, now=now)
    by = f"{viewer.actor_kind}:{viewer.actor_id}"
    Consolidation.objects.filter(id=record.id).update(undone_at=now, undone_by=by)
    audit.append(
        ACTION, object_type="memory", object_id=pattern_id, now=now, reason=reason,
        detail={"sources": [str(source) for source in given_back]}, classification=pattern.classification,
    )  # fmt: skip
    return TakenApart(pattern=pattern_id, sources=_sources(pattern_id), repeated=False)


def _sources(pattern_id: UUID) -> tuple[UUID, ...]:
    rested = Lineage.objects.filter(child_id=pattern_id).order_by("parent_id")
    return tuple(rested.values_list("parent_id", flat=True))
