"""
Read your own writes: lay over an answer what its session said and nobody processed yet (SPEC R-10).

What it changes of the answer stands above that: see `recall.answering.waiting`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.access import visible_params
from memories.candidates import weaker
from memories.extraction import GUESS_CEILING, believe
from memories.language import words
from memories.models import Capture
from memories.vectors import Home
from recall.answering.alerts import WAITS, WAITS_WEAKER, Alert
from recall.answering.waiting import WaitingChange, find_changes, is_clean
from recall.questions import Prepared, Question
from tenants.scope import viewer_in_force
from tenants.sql import Queries, Statement

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "overlay.sql")

TURNS_READ: Final = 50
"""Latest turns of the session looked at: what waits is at its end, and a session may be long."""

MOST_SHOWN: Final = 3
"""Captures laid over one answer at most. Ours: they take no place from what was found."""

LEAST_MATCH: Final = 1 / 3
"""Share of the question's terms that a waiting text must have. Ours: of three words one, so that a session's
other talk stays out; there is no idf of a text that is not indexed yet."""

ORIGINS: Final = {"user": "user_stated", "tool": "extracted", "assistant": "agent_inferred"}
"""
Role of a turn → the lowest origin the write track may give it, of `memories.domain.kinds.PROVENANCE_WEIGHT`.

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
    score: float  #: share of the question's terms that it has, or the score of the row that it changes

    @property
    def provenance(self) -> str:
        """Return the origin that its role and its key give it; a correction is not known as one yet."""
        said = ORIGINS[self.role]
        return weaker(said, self.origin) if self.origin else said

    @property
    def trust(self) -> float:
        """Return what its origin allows, at most a guess's: no gate but the pure ones has judged it."""
        return min(believe(self.provenance, 1.0), GUESS_CEILING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """What waits in the session, as it is laid over an answer."""

    above: tuple[Pending, ...] = ()  #: before all that was found
    behind: Mapping[UUID, tuple[Pending, ...]] = field(default_factory=dict)  #: row → what stands behind it
    changes: tuple[WaitingChange, ...] = ()  #: in the order of the rows' places; both ends are shown

    @property
    def shown(self) -> tuple[Pending, ...]:
        """Return all that waits and is shown."""
        return (*self.above, *(one for some in self.behind.values() for one in some))

    def alerts(self) -> tuple[Alert, ...]:
        """Return an alert for each row that may have changed, with the turns that say so."""
        return tuple(
            Alert(
                type="changed", memories=(one.row, one.capture), text=WAITS_WEAKER if one.is_weaker else WAITS
            )
            for one in self.changes
        )


NOTHING: Final = Overlay()


def pending_statement(question: Question, prepared: Prepared) -> Statement | None:
    """
    Return the statement that finds what waits in the question's session, under the clearance in force.

    None where nothing can: a question without a session, about another time, or limited to tags, to kinds
    that no turn can have, or on an axis: what waits has no place on most of them yet.
    """
    if not question.session or question.asks_of_another_time or prepared.required_tags or question.where:
        return None
    if question.kinds and "episode" not in question.kinds:
        return None
    return _SQL["find_pending"], _parameters(question)


def lay_over(
    rows: Sequence[Mapping[str, Any]],
    prepared: Prepared,
    *,
    places: Mapping[UUID, float],
    home: Home,
    texts: Mapping[UUID, str] | None = None,
) -> Overlay:
    """
    Return what of the statement's rows is laid over an answer, in a read of its own where anything waits.

    rows: latest turn first. places: the answer's rows with their scores, in order. home: where its vectors
    are. texts: what the answer's rows say. What changes a row comes first, in the order of these; then what
    speaks of the question, best match first, then the newer. An agent's turn that quotes a row, as an answer
    does that cites it, stands behind that row: it says nothing of its own (SPEC W-17). A text that a detector
    stops (noise, injection, disguise) is left out, as it would be by the write track; secrets left it at
    capture.
    """
    if not rows:
        return NOTHING
    captures = {row["id"]: Capture(**row) for row in rows}
    held = places if not _asks_what_was(prepared) else {}
    changes = find_changes(captures.values(), held, prepared=prepared, home=home) if held else []
    behind = {one.capture: one.row for one in reversed(changes) if one.is_weaker}
    first = [one.capture for one in changes if one.capture not in behind]
    matches = {one.id: _match(one.text, prepared.terms) for one in captures.values()}
    matching = sorted(
        (one for one in captures if matches[one] >= LEAST_MATCH and one not in behind),
        key=lambda one: (-matches[one], -captures[one].turn),
    )
    clean = (one for one in matching if is_clean(captures[one]))
    shown = list(islice(dict.fromkeys(chain(first, clean, behind)), MOST_SHOWN))
    quoting = {one: row for one in shown if (row := _quoted(captures[one], texts or {})) is not None}
    behind = {one: row for one, row in quoting.items() if one not in first} | behind
    scores = {one.capture: held[one.row] for one in reversed(changes)}
    waiting = {one: _pending(captures[one], score=max(matches[one], scores.get(one, 0.0))) for one in shown}
    return Overlay(
        above=tuple(waiting[one] for one in shown if one not in behind),
        behind={
            row: tuple(waiting[one] for one in shown if behind.get(one) == row) for row in behind.values()
        },
        changes=tuple(one for one in changes if one.capture in waiting),
    )


def _quoted(capture: Capture, texts: Mapping[UUID, str]) -> UUID | None:
    """Return the first row whose words an agent's turn has to the letter, None if it has none's."""
    if capture.role != "assistant":
        return None
    said = "".join(capture.text.split())
    return next((row for row, text in texts.items() if text and "".join(text.split()) in said), None)


def _pending(capture: Capture, *, score: float) -> Pending:
    return Pending(
        id=capture.id, content=capture.text, role=capture.role, origin=capture.origin,
        speaker=capture.speaker, session=capture.session, turn=capture.turn, occurred_at=capture.clock,
        person=capture.person, classification=capture.classification, score=score,
    )  # fmt: skip


def _asks_what_was(prepared: Prepared) -> bool:
    """Tell whether the question's words ask for what was: what was said since changes nothing of that."""
    when = prepared.when
    return when is not None and when.range is not None and when.range.past


def _parameters(question: Question) -> dict[str, Any]:
    return {
        **visible_params(viewer_in_force(), None, projects=question.projects),
        "session": question.session,
        "latest": TURNS_READ,
    }


def _match(text: str, terms: Sequence[str]) -> float:
    """Return the share of the terms that the text has, in [0, 1]; 0 when nothing is asked."""
    return len(set(terms) & set(words(text))) / len(terms) if terms else 0.0
