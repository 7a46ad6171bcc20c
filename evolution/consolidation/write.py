"""Write a pattern with what it was worded of, in one transaction (SPEC E-03, M-08)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import F

from evolution.consolidation.plan import Job
from evolution.consolidation.synthesis import Synthesis
from evolution.models import Consolidation
from memories.access import TextForgotten
from memories.candidates import Draft, index_drafts
from memories.curation import audience_of, derive, give_back, refine
from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.entity_resolution import build_beside_memories
from memories.extraction import automatic_tags
from memories.language import find_entities
from memories.models import Lineage, Memory
from memories.reconciliation import CURRENT
from memories.vectors import active_embedder, other_embedders
from security import audit
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

PATTERN: Final = "pattern"
FINDING: Final = "finding"
REASON: Final = "findings on one matter"
TOO_FEW: Final = "too few of its findings hold"

MOST_KEYWORDS: Final = 12
MOST_ENTITIES: Final = 16
"""Keywords and entities of a pattern: those that most of its findings have. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a pattern is made of, as it was read."""

    new: tuple[Memory, ...]  #: findings that are to go into it, oldest first
    told: tuple[Memory, ...]  #: these and the ones that the pattern stands for already, oldest first
    pattern: Memory | None

    def replaced_by(self, said: Synthesis) -> tuple[Memory, ...]:
        """Return the findings that stand back for what was said; what no reader could name never does."""
        return tuple(row for row in self.new if row.kind == FINDING) if said.replaces else ()


def read_material(job: Job) -> Material | None:
    """Return the rows of a job, None when one of them is not as planned. To be called in `unit_of_work`."""
    new = _rows(job.findings)
    if len(new) != len(job.findings) or any(row.standing != CURRENT or row.archived_at for row in new):
        return None
    if job.pattern_id is None:
        return Material(new=new, told=new, pattern=None)
    pattern: Memory | None = Memory.objects.filter(
        id=job.pattern_id, standing=CURRENT, archived_at=None, consolidations__undone_at=None
    ).first()
    if pattern is None:
        return None
    under = Lineage.objects.filter(child_id=pattern.id).values_list("parent_id", flat=True)
    former = [row for row in _rows(under) if _holds(row, pattern)]
    told = sorted((*former, *new), key=lambda row: (row.created_at, row.id))
    return Material(new=new, told=tuple(told), pattern=pattern)


def write_pattern(material: Material, said: Synthesis, *, now: datetime) -> bool:
    """
    Store what was worded, if nothing of its material has changed since; return whether it was stored.

    Nor is it when a person had this very text forgotten. Embeds: never to be called in a transaction. Raises
    HomesMoved.
    """
    try:
        return _write(material, said, now)
    except TextForgotten:
        return False


def _write(material: Material, said: Synthesis, now: datetime) -> bool:
    embedder = active_embedder()
    [candidate] = index_drafts([_draft(material, said.content)], embedder=embedder, others=other_embedders())
    calibration = embedder.calibration("passage-passage")
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        if not _is_as_read(material):
            return False
        if material.pattern is None:
            made = derive(
                candidate, material.new, replaced=material.replaced_by(said), quoted=said.quoted,
                calibration=calibration, reason=REASON, now=now,
            )  # fmt: skip
            _record(made, said, now)
        else:
            made = material.pattern.id
            refine(
                material.pattern, candidate, material.new, replaced=material.replaced_by(said),
                quoted=said.quoted, calibration=calibration, reason=REASON, now=now,
            )  # fmt: skip
            _record_growth(made, said, now)
        build_beside_memories([made], now=now)  # with it, so that no death in between leaves it bare
    return True


def dissolve(material: Material, *, now: datetime) -> bool:
    """Archive a pattern of which too few findings hold; return whether it was as it was read."""
    pattern = material.pattern
    assert pattern is not None
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        if not _is_as_read(material):
            return False
        given_back = give_back(pattern, now=now)
        audit.append(
            "memory.dissolve", object_type="memory", object_id=pattern.id, now=now, reason=TOO_FEW,
            detail={"sources": [str(source) for source in given_back]}, classification=pattern.classification,
        )  # fmt: skip
    return True


def _holds(row: Memory, pattern: Memory) -> bool:
    """Tell whether a finding still says what its pattern rests on."""
    stands = row.standing == CURRENT or row.superseded_by_id == pattern.id
    return stands and row.archived_at is None and row.valid_until is None


def _rows(ids: Iterable[UUID]) -> tuple[Memory, ...]:
    found = Memory.objects.select_related("document").filter(id__in=list(ids))
    return tuple(found.order_by("created_at", "id"))


def _is_as_read(material: Material) -> bool:
    """Tell, under the lock, whether the rows still say and are what they were."""
    read = [*material.new, *([material.pattern] if material.pattern else [])]
    now = {row.id: row for row in Memory.objects.filter(id__in=[row.id for row in read])}
    if not all(row.id in now and _mark(now[row.id]) == _mark(row) for row in read):
        return False
    pattern = material.pattern
    return pattern is None or Consolidation.objects.filter(pattern_id=pattern.id, undone_at=None).exists()


def _mark(row: Memory) -> tuple[object, ...]:
    return (row.standing, row.archived_at, row.version, bytes(row.content_hash), audience_of(row), row.trust)


def _draft(material: Material, content: str) -> Draft:
    """Return the pattern's draft: of what it rests on the highest class, weakest origin and lowest trust."""
    rows = [*material.told, *([material.pattern] if material.pattern else [])]
    first = material.pattern or _owner(material.new)
    keywords = _most_had((row.keywords for row in material.told), MOST_KEYWORDS)
    named = (*find_entities(content), *_most_had((row.entities for row in material.told), MOST_ENTITIES))
    return Draft(
        content=content,
        kind=PATTERN,
        card=KINDS[PATTERN].card,
        audience=replace(audience_of(first), classification=max(row.classification for row in rows)),
        confidence=min(row.confidence for row in rows),
        provenance=min((row.provenance for row in rows), key=PROVENANCE_WEIGHT.__getitem__),
        trust=min(row.trust for row in rows),
        occurred_at=max(row.occurred_at for row in material.told),
        occurred_resolved=False,
        effective_at=max(row.effective_at for row in material.told),
        keywords=keywords,
        tags=automatic_tags(keywords),
        manual_tags=tuple(dict.fromkeys(tag for row in material.told for tag in row.manual_tags)),
        entities=tuple(dict.fromkeys(named))[:MOST_ENTITIES],
        importance=max(row.importance for row in rows),
        layer=first.layer,
    )


