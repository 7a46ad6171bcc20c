"""
A person corrects what is remembered (SPEC W-18).

The correction is a new row at trust 1.0 that supersedes the old one, which stays as history. A lesson is
drawn only from a correction that says why the old one was wrong and what to check.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from memories.access import GATE, REASON, TextForgotten
from memories.candidates import Audience, Candidate, Draft, Neighbour, index_drafts, voice_of
from memories.domain import CARDS, KINDS, Trace
from memories.entity_resolution import build_beside_memories
from memories.extraction import automatic_tags, believe, draft_lesson, end_of, rest_on, with_end_of_words
from memories.gates import GateRefused, screen_text
from memories.ingestion import BadCapture, check_text
from memories.language import find_entities, keywords, strip_guess
from memories.llms import LONGEST_CONTENT, LONGEST_FIELD
from memories.models import Memory
from memories.reconciliation import SUPERSEDED, Action, Decision, same_concept
from memories.storage import (
    MemoryView,
    NewLink,
    Planned,
    Stored,
    get_memory,
    look_around,
    store,
    within_sight,
    write_links,
)
from memories.vectors import HomesMoved, active_embedder, other_embedders
from security import audit
from security.patterns import bounded
from security.screening.secrets import redact
from tenants.rights import require_person, require_right
from tenants.scope import NotFound, Viewer, acting_for, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

CORRECTION: Final = "user_correction"


class CorrectedOtherwise(RuntimeError):
    """This memory was superseded already, by something else. Correct the memory that stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is right instead; content or value, or both. A state whose value alone is given is reworded."""

    content: str | None = None
    value: str | None = None
    reason: str = ""  #: for the audit trail
    cause: str = ""  #: why the old one was wrong
    check: str = ""  #: what to check another time


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The memory that stands now."""

    memory: MemoryView
    repeated: bool  #: the same correction was made before; nothing was written
    lesson_id: UUID | None = None


def correct_memory(memory_id: UUID, correction: Correction, *, now: datetime) -> Corrected:
    """
    Let a person's word take the place of a memory; the same correction again changes nothing.

    Raises NotForAgents, NotFound, NoRight, BadCapture, GateRefused, CorrectedOtherwise.
    """
    viewer = require_person("What is true is a person's to correct")
    correction = _checked(correction)
    with unit_of_work():
        old = _one(memory_id)
    require_right(viewer, "correct", old.project_id)
    acting = acting_for(viewer)
    with tenant_scope(acting):
        right = draft_correction(old, correction, viewer, now=now)
        screen_text(right.content, Trace(), names=filter(None, [right.value]))
        former = _find_same(old, right)
        done = _Done(memory_id=former) if former else _carry_out(old, right, correction, now)
        if done.is_new:
            build_beside_memories([done.memory_id, *filter(None, [done.lesson_id])], now=now)
    with tenant_scope(replace(viewer, project_id=old.project_id)):
        memory = get_memory(done.memory_id)
    return Corrected(memory=memory, repeated=not done.is_new, lesson_id=done.lesson_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """The row that makes the correction."""

    memory_id: UUID
    is_new: bool = False
    lesson_id: UUID | None = None


def _checked(correction: Correction) -> Correction:
    """Return the correction without secrets. Raises BadCapture for what cannot be taken."""
    if correction.content is None and correction.value is None:
        raise BadCapture("content", "or value must say what is right")
    if correction.content is not None:
        longest = min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH)
        check_text("content", correction.content, longest=longest)
    if correction.value is not None:
        check_text("value", correction.value, longest=LONGEST_FIELD)
    for name in ("reason", "cause", "check"):
        text = getattr(correction, name)
        check_text(name, text, longest=settings.MAX_TEXT_LENGTH, may_be_empty=True)
    return Correction(
        content=None if correction.content is None else redact(correction.content).text.strip(),
        value=None if correction.value is None else redact(correction.value).text.strip(),
        reason=redact(correction.reason).text.strip(),
        cause=redact(correction.cause).text.strip(),
        check=redact(correction.check).text.strip(),
    )


