"""Store: write what connect decided, in one transaction under the tenant's lock (SPEC W-15)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError
from django.db.models import F
from django.db.transaction import TransactionManagementError

from memories.access import TextForgotten, digests
from memories.calibration import LINK_ABOVE, Calibration
from memories.candidates import Candidate, Draft, Neighbour, Terms, hash_content, of_one_person, terms_of
from memories.embedders import Vectors
from memories.extraction import GUESS_CEILING, rest_on_sources
from memories.models import Memory, MemoryVersion
from memories.queries import lock_and_run, run, run_together, unit_that_runs
from memories.recall_log import recall_log
from memories.reconciliation import (
    CONTENDER,
    CURRENT,
    DECISION,
    SUPERSEDED,
    Action,
    Decision,
    DecisionQuestion,
    decide,
    find_reasons,
    is_echo,
    same_concept,
)
from memories.reconciliation.arbiters import CHANGES, JudgedNeighbour, Relation
from memories.storage.contradictions import IDLE, NO_KEY, ContradictionPair, ask, reconcile
from memories.storage.enrichment_input import Told, foretell
from memories.storage.lifecycle import demote, place_neighbour, supersede
from memories.storage.neighbours import (
    Surroundings,
    find_above,
    look_around,
    measure_novelty,
    vector_text,
)
from memories.storage.relate import (
    Crowded,
    NewLink,
    link_neighbours,
    link_turns,
    plan_links,
    read_crowded,
    search_crowded,
)
from memories.storage.trust_propagation import MAY_HAVE_CHANGED, doubt_decisions
from memories.storage.watermark_binding import bind, lies_below
from memories.vectors import Home, HomesMoved, settle_homes
from security import audit
from tenants.models import new_id
from tenants.sql import LockNamespace, Statement, to_json

STANDING: Final = frozenset({Action.SKIP, Action.REINFORCE, Action.MERGE})
"""Actions that write no new row."""

MOVING: Final = frozenset(Action) - {Action.SKIP, Action.REINFORCE}
"""Actions after which the notes of the same capture have another neighbourhood."""

GUESSED: Final = "agent_inferred"

ONE_CURRENT_TRUTH: Final = "memory_one_current_truth"
"""The unique index that holds SPEC M-05, whatever connect decided."""

UNSETTLED_FROM: Final = 0.5
"""Confidence of a verdict from which what a decision rests on may have changed. Ours: a needless look costs
less than a decision whose ground has gone."""

RESTATES: Final = "restates"
LIKENESS: Final = "similar_to"
"""Link from a statement to an earlier one that probably says the same; a sure one is a group's `restates`."""

TRUST_GAPPED: Final = "trust_gap"
CORRECTED: Final = "user_resolved"
"""Who resolved a contradiction, when it was not a person asked about it."""

MOST_FREQUENT: Final = 32_767
"""The highest frequency a posting holds (smallint); BM25 saturates long before."""


