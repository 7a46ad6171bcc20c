"""Store: write what connect decided, in one transaction under the tenant's lock (SPEC W-15)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import F

from memories.calibration import Calibration
from memories.candidate import Candidate, Draft, Neighbour, Terms, hash_content
from memories.connect import CONTENDER, CURRENT, SUPERSEDED, Action, Decision, decide
from memories.embedders.base import Vectors
from memories.locks import LockNamespace, lock_tenant
from memories.models import Memory, MemoryVersion, Usage
from memories.neighbours import Surroundings, look_around, read_version, vector_text
from memories.queries import run
from memories.relate import NewLink, link_neighbours, link_turns, write_links
from memories.searched import terms_of
from memories.surprise import measure_novelty
from security import audit
from tenants.models import new_id

GUESSED: Final = "agent_inferred"

MOST_FREQUENT: Final = 32_767
"""The highest frequency a posting holds (smallint); BM25 saturates long before."""


class NeighbourhoodMoved(RuntimeError):
    """Others stored in between, and what is to be merged now is not embedded yet. Decide again outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A candidate with what was decided about it outside the transaction, and on what grounds."""

    candidate: Candidate
    decision: Decision
    surroundings: Surroundings
    merged_vector: Vectors | None = None  #: of decision.content


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a candidate."""

    memory_id: UUID  #: the new row, or the one that stood already
    decision: Decision
    redone: bool  #: the neighbourhood had moved, so it was decided again under the lock
    links: int  #: those that everybody who may see the memory may see, too


def store(
    planned: Sequence[Planned], *, calibration: Calibration, now: datetime, may_merge: bool = True
) -> tuple[Stored, ...]:
    """
    Write what was planned, deciding again whatever was decided on a neighbourhood that has moved since.

    To be called inside `unit_of_work` as the pipeline; embeds nothing and calls nobody. Raises
    NeighbourhoodMoved when only a look from outside helps; with may_merge off it keeps apart instead.
    """
    lock_tenant(LockNamespace.STORE)
    return tuple(_store_one(plan, calibration, now, may_merge=may_merge) for plan in planned)


def _store_one(plan: Planned, calibration: Calibration, now: datetime, *, may_merge: bool) -> Stored:
    moved = read_version() != plan.surroundings.version
    if moved:
        plan = _decide_again(plan, calibration, may_merge=may_merge)
    decision = plan.decision
    if decision.action in (Action.SKIP, Action.REINFORCE):
        memory_id, links = _reinforce(plan, now), 0
    elif decision.action is Action.MERGE:
        memory_id, links = _merge(plan, now), 0
    else:
        memory_id, links = _create(plan, now)
    return Stored(memory_id=memory_id, decision=decision, redone=moved, links=links)


def _decide_again(plan: Planned, calibration: Calibration, *, may_merge: bool) -> Planned:
    surroundings = look_around(plan.candidate, calibration=calibration)
    decision = decide(plan.candidate, surroundings.neighbours)
    if decision.action is Action.MERGE and decision.content != plan.decision.content:
        if not may_merge:
            reason = f"kept apart, the neighbourhood moved too often: {decision.reason}"
            apart = Decision(action=Action.CREATE, reason=reason)
            return replace(plan, decision=apart, surroundings=surroundings)
        raise NeighbourhoodMoved(NeighbourhoodMoved.__doc__)
    return replace(plan, decision=decision, surroundings=surroundings)


def _create(plan: Planned, now: datetime) -> tuple[UUID, int]:
    """Write a new memory with its vector, postings and links, and mark what it supersedes."""
    candidate, decision = plan.candidate, plan.decision
    draft = candidate.draft
    memory_id = new_id()
    Memory(**_columns(memory_id, plan, now)).save(force_insert=True)
    rank, is_live = draft.audience.classification, decision.standing == CURRENT
    # Storing is the first access. What was said long ago and loaded today is not stale for that: when it was
    # said is another axis (counted as access it cost 4 points of R@10 on one LoCoMo conversation).
    Usage(memory_id=memory_id, last_accessed_at=now, classification=rank).save(force_insert=True)
    _write_vector(memory_id, candidate.space, candidate.vector, rank)
    _write_postings(memory_id, candidate.terms, rank, live=is_live)
    gone = _supersede(decision.superseded, by=memory_id, now=now)
    _demote(decision.demoted, now=now)
    links = [
        *link_neighbours(memory_id, candidate, [n for n in plan.surroundings.neighbours if n.id not in gone]),
        *link_turns(memory_id, draft),
        *_link_rivals(memory_id, draft, decision),
    ]
    write_links(links, now=now)
    told = [link for link in links if link.classification <= rank]
    _move_stat(rank, documents=int(is_live), length=candidate.terms.length if is_live else 0)
    _note("memory.create", memory_id, draft, decision, now)
    return memory_id, len(told)


