"""Store a conclusion with what it rests on, in one transaction (SPEC E-10, M-08)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from evolution.reasoning.conclusion import Conclusion
from evolution.reasoning.premises import Premise
from memories.access import TextForgotten
from memories.candidates import Candidate, Draft, index_drafts
from memories.curation import audience_of, derive
from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.entity_resolution import build_beside_memories
from memories.extraction import automatic_tags
from memories.language import find_entities, keywords
from memories.models import Memory
from memories.reconciliation import CURRENT
from memories.storage import CONCLUSION
from memories.vectors import HomesMoved, active_embedder, other_embedders
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

KIND: Final = {"deduction": "finding", "induction": "pattern"}
"""As what a conclusion is remembered: one thing that is so, or what is so in several cases."""

IMPORTANCE: Final = 2
"""Below what is stated, 3. Ours."""

MOST_ENTITIES: Final = 8


def write_conclusion(said: Conclusion, premises: Mapping[UUID, Premise], *, now: datetime) -> UUID | None:
    """
    Store a conclusion if its premises are as they were read; return its id, None when it was not stored.

    Nor is it when a person had this very text forgotten. Embeds: never to be called in a transaction.
    """
    try:
        return _write(said, premises, now)
    except HomesMoved:
        return _write(said, premises, now)
    except TextForgotten:
        return None


def _write(said: Conclusion, premises: Mapping[UUID, Premise], now: datetime) -> UUID | None:
    with unit_of_work():
        rows = _read(said)
    if not _are_as_read(rows, said, premises):
        return None
    embedder = active_embedder()
    [candidate] = index_drafts([_draft(said, rows)], embedder=embedder, others=other_embedders())
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        rows = _read(said)
        if not _are_as_read(rows, said, premises) or _is_said(candidate, said):
            return None
        made = derive(
            candidate, rows, replaced=(), quoted=None, calibration=embedder.calibration("passage-passage"),
            reason=f"{said.way} from {len(rows)} memories", now=now,
        )  # fmt: skip
        build_beside_memories([made], now=now)
    return made


def _read(said: Conclusion) -> list[Memory]:
    return list(Memory.objects.select_related("document").filter(id__in=said.premises).order_by("id"))


def _are_as_read(rows: Sequence[Memory], said: Conclusion, premises: Mapping[UUID, Premise]) -> bool:
    """Tell whether the premises still say what was reasoned with, to the same readers."""
    return len(rows) == len(set(said.premises)) and all(
        row.standing == CURRENT and row.archived_at is None and row.mode == "assertion"
        and row.version == premises[row.id].version and audience_of(row) == premises[row.id].audience
        and row.valid_from == premises[row.id].valid_from and row.valid_until == premises[row.id].valid_until
        for row in rows
    )  # fmt: skip


def _is_said(candidate: Candidate, said: Conclusion) -> bool:
    """Tell whether somebody states the same in the same words, where the conclusion's readers may see it."""
    same = Memory.objects.filter(content_hash=candidate.content_hash, standing=CURRENT, archived_at=None)
    return any(audience_of(row).covers(said.audience) for row in same)


def _draft(said: Conclusion, rows: Sequence[Memory]) -> Draft:
    """Return its draft: the highest class, the weakest origin, at most the lowest trust of its premises."""
    searched = keywords(said.text)
    named = (*said.names, *find_entities(said.text))
    return Draft(
        content=said.text,
        kind=KIND[said.way],
        card=KINDS[KIND[said.way]].card,
        audience=replace(said.audience, classification=max(row.classification for row in rows)),
        confidence=said.confidence,
        provenance=min((row.provenance for row in rows), key=PROVENANCE_WEIGHT.__getitem__),
        trust=min(said.confidence, *(row.trust for row in rows)),
        occurred_at=max(row.occurred_at for row in rows),
        occurred_resolved=False,
        effective_at=max(row.effective_at for row in rows),
        keywords=searched,
        tags=automatic_tags(searched),
        entities=tuple(dict.fromkeys(named))[:MOST_ENTITIES],
        importance=IMPORTANCE,
        layer=rows[0].layer,
        valid_from=said.valid_from,
        valid_until=said.valid_until,
        metadata={
            CONCLUSION: {"key": said.key, "way": said.way, "by": said.made_by, "rule": said.rule},
        },
    )  # fmt: skip