class NeighbourhoodMoved(RuntimeError):
    """A value that nobody looked at stands where one is to stand. Look and decide again from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A candidate with what was decided about it outside the transaction, and on what grounds."""

    candidate: Candidate
    decision: Decision
    surroundings: Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a candidate."""

    memory_id: UUID  #: the new row, or the one that stood already
    decision: Decision
    redone: bool  #: the neighbourhood had moved, so it was decided again under the lock
    links: int  #: those that everybody who may see the memory may see, too
    told: Told | None = None  #: what a new row tells, so that it need not be read first


@contextmanager
def store_in_unit(
    planned: Sequence[Planned], *, calibration: Calibration, now: datetime
) -> Iterator[tuple[Stored, ...]]:
    """Open a unit of work that `store`s what was planned, raising as it: both, and the lock, in one trip."""
    lock = ("hold_lock", {"namespace": int(LockNamespace.STORE)})
    with unit_that_runs([lock, *_look(planned)]) as (held, *seen):
        if not held:
            raise TransactionManagementError("The tenant in force has no row: nothing was locked.")
        yield _store(planned, seen, calibration, now)


def store(planned: Sequence[Planned], *, calibration: Calibration, now: datetime) -> tuple[Stored, ...]:
    """
    Write what was planned, deciding again whatever was decided on a neighbourhood that has moved since.

    To be called inside `unit_of_work` as the pipeline; embeds nothing and calls nobody. Raises
    NeighbourhoodMoved when only a look from outside helps, and HomesMoved when what is planned was not
    embedded for every space that is written. What a person had forgotten is left out; raises
    TextForgotten when nothing else is planned.
    """
    _, *seen = lock_and_run(LockNamespace.STORE, [("keep_plans", {}), *_look(planned)])
    return _store(planned, seen, calibration, now)


def _look(planned: Sequence[Planned]) -> list[Statement]:
    """Return what is read under the lock; as a rule nothing has moved, so it asks about links as planned."""
    near = (
        one
        for plan in planned
        if plan.decision.action not in STANDING
        for one in plan.surroundings.neighbours
    )
    crowded = search_crowded({one.id for one in near if (one.similarity or 0.0) > LINK_ABOVE})
    told = set().union(*(digests(plan.candidate.draft.content) for plan in planned))
    reach = min(plan.candidate.draft.reach for plan in planned)
    [person] = {plan.candidate.draft.audience.person for plan in planned}
    moves = {"digests": list(told), "reach": reach, "person": person}
    return [("read_moves", moves), ("read_homes", {}), *crowded]


def _store(
    planned: Sequence[Planned], seen: Sequence[list[dict[str, Any]]], calibration: Calibration, now: datetime
) -> tuple[Stored, ...]:
    moves, homes, *crowded = seen
    moved_to = [int(version) for version in moves[0]["versions"]]  # under the lock nobody moves it but we
    classes = [int(rank) for rank in moves[0]["classes"]]
    planned = _without_forgotten(planned, {bytes(digest) for digest in moves[0]["erased"]})
    _check_spaces(planned, settle_homes(now=now, found=homes))
    stored: list[Stored] = []
    for plan in planned:
        rank = plan.candidate.draft.audience.classification
        moved = sum(moved_to[: rank + 1]) != plan.surroundings.version
        moved = moved or any(one.decision.action in MOVING for one in stored)
        above = [one for one in classes if one > rank]
        full = None if moved or above else read_crowded(crowded)
        one = _store_one(plan, calibration, now, moved=moved, full=full, above=above)
        stored.append(one)
    return tuple(stored)


def _without_forgotten(planned: Sequence[Planned], erased: set[bytes]) -> Sequence[Planned]:
    """Return what may be stored. Raises TextForgotten when a person had all of it forgotten."""
    if not erased:
        return planned
    kept = [plan for plan in planned if not digests(plan.candidate.draft.content) & erased]
    if not kept:
        raise TextForgotten(TextForgotten.__doc__)
    return kept


def _check_spaces(planned: Sequence[Planned], homes: Sequence[Home]) -> None:
    """Raise HomesMoved unless each candidate was embedded for what is read and for all that is written."""
    written = {home.space for home in homes}
    for candidate in (plan.candidate for plan in planned):
        if candidate.space != homes[0].space or not written <= {candidate.space, *candidate.beside}:
            raise HomesMoved(HomesMoved.__doc__)


def _store_one(
    plan: Planned,
    calibration: Calibration,
    now: datetime,
    *,
    moved: bool,
    full: Crowded | None,
    above: Sequence[int],
) -> Stored:
    if moved:
        plan = _decide_again(plan, calibration)
    plan = _without_keys(plan) if is_echo(plan.decision) else plan
    decision, told = plan.decision, None
    if decision.action in (Action.SKIP, Action.REINFORCE):
        memory_id, links = _reinforce(plan, now), 0
    elif decision.action is Action.MERGE:
        memory_id, links = _merge(plan, now), 0
    else:
        higher = find_above(plan.candidate, above, calibration=calibration) if above else ()
        memory_id, links = _create(plan, now, full, higher)
        told = foretell(memory_id, plan.candidate)
    bind(memory_id, decision, plan.candidate.draft, now=now)
    return Stored(memory_id=memory_id, decision=decision, redone=moved, links=links, told=told)


def _without_keys(plan: Planned) -> Planned:
    """Return an echo as what it is: words that state nothing, trusted as what they repeat (W-17)."""
    target = plan.decision.target
    trust = min(plan.candidate.draft.trust, GUESS_CEILING, target.trust if target else GUESS_CEILING)
    bare = replace(
        plan.candidate.draft, provenance=GUESSED, trust=trust, kind="statement", card="event",
        entity_key=None, concept_key=None, value=None, cardinality=None, change="none",
        metadata={**plan.candidate.draft.metadata, "echo": True},
    )  # fmt: skip
    return replace(plan, candidate=replace(plan.candidate, draft=bare))


def _decide_again(plan: Planned, calibration: Calibration) -> Planned:
    surroundings = look_around(plan.candidate, calibration=calibration)
    decision = decide(plan.candidate, surroundings.neighbours, surroundings.past)
    return replace(plan, decision=decision, surroundings=surroundings)


def _create(
    plan: Planned, now: datetime, full: Crowded | None, higher: Sequence[Neighbour]
) -> tuple[UUID, int]:
    """
    Write a new memory with its vector, postings and links, after making way for it.

    higher: what lies near it above its class, to be linked for those who may see both.
    """
    candidate, decision = plan.candidate, plan.decision
    draft = candidate.draft
    memory_id = new_id()
    gone = supersede([place_neighbour(near) for near in decision.superseded], by=memory_id, now=now)
    demote([place_neighbour(near) for near in decision.demoted], now=now)
    rank, is_live = draft.audience.classification, decision.standing == CURRENT
    near = [one for one in plan.surroundings.neighbours if of_one_person(draft, one)]
    links = [
        *link_neighbours(memory_id, candidate, [one for one in near if one.id not in gone]),
        *link_neighbours(memory_id, candidate, higher),
        *link_turns(memory_id, draft),
        *_link_verdicts_and_reasons(memory_id, draft, decision, near),
    ]
    size = {"documents": int(is_live), "length": candidate.terms.length if is_live else 0}
    joined = decision.target if decision.action is Action.RESTATE else None
    _insert([
        *([("join_group", {"memory": joined.id})] if joined else []),
        ("insert_memory", _columns(memory_id, plan, now)),
        # Storing is the first access. What was said long ago and loaded today is not stale for that: when it
        # was said is another axis (counted as access it cost 4 points of R@10 on one LoCoMo conversation).
        ("insert_usage", {"memory": memory_id, "now": now, "classification": rank}),
        _vectors_of(memory_id, {candidate.space: candidate.vector, **candidate.beside}, rank),
        _postings_of(memory_id, candidate.terms, rank, live=is_live),
        ("move_stat", {"classification": rank} | size),
        *plan_links(links, now=now, crowded=full),
        _event("memory.create", memory_id, draft, decision, now),
    ])  # fmt: skip
    rest_on_sources(memory_id, candidate, plan.surroundings.neighbours, now=now)
    told = [link for link in links if link.classification <= rank]
    doubtful = [link.target for link in links if link.source == memory_id and _unsettles(link)]
    if doubtful and is_live:
        doubt_decisions(doubtful, what=MAY_HAVE_CHANGED, now=now)
    _settle_questions(memory_id, plan, now)
    return memory_id, len(told)


def _unsettles(link: NewLink) -> bool:
    """Tell whether a verdict says, surely enough, that what the link points to may not hold any more."""
    return link.type in CHANGES and link.confidence >= UNSETTLED_FROM


def _insert(statements: Sequence[Statement]) -> None:
    """Write a new row. Raises NeighbourhoodMoved when a value that nobody looked at stands in its place."""
    try:
        run_together(statements)
    except IntegrityError as error:
        if ONE_CURRENT_TRUTH not in str(error):
            raise
        raise NeighbourhoodMoved(NeighbourhoodMoved.__doc__) from error


def _settle_questions(memory_id: UUID, plan: Planned, now: datetime) -> None:
    """Put the new row's contradiction on record, and see to those that it made idle."""
    draft, question = plan.candidate.draft, plan.decision.question
    _settle_unkeyed(memory_id, plan, now)
    if draft.entity_key is None or draft.concept_key is None:
        return
    concept = {"entity_key": draft.entity_key, "concept_key": draft.concept_key}
    if question is not None and question.keyed:
        by = TRUST_GAPPED if question.verdict else ""
        ask(_pair(memory_id, draft, question), **concept, now=now, verdict=question.verdict, by=by)
    if any(near.standing == CONTENDER and same_concept(draft, near) for near in plan.surroundings.neighbours):
        closed_by = CORRECTED if draft.provenance == "user_correction" else IDLE
        reconcile(**concept, now=now, closed_by=closed_by)


