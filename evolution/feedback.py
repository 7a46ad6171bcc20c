"""Take a verdict on a recalled memory, so that the next recall knows what helped (SPEC E-01)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F

from evolution.models import Feedback
from evolution.verdicts import Outcome, Verdict, judge, replay, weight_of
from memories.models import Usage
from recall.models import RecalledMemory
from security import audit
from tenants.scope import NotFound, Viewer, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackGiven:
    """The verdict that stands now."""

    memory: UUID
    outcome: Outcome
    q_value: float  #: the memory's usefulness after it, in [0, 1]
    replaced: bool  #: whether it took the place of another verdict


def give_feedback(recall_id: UUID, memory_id: UUID, outcome: Outcome, *, now: datetime) -> FeedbackGiven:
    """
    Let a verdict stand for one memory in one recall; the former one stays in the log.

    The same verdict twice is once. Raises NotFound for a recall that is not the viewer's or did not show the
    memory.
    """
    with unit_of_work() as viewer:
        shown = _find_shown(recall_id, memory_id, viewer)
        # Whoever holds the usage row judges alone: no verdict is lost between reading q and writing it.
        usage = _lock_usage(memory_id)
        former = Feedback.objects.filter(recall_id=recall_id, memory_id=memory_id, stands=True).first()
        verdict = Verdict(outcome=outcome, weight=weight_of(viewer.actor_kind, outcome))
        if former is not None and (former.outcome, former.weight) == (outcome, verdict.weight):
            return FeedbackGiven(memory=memory_id, outcome=outcome, q_value=usage.q_value, replaced=False)
        q_before = usage.q_value if former is None else _without(former)
        q_after = judge(q_before, verdict)
        Feedback.objects.create(
            recall_id=recall_id,
            memory_id=memory_id,
            outcome=outcome,
            actor_kind=viewer.actor_kind,
            actor_id=viewer.actor_id,
            weight=verdict.weight,
            q_before=q_before,
            q_after=q_after,
            at=now,
        )
        helped = int(outcome == "helpful") - int(former is not None and former.outcome == "helpful")
        Usage.objects.filter(memory_id=memory_id).update(q_value=q_after, verified=F("verified") + helped)
        audit.append(
            "feedback.give",
            object_type="memory",
            object_id=memory_id,
            detail={"recall": str(recall_id), "outcome": outcome, "q_before": q_before, "q_after": q_after},
            classification=shown.classification,
            now=now,
        )
    return FeedbackGiven(memory=memory_id, outcome=outcome, q_value=q_after, replaced=former is not None)


def _find_shown(recall_id: UUID, memory_id: UUID, viewer: Viewer) -> RecalledMemory:
    """Return the memory's place in the recall; an agent judges its own recalls only. Raises NotFound."""
    rows = RecalledMemory.objects.filter(recall_id=recall_id, memory_id=memory_id)
    rows = rows.filter(recall__agent_id=viewer.agent_id) if viewer.agent_id else rows
    rows = rows.filter(recall__project_id=viewer.project_id) if viewer.project_id else rows
    shown: RecalledMemory | None = rows.first()
    if shown is None:
        raise NotFound(NotFound.__doc__)
    return shown


def _lock_usage(memory_id: UUID) -> Usage:
    usage: Usage | None = Usage.objects.select_for_update().filter(memory_id=memory_id).first()
    if usage is None:
        raise NotFound(NotFound.__doc__)
    return usage


def _without(former: Feedback) -> float:
    """
    Take the former verdict's stand away and return q as it is without it.

    The verdicts that still stand are replayed from the memory's first q: undoing one step alone would not
    come out right where other verdicts followed it.
    """
    Feedback.objects.filter(id=former.id).update(stands=False)
    rows = list(Feedback.objects.filter(memory_id=former.memory_id).order_by("id"))
    standing = [Verdict(outcome=row.outcome, weight=row.weight) for row in rows if row.stands]
    return replay(rows[0].q_before, standing)
