"""List captures: what was said, and what became of it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.access import visible_params
from memories.ingestion.capture import CaptureView, capture_view
from memories.models import Capture
from tenants.managers import page_of
from tenants.rights import narrowed
from tenants.scope import Viewer, unit_of_work, viewer_in_force


def list_captures(
    *,
    states: tuple[str, ...] = (),
    session: str | None = None,
    person: str | None = None,
    after: tuple[datetime, UUID] | None = None,
    most: int,
) -> tuple[CaptureView, ...]:
    """
    Return at most `most` captures that the viewer may see, newest first: an agent its own, a person all.

    after: (created_at, id) of the last one had already.
    """
    with unit_of_work() as viewer:
        rows = _within_sight(viewer)
        rows = rows.filter(state__in=states) if states else rows
        rows = rows.filter(session=session) if session is not None else rows
        rows = rows.filter(person=person) if person is not None else rows
        rows = page_of(rows, by="created_at", after=after)
        return tuple(capture_view(row) for row in rows[:most])


def captures_in_sight(ids: Iterable[UUID]) -> set[UUID]:
    """Return those of the captures that the viewer in force may see, within a unit of work."""
    return set(_within_sight(viewer_in_force()).filter(id__in=list(ids)).values_list("id", flat=True))


def _within_sight(viewer: Viewer) -> QuerySet[Any]:
    """Return the captures that the viewer may see: an agent its own, a person all."""
    rows = Capture.objects.all()
    if not visible_params(viewer, None)["sees_every_owner"]:
        rows = rows.filter(agent_id=viewer.agent_id)
    rows = narrowed(rows, viewer, "project_id")
    if viewer.project_id is not None:
        rows = rows.filter(Q(project_id=None) | Q(project_id=viewer.project_id))
    return rows
