"""
Give memories that were stored in a reader's words those of their capture (SPEC K-01).

The former text stays beside the span as its note, and as a version. What has no capture any more, or none
that shares a word with it, stays as it is; that it is no span is told by the missing one.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.candidates import Candidate, Draft, index_drafts
from memories.curation.corrections import as_neighbour
from memories.domain import CARDS
from memories.extraction import Row, cut_rows
from memories.language import words
from memories.models import Memory
from memories.reconciliation import Action, Decision
from memories.storage import Planned, Surroundings, read_version, store
from memories.vectors import active_embedder, other_embedders
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

REASON: Final = "given the words of its capture"

_DERIVED: Final = "meta"


def find_reworded() -> list[UUID]:
    """Return the memories of captures that are no span of them, oldest first; passages and lessons aside."""
    with unit_of_work():
        found = Memory.objects.filter(span_start=None, capture_id__isnull=False, document_id=None)
        return list(found.exclude(kind=_DERIVED).order_by("created_at", "id").values_list("id", flat=True))


def rederive(memory_id: UUID, *, now: datetime) -> bool:
    """
    Give a memory the words of its capture, as the pipeline; return whether there were any.

    Embeds before it stores. Raises HomesMoved when the tenant's vectors moved meanwhile.
    """
    with unit_of_work():
        row = Memory.objects.select_related("capture", "document").get(id=memory_id)
        said = row.capture.text
    span = _find_span(row.content, said)
    if span is None:
        return False
    content = said[slice(*span)]
    if content == row.content:
        with unit_of_work():
            Memory.objects.filter(id=row.id).update(span_start=span[0], span_end=span[1])
        return True
    embedder = active_embedder()
    draft = replace(_draft_of(row), content=content, span=span, note=row.content)
    candidates = index_drafts([draft], embedder=embedder, others=other_embedders())
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        if Memory.objects.get(id=row.id).content != row.content:
            return False
        _store(row, candidates[0], now)
    return True


def _store(row: Memory, candidate: Candidate, now: datetime) -> None:
    draft = candidate.draft
    assert draft.span is not None
    merged = Decision(action=Action.MERGE, reason=REASON, content=draft.content, target=as_neighbour(row))
    plan = Planned(
        candidate=candidate, decision=merged,
        surroundings=Surroundings(neighbours=(), past=(), version=read_version(row.classification)),
    )  # fmt: skip
    store([plan], calibration=active_embedder().calibration("passage-passage"), now=now)
    start, end = draft.span
    Memory.objects.filter(id=row.id).update(span_start=start, span_end=end)


def _find_span(content: str, said: str) -> tuple[int, int] | None:
    """Return where a memory's text stands in its capture, else the row that shares most words with it."""
    if (start := said.find(content)) >= 0:
        return start, start + len(content)
    mine = set(words(content))
    rows: Sequence[Row] = cut_rows(said, ())
    common = [len(mine & set(words(said[row.start : row.end]))) for row in rows]
    if not common or max(common) == 0:
        return None
    best = rows[common.index(max(common))]
    return best.start, best.end


def _draft_of(row: Memory) -> Draft:
    near = as_neighbour(row)
    return Draft(
        content=near.content, kind=near.kind, card=CARDS[near.card], audience=near.audience,
        confidence=row.confidence, provenance=near.provenance, trust=near.trust,
        occurred_at=near.occurred_at, occurred_resolved=near.occurred_resolved,
        effective_at=near.effective_at, concept_key=near.concept_key, entity_key=near.entity_key,
        value=near.value, cardinality=near.cardinality, keywords=near.keywords, tags=near.tags,
        manual_tags=near.manual_tags, entities=near.entities, session=near.session, turn=near.turn,
        speaker=near.speaker, zone=near.zone, capture_id=row.capture_id,
    )  # fmt: skip
