"""
Find what a withdrawal takes back: what an origin wrote, and what rests on that alone.

# Note [What goes with it]
What an origin wrote in the time is hidden, and its verdicts count no more. Over any depth, what rests on
nothing else is hidden with it; what was concluded from any of it falls; a pattern that rests on it partly is
dissolved, and the next night makes of its other findings what they give. What it superseded holds again,
unless that is taken back, too. All else stays as it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from evolution.models import Consolidation, Feedback
from memories.models import Capture, Document, Lineage, Memory
from memories.models.capture import OPEN_STATES
from memories.reconciliation import SUPERSEDED
from memories.storage import is_conclusion, within_sight
from security.models import AuditEvent

Row = TypeVar("Row", bound=Model)

MOST: Final = 2_000
"""Memories of one withdrawal: some seconds under the store lock. Ours; a longer time is taken in parts."""

WRITTEN: Final = "memory.create"


class NothingWritten(LookupError):
    """Nothing that you may see was written or judged by this origin in this time. Nothing was changed."""


class TooMuchWritten(RuntimeError):
    """More than 2 000 memories were written by this origin in this time: name a shorter one, with `until`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalScope:
    """Whose words are taken back, and of which time. One of the four origins is named."""

    since: datetime
    until: datetime | None = None
    key: UUID | None = None
    agent: UUID | None = None
    source: str = ""  #: of documents
    session: str = ""


@dataclass(slots=True, kw_only=True)
class WithdrawalPlan:
    """What is to be done."""

    written: dict[UUID, Memory]
    derived: dict[UUID, Memory] = field(default_factory=dict)
    concluded: dict[UUID, Memory] = field(default_factory=dict)
    dissolved: dict[UUID, Memory] = field(default_factory=dict)
    reinstated: dict[UUID, Memory] = field(default_factory=dict)
    verdicts: list[Feedback] = field(default_factory=list)
    waiting: int = 0  #: captures of the origin that are not processed yet


def find_written(scope: WithdrawalScope) -> list[Memory]:
    """
    Return what the origin wrote and is not archived, as far as the viewer may see it, oldest first.

    To be called inside `unit_of_work`. Raises TooMuchWritten.
    """
    rows = within_sight(None).filter(_in_time(scope, "created_at") & _of_origin(scope), archived_at=None)
    return _bounded(rows.order_by("created_at", "id"))


def find_judged(scope: WithdrawalScope) -> list[Feedback]:
    """
    Return the verdicts of the origin that stand, on memories that the viewer may see, oldest first.

    Of documents' sources there are none. To be called inside `unit_of_work`. Raises TooMuchWritten.
    """
    if scope.key is not None:
        origin = Q(actor_id=str(scope.key)) | Q(recall__api_key_id=scope.key, actor_kind="agent")
    elif scope.agent is not None:
        origin = Q(actor_kind="agent", actor_id=str(scope.agent))
    elif scope.session:
        origin = Q(recall__session=scope.session)
    else:
        return []
    rows = Feedback.objects.select_related("memory").filter(
        _in_time(scope, "at") & origin, stands=True, memory_id__in=within_sight(None).values("id")
    )
    return _bounded(rows.order_by("id"))


def _in_time(scope: WithdrawalScope, moment: str) -> Q:
    since = Q(**{f"{moment}__gte": scope.since})
    return since if scope.until is None else since & Q(**{f"{moment}__lt": scope.until})


def _bounded(rows: QuerySet[Row]) -> list[Row]:
    found = list(rows[: MOST + 1])
    if len(found) > MOST:
        raise TooMuchWritten(TooMuchWritten.__doc__)
    return found


def plan_withdrawal(
    written: Iterable[Memory], verdicts: Iterable[Feedback], scope: WithdrawalScope
) -> WithdrawalPlan:
    """Return what goes with these; see Note [What goes with it]. As the pipeline, under the store lock."""
    plan = WithdrawalPlan(written={row.id: row for row in written}, verdicts=list(verdicts))
    frontier = list(plan.written)
    while frontier:
        frontier = [row.id for row in _follow(frontier, plan)]
    gone = [*plan.written, *plan.derived]
    former = Memory.objects.select_related("document").filter(superseded_by_id__in=gone, standing=SUPERSEDED)
    plan.reinstated = {row.id: row for row in former.exclude(id__in=gone).order_by("id")}
    plan.waiting = Capture.objects.filter(_captures(scope), state__in=OPEN_STATES).count()
    return plan


def _of_origin(scope: WithdrawalScope) -> Q:
    """Return the condition of a memory that the origin wrote."""
    if scope.key is None:
        return _named(scope)
    at_once = AuditEvent.objects.filter(action=WRITTEN, actor_id=str(scope.key), at__gte=scope.since)
    said = [UUID(one) for one in at_once.values_list("object_id", flat=True)]
    return Q(capture__api_key_id=scope.key) | Q(document__api_key_id=scope.key) | Q(id__in=said)


def _captures(scope: WithdrawalScope) -> Q:
    """Return the condition of a capture of the origin."""
    return _named(scope) if scope.key is None else Q(api_key_id=scope.key)


def _named(scope: WithdrawalScope) -> Q:
    """Return the condition by what memories and captures name alike: agent, source or session."""
    if scope.agent is not None:
        return Q(agent_id=scope.agent)
    if scope.source:
        return Q(document_id__in=Document.objects.filter(source=scope.source).values("id"))
    return Q(session=scope.session)


def _follow(ids: list[UUID], plan: WithdrawalPlan) -> Iterator[Memory]:
    """Place the live children of these memories; yield those that are hidden, to be followed in turn."""
    placed = {*plan.written, *plan.derived}
    children = Lineage.objects.filter(parent_id__in=ids).values("child_id")
    rows = Memory.objects.select_related("document").filter(id__in=children, archived_at=None)
    for child in rows.exclude(id__in=placed).order_by("id"):
        rests_on = set(Lineage.objects.filter(child_id=child.id).values_list("parent_id", flat=True))
        if is_conclusion(child):
            plan.concluded[child.id] = child
        elif Consolidation.objects.filter(pattern_id=child.id, undone_at=None).exists():
            plan.dissolved[child.id] = child
        elif rests_on <= {*plan.written, *plan.derived}:
            plan.derived[child.id] = child
            yield child
