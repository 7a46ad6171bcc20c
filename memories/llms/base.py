"""What a language model is to the write track: a turn in, notes out; and the faults it is held to."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.language import concept_spelling
from memories.llms.breaker import Breaker
from memories.llms.opinions import Briefing, Opinion
from memories.temporal import TimeMention

Cardinality = Literal["single", "multi"]
Change = Literal["none", "explicit", "correction"]

LONGEST_CONTENT: Final = 4000
"""Characters in a note's content: twice what the longest passage takes (SPEC M-11), with room."""

LONGEST_FIELD: Final = 500
"""Characters in a value, key, name or keyword."""

MOST_NOTES: Final = 40
"""Notes out of one turn. A turn of 4000 characters has some 40 sentences; more is a model gone wild."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One thing said in a session, screened and normalised."""

    text: str  #: as it was said, widths folded
    original: str  #: as it was said (secrets already replaced)
    role: str  #: user, assistant or tool
    speaker: str | None  #: the name of who talks
    clock: datetime  #: when it was captured, aware
    zone: ZoneInfo
    mentions: tuple[TimeMention, ...]
    occurred_at: datetime  #: what the turn is about, else the clock
    verbatim: bool = False  #: keep the turn as one episode, extract nothing
    stated_in_session: bool = False  #: a user or tool turn states what this assistant turn says
    origin: str | None = None  #: the best origin that its key may give it; None: not held to any
    own_key: str = ""  #: whose key «I» is where no name is known; empty: the role's
    outside: bool = True  #: who speaks is somebody outside the agent, or is repeated after them
    briefing: Briefing = field(default_factory=Briefing)  #: what a model that judges is shown besides


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing worth remembering, before any gate has judged it."""

    kind: str
    content: str
    value: str | None
    keywords: tuple[str, ...]
    entities: tuple[str, ...]
    concept_key: str | None
    entity_key: str | None
    cardinality: Cardinality | None
    importance: int  #: 1 to 5
    occurred_at: datetime
    occurred_resolved: bool  #: False: the capture's own time, for want of a better
    confidence: float  #: of the extraction, in [0, 1]
    provenance: str
    assigned_by: str | None
    change: Change = "none"  #: how a state was put: plainly, as a change («moved», «now»), as a correction
    span: tuple[int, int] | None = None  #: of the turn's text that it rests on; None: not known
    own_words: bool = False  #: the content is the model's wording, kept beside the words that were said
    opinions: tuple[Opinion, ...] = ()  #: what it does to rows that the model was shown
    because: tuple[UUID, ...] = ()  #: rows that the model was shown and that it rests on
    refused: int = 0  #: times that the model named a row which it was not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What asking a model has cost."""

    tokens_in: int = 0  #: cached ones included
    tokens_out: int = 0
    cost_usd: float = 0.0
    attempts: int = 0  #: requests sent
    priced: bool = True  #: False: no price is known for the model, the cost is not counted

    def told(self) -> dict[str, object]:
        """Return what a trace has of it: nothing of what it did not take."""
        names = ("tokens_in", "tokens_out", "cost_usd", "attempts")
        told: dict[str, object] = {name: getattr(self, name) for name in names if getattr(self, name)}
        return told if self.priced else told | {"priced": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """The notes of a turn, and what it took to get them."""

    notes: tuple[Note, ...]
    model: str
    tokens_in: int
    tokens_out: int
    cost_usd: float
    attempts: int
    priced: bool = True  #: False: no price is known for the model, the cost is not counted
    unread: int = 0  #: sentences at the end of the turn that were not read: it has too many

    @property
    def spent(self) -> Spent:
        """Return what it took."""
        return Spent(
            tokens_in=self.tokens_in, tokens_out=self.tokens_out, cost_usd=self.cost_usd,
            attempts=self.attempts, priced=self.priced,
        )  # fmt: skip


class ModelError(Exception):
    """The model gave no usable notes. What was spent stands in `spent`."""

    def __init__(self, reason: str, *, spent: Spent | None = None) -> None:
        super().__init__(reason)
        self.spent = spent or Spent()


class ModelUnavailable(ModelError):
    """The model cannot be reached or will not serve now. Try the capture again later."""

    def __init__(
        self, reason: str, *, spent: Spent | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(reason, spent=spent)
        self.retry_after_seconds = retry_after_seconds  #: what the provider asked for, if it did


class ModelRefused(ModelError):
    """The model refused or answered nonsense, again after being told. Use another model or a person."""


class LanguageModel(ABC):
    """
    A judge of what in a turn is worth remembering.

    Thread-safe. Keeps nothing between turns. Calls over a network only inside `extract`, so it is never
    called in a transaction.
    """

    name: str
    own_words: bool = True  #: its notes are in words of its own
    judges: bool = False  #: it says what a note does to rows that it is shown: give it a Briefing
    breaker: Breaker | None = None  #: stands before the provider of a model over a network

    @abstractmethod
    def extract(self, turn: Turn) -> Reflection:
        """
        Turn what was said into notes; none when nothing is worth keeping.

        Raises ModelUnavailable on an outage, ModelRefused when no valid answer can be had.
        """

    def close(self) -> None:
        """Let go of connections. The model is not used afterwards."""
        return


def provenance_ceiling(turn: Turn) -> str:
    """
    Name the best origin a note of this turn may claim: it follows who said it, not what is said (M-08).

    Nor how it is said that they did: what the key was not granted caps it.
    """
    if turn.role == "assistant" and not turn.stated_in_session:
        return "agent_inferred"
    said = {"user": "user_stated", "tool": "measured", "assistant": "agent_chat"}[turn.role]
    return said if turn.origin is None else _weaker(said, turn.origin)


def _weaker(one: str, other: str) -> str:
    return other if PROVENANCE_WEIGHT[other] < PROVENANCE_WEIGHT[one] else one


def find_fault(note: Note) -> str | None:
    """Say what is wrong with a note in itself, naming the field and no content; None when it is sound."""
    checks = (
        (note.kind in KINDS, "kind is not known"),
        (0 < len(note.content.strip()) <= LONGEST_CONTENT, f"content is empty or over {LONGEST_CONTENT}"),
        (type(note.importance) is int and 1 <= note.importance <= 5, "importance is not within 1 to 5"),
        (0.0 <= note.confidence <= 1.0, "confidence is not within 0 to 1"),
        (note.provenance in PROVENANCE_WEIGHT, "provenance is not known"),
        (note.cardinality in (None, "single", "multi"), "cardinality is neither single nor multi"),
        (note.occurred_at.tzinfo is not None, "occurred_at has no offset"),
        (_short(note.value, note.entity_key, note.assigned_by), f"a field is empty or over {LONGEST_FIELD}"),
        (_short(*note.keywords, *note.entities), "a keyword or an entity is empty or too long"),
        (note.concept_key is None or _is_key(note.concept_key), "concept_key is not in its canonical form"),
        (_is_keyed(note), "a state has no entity_key, concept_key or value"),
    )
    return next((fault for sound, fault in checks if not sound), None)


def _short(*fields: str | None) -> bool:
    return all(field is None or 0 < len(field.strip()) <= LONGEST_FIELD for field in fields)


def _is_key(key: str) -> bool:
    return len(key) <= LONGEST_FIELD and concept_spelling(key) == key


def _is_keyed(note: Note) -> bool:
    """Tell whether a note says what it needs to live as its kind: a state is (entity, concept, value)."""
    if note.kind not in KINDS or KINDS[note.kind].card != "state":
        return True
    return None not in (note.entity_key, note.concept_key, note.value, note.cardinality)
