"""What is read of a stored memory to build what stands beside it: the part of its row that tells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memories.candidates import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A stored memory, as far as it tells of whom and what it speaks."""

    id: UUID
    content: str
    kind: str
    card: str
    classification: int
    provenance: str
    speaker: str
    entities: tuple[str, ...]
    entity_key: str | None
    concept_key: str | None
    value: str | None
    version: int  #: above 1: its text was refined in place
    session: str
    document_id: UUID | None
    content_hash: bytes
    person: str = ""  #: whose it is; empty: common


def read_told(rows: Iterable[Mapping[str, Any]]) -> list[Told]:
    """Return the rows of `find_told`, in their order."""
    return [
        Told(**{**row, "entities": tuple(row["entities"]), "content_hash": bytes(row["content_hash"])})
        for row in rows
    ]


def foretell(memory_id: UUID, candidate: Candidate) -> Told:
    """Return what a row that was made of the candidate tells, before it is read back."""
    draft = candidate.draft
    return Told(
        id=memory_id, content=draft.content, kind=draft.kind, card=draft.card,
        classification=draft.audience.classification, provenance=draft.provenance, speaker=draft.speaker,
        entities=tuple(draft.entities), entity_key=draft.entity_key, concept_key=draft.concept_key,
        value=draft.value, version=1, session=draft.session, document_id=draft.document_id,
        content_hash=candidate.content_hash, person=draft.audience.person,
    )  # fmt: skip
