"""
Let a memory be known to more: lower its class, one step alone, more with a second person (SPEC S-01).

# Note [The way down]
Who asks is shown the text, and names its hash with the wish; who approves names memory, class and hash again.
So nobody lowers what they have not read, and a text that changed meanwhile stays where it is. The states, who
may, and how many steps it is are held by the database (`migrations/sql/0019_*.sql`), under the store lock: of
two who approve at once one comes after the other. What rests on the memory keeps its class, as do its former
texts, its summaries, its captures and its document; it never comes below what it rests on itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.curation.archive import OtherText, checked_reason, hash_text
from memories.curation.classify import A_PERSONS_WORD, SQL, ask_about, changed, required_reason
from memories.entity_resolution import build_beside_memories
from memories.ingestion import BadCapture
from memories.models import Downgrade, Memory
from memories.storage import MemoryView, memory_view, one_in_sight, within_sight
from security import audit
from security.classification import Classification
from tenants.managers import page_of
from tenants.models import new_id
from tenants.rights import require_person, require_right
from tenants.scope import (
    NotAllowed,
    NotFound,
    Refused,
    Viewer,
    acting_for,
    tenant_scope,
    unit_of_work,
    viewer_in_force,
)

OPEN_FOR: Final = timedelta(hours=72)
"""How long a second person has to answer. Ours: over a weekend."""


class MayNotLower(NotAllowed):
    """Lowering needs a person's key with the scope «declassify» whose ceiling reaches the memory's class."""


class SamePerson(NotAllowed):
    """Two steps down need a second person: not who asked, nor a key that made theirs or that theirs made."""


class NotCarriedOut(Refused):
    """What was asked or decided does not hold any more, or not yet; `code` says which."""

    says: ClassVar = {
        "asked_already": "Somebody asked to lower this memory and waits for an answer. Decide on that first.",
        "decided": "This was decided already, or has expired. Ask anew.",
        "expired": "Nobody answered in time. Ask anew.",
        "other_target": "Another memory or another class was asked for. Look at it again.",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class DowngradeView:
    """A wish to lower a class, and what became of it, as a person sees it."""

    id: UUID
    memory_id: UUID
    state: str  #: open, approved, rejected, expired
    former: int
    wanted: int
    hash: str  #: of the text that who asked had read
    reason: str
    asked_by: str
    created_at: datetime
    expires_at: datetime
    decided_by: str
    decided_at: datetime | None
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowering:
    """The memory as it is stored, its text's hash, and what was asked, if it was."""

    memory: MemoryView
    hash: str
    downgrade: DowngradeView | None  #: None: it was only shown


def ask_downgrade(
    memory_id: UUID, *, classification: int, now: datetime, reason: str = "", hash: str = ""
) -> Lowering:
    """
    Show a memory; with the hash of its text, lower its class by one step, or ask that a second person do.

    Raises NotForAgents, NotFound, NoRight, MayNotLower, NotCarriedOut, OtherText, BadCapture.
    """
    require_person(A_PERSONS_WORD)
    if hash:
        reason = required_reason(reason)
    asked, verdict = new_id(), None
    with _by_account(), unit_of_work() as viewer:
        row = one_in_sight(memory_id)
        require_right(viewer, "classify", row.project_id)
        if hash:
            verdict = _run(
                "ask_downgrade", request=asked, memory=memory_id, wanted=classification, hash=hash,
                reason=reason, at=now, expires_at=now + OPEN_FOR,
            )  # fmt: skip
            _refuse(verdict)
            _note_asked(_one(asked), now)
    if verdict is not None:
        _follow_up(memory_id, verdict, viewer, now)
    with unit_of_work():
        row = one_in_sight(memory_id)
        downgrade = _view(_one(asked), now) if verdict is not None else None
        return Lowering(memory=memory_view(row), hash=hash_text(row.content), downgrade=downgrade)


def approve_downgrade(
    downgrade_id: UUID, *, memory: UUID, classification: int, hash: str, now: datetime, reason: str = ""
) -> DowngradeView:
    """
    Lower the class that somebody else asked for, of this memory, to this class, with this text.

    Raises NotForAgents, NotFound, NoRight, MayNotLower, SamePerson, NotCarriedOut, OtherText, BadCapture.
    """
    named = {"memory": memory, "wanted": classification, "hash": hash}
    return _decide(downgrade_id, approve=True, reason=reason, now=now, **named)


def reject_downgrade(downgrade_id: UUID, *, now: datetime, reason: str = "") -> DowngradeView:
    """
    Leave the class as it is; who asked may, too.

    Raises NotForAgents, NotFound, NoRight, MayNotLower, NotCarriedOut.
    """
    named = {"memory": None, "wanted": None, "hash": None}
    return _decide(downgrade_id, approve=False, reason=reason, now=now, **named)


def get_downgrade(downgrade_id: UUID, *, now: datetime) -> DowngradeView:
    """Return what was asked, if its memory may be seen. Raises NotFound."""
    with unit_of_work():
        return _view(_one(downgrade_id), now)


