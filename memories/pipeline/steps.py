"""
The steps of the write track, strung together: gates, embedding, connect, store.

They read and write as the pipeline, at the tenant's full clearance; embedding and language models are asked
outside of any transaction.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.access import GATE, REASON, TextForgotten
from memories.calibration import Calibration
from memories.candidates import OUTSIDE, Candidate, Draft, Made, index_drafts, origin_of_old, weaker
from memories.comparison import is_stated
from memories.domain import PROVENANCE_WEIGHT, Trace
from memories.extraction import (
    SECTION,
    draft_facts,
    draft_passage,
    find_lessons,
    keep_words,
    own_key,
    segment,
)
from memories.gates import (
    GateRefused,
    is_judged,
    is_read_by_model,
    normalise_text,
    pass_quality,
    read_turns_before,
    reflect_turn,
    screen_text,
)
from memories.ingestion import Claim, find_said_above, finish_capture, note_raise, redact_capture
from memories.llms import Note, Turn
from memories.models import Capture
from memories.pipeline.briefing import brief
from memories.pipeline.deciding import ask_decider, asks_decider
from memories.queries import run
from memories.recall_log import recall_log
from memories.reconciliation import decide, find_owner, hold_to_own, leave_out_quotes
from memories.reconciliation.arbiters import JudgedNeighbour
from memories.storage import (
    NeighbourhoodMoved,
    Planned,
    Stored,
    Surroundings,
    look_around_each,
    measure_novelty,
    store_in_unit,
)
from memories.temporal import Normalised
from memories.vectors import HomesMoved, active_embedder, other_embedders
from tenants.scope import FULL_CLEARANCE, unit_of_work
from tenants.sql import to_json

MOST_LOOKS: Final = 3
"""Times connect looks around again when others stored in between; then it keeps apart what it would merge."""

SHOWN_NEIGHBOURS: Final = 5
"""Neighbours a trace names."""

EARLIER_TURNS: Final = 50
"""Turns of a session looked through for whether they state what an assistant says."""


def pass_gates(
    capture: Capture,
    trace: Trace,
    *,
    owner_domains: Sequence[str],
    reach: int = FULL_CLEARANCE,
    without: frozenset[str] = frozenset(),
    made: Made | None = None,
) -> tuple[Draft, ...]:
    """
    Return what is worth remembering of the capture. Raises GateRefused.

    reach: the highest class that who captured it may read. without: parts of the write track that the tenant
    has switched off (see `tenants.switches`). made: where vectors are kept for what is embedded next.
    """
    normalised = normalise_text(capture.text, capture, trace)
    screen_text(capture.text, trace, names=_names_beside(capture), without=without)
    if capture.document_id is not None:
        return _read_passage(
            capture, normalised, trace, owner_domains, reach=reach, without=without, made=made
        )
    origin = capture.origin or origin_of_old(capture.role, by_agent=capture.agent_id is not None)
    stated = who_stated(capture)
    turn = replace(
        _turn_of(capture, normalised, without=without),
        stated_in_session=stated is not None,
        origin=weaker(origin, stated or origin),
        outside=(stated or origin) in OUTSIDE,
    )
    notes, asked_about = _read_turn(capture, turn, normalised, trace, owner_domains, made=made)
    with trace.step("keep") as entry:
        drafts = keep_words(capture, turn, normalised, notes, owner_domains=owner_domains)
        entry |= {"rows": len(drafts), "statements": sum(draft.kind == "statement" for draft in drafts)}
    return tuple(replace(draft, without=without, reach=reach, asked_about=asked_about) for draft in drafts)


def _turn_of(capture: Capture, normalised: Normalised, *, without: frozenset[str]) -> Turn:
    """Return what a reader is given of a capture."""
    return Turn(
        text=normalised.text,
        original=capture.text,
        role=capture.role,
        speaker=capture.speaker or None,
        clock=capture.clock,
        zone=ZoneInfo(capture.timezone),
        mentions=tuple(one for one in normalised.mentions if one.kind == "date"),
        occurred_at=normalised.occurred_at,
        verbatim=capture.verbatim or "extraction" in without,
        origin=capture.origin or None,
        own_key=own_key(capture),
    )


def _read_turn(
    capture: Capture, turn: Turn, normalised: Normalised, trace: Trace, owner_domains: Sequence[str],
    *, made: Made | None,
) -> tuple[tuple[Note, ...], frozenset[UUID]]:  # fmt: skip
    """Return the notes on a turn that may stand, and the rows that their model was asked about."""
    if is_judged(turn):
        known: Made = {} if made is None else made
        briefing = brief(capture, turn, normalised, owner_domains=owner_domains, made=known)
        turn = replace(turn, briefing=briefing)
    read, asked_about = reflect_turn(turn, trace)
    return pass_quality(read, trace), asked_about


def _read_passage(
    capture: Capture, normalised: Normalised, trace: Trace, owner_domains: Sequence[str],
    *, reach: int, without: frozenset[str], made: Made | None,
) -> tuple[Draft, ...]:  # fmt: skip
    """Return a document's passage, and the sentences of it that may be facts: see `draft_facts`."""
    passage = replace(draft_passage(capture, normalised, owner_domains=owner_domains), reach=reach)
    turn = _turn_of(capture, normalised, without=without)
    if turn.verbatim:
        return (passage,)
    notes, asked_about = tuple[Note, ...](), frozenset[UUID]()
    if is_read_by_model():
        notes, asked_about = _read_turn(capture, turn, normalised, trace, owner_domains, made=made)
    facts = draft_facts(capture, turn, passage, notes, owner_domains=owner_domains)
    return (
        passage,
        *(replace(fact, without=without, reach=reach, asked_about=asked_about) for fact in facts),
    )