def _settle_unkeyed(memory_id: UUID, plan: Planned, now: datetime) -> None:
    """Do the same for what stands under no key of the new row's: see Note [Questions without a key]."""
    question = plan.decision.question
    if question is not None and not question.keyed:
        ask(_pair(memory_id, plan.candidate.draft, question), **NO_KEY, now=now)
    if plan.decision.superseded:
        reconcile(**NO_KEY, now=now)


def _pair(memory_id: UUID, draft: Draft, question: DecisionQuestion) -> ContradictionPair:
    older, newer = (question.rival.id, memory_id) if question.is_newer else (memory_id, question.rival.id)
    return ContradictionPair(
        older=older, newer=newer, trust_gap=question.trust_gap, reason=question.reason,
        classification=draft.audience.classification,
    )  # fmt: skip


def _columns(memory_id: UUID, plan: Planned, now: datetime) -> dict[str, Any]:
    candidate, decision = plan.candidate, plan.decision
    draft = candidate.draft
    late = decision.standing == SUPERSEDED
    return {
        "id": memory_id, "content": draft.content, "note": draft.note,
        "group_id": group_of(decision), "annotations": to_json(list(draft.annotations)), "mode": draft.mode,
        "span_start": draft.span[0] if draft.span else None,
        "span_end": draft.span[1] if draft.span else None, "kind": draft.kind, "card": draft.card,
        "standing": decision.standing, "classification": draft.audience.classification,
        "project_id": draft.audience.project_id, "agent_id": draft.audience.agent_id,
        "shared": draft.audience.shared, "domain": draft.audience.domain, "person": draft.audience.person,
        "layer": draft.layer,
        "concept_key": draft.concept_key, "entity_key": draft.entity_key, "value": draft.value,
        "cardinality": decision.cardinality or draft.cardinality, "keywords": list(draft.keywords),
        "tags": list(draft.tags), "manual_tags": list(draft.manual_tags), "entities": list(draft.entities),
        "importance": draft.importance, "confidence": draft.confidence, "provenance": draft.provenance,
        "trust": draft.trust, "assigned_by": draft.assigned_by, "capture_id": draft.capture_id,
        "document_id": draft.document_id, "passage": draft.passage,
        "session": draft.session, "turn": draft.turn, "speaker": draft.speaker,
        "voice": draft.voice,
        "content_hash": candidate.content_hash, "now": now, "occurred_at": draft.occurred_at,
        "occurred_resolved": draft.occurred_resolved, "effective_at": draft.effective_at,
        "superseded_at": now if late else None, "superseded_by_id": decision.superseded_by if late else None,
        "valid_from": draft.valid_from, "valid_until": draft.valid_until,
        "last_verified_at": draft.verified_at(now),
        "metadata": to_json(_metadata(draft, plan.surroundings.neighbours)),
    }  # fmt: skip


