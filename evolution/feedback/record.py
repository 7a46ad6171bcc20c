"""Take a verdict on a recalled memory, so that the next recall knows what helped (SPEC E-01)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast
from uuid import UUID

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast

from evolution.feedback.learning import learn
from evolution.feedback.verdicts import (
    Origin,
    Outcome,
    Said,
    Verdict,
    count_voices,
    usefulness,
    weight_of,
)
from evolution.models import LEAST_PROOF, Feedback
from memories.models import Usage
from recall.models import RecalledMemory
from security import audit
from security.patterns import bounded
from tenants.rights import narrowed
from tenants.scope import NotFound, Viewer, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackGiven:
    """The verdict that stands now."""

    recall: UUID
    memory: UUID
    outcome: Outcome
    q_value: float  #: the memory's usefulness after it, in [0, 1]
    replaced: bool  #: whether it took the place of another verdict
    changed: bool  #: whether it is another verdict than the one that stood


REFERENCE: Final = bounded(r"[0-9a-f]{3,12}")
"""How a context names a memory: by the end of its id, within its last group."""


def give_feedback(recall_id: UUID, memory: UUID | str, outcome: Outcome, *, now: datetime) -> FeedbackGiven:
    """
    Let a verdict stand for one memory in one recall; the former one stays in the log.

    memory: its id, or the end of it that only one memory of the recall has. The same verdict twice is once.
    Raises NotFound for a recall that is not the viewer's or did not show the
    memory.
    """
    with unit_of_work() as viewer:
        shown = _find_cited(shown_to(viewer).filter(recall_id=recall_id), memory)
        if shown is None:
            raise NotFound(NotFound.__doc__)
        lock_usages([shown.memory_id])
        return let_stand(shown, outcome, viewer, origin="explicit", now=now)


def _find_cited(rows: QuerySet[RecalledMemory], memory: UUID | str) -> RecalledMemory | None:
    """Return the row of the memory; None where there is none, or several whose ids end so."""
    if isinstance(memory, UUID):
        return rows.filter(memory_id=memory).first()
    written = rows.annotate(written=Cast("memory_id", CharField()))
    found = list(written.filter(written__endswith=memory).order_by("memory_id")[:2])
    return found[0] if len({row.memory_id for row in found}) == 1 else None


def shown_to(viewer: Viewer) -> QuerySet[RecalledMemory]:
    """Return what recalls showed that the viewer may judge: an agent its own, a project's key that one's."""
    rows = RecalledMemory.objects.select_related("recall")
    rows = narrowed(rows, viewer, "recall__project_id", "memory__project_id")
    rows = rows.filter(recall__agent_id=viewer.agent_id) if viewer.agent_id else rows
    return rows.filter(recall__project_id=viewer.project_id) if viewer.project_id else rows


def lock_usages(memory_ids: Sequence[UUID]) -> list[Usage]:
    """
    Hold the memories' usage rows to the end of the transaction, in one order for everybody; return them.

    Whoever holds a row judges alone: no verdict is lost between reading q and writing it.
    """
    return list(Usage.objects.select_for_update().filter(memory_id__in=memory_ids).order_by("memory_id"))


def let_stand(
    shown: RecalledMemory,
    outcome: Outcome,
    viewer: Viewer,
    *,
    origin: Origin,
    share: float = 1.0,
    now: datetime,
) -> FeedbackGiven:
    """
    Let the viewer's verdict stand on what was shown, in the caller's transaction, which holds its usage row.

    q is what all verdicts that stand make of it (Note [Voices]), as if the former one had never been given,
    and so is what is known by kind of question. share: how far the verdict is meant for this memory, in
    [0, 1]. Raises NotFound when the viewer may not see the memory any more.
    """
    usage = Usage.objects.filter(memory_id=shown.memory_id).first()
    if usage is None:
        raise NotFound(NotFound.__doc__)
    former = _standing(shown)
    weight = round(weight_of(viewer.actor_kind, outcome) * share, 6)
    verdict = Verdict(outcome=outcome, weight=weight)
    if former is not None and _verdict(former) == verdict:
        return _given(shown, outcome, usage.q_value)
    before = standing_on(shown.memory_id)
    rest = [row for row in before if former is None or row.id != former.id]
    start = start_of(shown.memory_id, usage)
    q_before = usefulness(start, count_voices(map(_said, rest))) if before else usage.q_value
    if former is not None:
        Feedback.objects.filter(id=former.id).update(stands=False)
    given = Feedback(
        recall=shown.recall,
        memory_id=shown.memory_id,
        outcome=outcome,
        origin=origin,
        actor_kind=viewer.actor_kind,
        actor_id=str(viewer.agent_id)
        if viewer.actor_kind == "agent" and viewer.agent_id
        else viewer.actor_id,
        weight=verdict.weight,
        q_before=q_before,
        at=now,
    )
    after = [*rest, given]
    q_after = given.q_after = reweigh(shown.memory_id, start, before, after)
    given.save(force_insert=True)
    detail = {"recall": str(shown.recall_id), "outcome": outcome, "q_before": q_before, "q_after": q_after}
    audit.append(
        "feedback.give",
        object_type="memory",
        object_id=shown.memory_id,
        detail=detail,
        classification=shown.classification,
        now=now,
    )
    return _given(shown, outcome, q_after, changed=True, replaced=former is not None)


def reweigh(memory_id: UUID, start: float, before: Sequence[Feedback], after: Sequence[Feedback]) -> float:
    """
    Reckon a memory's usefulness anew and return it; before, after: the verdicts that stood and that stand.

    start: its q before anything was said. In the caller's transaction, which holds its usage row.
    """
    counted = count_voices(map(_said, after))
    helped = sum(one.verdict.outcome == "helpful" and one.verdict.weight >= LEAST_PROOF for one in counted)
    q_value = usefulness(start, counted)
    Usage.objects.filter(memory_id=memory_id).update(q_value=q_value, verified=helped)
    _learn(memory_id, before, after)
    return q_value


def _given(
    shown: RecalledMemory, outcome: Outcome, q: float, *, changed: bool = False, replaced: bool = False
) -> FeedbackGiven:
    return FeedbackGiven(
        recall=shown.recall_id,
        memory=shown.memory_id,
        outcome=outcome,
        q_value=q,
        replaced=replaced,
        changed=changed,
    )


def _standing(shown: RecalledMemory) -> Feedback | None:
    rows = Feedback.objects.filter(recall_id=shown.recall_id, memory_id=shown.memory_id, stands=True)
    standing: Feedback | None = rows.first()
    return standing


def _verdict(row: Feedback) -> Verdict:
    return Verdict(outcome=cast(Outcome, row.outcome), weight=row.weight)


def standing_on(memory_id: UUID) -> list[Feedback]:
    """Return the verdicts on a memory that stand."""
    return list(Feedback.objects.filter(memory_id=memory_id, stands=True).order_by("id"))


def start_of(memory_id: UUID, usage: Usage) -> float:
    """Return the memory's q before anything was said of it."""
    first = Feedback.objects.filter(memory_id=memory_id).order_by("id").values_list("q_before", flat=True)
    return float(next(iter(first[:1]), usage.q_value))


def _said(row: Feedback) -> Said:
    agent = row.actor_id if row.actor_kind == "agent" else None
    return Said(id=row.id, verdict=_verdict(row), agent=agent, at=row.at)


def _learn(memory_id: UUID, before: Sequence[Feedback], after: Sequence[Feedback]) -> None:
    """Let what is known by kind of question follow what counts now and did not, and what did and does not."""
    sets = [{one.id for one in count_voices(map(_said, rows))} for rows in (before, after)]
    rows = {row.id: row for row in (*before, *after)}
    for gone in sorted(sets[0] - sets[1], key=str):
        learn(memory_id, rows[UUID(str(gone))].recall, None, former=_verdict(rows[UUID(str(gone))]))
    for new in sorted(sets[1] - sets[0], key=str):
        learn(memory_id, rows[UUID(str(new))].recall, _verdict(rows[UUID(str(new))]), former=None)
