"""
Draw the lines from a derived memory to what it rests on (SPEC M-08, W-17).

The database holds what is derived to its sources, over any depth; here it is only said which they are.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.candidates import Candidate, Draft, Neighbour
from memories.models import Lineage, Memory
from memories.recall_log import recall_log
from memories.reconciliation import GUESSED, find_sources, is_tools, may_echo
from security.patterns import bounded

_ID: Final = bounded(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)

NAMES: Final = ("memory", "memory_id", "id")
"""Keys of a reference that is an object under which a memory's id is looked for."""


def find_references(references: Iterable[Mapping[str, Any] | str]) -> tuple[UUID, ...]:
    """Return the ids of the memories that a capture's references name, in their order."""
    found: dict[UUID, None] = {}
    for reference in references:
        texts = [reference] if isinstance(reference, str) else [reference.get(name) for name in NAMES]
        for text in texts:
            found |= dict.fromkeys(UUID(match[0]) for match in _ID.finditer(str(text or "")))
    return tuple(found)


def mark_recalled(draft: Draft, found: Sequence[Neighbour]) -> list[Neighbour]:
    """Return the rows, those that the draft's agent was shown marked with the sessions it was in."""
    if draft.verbatim or not may_echo(draft.provenance):
        return list(found)  # who says it was there: what they were shown plays no part
    shown = recall_log().sessions_of(draft.audience.agent_id, [near.id for near in found])
    return [replace(near, recalled_in=shown.get(near.id, frozenset())) for near in found]


def rest_on_sources(
    memory_id: UUID, candidate: Candidate, neighbours: Sequence[Neighbour], *, now: datetime
) -> None:
    """
    Let a new note of an agent rest on what it was made of: rows near it that the agent was shown or wrote,
    and those it names itself, if it was shown them. To be called inside store's transaction.
    """
    draft = candidate.draft
    sources = {near.id for near in find_sources(candidate, neighbours)}
    if (draft.provenance == GUESSED or is_tools(draft)) and not draft.verbatim:
        sources |= _named(draft)
    rest_on(memory_id, sources - {memory_id}, now=now, classification=draft.audience.classification)


def rest_on(memory_id: UUID, sources: Iterable[UUID], *, now: datetime, classification: int) -> None:
    """
    Note that a memory rests on others; the database lowers its trust and raises its class to theirs.

    Raises DatabaseError when one of them rests on it, or is not there.
    """
    for source in sorted(sources):
        Lineage(
            child_id=memory_id, parent_id=source, created_at=now, classification=classification
        ).save(force_insert=True)  # fmt: skip


def _named(draft: Draft) -> set[UUID]:
    """Return the memories that the draft names and its agent knows: one is not classed by guessing ids."""
    if not draft.references:
        return set()
    shown = recall_log().sessions_of(draft.audience.agent_id, draft.references)
    own = Memory.objects.filter(id__in=draft.references, agent_id=draft.audience.agent_id)
    return set(shown) | set(own.values_list("id", flat=True))