def group_of(decision: Decision) -> UUID | None:
    """Return the group that the new row joins; None when it says what no other says."""
    if decision.action is not Action.RESTATE or decision.target is None:
        return None
    return decision.target.group_id or decision.target.id


def _metadata(draft: Draft, neighbours: Sequence[Neighbour]) -> dict[str, Any]:
    """Return what the draft carries, and what the write track notes for itself."""
    noted = {"novelty": round(measure_novelty(draft, neighbours), 3)}
    return {**draft.metadata, **noted, **({} if draft.zone == "UTC" else {"timezone": draft.zone})}


def _merge(plan: Planned, now: datetime) -> UUID:
    """Give the target its refined text, keep the former one, and rebuild what search reads."""
    decision, candidate = plan.decision, plan.candidate
    near = decision.target
    assert near is not None
    merged, rank = _merged(near, candidate.draft, decision), near.audience.classification
    MemoryVersion(
        memory_id=near.id, version=near.version, content=near.content, replaced_at=now,
        reason=decision.reason, classification=rank,
    ).save(force_insert=True)  # fmt: skip
    Memory.objects.filter(id=near.id).update(
        content=merged.content, note=merged.note, content_hash=hash_content(merged.content),
        value=merged.value,
        keywords=list(merged.keywords), tags=list(merged.tags), manual_tags=list(merged.manual_tags),
        entities=list(merged.entities), version=F("version") + 1, updated_at=now,
    )  # fmt: skip
    before, after, is_live = terms_of(near), terms_of(merged), near.standing == CURRENT
    _drop_postings(near)
    run_together([
        _touch(near.id, candidate.draft, now),
        _postings_of(near.id, after, rank, live=is_live),
        _vectors_of(near.id, {candidate.space: candidate.vector, **candidate.beside}, rank),
        ("move_stat", {
            "classification": rank, "documents": 0, "length": after.length - before.length if is_live else 0,
        }),
        _event("memory.merge", near.id, candidate.draft, decision, now),
    ])  # fmt: skip
    return near.id


