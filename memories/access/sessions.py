"""
What a session has read: how high, until when, by which reads; and its end (SPEC K-12).

A session is its reader's: the agent's, or of a key without one the key's. What lies above the viewer in
force, or is of another person, is not there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.models import SessionMark
from tenants.scope import NotFound, Viewer, unit_of_work, viewer_in_force
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "classes.sql")

LASTS: Final = timedelta(hours=8, minutes=10)
"""How long a mark stands after it was noted, as in `candor_mark_ends_at`: a read is noted to ten minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A class that a session was shown, until when that counts, and by which sorts of reads it was."""

    classification: int
    person: str
    until: datetime
    reads: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """A session as its reader sees it; its marks, the highest class first."""

    session: str
    marks: tuple[Mark, ...]


def get_session(session: str, *, now: datetime) -> SessionView:
    """Return what the session of the viewer in force was shown. Raises NotFound when no mark stands."""
    viewer = viewer_in_force()
    rows = SessionMark.objects.filter(holder=holder_of(viewer), session=session, at__gt=now - LASTS)
    with unit_of_work():
        marks = _marks(list(rows.order_by("-classification", "person")))
    if not marks:
        raise NotFound(NotFound.__doc__)
    return SessionView(session=session, marks=marks)


def end_session(session: str) -> None:
    """
    Forget what the session was shown, for the person in force or, without one, for all: it is over.

    Raises NotFound when no mark stood that the viewer may see.
    """
    viewer = viewer_in_force()
    with unit_of_work():
        rows: list[dict[str, Any]] = SQL.run(
            "end_session", agent=viewer.agent_id, key=viewer.key_id, session=session, person=viewer.person,
            seen=viewer.clearance,
        )  # fmt: skip
    if not rows[0]["ended"]:
        raise NotFound(NotFound.__doc__)


def holder_of(viewer: Viewer) -> UUID | None:
    """Return whose the viewer's sessions are."""
    return viewer.agent_id or viewer.key_id


def _marks(rows: Sequence[SessionMark]) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            classification=row.classification, person=row.person, until=row.at + LASTS,
            reads=tuple(sorted(row.reads)),
        )
        for row in rows
    )  # fmt: skip
