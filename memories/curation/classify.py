"""
Let a memory be known to fewer: raise its class, and with it that of all that carries its words (SPEC S-01).

# Note [What follows a class]
A person says it and it holds at once, in one transaction. What follows is held by the database
(`migrations/sql/0004_*.sql`, `0018_raise_beside.sql`), whoever writes the memory's row: what rests on it over
any depth, the captures that hold its words, its document, versions, vectors, terms, links, triples and names,
and what was shown of it. What stood as the one current value of a concept is a contender where another stands
in the higher class already, and somebody is asked. The way down is another one.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

from memories.curation.archive import checked_reason, rivals_of
from memories.ingestion import BadCapture, check_class
from memories.models import Memory
from memories.reconciliation import CONTENDER, CURRENT
from memories.storage import MemoryView, memory_view, one_in_sight, reconcile, within_sight
from security import audit
from security.classification import Classification
from tenants.rights import require_person, require_right
from tenants.scope import acting_for, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, Queries, lock_tenant

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "classes.sql")
ACTION: Final = "memory.classify"
A_PERSONS_WORD: Final = "What class a memory has is a person's word"


class NotRaised(RuntimeError):
    """The memory is of a higher class already. What lowers a class is `downgrade`, with the text's hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """What became of a wish to raise a class."""

    memory: MemoryView
    former: int  #: the class it had
    followed: int  #: memories that rest on it and rose with it, as far as who asks may see them


def classify_memory(memory_id: UUID, *, classification: int, reason: str, now: datetime) -> Classified:
    """
    Raise a memory's class; the same wish again changes nothing. See Note [What follows a class].

    Raises NotForAgents, NotFound, NoRight, NotRaised, BadCapture.
    """
    viewer = require_person(A_PERSONS_WORD)
    check_class(classification, viewer)
    reason = required_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "classify", row.project_id)
        former = row.classification
        if classification < former:
            raise NotRaised(NotRaised.__doc__)
        followed: list[UUID] = []
        if classification > former:
            with tenant_scope(acting_for(viewer)), unit_of_work():
                followed = _raise(row, classification, reason, now)
        memory = memory_view(one_in_sight(memory_id))
        seen = within_sight(None).filter(id__in=followed).count()
    return Classified(memory=memory, former=former, followed=seen)


def required_reason(reason: str) -> str:
    """Return the reason without secrets. Raises BadCapture for one that is empty or cannot be taken."""
    reason = checked_reason(reason)
    if not reason:
        raise BadCapture("reason", "must not be empty")
    return reason


def _raise(row: Memory, rank: int, reason: str, now: datetime) -> list[UUID]:
    """Raise a row, let the database raise what follows, and note each; return which followed."""
    followers = SQL.run("find_followers", memory=row.id, rank=rank)
    former, row.classification = row.classification, rank
    if row.standing == CURRENT and rivals_of(row).exists():
        row.standing = CONTENDER
    Memory.objects.filter(id=row.id).update(classification=rank, standing=row.standing, updated_at=now)
    ask_about(row, now=now)
    events = [changed(row.id, former, rank, reason)]
    events += [changed(one["id"], one["classification"], rank, "", because=str(row.id)) for one in followers]
    audit.append_all(events, now=now)
    return [one["id"] for one in followers]


def ask_about(row: Memory, *, now: datetime) -> None:
    """Have somebody asked which value holds, when the row waits as a contender; as the pipeline."""
    if row.standing == CONTENDER and row.entity_key is not None and row.concept_key is not None:
        reconcile(entity_key=row.entity_key, concept_key=row.concept_key, now=now)


def changed(memory_id: UUID, former: int, rank: int, reason: str, **detail: str) -> audit.Event:
    """Return what the trail says of a changed class: of the higher one, or who reads it learns of the row."""
    return audit.Event(
        action=ACTION, object_type="memory", object_id=memory_id, reason=reason,
        detail={"from": Classification(former).label, "to": Classification(rank).label} | detail,
        classification=max(former, rank),
    )  # fmt: skip
