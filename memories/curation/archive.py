"""
Archive and unarchive: hide a memory from recall, and bring it back (SPEC H-04, M-13).

A person archives at once. An agent may archive what it recalled in its session, in two steps: it is shown the
stored text, and returns that text's hash. Unarchive is a person's.

# Note [Archived values]
An archived row is out of search and out of the index of current values, and keeps its standing. So archiving
a current value revives nothing: what it replaced stays history, what waits against it waits on, and another
value may become current meanwhile. Unarchived beside such a one, the row comes back as a contender, and
somebody is asked (`memories.storage.contradictions`, Note [Questions]): who comes last is not right by that.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from memories.ingestion import check_text
from memories.llms import LONGEST_FIELD
from memories.models import Memory
from memories.recall_log import recall_log
from memories.reconciliation import CONTENDER, CURRENT
from memories.storage import (
    MemoryView,
    enter_search,
    leave_search,
    memory_view,
    one_in_sight,
    place_row,
    reconcile,
    retract_conclusions,
)
from security import audit
from security.screening.secrets import redact
from tenants.rights import require_person, require_right
from tenants.scope import NotAllowed, Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

AGENT: Final = "agent"


class NotRecalled(NotAllowed):
    """An agent may archive only what it recalled in this session. Name the session, and recall it first."""


class OtherText(RuntimeError):
    """The stored text is another one than the hash was made of. Nothing was done; look at it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archiving:
    """What became of a wish to archive, or to unarchive."""

    memory: MemoryView
    hash: str  #: of the stored text, as an agent returns it
    archived: bool
    repeated: bool  #: it was so before; nothing was changed


def hash_text(text: str) -> str:
    """Return the SHA-256 of a stored text as it is, in hexadecimal: what a second step has to name."""
    return sha256(text.encode()).hexdigest()


def archive_memory(
    memory_id: UUID, *, now: datetime, reason: str = "", session: str = "", hash: str = ""
) -> Archiving:
    """
    Hide a memory from recall; the same wish again changes nothing.

    session, hash: an agent's only. Without the hash nothing is done for an agent but to show the text.
    Raises NotFound, NoRight, NotRecalled, OtherText, BadCapture.
    """
    viewer, reason = viewer_in_force(), checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "correct", row.project_id)
        if viewer.actor_kind == AGENT:
            _require_recalled(viewer, memory_id, session)
        if row.archived_at is not None:
            return _answer(row, repeated=True)
        if hash and not compare_digest(hash, hash_text(row.content)):
            raise OtherText(OtherText.__doc__)
        if viewer.actor_kind == AGENT and not hash:
            return _answer(row, repeated=False)
        leave_search(place_row(row))
        Memory.objects.filter(id=row.id).update(archived_at=now, updated_at=now)
        with tenant_scope(acting_for(viewer)), unit_of_work():  # whoever may see what was concluded from it
            retract_conclusions([row.id], now=now, what="a premise was archived")
        _note("memory.archive", row, reason, now, session=session if viewer.actor_kind == AGENT else "")
        return _answer(one_in_sight(memory_id), repeated=False)


def unarchive_memory(memory_id: UUID, *, now: datetime, reason: str = "") -> Archiving:
    """
    Bring an archived memory back; the same wish again changes nothing. See Note [Archived values].

    Raises NotForAgents, NotFound, NoRight, BadCapture.
    """
    viewer = require_person("Bringing back what was archived is a person's act")
    reason = checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "correct", row.project_id)
        if row.archived_at is None:
            return _answer(row, repeated=True)
        restore_archived(row, now)
        _note("memory.unarchive", row, reason, now)
        return _answer(one_in_sight(memory_id), repeated=False)


def checked_reason(reason: str) -> str:
    """Return the reason without secrets. Raises BadCapture for one that cannot be taken."""
    check_text("reason", reason, longest=LONGEST_FIELD, may_be_empty=True)
    return redact(reason).text.strip()


def restore_archived(row: Memory, now: datetime) -> None:
    """
    Make an archived row what it was; a value beside which another became current waits for an answer.

    To be called inside `unit_of_work` under the store lock.
    """
    former, row.archived_at = row.archived_at, None
    assert former is not None
    if row.standing == CURRENT and rivals_of(row).exists():
        row.standing = CONTENDER
    Memory.objects.filter(id=row.id).update(archived_at=None, standing=row.standing, updated_at=now)
    enter_search(place_row(row))
    if row.standing == CONTENDER and row.entity_key is not None and row.concept_key is not None:
        viewer = viewer_in_force()
        # Questions are asked by what stands, whoever may see it.
        acting = acting_for(viewer)
        with tenant_scope(acting), unit_of_work():
            reconcile(entity_key=row.entity_key, concept_key=row.concept_key, now=now)


def rivals_of(row: Memory) -> QuerySet[Memory]:
    """Return the current values in whose place the row would stand: those of the same index entry."""
    rivals = Memory.objects.filter(
        card="state", cardinality="single", standing=CURRENT, archived_at=None,
        entity_key=row.entity_key, concept_key=row.concept_key, project_id=row.project_id,
        agent_id=row.agent_id, shared=row.shared, domain=row.domain, person=row.person,
        classification=row.classification,
    ).exclude(id=row.id)  # fmt: skip
    if row.group_id is not None:  # what says the same is no rival
        rivals = rivals.exclude(group_id=row.group_id)
    is_single = row.card == "state" and row.cardinality == "single"
    return rivals if is_single and row.entity_key and row.concept_key else rivals.none()


def _require_recalled(viewer: Viewer, memory_id: UUID, session: str) -> None:
    """Raise NotRecalled unless the agent was shown the memory in this session."""
    shown = recall_log().sessions_of(viewer.agent_id, [memory_id])
    if not session or session not in shown.get(memory_id, frozenset()):
        raise NotRecalled(NotRecalled.__doc__)


def _answer(row: Memory, *, repeated: bool) -> Archiving:
    return Archiving(
        memory=memory_view(row), hash=hash_text(row.content), archived=row.archived_at is not None,
        repeated=repeated,
    )  # fmt: skip


def _note(action: str, row: Memory, reason: str, now: datetime, *, session: str = "") -> None:
    audit.append(
        action, object_type="memory", object_id=row.id, now=now, reason=reason,
        detail={"session": session} if session else {}, classification=row.classification,
    )  # fmt: skip
