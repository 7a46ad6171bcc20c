"""Credit what a task was done with when its outcome is known, be it days later (SPEC E-01)."""

from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from django.db.models import Q

from evolution.feedback.credit import CreditPlace, distribute, find_citations
from evolution.feedback.record import let_stand, lock_usages, shown_to
from evolution.feedback.reported import ReportedPlace, UseReported, told
from evolution.feedback.verdicts import Outcome
from evolution.models import Feedback
from memories.models import Capture
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

USED: Final = Q(outcome="used") | (Q(outcome="helpful", actor_kind="agent") & ~Q(origin="outcome"))
"""Verdicts by which a memory was reported as used, whether or not an outcome has taken their place."""

MOST_TURNS: Final = 200
"""Latest turns of a session in which citations are looked for."""


def report_outcome(
    where: ReportedPlace, ending: Ending, *, score: float, now: datetime
) -> tuple[UseReported, ...]:
    """
    Let the outcome of a task speak for what was shown for it; return what became of each, by place.

    score: how well it went, in [0, 1]; the further from the middle, the more it counts. What was reported as
    used gets all of it; without a report, what later turns cite gets half, and without these every place a
    little: see Note [Credit without a thumb]. The same outcome twice is once; another one takes its place.
    Raises NotFound when the viewer has no such recall or session.
    """
    with unit_of_work() as viewer:
        shown = where.of(shown_to(viewer)).select_related("memory")
        lock_usages(list(shown.values_list("memory_id", flat=True)))
        rows = list(shown.order_by("recall__at", "recall_id", "place"))
        if not rows:
            raise NotFound(NotFound.__doc__)
        shares = _shares(rows)
        counts = score if ending == "succeeded" else 1.0 - score
        return tuple(
            _credit(row, SAYS[ending], viewer, share=shares[row.id] * counts, now=now)
            for row in rows
            if row.id in shares
        )


def _shares(rows: Sequence[RecalledMemory]) -> dict[Hashable, float]:
    """Return of each place that may be judged how far the outcome counts for it."""
    recalls = {row.recall_id for row in rows}
    said = Feedback.objects.filter(recall_id__in=recalls)
    judged = set(said.filter(stands=True).exclude(CREDITED).values_list("recall_id", "memory_id"))
    used = set(said.filter(USED).values_list("recall_id", "memory_id"))
    open_rows = [row for row in rows if (row.recall_id, row.memory_id) not in judged]
    places = [
        CreditPlace(
            key=row.id, memory=str(row.memory_id), group=row.memory.group_id or row.memory_id, place=row.place
        )
        for row in open_rows
        if not row.factors.get("beside") or (row.recall_id, row.memory_id) in used
    ]
    reported = {row.id for row in open_rows if (row.recall_id, row.memory_id) in used}
    cited = set() if used or judged else _cited(rows)
    if (used or judged) and not reported:
        return {}  # somebody said what was used, and judged it already
    return distribute(places, used=reported, cited=cited)


def _cited(rows: Sequence[RecalledMemory]) -> set[str]:
    """Return the memories that turns said after the first of these recalls cite, of the same sessions."""
    sessions = {row.recall.session for row in rows} - {""}
    since = min(row.recall.at for row in rows)
    turns = Capture.objects.filter(session__in=sessions, created_at__gte=since).order_by("-created_at", "-id")
    agents: set[UUID | None] = {row.recall.agent_id for row in rows}
    memories = {str(row.memory_id) for row in rows}
    cited: set[str] = set()
    for turn in turns[:MOST_TURNS]:
        if turn.agent_id in agents:
            cited |= find_citations(turn.text, turn.references, memories)
    return cited


def _credit(
    row: RecalledMemory, outcome: Outcome, viewer: Viewer, *, share: float, now: datetime
) -> UseReported:
    try:
        return told(let_stand(row, outcome, viewer, origin="outcome", share=share, now=now))
    except NotFound:  # it was shown, and is out of sight since
        return UseReported(memory=row.memory_id, outcome=outcome, result="not_found")