def _merged(near: Neighbour, draft: Draft, decision: Decision) -> Neighbour:
    """Return the target as it will stand; a state's words go with its former value, knowledge gains some."""
    assert decision.content is not None
    is_state = decision.value is not None
    return replace(
        near,
        content=decision.content,
        note=draft.note or near.note,
        value=decision.value if is_state else near.value,
        keywords=draft.keywords if is_state else _union(near.keywords, draft.keywords),
        tags=draft.tags if is_state else _union(near.tags, draft.tags),
        manual_tags=_union(near.manual_tags, draft.manual_tags),
        entities=draft.entities if is_state else _union(near.entities, draft.entities),
    )


def _reinforce(plan: Planned, now: datetime) -> UUID:
    near = plan.decision.target
    assert near is not None
    draft = plan.candidate.draft
    if is_echo(plan.decision) or lies_below(near, draft):
        return near.id
    run_together([
        _touch(near.id, draft, now),
        _event("memory.reinforce", near.id, draft, plan.decision, now),
    ])  # fmt: skip
    return near.id


def _touch(memory_id: UUID, draft: Draft, now: datetime) -> Statement:
    """Note on a row that it was said again; only a word from outside the agent verifies it (SPEC W-17)."""
    return "reinforce_memory", {
        "memory": memory_id,
        "outside": draft.provenance != GUESSED,
        "said_at": draft.verified_at(now),
        "capture": str(draft.capture_id) if draft.capture_id else None,
        "now": now,
    }


def _vectors_of(memory_id: UUID, vectors: Mapping[str, Vectors], rank: int) -> Statement:
    texts = [vector_text(vector) for vector in vectors.values()]
    params = {"spaces": list(vectors), "memory": memory_id, "classification": rank, "vectors": texts}
    return "write_embedding", params


def _postings_of(memory_id: UUID, terms: Terms, rank: int, *, live: bool) -> Statement:
    return "insert_postings", {
        "memory": memory_id,
        "terms": list(terms.frequency),
        "frequencies": [min(count, MOST_FREQUENT) for count in terms.frequency.values()],
        "length": terms.length,
        "classification": rank,
        "live": live,
    }


def _drop_postings(near: Neighbour) -> None:
    """Delete a memory's postings by its terms; by a walk when they were cut by other rules once."""
    dropped = run("delete_postings", memory=near.id, terms=list(terms_of(near).frequency))[0]
    if dropped["met"] != dropped["length"]:
        run("delete_all_postings", memory=near.id)


def _link_rivals(memory_id: UUID, draft: Draft, decision: Decision) -> Iterable[NewLink]:
    """Yield the links to what a new state supersedes or contradicts."""
    pairs = [("supersedes", memory_id, near.id) for near in decision.superseded]
    if decision.target is not None and decision.superseded_by:
        pairs.append(("supersedes", decision.target.id, memory_id))
    elif decision.target is not None and decision.action is Action.RESTATE:
        pairs.append(("restates", memory_id, decision.target.id))
    elif decision.target is not None and (decision.contradicts or decision.action is Action.ARBITRATE):
        pairs.append(("contradicts", memory_id, decision.target.id))
    near = decision.target
    ranks = {near.id: near.audience.classification} if near is not None else {}
    sure = {one.near.id: one.confidence for one in decision.acted}
    yield from _link_verdicts(memory_id, draft, decision.verdicts, known={name for name, *_ in pairs})
    for name, source, target in pairs:
        yield NewLink(
            source=source, target=target, type=name, weight=1.0, confidence=sure.get(target, 1.0),
            classification=max(draft.audience.classification, ranks.get(target, 0), ranks.get(source, 0)),
        )  # fmt: skip