def _names_beside(capture: Capture) -> list[str]:
    """Return what readers are shown beside the capture's words."""
    document = capture.document if capture.document_id is not None else None
    if document is None:
        return [capture.speaker]
    return [capture.speaker, document.title, str(capture.metadata.get(SECTION, "")), *document.tags]


def who_stated(capture: Capture) -> str | None:
    """
    Return the best origin of the turns of the session that said before what this assistant's turn says.

    None: nobody did (SPEC M-08). To repeat an agent's word for what others said lends it nothing more. Turns
    above its own class are not looked at, and take no place among the latest: whoever reads the memory reads
    its trust, and who may try one sentence after the other would be told what stands in them.
    """
    if capture.role != "assistant":
        return None
    turns = read_turns_before(
        capture, "role", "text", "origin", most=EARLIER_TURNS, role__in=("user", "tool")
    )  # fmt: skip
    if not turns:
        return None
    with unit_of_work():
        shown = recall_log().texts_in(capture.agent_id, capture.session, rank=capture.classification)
    by_origin: dict[str, list[tuple[str, str]]] = {}
    for role, text, origin in turns:
        known = origin or origin_of_old(role, by_agent=capture.agent_id is not None)
        by_origin.setdefault(known, []).append((role, text))
    said: list[tuple[str, str]] = []
    for origin in sorted(by_origin, key=PROVENANCE_WEIGHT.__getitem__, reverse=True):
        said += by_origin[origin]
        if is_stated(capture.text, leave_out_quotes(said, shown)):
            return origin
    return None


def raise_to_equal(
    drafts: Sequence[Draft], capture: Capture, trace: Trace, *, reach: int, claim: Claim | None = None
) -> tuple[Draft, ...]:
    """
    Return the drafts, of the class of a higher row that says the same as one of them: `said_above`.

    reach: the highest class that is looked at. claim: of the capture, which becomes of that class with all
    that is made of it; without one nothing is written.
    """
    if not drafts or reach <= capture.classification:
        return tuple(drafts)
    asked, audience = capture.classification, drafts[0].audience
    sentences = (capture.text[piece.start : piece.end] for piece in segment(capture.text))
    with unit_of_work():
        rank = find_said_above(
            {capture.text, *(draft.content for draft in drafts), *sentences}, rank=asked, reach=reach,
            agent_id=audience.agent_id, projects=[audience.project_id] if audience.project_id else [],
            domains=drafts[0].owner_domains, person=audience.person,
        )  # fmt: skip
        if rank == asked:
            return tuple(drafts)
        entry = note_raise(asked=asked, rank=rank)
        trace.entries.append(entry)
        if claim is not None:
            run("raise_capture", capture=capture.id, rank=rank, entry=to_json([entry]))
    capture.classification = rank
    return tuple(replace(draft, audience=replace(draft.audience, classification=rank)) for draft in drafts)


def embed(drafts: Sequence[Draft], trace: Trace, *, made: Made | None = None) -> tuple[Candidate, ...]:
    """Return the drafts with vectors and terms. made: vectors that need not be made again."""
    with trace.step("embed") as entry:
        embedder = active_embedder()
        entry |= {"space": embedder.space, "texts": len(drafts)}
        return index_drafts(drafts, embedder=embedder, others=other_embedders(), made=made)