def list_downgrades(
    *, states: tuple[str, ...], now: datetime, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[DowngradeView, ...]:
    """Return at most `most` of what was asked, newest first; after: (asked at, id) of the last one had."""
    with unit_of_work():
        rows = page_of(_in_sight().filter(_in_state(states, now)), by="asked_at", after=after)
        return tuple(_view(row, now) for row in rows[:most])


def _in_state(states: tuple[str, ...], now: datetime) -> Q:
    """Return the condition of what is in one of these states; an open one that is late has expired."""
    late = Q(state="open", expires_at__lte=now)
    stated = Q(state__in=states) & ~late
    return stated | late if "expired" in states else stated


def _decide(downgrade_id: UUID, *, approve: bool, reason: str, now: datetime, **named: Any) -> DowngradeView:
    require_person(A_PERSONS_WORD)
    reason = checked_reason(reason)
    with _by_account(), unit_of_work() as viewer:
        memory_id = _one(downgrade_id).memory_id
        require_right(viewer, "classify", one_in_sight(memory_id).project_id)
        verdict = _run(
            "decide_downgrade", request=downgrade_id, approve=approve, answer=reason, at=now, **named
        )
        if done := verdict in ("approved", "rejected"):
            _note_decided(_one(downgrade_id), now)
    if not done:  # after the unit of work: that it has expired is kept
        _refuse(verdict)
    _follow_up(memory_id, verdict, viewer, now)
    return get_downgrade(downgrade_id, now=now)


@contextmanager
def _by_account() -> Iterator[None]:
    """Put the person in force as the database knows who lowers a class: at the desk, by their account."""
    viewer = viewer_in_force()
    is_at_desk = viewer.key_id is None and viewer.user_id is not None
    with tenant_scope(replace(viewer, actor_kind="person") if is_at_desk else viewer):
        yield


def _run(name: str, **params: Any) -> str:
    """Return the database's verdict."""
    return str(SQL.run(name, **params)[0]["verdict"])


def _refuse(verdict: str) -> None:
    """Raise what a verdict of the database means, unless it is that the thing was done."""
    if verdict in ("approved", "open"):
        return
    if verdict in NotCarriedOut.says:
        raise NotCarriedOut(verdict)
    raise {
        "unknown": NotFound(NotFound.__doc__),
        "not_allowed": MayNotLower(MayNotLower.__doc__),
        "same_person": SamePerson(SamePerson.__doc__),
        "changed": OtherText(OtherText.__doc__),
        "not_lower": BadCapture("classification", "must be below the class that the memory has"),
        "below_sources": BadCapture("classification", "is below that of a memory it rests on"),
    }[verdict]


def _follow_up(memory_id: UUID, verdict: str, viewer: Viewer, now: datetime) -> None:
    """After a memory came down: have its names read anew, and somebody asked if it waits as a contender."""
    if verdict != "approved":
        return
    with tenant_scope(acting_for(viewer)):
        with unit_of_work():
            ask_about(Memory.objects.get(id=memory_id), now=now)
        build_beside_memories([memory_id], now=now)


def _note_asked(row: Downgrade, now: datetime) -> None:
    if row.state == "approved":
        _note_decided(row, now)
    else:
        _note("downgrade.ask", row, row.reason, now)


def _note_decided(row: Downgrade, now: datetime) -> None:
    if row.state == "rejected":
        _note("downgrade.reject", row, row.answer, now)
        return
    event = changed(
        row.memory_id, row.former, row.wanted, row.reason, downgrade=str(row.id), asked_by=row.asked_by,
        approved_by=row.decided_by,
    )  # fmt: skip
    audit.append_all([event], now=now)


def _note(action: str, row: Downgrade, reason: str, now: datetime) -> None:
    detail = {
        "downgrade": str(row.id), "from": Classification(row.former).label,
        "to": Classification(row.wanted).label, "asked_by": row.asked_by,
    }  # fmt: skip
    audit.append(
        action, object_type="memory", object_id=row.memory_id, now=now, reason=reason, detail=detail,
        classification=row.former,
    )  # fmt: skip


def _in_sight() -> QuerySet[Downgrade]:
    rows: QuerySet[Downgrade] = Downgrade.objects.filter(memory_id__in=within_sight(None).values("id"))
    return rows


def _one(downgrade_id: UUID) -> Downgrade:
    row = _in_sight().filter(id=downgrade_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _view(row: Downgrade, now: datetime) -> DowngradeView:
    is_late = row.state == "open" and row.expires_at <= now
    return DowngradeView(
        id=row.id, memory_id=row.memory_id, state="expired" if is_late else row.state, former=row.former,
        wanted=row.wanted, hash=row.content_hash, reason=row.reason, asked_by=row.asked_by,
        created_at=row.asked_at, expires_at=row.expires_at, decided_by=row.decided_by,
        decided_at=row.decided_at, answer=row.answer,
    )  # fmt: skip