def draft_correction(old: Memory, correction: Correction, viewer: Viewer, *, now: datetime) -> Draft:
    """Return what is right instead, in the old one's place on every axis. Raises BadCapture."""
    policy = KINDS[old.kind]
    is_state = old.card == "state"
    if correction.value is not None and not is_state:
        raise BadCapture("value", "is a state's; send the content of this one")
    content = correction.content or _reword(old, correction.value or "")
    names = keywords(content)
    right = Draft(
        content=content,
        kind=old.kind,
        card=CARDS[old.card],
        audience=audience_of(old),
        confidence=1.0,
        provenance=CORRECTION,
        trust=believe(CORRECTION, 1.0),
        occurred_at=now if is_state else old.occurred_at,
        occurred_resolved=not is_state and old.occurred_resolved,
        effective_at=now if is_state else old.effective_at,
        said_at=now,
        concept_key=old.concept_key,
        entity_key=old.entity_key,
        value=(correction.value or content)[:LONGEST_FIELD] if is_state else None,
        cardinality=old.cardinality,
        change="correction",
        keywords=names,
        tags=automatic_tags(names),
        manual_tags=tuple(old.manual_tags),
        entities=find_entities(content),
        importance=old.importance,
        assigned_by=viewer.actor_id if policy.needs_assigner else None,
        layer=old.layer,
        session=old.session,
        speaker=viewer.actor_id if old.speaker else "",
        voice=voice_of(viewer),
        corrects=True,
        valid_from=old.valid_from,
        valid_until=old.valid_until,
        document_id=old.document_id,
        passage=old.passage,
        title=old.passage_title,
        zone=old.metadata.get("timezone", "UTC"),
        reach=viewer.clearance,
    )
    # An end that was read from the old words falls with them; one that a person set stays.
    was_read = old.valid_until is not None and end_of(old.annotations, right.zone) == old.valid_until
    return with_end_of_words(right) if was_read else right


def audience_of(row: Memory) -> Audience:
    """Return whose the row is and who else may see it."""
    return Audience(
        agent_id=row.agent_id, project_id=row.project_id, shared=row.shared, domain=row.domain,
        classification=row.classification, person=row.person,
    )  # fmt: skip


def _reword(old: Memory, value: str) -> str:
    """Return the old sentence with the right value, or the value under its concept where it is not in it."""
    said, former = strip_guess(old.content), old.value or ""
    found = bounded(re.escape(former), re.IGNORECASE).search(said) if former else None
    if found is not None:
        return said[: found.start()] + value + said[found.end() :]
    about = " · ".join(name for name in (old.entity_key, old.concept_key) if name)
    return f"{about}: {value}" if about else value


