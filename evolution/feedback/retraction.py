"""
Let verdicts of an origin stand no more, and stand again (proof 26).

What all other verdicts make of a memory is computed anew, as if these had never been given; they stay in the
log, under the number of what took them back.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from uuid import UUID

from django.db.models import QuerySet

from evolution.feedback.record import lock_usages, reweigh, standing_on, start_of
from evolution.models import Feedback


def take_back(verdicts: Sequence[Feedback], *, by: UUID) -> None:
    """
    Let these standing verdicts stand no more. by: the number under which they are found again.

    In the caller's transaction, as the pipeline: all that was said of their memories counts.
    """

    def gone(rows: Sequence[Feedback], before: Sequence[Feedback]) -> list[Feedback]:
        ids = {row.id for row in rows}
        Feedback.objects.filter(id__in=ids).update(stands=False, withdrawn_by=by)
        return [row for row in before if row.id not in ids]

    _by_memory(verdicts, gone)


def give_back(*, by: UUID) -> int:
    """
    Let the verdicts stand again that were taken back under this number; return how many.

    One in whose place another was given meanwhile stays in the log.
    """

    def again(rows: Sequence[Feedback], before: Sequence[Feedback]) -> list[Feedback]:
        taken = {row.recall_id for row in before}
        back = [row for row in rows if row.recall_id not in taken]
        Feedback.objects.filter(id__in=[row.id for row in back]).update(stands=True)
        return sorted([*before, *back], key=lambda row: row.id)

    rows = list(taken_back(by))
    _by_memory(rows, again)
    Feedback.objects.filter(id__in=[row.id for row in rows]).update(withdrawn_by=None)
    return Feedback.objects.filter(id__in=[row.id for row in rows], stands=True).count()


def taken_back(by: UUID) -> "QuerySet[Feedback]":
    """Return the verdicts that were taken back under this number."""
    rows: QuerySet[Feedback] = Feedback.objects.filter(withdrawn_by=by)
    return rows.order_by("id")


def _by_memory(
    verdicts: Sequence[Feedback], change: Callable[[Sequence[Feedback], Sequence[Feedback]], list[Feedback]]
) -> None:
    """Change the verdicts of each memory, and reckon it anew by what stands then."""
    of: defaultdict[UUID, list[Feedback]] = defaultdict(list)
    for row in verdicts:
        of[row.memory_id].append(row)
    for usage in lock_usages(list(of)):
        memory_id = usage.memory_id
        before = standing_on(memory_id)
        reweigh(memory_id, start_of(memory_id, usage), before, change(of[memory_id], before))
