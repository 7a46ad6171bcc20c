"""
What a model is shown besides a turn, and what it says a statement does to rows that stand (SPEC K-05, K-07).

Rows are named by short handles: a model can repeat a handle without a slip, and knows no id to make up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

DOES: Final[dict[str, str]] = {
    "same": "says the same again, in whatever words or language",
    "refines": "makes it more precise; it stays true",
    "replaces": "holds in its place from now on",
    "ends": "says that it is over, and nothing takes its place",
    "corrects": "says that it was never true",
    "contradicts": "cannot be true together with it, and nothing says that it changed or was wrong",
    "adds": "is another fact about it; both are true",
    "unrelated": "has nothing to do with it",
}
"""What a later statement does to an earlier one, by the words of the arbiters' `Relation`."""

MOST_ROWS: Final = 12
"""Rows that a model is shown with a turn: as many as the local arbiter looks at."""

MOST_EARLIER: Final = 6
"""Turns of the session before, at most (SPEC K-07)."""

LONGEST_SHOWN: Final = 1_000
"""Characters of a row or an earlier turn that a model is shown: a row of talk has at most 800."""

WHY: Final[dict[str, str]] = {
    "said": "the turn says it in its own words: moved, no longer, instead of, that was wrong",
    "value": "the same matter with another value: a figure, date, name or place differs",
    "wording": "the same matter and value in other words",
    "detail": "the same matter with more detail",
    "scope": "another thing, person, place or time than the row's",
    "denial": "one denies what the other asserts",
    "topic": "another matter altogether",
}
"""
Reasons of a verdict, and what each means. A closed list: a reason in a model's own words would carry the text
of one memory into the trace of another, past its class and past its erasure.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """A row that stands near a turn, as a model is shown it."""

    handle: str  #: «m1»: what the model calls it by
    id: UUID
    version: int  #: of its text
    text: str
    said_at: datetime
    speaker: str = ""
    kind: str = ""
    entity_key: str | None = None
    concept_key: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A turn of the same session, said before."""

    role: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """What a place in a turn means."""

    words: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """What a model is shown with a turn; empty for one that judges nothing."""

    said: Sequence[str] = ()  #: the sentences as they were said, one for each of the normalised text
    annotations: Sequence[Annotated] = ()
    earlier: Sequence[Earlier] = ()  #: oldest first
    rows: Sequence[ShownRow] = ()  #: the latest of the session, then the nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a model says a statement does to a row."""

    row: UUID
    version: int  #: of the row's text when the model was shown it
    does: str  #: one of DOES
    confidence: float  #: in [0, 1]
    judge: str  #: the model's name
    why: str = ""  #: one of WHY; empty: not told