def _columns(memory_id: UUID, plan: Planned, now: datetime) -> dict[str, Any]:
    candidate, decision = plan.candidate, plan.decision
    draft = candidate.draft
    late = decision.standing == SUPERSEDED
    return {
        "id": memory_id, "content": draft.content, "kind": draft.kind, "card": draft.card,
        "standing": decision.standing, "classification": draft.audience.classification,
        "project_id": draft.audience.project_id, "agent_id": draft.audience.agent_id,
        "shared": draft.audience.shared, "domain": draft.audience.domain, "layer": draft.layer,
        "concept_key": draft.concept_key, "entity_key": draft.entity_key, "value": draft.value,
        "cardinality": draft.cardinality, "keywords": list(draft.keywords), "tags": list(draft.tags),
        "manual_tags": list(draft.manual_tags), "entities": list(draft.entities),
        "importance": draft.importance, "confidence": draft.confidence, "provenance": draft.provenance,
        "trust": draft.trust, "assigned_by": draft.assigned_by, "capture_id": draft.capture_id,
        "session": draft.session, "turn": draft.turn, "speaker": draft.speaker,
        "content_hash": candidate.content_hash, "created_at": now, "occurred_at": draft.occurred_at,
        "occurred_resolved": draft.occurred_resolved, "effective_at": draft.effective_at,
        "superseded_at": now if late else None, "superseded_by_id": decision.superseded_by if late else None,
        "valid_from": draft.valid_from, "valid_until": draft.valid_until,
        "last_verified_at": min(draft.effective_at, now), "updated_at": now,
        "metadata": _metadata(draft, plan.surroundings.neighbours),
    }  # fmt: skip


def _metadata(draft: Draft, neighbours: Sequence[Neighbour]) -> dict[str, Any]:
    """Return what the draft carries, and what the write track notes for itself."""
    noted = {"novelty": round(measure_novelty(draft, neighbours), 3)}
    return {**draft.metadata, **noted, **({} if draft.zone == "UTC" else {"timezone": draft.zone})}


def _supersede(rows: Sequence[Neighbour], *, by: UUID, now: datetime) -> set[UUID]:
    """Mark the rows and take them out of search; return which."""
    if not rows:
        return set()
    marked = run("supersede_memories", now=now, by=by, memories=[near.id for near in rows])
    gone = {row["id"] for row in marked}
    for near in rows:
        if near.id in gone:
            _retire(near)
            audit.append(
                "memory.supersede", object_type="memory", object_id=near.id, now=now,
                detail={"by": str(by)}, classification=near.audience.classification,
            )  # fmt: skip
    return gone


def _demote(rows: Sequence[Neighbour], *, now: datetime) -> None:
    """Make current rows contenders: they wait in arbitration and are shown inside the alert only."""
    if not rows:
        return
    Memory.objects.filter(id__in=[near.id for near in rows]).update(standing=CONTENDER, updated_at=now)
    for near in rows:
        _retire(near)


def _retire(near: Neighbour) -> None:
    """Take a row out of search and out of the sizes that search counts with; a contender is out already."""
    if near.standing == CURRENT:
        _drop_postings("retire", near)
        _move_stat(near.audience.classification, documents=-1, length=-terms_of(near).length)