def connect_and_store(
    candidates: Sequence[Candidate], trace: Trace, *, now: datetime, claim: Claim | None = None
) -> tuple[Stored, ...]:
    """
    Decide outside, then store what still holds inside, with the capture's end in the same transaction.

    Raises GateRefused when a person had all of it forgotten.
    """
    for look in range(1, MOST_LOOKS + 1):
        calibration = active_embedder().calibration("passage-passage")
        planned = connect(candidates, trace, calibration)
        try:
            return _store(planned, trace, calibration, now, claim)
        except HomesMoved:
            trace.entries[-1]["verdict"] = "moved"
            if look == MOST_LOOKS:  # switched to and fro while it was stored
                raise
            candidates = embed([candidate.draft for candidate in candidates], trace)
        except TextForgotten as gone:
            trace.entries[-1] |= {"verdict": "discard", "reason": REASON}
            raise GateRefused(GATE, REASON) from gone
        except NeighbourhoodMoved:
            trace.entries[-1]["verdict"] = "moved"
            if look == MOST_LOOKS:  # somebody writes current values past the lock
                raise
    raise AssertionError("unreachable: the last look stores or raises")


def connect(candidates: Sequence[Candidate], trace: Trace, calibration: Calibration) -> tuple[Planned, ...]:
    """Look around and decide, outside of the lock; then the same for what is learnt of it (SPEC W-19)."""
    planned = _connect_each(candidates, trace, calibration)
    lessons = find_lessons((plan.candidate.draft, plan.decision) for plan in planned)
    if lessons:
        planned += _connect_each(embed(lessons, trace), trace, calibration)
    return tuple(planned)


def _connect_each(candidates: Sequence[Candidate], trace: Trace, calibration: Calibration) -> list[Planned]:
    """Look around and decide for each candidate."""
    planned: list[Planned] = []
    looks: list[Surroundings] = []
    if asks_decider() and candidates:
        looks = look_around_each(candidates, calibration=calibration)
        candidates = ask_decider(candidates, looks, trace)
    for candidate in candidates:
        with trace.step("connect") as entry:
            looks = looks or look_around_each(candidates, calibration=calibration)
            surroundings = looks[len(planned)]
            owned = find_owner(candidate.draft, surroundings.neighbours)
            if owned is not candidate.draft:
                candidate = replace(candidate, draft=owned)
                surroundings = look_around_each((candidate,), calibration=calibration)[0]
                entry["meant"] = [owned.entity_key, owned.concept_key]
            if (held := hold_to_own(owned, surroundings.neighbours)) is not owned:
                candidate = replace(candidate, draft=held)
                entry["origin"] = held.provenance
            decision = decide(candidate, surroundings.neighbours, surroundings.past)
            plan = Planned(candidate=candidate, decision=decision, surroundings=surroundings)
            planned.append(plan)
            entry |= _tell(plan)
    return planned


def _store(
    planned: Sequence[Planned], trace: Trace, calibration: Calibration, now: datetime, claim: Claim | None
) -> tuple[Stored, ...]:
    with ExitStack() as timed:
        entry = timed.enter_context(trace.step("store"))
        with store_in_unit(planned, calibration=calibration, now=now) as stored:
            entry |= {"decisions": [one.decision.action.value for one in stored]}
            entry |= {"redone": any(one.redone for one in stored)}
            timed.close()  # its time goes into the row that is written in the same transaction
            links = sum(one.links for one in stored)
            trace.entries.append({"step": "relate", "verdict": "pass", "links": links})
            if claim is not None:
                ids = list(dict.fromkeys(one.memory_id for one in stored))
                finish_capture(claim, state="stored", trace=trace.entries, now=now, memories=ids)
                if len(stored) < len(planned):
                    redact_capture(claim.capture.id)
    return stored


def _tell(plan: Planned) -> dict[str, Any]:
    """Return a decision for the trace: it was made without rows above the note's class, and names none."""
    decision, shown = plan.decision, plan.surroundings.neighbours
    told: dict[str, Any] = {
        "verdict": decision.action.value,
        "reason": decision.reason,
        "kind": plan.candidate.draft.kind,
        "novelty": round(measure_novelty(plan.candidate.draft, plan.surroundings.neighbours), 3),
        "neighbours": [
            {"id": str(near.id), "similarity": None if near.similarity is None else round(near.similarity, 3)}
            for near in shown[:SHOWN_NEIGHBOURS]
        ],
    }
    if decision.judge:
        told["judge"] = decision.judge
    acted = {one.near.id for one in decision.acted}
    told_of = [one for one in decision.verdicts if one.near.id not in acted]
    if verdicts := [*decision.acted, *told_of]:
        told["verdicts"] = [_tell_verdict(one, acts=one.near.id in acted) for one in verdicts]
    if decision.target is not None:
        told["target"] = str(decision.target.id)
    if decision.similarity is not None:
        told["score"] = round(decision.similarity, 3)
    return told


def _tell_verdict(judged: JudgedNeighbour, *, acts: bool) -> dict[str, Any]:
    """Return what an arbiter said, for the trace: its reason is a word of a list, and quotes nothing."""
    return {
        "id": str(judged.near.id),
        "does": judged.relation,
        "confidence": round(judged.confidence, 3),
        "judge": judged.judge,
        "reason": judged.reason,
        "acts": acts,
    }