def _owner(rows: Sequence[Memory]) -> Memory:
    """Return the finding whose owner the pattern gets: the oldest that has one."""
    return next((row for row in rows if row.agent_id is not None), rows[0])


def _most_had(lists: Iterable[Sequence[str]], most: int) -> tuple[str, ...]:
    counts = Counter(name for names in lists for name in dict.fromkeys(names))
    return tuple(name for name, _ in counts.most_common(most))


def _record(pattern_id: UUID, said: Synthesis, now: datetime) -> None:
    Consolidation(
        pattern_id=pattern_id, made_by=said.made_by, cites=_cites(said), made_at=now,
        tokens_in=said.spent.tokens_in, tokens_out=said.spent.tokens_out,
    ).save(force_insert=True)  # fmt: skip


def _record_growth(pattern_id: UUID, said: Synthesis, now: datetime) -> None:
    Consolidation.objects.filter(pattern_id=pattern_id).update(
        made_by=said.made_by, cites=_cites(said), grown_at=now,
        tokens_in=F("tokens_in") + said.spent.tokens_in, tokens_out=F("tokens_out") + said.spent.tokens_out,
    )  # fmt: skip


def _cites(said: Synthesis) -> list[list[str]]:
    return [[str(memory_id) for memory_id in ids] for ids in said.cites]
