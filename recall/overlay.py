"""Read your own writes: lay over an answer what its session said and nobody processed yet (SPEC R-10)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.drafting import GUESS_CEILING, believe
from memories.queries import Queries, Statement
from memories.tokens import words
from memories.visibility import visible_params
from memories.voices import weaker
from recall.question import Prepared, Question
from security.screening import screen, screen_names
from tenants.scope import viewer_in_force

_SQL: Final = Queries(Path(__file__).parent / "sql" / "overlay.sql")

TURNS_READ: Final = 50
"""Latest turns of the session looked at: what waits is at its end, and a session may be long."""

MOST_SHOWN: Final = 3
"""Captures laid over one answer at most. Ours: they take no place from what was found."""

LEAST_MATCH: Final = 1 / 3
"""Share of the question's terms that a waiting text must have. Ours: of three words one, so that a session's
other talk stays out; there is no idf of a text that is not indexed yet."""

ORIGINS: Final = {"user": "user_stated", "tool": "extracted", "assistant": "agent_inferred"}
"""
Role of a turn → the lowest origin the write track may give it, of `memories.kinds.PROVENANCE_WEIGHT`.

Whether an agent repeats others, or a tool measured something, is not known before the turn is processed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A capture that waits, as a result that is not a memory yet."""

    id: UUID  #: of the capture
    content: str  #: redacted, as it was said
    role: str
    origin: str  #: the best that its words may have, as its key was granted; empty: from before
    speaker: str
    session: str
    turn: int
    occurred_at: datetime  #: the capture's clock
    person: str  #: the end user whose it is; empty: common
    classification: int
    match: float  #: share of the question's terms that it has, in [LEAST_MATCH, 1]

    @property
    def provenance(self) -> str:
        """Return the origin that its role and its key give it; a correction is not known as one yet."""
        said = ORIGINS[self.role]
        return weaker(said, self.origin) if self.origin else said

    @property
    def trust(self) -> float:
        """Return what its origin allows, at most a guess's: no gate but the pure ones has judged it."""
        return min(believe(self.provenance, 1.0), GUESS_CEILING)


def pending_statement(question: Question, prepared: Prepared) -> Statement | None:
    """
    Return the statement that finds what waits in the question's session, under the clearance in force.

    None where nothing can: a question without a session, about another time, or limited to tags or to kinds
    that no turn can have.
    """
    if not question.session or question.asks_of_another_time or prepared.required_tags:
        return None
    if question.kinds and "episode" not in question.kinds:
        return None
    return _SQL["find_pending"], _parameters(question)


def lay_over(rows: Iterable[Mapping[str, Any]], prepared: Prepared) -> tuple[Pending, ...]:
    """
    Return those of the statement's rows that speak of the question, best match first, then the newer.

    A text that a detector stops (noise, injection, disguise) is left out, as it would be by the write track;
    secrets left it at capture.
    """
    waiting = [
        Pending(**told, match=match)
        for told in rows
        if (match := _match(told["content"], prepared.terms)) >= LEAST_MATCH
    ]
    waiting.sort(key=lambda row: (-row.match, -row.turn))
    clean = (row for row in waiting if not screen(row.content) and not screen_names([row.speaker]))
    return tuple(islice(clean, MOST_SHOWN))


def _parameters(question: Question) -> dict[str, Any]:
    return {
        **visible_params(viewer_in_force(), None, projects=question.projects),
        "session": question.session,
        "latest": TURNS_READ,
    }


def _match(text: str, terms: Sequence[str]) -> float:
    """Return the share of the terms that the text has, in [0, 1]; 0 when nothing is asked."""
    return len(set(terms) & set(words(text))) / len(terms) if terms else 0.0
