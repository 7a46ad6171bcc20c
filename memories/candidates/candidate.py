"""What connect decides about: a new memory before it is stored, and the stored ones that lie near it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from memories.domain import USUAL_LAYER, Card, Fingerprint
from memories.embedders import Vectors
from memories.language import fold_all
from memories.llms import Change, Opinion
from tenants.scope import FULL_CLEARANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Whose a memory is and who else may see it (SPEC T-07)."""

    agent_id: UUID | None
    project_id: UUID | None
    shared: bool
    domain: str
    classification: int
    person: str = ""  #: the end user whose it is (SPEC K-09); empty: common

    def covers(self, other: "Audience") -> bool:
        """Tell whether everybody who may see `other` may see this too."""
        if self.classification > other.classification or self.person not in ("", other.person):
            return False
        if self.project_id not in (None, other.project_id):
            return False
        if self.agent_id is None:
            return True
        if self.agent_id == other.agent_id and not other.shared:
            return True
        return self.shared and other.agent_id is not None and self.domain in ("", "*", other.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The searched terms of a text: how often each stands in it."""

    frequency: Mapping[str, int]
    length: int  #: all of them, repeats counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory that passed the gates, not yet embedded."""

    content: str
    kind: str
    card: Card
    audience: Audience
    confidence: float
    provenance: str
    trust: float
    occurred_at: datetime
    occurred_resolved: bool
    effective_at: datetime  #: of a state: since when it holds; else when it was said
    said_at: datetime | None = None  #: when somebody said it; None: nobody but a text did, at effective_at
    concept_key: str | None = None
    entity_key: str | None = None
    value: str | None = None
    cardinality: str | None = None
    change: Change = "none"  #: how a state was put: plainly, as a change, as a correction
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    manual_tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    importance: int = 3
    assigned_by: str | None = None
    layer: str = USUAL_LAYER  #: empty: to be decided, see `memories.extraction.layers`
    of_speaker: bool = False  #: a user says it of themselves
    capture_id: UUID | None = None
    session: str = ""
    turn: int | None = None
    speaker: str = ""
    role: str = ""  #: of the turn it was said in: user, assistant, tool; empty: written without one
    voice: str = ""  #: whose word it is: see `memories.candidates.voices`
    corrects: bool = False  #: it may correct what another person said
    verbatim: bool = False
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    owner_domains: tuple[str, ...] = ()
    zone: str = "UTC"  #: whose days its date words are
    document_id: UUID | None = None
    passage: int | None = None  #: place in its document, from 0
    title: str = ""  #: of its document; searched with it
    without: frozenset[str] = frozenset()  #: parts of the write track that the tenant has switched off
    span: tuple[int, int] | None = None  #: of the capture's text that the content is; None: it is none
    note: str = ""  #: what a language model made of the content
    opinions: tuple[Opinion, ...] = ()  #: what models said it does to rows they were shown
    asked_about: frozenset[UUID] = frozenset()  #: rows of which the model that read it would have told
    because: tuple[UUID, ...] = ()  #: rows that a model was shown and says it rests on
    mode: str = "assertion"  #: whether it asserts what it says: see `memories.extraction.modes`
    annotations: tuple[Mapping[str, Any], ...] = ()
    reach: int = FULL_CLEARANCE  #: highest class that who writes it may read
    metadata: Mapping[str, Any] = field(default_factory=dict)
    references: tuple[UUID, ...] = ()  #: memories that it names as its sources
    fingerprints: tuple[Fingerprint, ...] = ()  #: of what it may speak of, as the client saw it

    def verified_at(self, now: datetime) -> datetime:
        """Return when somebody last said it: what is told of the past still was said on its own day."""
        return min(self.said_at or self.effective_at, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A draft with all that is needed to find its neighbours and to store it."""

    draft: Draft
    content_hash: bytes
    space: str
    vector: Vectors
    terms: Terms
    beside: Mapping[str, Vectors] = field(default_factory=dict)  #: vectors in further spaces, by their names


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A stored memory near a candidate: a live one by vector, text, key or keywords, or a former value."""

    id: UUID
    content: str
    kind: str
    card: str
    standing: int
    audience: Audience
    provenance: str
    trust: float
    occurred_at: datetime
    occurred_resolved: bool
    effective_at: datetime
    last_verified_at: datetime
    version: int
    content_hash: bytes
    concept_key: str | None = None
    entity_key: str | None = None
    value: str | None = None
    cardinality: str | None = None
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    manual_tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    session: str = ""
    turn: int | None = None
    speaker: str = ""
    voice: str = ""  #: whose word it is; empty: derived, or from before
    capture_id: UUID | None = None
    zone: str = "UTC"
    title: str = ""  #: of the document it is a passage of
    note: str = ""
    annotations: tuple[Mapping[str, Any], ...] = ()
    valid_until: datetime | None = None
    group_id: UUID | None = None  #: of the rows that say the same; None: no other does
    recalled_in: frozenset[str] = frozenset()  #: sessions in which the candidate's agent was shown it
    similarity: float | None = None  #: calibrated, in [0, 1]; None: found by key or words, no vector compared
    vector: Vectors | None = field(default=None, compare=False)  #: in the candidate's space, if it was read
    said_again: bool = False  #: a later capture said the same
    lost_to: tuple[UUID, ...] = ()  #: of a superseded state: the rows that a verdict held against it


def hash_content(content: str) -> bytes:
    """Return the SHA-256 of the content folded, lower-cased, single-spaced: equal for what looks equal."""
    return sha256(fold_all(content).encode()).digest()


def of_one_person(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both are one end user's, or both common: nothing is judged or tied across persons."""
    return near.audience.person == draft.audience.person


def in_one_breath(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both are of one capture: what is said in one breath does nothing to itself."""
    return near.capture_id is not None and near.capture_id == draft.capture_id
