"""What the tools answer, by which their output schemas are made. Pure."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field


class Remembered(BaseModel):
    """What became of the words."""

    capture_id: UUID
    state: str = Field(
        description="stored, discarded (nothing worth keeping), quarantined, or pending: still at work."
    )
    memories: list[UUID]
    reasons: list[str] = Field(description="Why not, where it was not stored.")


class Found(BaseModel):
    """One memory in its place."""

    id: UUID
    content: str
    kind: str
    score: float
    trust: float = Field(description="How true it is held to be, in [0, 1].")
    since: datetime = Field(description="Since when it holds, or when it happened.")
    until: datetime | None
    standing: str
    speaker: str
    provenance: str
    said: str | None = Field(description="Other words by which it was found.")


class Recalled(BaseModel):
    """Ranked memories, best first."""

    recall_id: UUID
    results: list[Found]
    nothing_known: bool = Field(description="Memory works, and holds nothing that fits.")
    degraded: list[str] = Field(
        description="What could not be looked through: nothing found may be known all the same."
    )
    alerts: list[str]


class ContextTold(BaseModel):
    """A text to read before answering."""

    text: str
    recall_id: UUID | None
    nothing_known: bool
    degraded: list[str]
    withheld: str


class Use(BaseModel):
    """What became of one report."""

    memory: UUID
    outcome: str
    result: str


class Reported(BaseModel):
    """What became of each."""

    results: list[Use]


class Told(BaseModel):
    """A memory as it stood in a chain of values."""

    id: UUID
    content: str
    standing: str
    since: datetime
    trust: float


class FormerText(BaseModel):
    """What it said before."""

    content: str
    replaced_at: datetime
    reason: str


class HistoryTold(BaseModel):
    """What a memory said before, what it replaced and what replaced it, oldest first."""

    versions: list[FormerText]
    chain: list[Told]


class LinkTold(BaseModel):
    """A link to another memory."""

    type: str
    other: UUID
    weight: float


class WhyTold(BaseModel):
    """Where a memory comes from."""

    memory: Told
    kind: str
    provenance: str
    speaker: str
    session: str
    occurred_at: datetime
    said: str | None = Field(description="The turn it was made of; none: not yours to see.")
    links: list[LinkTold]


class Conflict(BaseModel):
    """Two values of one concept that cannot both hold."""

    id: UUID
    entity: str
    concept: str
    older: Told
    newer: Told
    reason: str


class Conflicts(BaseModel):
    """What waits for a person."""

    results: list[Conflict]


class Observed(BaseModel):
    """What the report came to."""

    verified: int = Field(description="Facts whose mark looks as it did: they hold.")
    moved: int = Field(description="Facts whose mark moved: doubt them until somebody has looked.")
    opened: list[UUID] = Field(description="New items of the verify-first queue.")
    skipped: list[str] = Field(description="What no fingerprint could be taken of.")