def _one(memory_id: UUID) -> Memory:
    row: Memory | None = within_sight(None).select_related("document").filter(id=memory_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _find_same(old: Memory, right: Draft) -> UUID | None:
    """Return the row that makes this correction already. Raises CorrectedOtherwise for a superseded one."""
    if old.standing != SUPERSEDED:
        return None
    with unit_of_work():
        heir: Memory | None = Memory.objects.filter(id=old.superseded_by_id).first()
    if heir is None or heir.provenance != CORRECTION or heir.content != right.content:
        raise CorrectedOtherwise(CorrectedOtherwise.__doc__)
    return heir.id


def _carry_out(old: Memory, right: Draft, correction: Correction, now: datetime) -> _Done:
    """Embed and store the correction; once more when the tenant's vectors moved meanwhile."""
    try:
        return _embed_and_store(old, right, correction, now)
    except HomesMoved:
        return _embed_and_store(old, right, correction, now)
    except TextForgotten as gone:
        raise GateRefused(GATE, REASON) from gone


def _embed_and_store(old: Memory, right: Draft, correction: Correction, now: datetime) -> _Done:
    """Store the correction, and the lesson if there is one, under the lock; embed before it."""
    embedder = active_embedder()
    lesson = draft_lesson(
        right, claim=strip_guess(old.content), cause=correction.cause, check=correction.check
    )
    candidates = index_drafts(
        [right, lesson] if lesson else [right], embedder=embedder, others=other_embedders()
    )
    calibration = embedder.calibration("passage-passage")
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        former = Memory.objects.filter(id=old.id).first()
        if former is None:  # forgotten while the correction was embedded
            raise NotFound(NotFound.__doc__)
        if former.standing == SUPERSEDED:
            same = _find_same(former, right)
            assert same is not None
            return _Done(memory_id=same)
        stored = _store_in_place(candidates[0], former, calibration, now)
        _note(former, stored.memory_id, correction, now)
        if lesson is None:
            return _Done(memory_id=stored.memory_id, is_new=True)
        around = look_around(candidates[1], calibration=calibration)
        learnt = Decision(action=Action.CREATE, reason="the lesson of a correction")
        plan = Planned(candidate=candidates[1], decision=learnt, surroundings=around)
        lesson_id = store([plan], calibration=calibration, now=now)[0].memory_id
        rest_on(lesson_id, [stored.memory_id], now=now, classification=right.audience.classification)
        _link_evidence(lesson_id, stored.memory_id, right, now)
    return _Done(memory_id=stored.memory_id, is_new=True, lesson_id=lesson_id)


def _store_in_place(candidate: Candidate, former: Memory, calibration: Any, now: datetime) -> Stored:
    """Store the correction in the place of the former row and of what stands for the same concept."""
    around = look_around(candidate, calibration=calibration)
    wrong = as_neighbour(former)
    rivals = [near for near in around.neighbours if near.id != wrong.id and _falls(candidate.draft, near)]
    decision = Decision(
        action=Action.SUPERSEDE, reason="a person corrected it", target=wrong, superseded=(wrong, *rivals)
    )
    plan = Planned(candidate=candidate, decision=decision, surroundings=around)
    return store([plan], calibration=calibration, now=now)[0]


def _falls(right: Draft, near: Neighbour) -> bool:
    """Tell whether another live value falls with the wrong one: of a single-valued state all others do."""
    return right.card == "state" and right.cardinality == "single" and same_concept(right, near)


def as_neighbour(row: Memory) -> Neighbour:
    """Return a stored row as connect and store know it."""
    names = (
        "id", "content", "kind", "card", "standing", "provenance", "trust", "occurred_at",
        "occurred_resolved", "effective_at", "last_verified_at", "version", "concept_key", "entity_key",
        "value", "cardinality", "session", "turn", "speaker", "voice", "capture_id", "note", "group_id",
    )  # fmt: skip
    lists = ("keywords", "tags", "manual_tags", "entities", "annotations")
    columns: dict[str, Any] = {name: getattr(row, name) for name in names}
    return Neighbour(
        **columns | {name: tuple(getattr(row, name)) for name in lists},
        audience=audience_of(row),
        content_hash=bytes(row.content_hash),
        title=row.passage_title,
        zone=row.metadata.get("timezone", "UTC"),
        said_again="said_again" in row.metadata,
    )


def _link_evidence(lesson_id: UUID, evidence_id: UUID, right: Draft, now: datetime) -> None:
    link = NewLink(
        source=lesson_id, target=evidence_id, type="evidence", weight=1.0, confidence=1.0,
        classification=right.audience.classification,
    )  # fmt: skip
    write_links([link], now=now)


def _note(former: Memory, new_id: UUID, correction: Correction, now: datetime) -> None:
    audit.append(
        "memory.correct", object_type="memory", object_id=former.id, now=now, detail={"by": str(new_id)},
        reason=correction.reason, classification=former.classification,
    )  # fmt: skip
