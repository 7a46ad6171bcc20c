"""Read what a question's conversation asked before, and say what the question points back at (SPEC R-18)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.access import visible_params
from memories.language import fold
from recall.questions.follow_ups import (
    MOST_BEFORE,
    AskedBefore,
    Name,
    ShownBefore,
    find_antecedent,
    find_pointer,
    possible_names,
)
from recall.questions.question import Question
from security.screening.secrets import redact
from tenants.scope import unit_of_work, viewer_in_force
from tenants.sql import Queries

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "conversation.sql")

LONGEST_PAUSE: Final = timedelta(hours=12)
"""Between two questions of one conversation. Ours: a working day; a session's name may live on for months."""

PLACES: Final = 5
"""Results of an answer that the next question can point at: as many as are shown where nobody says."""

MOST_LOOKED_UP: Final = 4_000
"""Runs of words of all these questions that are looked up as names, those of the question in hand first."""

MOST_MENTIONS: Final = 20
"""Latest memories that a name is looked for in, to see whether the asker knows it."""

_JUST_BEFORE: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """What a question that points back is understood as."""

    question: Question  #: with the recall that it follows, and the moment that it asks of
    understood: str  #: the question with what it is about in it; empty: it points at nothing
    memory_id: UUID | None = None  #: the result of that recall that it points at


def understand_follow_up(question: Question, *, now: datetime) -> FollowUp:
    """
    Return the question with what it points back at, for the viewer in force; reads only where it points.

    now: the service's clock. Where a question names the recall that it follows, that one is meant, whatever
    the session asked since: so one that is asked again later is understood as it was.
    """
    alone = FollowUp(question=question, understood="")
    if not (question.session or question.follows):
        return alone
    if find_pointer(fold(question.query)) is None:
        return alone  # of most questions; to redact them is done when they are prepared
    query = fold(redact(question.query).text)
    pointer = find_pointer(query)
    if pointer is None:
        return alone
    before, known = _read(question, query, now=now)
    found = find_antecedent(pointer, query, before, known=known)
    if found is None:
        return alone
    asked = replace(question, follows=before[0].id)
    if found.valid_at is not None and not question.asks_of_another_time:
        asked = replace(asked, valid_at=found.valid_at.astimezone(UTC) - _JUST_BEFORE)
    return FollowUp(question=asked, understood=found.query, memory_id=found.memory_id)


def _read(question: Question, query: str, *, now: datetime) -> tuple[list[AskedBefore], list[Name]]:
    """Return what the conversation asked before, the latest first, and the known names in all of it."""
    viewer = viewer_in_force()
    seen = visible_params(viewer, now, projects=question.projects)
    with unit_of_work():
        rows = _SQL.run(
            "find_conversation",
            follows=question.follows,
            session=question.session,
            since=now - LONGEST_PAUSE,
            key=viewer.key_id,
            project=question.project_id or viewer.project_id,
            most=MOST_BEFORE,
            places=PLACES,
            **seen,
        )
        before = [_asked(list(of_one)) for _, of_one in groupby(rows, key=lambda row: row["id"])]
        known = find_known_names([query, *(one.query for one in before)], seen=seen) if before else []
    return before, known


def find_known_names(queries: Iterable[str], *, seen: Mapping[str, Any] | None = None) -> list[Name]:
    """
    Return the names in some questions that memories of the viewer in force speak of, within a unit of work.

    seen: the viewer's side of `candor_visible_v3`; None: of all that they may see.
    """
    keys = dict.fromkeys(key for text in queries for key in possible_names(text))
    seen = seen or visible_params(viewer_in_force(), None)
    rows = _SQL.run("find_names", keys=list(keys)[:MOST_LOOKED_UP], most=MOST_MENTIONS, **seen)
    return [Name(**row) for row in rows]


def _asked(rows: list[Mapping[str, Any]]) -> AskedBefore:
    return AskedBefore(id=rows[0]["id"], query=rows[0]["query"], shown=tuple(_shown(rows)))


def _shown(rows: Iterable[Mapping[str, Any]]) -> Iterable[ShownBefore]:
    for row in rows:
        if row["memory_id"] is not None:
            yield ShownBefore(
                id=row["memory_id"], place=row["place"], content=row["content"], names=tuple(row["names"]),
                effective_at=row["effective_at"], took_over=row["took_over"],
            )  # fmt: skip
