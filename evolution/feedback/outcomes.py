"""Credit what a task was done with when its outcome is known, be it days later (SPEC E-01)."""

from datetime import datetime
from typing import Final, Literal

from django.db.models import Q

from evolution.feedback.record import let_stand, lock_usages, shown_to
from evolution.feedback.reported import ReportedPlace, UseReported, told
from evolution.feedback.verdicts import Outcome
from evolution.models import Feedback
from recall.models import RecalledMemory
from tenants.scope import NotFound, Viewer, unit_of_work

Ending = Literal["succeeded", "failed"]

SAYS: Final[dict[Ending, Outcome]] = {"succeeded": "helpful", "failed": "unhelpful"}
"""What the task's ending says of what was used for it."""

CREDITED: Final = Q(outcome="used") | Q(origin="outcome") | Q(outcome="helpful", actor_kind="agent")
"""
The standing verdicts that an outcome takes the place of: plain uses, an agent's own praise, and what an
earlier outcome said. What a person said of one memory tells more than how the whole task went.
"""


def report_outcome(where: ReportedPlace, ending: Ending, *, now: datetime) -> tuple[UseReported, ...]:
    """
    Let the outcome of a task speak for what was shown for it and used; return what became of each, by place.

    What was shown and not reported as used gets no credit. The same outcome twice is once; another one takes
    its place. Raises NotFound when the viewer has no such recall or session.
    """
    with unit_of_work() as viewer:
        shown = where.of(shown_to(viewer))
        lock_usages(list(shown.values_list("memory_id", flat=True)))
        rows = list(shown.order_by("recall__at", "recall_id", "place"))
        if not rows:
            raise NotFound(NotFound.__doc__)
        used = set(_used(rows))
        credited = (row for row in rows if (row.recall_id, row.memory_id) in used)
        return tuple(_credit(row, SAYS[ending], viewer, now=now) for row in credited)


def _used(rows: list[RecalledMemory]) -> list[tuple[object, object]]:
    recalls = {row.recall_id for row in rows}
    standing = Feedback.objects.filter(CREDITED, recall_id__in=recalls, stands=True)
    return list(standing.values_list("recall_id", "memory_id"))


def _credit(row: RecalledMemory, outcome: Outcome, viewer: Viewer, *, now: datetime) -> UseReported:
    try:
        return told(let_stand(row, outcome, viewer, origin="outcome", now=now))
    except NotFound:  # it was used, and is out of sight since
        return UseReported(memory=row.memory_id, outcome=outcome, result="not_found")
