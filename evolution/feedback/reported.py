"""Report in one call what a session used of what was recalled (SPEC E-01; docs/decisions/0018)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from evolution.feedback.record import FeedbackGiven, let_stand, lock_usages, shown_to
from evolution.feedback.verdicts import Outcome
from evolution.models import Feedback
from recall.models import RecalledMemory
from tenants.scope import NotFound, Viewer, unit_of_work

MOST_REPORTED: Final = 100
"""Memories judged in one call: a day's session shows some dozens; more than that is another call."""

Result = Literal["counted", "replaced", "unchanged", "not_found"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPlace:
    """What is spoken of: one recall, or all recalls of a session. One of the two is set."""

    recall: UUID | None = None
    session: str = ""

    def of(self, rows: QuerySet[RecalledMemory]) -> QuerySet[RecalledMemory]:
        """Return the rows of what is spoken of."""
        return (
            rows.filter(recall_id=self.recall) if self.recall else rows.filter(recall__session=self.session)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UseReported:
    """What became of one reported use. Without a recall nothing was found to judge."""

    memory: UUID
    outcome: Outcome
    result: Result
    recall: UUID | None = None
    q_value: float | None = None  #: the memory's usefulness after it, in [0, 1]


def report_uses(
    where: ReportedPlace, uses: Mapping[UUID, Outcome], *, now: datetime
) -> tuple[UseReported, ...]:
    """
    Let a verdict stand for each memory; return what became of each, in the order given.

    A memory that a session was shown several times is judged where it was judged before, else where it was
    shown last. So the same report twice is once. What was not shown to the viewer is «not found», whatever
    the reason. All in one transaction.
    """
    with unit_of_work() as viewer:
        lock_usages(list(uses))
        shown = _find_shown(where, list(uses), viewer)
        return tuple(
            _report(shown.get(memory), memory, outcome, viewer, now=now) for memory, outcome in uses.items()
        )


def _report(
    shown: RecalledMemory | None, memory: UUID, outcome: Outcome, viewer: Viewer, *, now: datetime
) -> UseReported:
    if shown is None:
        return UseReported(memory=memory, outcome=outcome, result="not_found")
    try:
        given = let_stand(shown, outcome, viewer, origin="implicit", now=now)
    except NotFound:  # it was shown, and is out of sight since
        return UseReported(memory=memory, outcome=outcome, result="not_found")
    return told(given)


def told(given: FeedbackGiven) -> UseReported:
    """Return a verdict as a report tells it."""
    changed: Result = "replaced" if given.replaced else "counted"
    return UseReported(
        memory=given.memory,
        outcome=given.outcome,
        result=changed if given.changed else "unchanged",
        recall=given.recall,
        q_value=given.q_value,
    )


def _find_shown(where: ReportedPlace, memories: Sequence[UUID], viewer: Viewer) -> dict[UUID, RecalledMemory]:
    """Return where each memory is to be judged: judged ones last, and of these the newest recall last."""
    judged = Feedback.objects.filter(
        recall_id=OuterRef("recall_id"), memory_id=OuterRef("memory_id"), stands=True
    )
    rows = where.of(shown_to(viewer)).filter(memory_id__in=memories)
    ordered: Iterable[RecalledMemory] = rows.annotate(judged=Exists(judged)).order_by(
        "judged", "recall__at", "recall_id"
    )
    return {row.memory_id: row for row in ordered}
