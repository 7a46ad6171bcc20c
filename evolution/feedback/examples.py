"""Keep what was done in a task as an example with how it went (SPEC C-01, M-02)."""

from datetime import datetime
from uuid import UUID

from evolution.feedback.record import shown_to
from evolution.feedback.reported import ReportedPlace
from memories.ingestion import EXAMPLE, MemoryRequest
from memories.pipeline import write_memory
from tenants.scope import NotFound, unit_of_work


def keep_example(text: str, score: float, where: ReportedPlace, *, now: datetime) -> UUID:
    """
    Write the example, in the session that the task was done in; return which memory says it now.

    score: in [0, 1]. Raises NotFound when the viewer has no such recall or session, and what `write_memory`
    raises: BadCapture, GateRefused.
    """
    with unit_of_work() as viewer:
        shown = where.of(shown_to(viewer)).select_related("recall").first()
    if shown is None:
        raise NotFound(NotFound.__doc__)
    wish = MemoryRequest(content=text, kind=EXAMPLE, outcome=score, session=shown.recall.session)
    return write_memory(wish, now=now).memory.id
