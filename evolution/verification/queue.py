"""The verify-first queue: what should be looked at before it is relied on, and the answers (SPEC H-03)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memories.curation import Correction, correct_memory
from memories.models import Memory, Standing, Verification
from memories.storage import MAY_HAVE_CHANGED, MemoryView, memory_view, note, reaffirm, within_sight
from tenants.managers import page_of
from tenants.rights import require_right
from tenants.scope import NotAllowed, NotFound, Viewer, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

Verdict = Literal["confirm", "correct", "dismiss"]

CORRECTED: Final = "user_correction"


class NotYours(NotAllowed):
    """An agent may answer for its own facts that have moved only; the rest is a person's to say."""


class MayNotCorrect(NotAllowed):
    """To correct takes a person's key with the scope «correct». Confirm or dismiss, or ask somebody."""


class AnsweredOtherwise(RuntimeError):
    """This was answered already, in another way. Nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What happened to the evidence of a decision."""

    evidence: UUID
    how: str  #: superseded, corrected, moved, or doubted: a later statement may have changed it
    by: UUID | None  #: what took the evidence's place


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationView:
    """An item of the queue as those see it who may see the memory."""

    id: UUID
    memory: MemoryView
    reason: str  #: moved, aged, evidence
    what: str  #: what moved or changed, in words
    change: Change | None  #: of a decision, where its evidence may be seen
    session: str
    created_at: datetime  #: when it was put into the queue
    verdict: str | None
    resolved_at: datetime | None
    resolved_by: str
    classification: int

    @property
    def state(self) -> str:
        """Return open or resolved."""
        return "open" if self.resolved_at is None else "resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationFilter:
    """Which items are wanted; what is left empty filters nothing."""

    states: tuple[str, ...] = ("open",)
    reasons: tuple[str, ...] = ()
    project_id: UUID | None = None


def list_verifications(
    wanted: VerificationFilter, *, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[VerificationView, ...]:
    """
    Return at most `most` items about memories that the viewer in force may see, newest first.

    after: (opened_at, id) of the last one had already.
    """
    with unit_of_work():
        rows = _within_sight(wanted.project_id).filter(_condition(wanted))
        rows = page_of(rows, by="opened_at", after=after)
        return tuple(_view(row) for row in rows[:most])


def get_verification(item: UUID) -> VerificationView:
    """Return the item, if the viewer in force may see its memory. Raises NotFound."""
    with unit_of_work():
        return _view(_one(item))


def verifications_in_sight(ids: Iterable[UUID]) -> dict[UUID, UUID]:
    """Return those items whose memory the viewer in force may see, with it, within a unit of work."""
    return dict(_within_sight().filter(id__in=list(ids)).values_list("id", "memory_id"))


def answer_verification(
    item: UUID, verdict: Verdict, *, correction: Correction | None = None, reason: str = "", now: datetime
) -> VerificationView:
    """
    Answer for a fact or decision of the queue; the same answer again changes nothing.

    confirm: it holds as things are now, and is trusted as before. dismiss: nobody needs to look; a fact that
    moved stays doubted. correct: a person's word takes its place. Raises NotYours, MayNotCorrect, NotFound,
    AnsweredOtherwise, and what `correct_memory` raises.
    """
    viewer = viewer_in_force()
    with unit_of_work():
        row = _one(item)
        _check(row, verdict, viewer)
    if row.verdict is None and verdict == "correct":
        assert correction is not None
        correct_memory(row.memory_id, correction, now=now)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = _one(item)
        by = f"{viewer.actor_kind}:{viewer.actor_id}"
        if row.verdict == verdict:
            return _view(row)
        if row.verdict is not None and not _is_by_correction(row, verdict):
            raise AnsweredOtherwise(AnsweredOtherwise.__doc__)
        Verification.objects.filter(id=row.id).update(verdict=verdict, resolved_at=now, resolved_by=by)
        note("verification.resolve", row.id, row.classification, now, verdict=verdict, by=by, reason=reason)
        if verdict == "confirm":
            _confirm(row, by, now)
        return _view(_one(item))


def _confirm(row: Verification, by: str, now: datetime) -> None:
    """Take the memory as verified now; what it is bound to counts as it looks now."""
    rows = Memory.objects.filter(id=row.memory_id, last_verified_at__lt=now)
    rows.update(last_verified_at=now, updated_at=now)
    if row.reason != "evidence":
        reaffirm([row.memory_id], verdict="confirm", said_at=now, now=now, by=by)


def _check(row: Verification, verdict: Verdict, viewer: Viewer) -> None:
    """Raise NoRight, NotYours or MayNotCorrect when the viewer may not give this answer."""
    require_right(viewer, "correct", row.memory.project_id)
    is_agent = viewer.actor_kind == "agent"
    if verdict == "correct" and (is_agent or (viewer.key_id is not None and "correct" not in viewer.scopes)):
        raise MayNotCorrect(MayNotCorrect.__doc__)
    is_own = row.memory.agent_id is not None and row.memory.agent_id == viewer.agent_id
    if is_agent and not (is_own and row.reason == "moved"):
        raise NotYours(NotYours.__doc__)


def _is_by_correction(row: Verification, verdict: Verdict) -> bool:
    """Tell whether the item closed by itself when the memory was corrected, and this says that it was."""
    heir = row.memory.superseded_by
    return (
        verdict == "correct" and row.verdict == "superseded" and getattr(heir, "provenance", "") == CORRECTED
    )


def _within_sight(project_id: UUID | None = None) -> QuerySet[Any]:
    """Return the items about memories that may be seen, marked where their evidence may be, too."""
    rows = Verification.objects.select_related(
        "memory__usage", "memory__superseded_by", "evidence__superseded_by"
    )
    rows = rows.filter(Exists(within_sight(project_id).filter(id=OuterRef("memory_id"))))
    marked: QuerySet[Any] = rows.annotate(
        is_shown=Exists(within_sight(None).filter(id=OuterRef("evidence_id")))
    )
    return marked


def _condition(wanted: VerificationFilter) -> Q:
    condition = Q()
    if set(wanted.states) == {"open"}:
        condition &= Q(resolved_at__isnull=True)
    if set(wanted.states) == {"resolved"}:
        condition &= Q(resolved_at__isnull=False)
    if wanted.reasons:
        condition &= Q(reason__in=wanted.reasons)
    if wanted.project_id is not None:
        condition &= Q(memory__project_id=wanted.project_id)
    return condition


def _one(item: UUID) -> Any:
    row = _within_sight().filter(id=item).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _view(row: Any) -> VerificationView:
    return VerificationView(
        id=row.id, memory=memory_view(row.memory), reason=row.reason, what=row.what,
        change=_change(row) if row.evidence_id and row.is_shown else None, session=row.session,
        created_at=row.opened_at, verdict=row.verdict, resolved_at=row.resolved_at,
        resolved_by=row.resolved_by, classification=row.classification,
    )  # fmt: skip


def _change(row: Any) -> Change:
    evidence = row.evidence
    if evidence.standing != Standing.SUPERSEDED:
        how = "doubted" if row.what == MAY_HAVE_CHANGED else "moved"
        return Change(evidence=evidence.id, how=how, by=None)
    heir = evidence.superseded_by
    is_corrected = heir is not None and heir.provenance == CORRECTED
    return Change(
        evidence=evidence.id, how="corrected" if is_corrected else "superseded", by=heir.id if heir else None
    )
