"""
The steps of the write track after a capture was read: embedding, connect, store.

They read and write as the pipeline, at the tenant's full clearance; embedding and language models are asked
outside of any transaction.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from memories.access import GATE, REASON, TextForgotten
from memories.calibration import Calibration
from memories.candidates import Candidate, Draft, Made, index_drafts
from memories.domain import Trace
from memories.extraction import (
    find_lessons,
    segment,
)
from memories.gates import (
    GateRefused,
)
from memories.ingestion import Claim, find_said_above, finish_capture, note_raise, redact_capture
from memories.models import Capture
from memories.pipeline.deciding import ask_decider, asks_decider
from memories.queries import run
from memories.reconciliation import decide, find_owner, hold_to_own
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
from memories.vectors import HomesMoved, active_embedder, other_embedders
from tenants.scope import unit_of_work
from tenants.sql import to_json

MOST_LOOKS: Final = 3
"""Times connect looks around again when others stored in between; then it keeps apart what it would merge."""

SHOWN_NEIGHBOURS: Final = 5
"""Neighbours a trace names."""


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
