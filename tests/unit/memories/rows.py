"""Candidates and neighbours for tests: whole ones, with only what matters said."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import numpy as np

from memories.candidates.candidate import Audience, Candidate, Draft, Neighbour, Terms, hash_content
from memories.domain.kinds import KINDS
from memories.extraction.note_drafts import believe

MARCH = datetime(2026, 3, 5, 9, tzinfo=UTC)
ADA = UUID("018f0000-0000-7000-8000-00000000ada0")


def audience(**changes: Any) -> Audience:
    """Return Ada's private audience, internal, without a project, with these changes."""
    plain: dict[str, Any] = {
        "agent_id": ADA, "project_id": None, "shared": False, "domain": "", "classification": 1,
    }  # fmt: skip
    return Audience(**plain | changes)


def _common(content: str, kind: str, given: dict[str, Any]) -> dict[str, Any]:
    provenance = given.get("provenance", "user_stated")
    return {
        "content": content, "kind": kind, "card": KINDS[kind].card, "audience": audience(),
        "provenance": provenance, "trust": believe(provenance, 0.9), "occurred_at": MARCH,
        "occurred_resolved": True, "effective_at": MARCH,
    } | given  # fmt: skip


def candidate(content: str, kind: str = "finding", **given: Any) -> Candidate:
    """Return a candidate of this text."""
    draft = Draft(**_common(content, kind, {"confidence": 0.9} | given))
    return Candidate(
        draft=draft,
        content_hash=hash_content(content),
        space="test",
        vector=np.zeros(3, dtype=np.float32),
        terms=Terms(frequency={}, length=1),
    )


def neighbour(content: str, kind: str = "finding", **given: Any) -> Neighbour:
    """Return a stored row of this text."""
    plain = {
        "id": uuid4(), "standing": 0, "last_verified_at": MARCH, "version": 1,
        "content_hash": hash_content(content),
    }  # fmt: skip
    return Neighbour(**plain | _common(content, kind, given))