def _merge(plan: Planned, now: datetime) -> UUID:
    """Give the target its refined text, keep the former one, and rebuild what search reads."""
    decision, candidate = plan.decision, plan.candidate
    near, content = decision.target, decision.content
    assert near is not None
    assert content is not None
    assert plan.merged_vector is not None
    draft, rank = candidate.draft, near.audience.classification
    merged = replace(
        near,
        content=content,
        keywords=_union(near.keywords, draft.keywords),
        tags=_union(near.tags, draft.tags),
        manual_tags=_union(near.manual_tags, draft.manual_tags),
        entities=_union(near.entities, draft.entities),
    )
    MemoryVersion(
        memory_id=near.id, version=near.version, content=near.content, replaced_at=now,
        reason=f"merged: {decision.reason}", classification=rank,
    ).save(force_insert=True)  # fmt: skip
    Memory.objects.filter(id=near.id).update(
        content=content, content_hash=hash_content(content), keywords=list(merged.keywords),
        tags=list(merged.tags), manual_tags=list(merged.manual_tags), entities=list(merged.entities),
        version=F("version") + 1, updated_at=now,
    )  # fmt: skip
    _touch(near.id, draft, now)
    before, after = terms_of(near), terms_of(merged)
    _drop_postings("delete", near)
    _write_postings(near.id, after, rank)
    _write_vector(near.id, candidate.space, plan.merged_vector, rank)
    _move_stat(rank, documents=0, length=after.length - before.length)
    _note("memory.merge", near.id, draft, decision, now)
    return near.id


def _reinforce(plan: Planned, now: datetime) -> UUID:
    near = plan.decision.target
    assert near is not None
    _touch(near.id, plan.candidate.draft, now)
    _note("memory.reinforce", near.id, plan.candidate.draft, plan.decision, now)
    return near.id


def _touch(memory_id: UUID, draft: Draft, now: datetime) -> None:
    """Note on a row that it was said again; only a word from outside the agent verifies it (SPEC W-17)."""
    run(
        "reinforce_memory",
        memory=memory_id,
        outside=draft.provenance != GUESSED,
        said_at=min(draft.effective_at, now),
        capture=str(draft.capture_id) if draft.capture_id else None,
        now=now,
    )


def _write_vector(memory_id: UUID, space: str, vector: Vectors, rank: int) -> None:
    run("write_embedding", space=space, memory=memory_id, classification=rank, vector=vector_text(vector))


def _write_postings(memory_id: UUID, terms: Terms, rank: int, *, live: bool = True) -> None:
    run(
        "insert_postings",
        memory=memory_id,
        terms=list(terms.frequency),
        frequencies=[min(count, MOST_FREQUENT) for count in terms.frequency.values()],
        length=terms.length,
        classification=rank,
        live=live,
    )


def _drop_postings(way: str, near: Neighbour) -> None:
    """Retire or delete a memory's postings by its terms; by a walk when they were cut by other rules once."""
    dropped = run(f"{way}_postings", memory=near.id, terms=list(terms_of(near).frequency))[0]
    if dropped["met"] != dropped["length"]:
        run(f"{way}_all_postings", memory=near.id)


def _move_stat(rank: int, *, documents: int, length: int) -> None:
    run("move_stat", classification=rank, documents=documents, length=length)


def _link_rivals(memory_id: UUID, draft: Draft, decision: Decision) -> Iterable[NewLink]:
    """Yield the links to what a new state supersedes or contradicts."""
    pairs = [("supersedes", memory_id, near.id) for near in decision.superseded]
    if decision.action is Action.COEXIST and decision.target is not None:
        if decision.superseded_by:
            pairs.append(("supersedes", decision.target.id, memory_id))
        else:
            pairs.append(("contradicts", memory_id, decision.target.id))
    for name, source, target in pairs:
        yield NewLink(
            source=source, target=target, type=name, weight=1.0, confidence=1.0,
            classification=draft.audience.classification,
        )  # fmt: skip


def _note(action: str, memory_id: UUID, draft: Draft, decision: Decision, now: datetime) -> None:
    detail = {
        "decision": decision.action.value,
        "kind": draft.kind,
        "provenance": draft.provenance,
        "capture": str(draft.capture_id) if draft.capture_id else None,
        "agent": str(draft.audience.agent_id) if draft.audience.agent_id else None,
    }
    audit.append(
        action, object_type="memory", object_id=memory_id, now=now, detail=detail, reason=decision.reason,
        classification=draft.audience.classification,
    )  # fmt: skip


def _union(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