def _link_verdicts_and_reasons(
    memory_id: UUID, draft: Draft, decision: Decision, near: Sequence[Neighbour]
) -> Iterable[NewLink]:
    """
    Yield what the new row does to others, and what it rests on.

    A decision that repeats its reason does not say the same; a finding that says the same again has no reason
    in what it repeats.
    """
    reasons = list(_link_reasons(memory_id, draft, near))
    rivals = list(_link_rivals(memory_id, draft, decision))
    if draft.kind == DECISION:
        grounds = {link.target for link in reasons}
        rivals = [link for link in rivals if link.type != LIKENESS or link.target not in grounds]
    else:
        again = {link.target for link in rivals if link.type in (LIKENESS, RESTATES)}
        reasons = [link for link in reasons if link.target not in again]
    yield from (*rivals, *reasons)


def _link_reasons(memory_id: UUID, draft: Draft, neighbours: Sequence[Neighbour]) -> Iterable[NewLink]:
    """
    Yield the links to what the new row rests on, as far as it stands (SPEC M-09, E-14).

    What a model names, and what the agent itself refers to, is of origin `llm`: nobody checked it.
    """
    name = "because" if draft.kind == DECISION else "evidence"
    shown: Mapping[UUID, frozenset[str]] = {}
    if draft.kind == DECISION:
        shown = recall_log().sessions_of(draft.audience.agent_id, [near.id for near in neighbours])
    known = {near.id for near in neighbours if near.id in shown or _is_own(draft, near)}
    named = {*draft.because, *(known.intersection(draft.references) if draft.kind == DECISION else ())}
    found = [(one.near, one.confidence, "auto") for one in find_reasons(draft, neighbours, shown=shown)]
    said = [(near, draft.confidence, "llm") for near in neighbours if near.id in named]
    drawn: set[UUID] = set()
    for near, confidence, origin in (*said, *found):
        if near.id in drawn:
            continue
        drawn.add(near.id)
        yield NewLink(
            source=memory_id, target=near.id, type=name, weight=1.0, confidence=confidence, origin=origin,
            classification=max(draft.audience.classification, near.audience.classification),
        )  # fmt: skip


def _is_own(draft: Draft, near: Neighbour) -> bool:
    return draft.audience.agent_id is not None and near.audience.agent_id == draft.audience.agent_id


def _link_verdicts(
    memory_id: UUID, draft: Draft, verdicts: Sequence[JudgedNeighbour], *, known: Collection[str]
) -> Iterable[NewLink]:
    """Yield the links from later to earlier statements by which recall reads an arbiter's verdicts."""
    for one in verdicts:
        name = LIKENESS if one.relation is Relation.SAME else one.relation.value
        if name in known or (name == LIKENESS and "restates" in known):  # said with certainty already
            continue
        later, earlier = (memory_id, one.near.id) if one.is_newer else (one.near.id, memory_id)
        yield NewLink(
            source=later, target=earlier, type=name, weight=one.confidence, confidence=one.confidence,
            classification=max(draft.audience.classification, one.near.audience.classification),
        )  # fmt: skip


def _event(action: str, memory_id: UUID, draft: Draft, decision: Decision, now: datetime) -> Statement:
    """Return what `audit.append` would do in a round trip of its own: note in the trail what was done."""
    detail = {
        "decision": decision.action.value,
        "kind": draft.kind,
        "provenance": draft.provenance,
        "capture": str(draft.capture_id) if draft.capture_id else None,
        "agent": str(draft.audience.agent_id) if draft.audience.agent_id else None,
    }
    event = audit.Event(
        action=action, object_type="memory", object_id=memory_id, reason=decision.reason, detail=detail,
        classification=draft.audience.classification,
    )  # fmt: skip
    return "append_events", {"events": audit.as_json([event], now=now)}


def _union(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
