"""
The write track as verbs: make memory of a capture, try what would become of one, write a memory directly.

Each runs the same line: normalise → screen → reflect → quality gate → embed → read → connect → store →
relate; what stands beside the memories is built after they are kept.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any
from uuid import UUID

from django.conf import settings

from memories.access import GATE
from memories.candidates import Draft, Made
from memories.documents import cut_document, is_uncut, replace_versions
from memories.domain import Trace
from memories.entity_resolution import build_beside, build_beside_memories
from memories.gates import GateRefused, read_rows
from memories.ingestion import (
    MAY_LOWER,
    CaptureRequest,
    Claim,
    LeaseLost,
    MemoryRequest,
    check_memory,
    check_request,
    claim_capture,
    draft_memory,
    find_said_above,
    finish_capture,
    keep_up,
    place,
    redact_capture,
    release_capture,
    row_of,
)
from memories.metrics import count_worked
from memories.models import Capture, Document
from memories.models.capture import OPEN_STATES
from memories.pipeline.cpu_budget import CpuExceeded, cpu_budget
from memories.pipeline.outages import find_outage, require_embedder, wait_for
from memories.pipeline.reading import pass_gates
from memories.pipeline.steps import connect, connect_and_store, embed, raise_to_equal
from memories.storage import MemoryView, Planned, get_memory
from memories.vectors import active_embedder
from security import audit
from tenants.scope import (
    Viewer,
    acting_for,
    pipeline_viewer,
    tenant_in_force,
    tenant_scope,
    unit_of_work,
    viewer_in_force,
)
from tenants.switches import switched_off
from tenants.telemetry.tracing import span

__all__ = [
    "DryRun", "GateRefused", "MemoryRequest", "WouldBe", "Written",
    "dry_run", "process_capture", "write_memory",
]  # fmt: skip

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldBe:
    """A memory as it would be stored, and what would be done with it."""

    decision: str
    reason: str
    target: UUID | None  #: the standing row it would be skipped for, merged into, …
    content: str
    kind: str
    card: str
    provenance: str
    trust: float
    importance: int
    layer: str
    keywords: tuple[str, ...]
    entity_key: str | None
    concept_key: str | None
    value: str | None
    occurred_at: datetime
    occurred_resolved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """What would become of a capture; nothing of it was written."""

    state: str  #: stored, discarded or quarantined
    trace: tuple[Mapping[str, Any], ...]
    memories: tuple[WouldBe, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was done with a memory that was written directly."""

    decision: str
    memory: MemoryView  #: the new row, or the one that stood already


def process_capture(capture_id: UUID, *, now: datetime) -> str:
    """
    Make memory of a capture and return its state; nothing is done when it is done, or in other hands.

    A failure gives the capture back to the queue, or ends it `dead` after too many; where something is out,
    it waits for that and no attempt is counted (`memories.pipeline.outages`). Raises NotFound, and LeaseLost
    when another worker took it over: nothing of what was done here is kept then.
    """
    with tenant_scope(pipeline_viewer(tenant_in_force())):
        claim = claim_capture(capture_id, now=now)
        if claim is None:
            return _state_of(capture_id)
        trace = Trace(claim.capture.trace)
        began = perf_counter()
        with span("capture", _named(claim)) as told:
            state = _work_on(claim, trace, now)
            told.set_attribute("candor.state", state)
        if claim.capture.document_id is not None and state not in OPEN_STATES:
            _settle_versions(claim.capture.document, now)
        lag = (now - claim.capture.created_at).total_seconds() + perf_counter() - began
        count_worked(viewer_in_force().tenant_id, state, trace.entries, lag_seconds=lag)
        return state


def _settle_versions(document: Document, now: datetime) -> None:
    """Let the latest version hold; never raises: what is stored stays so, and the night comes by."""
    try:
        replace_versions(document, now=now)
    except Exception:
        logger.exception("versions of a document could not be settled; the night will")


def _named(claim: Claim) -> dict[str, str | int]:
    return {
        "candor.capture_id": str(claim.capture.id),
        "candor.tenant_id": str(claim.capture.tenant_id),
        "candor.attempt": claim.capture.attempts,
    }


def _work_on(claim: Claim, trace: Trace, now: datetime) -> str:
    """Do the work of an attempt and return the state that it leaves. Raises LeaseLost."""
    try:
        # What becomes of it is decided by what is this person's and what is common (SPEC K-09).
        of_person = tenant_scope(viewer_in_force().naming(claim.capture.person))
        with of_person, cpu_budget(settings.CAPTURE_CPU_SECONDS):
            if is_uncut(claim.capture):
                cut_document(claim, now=now)
                return "pending"
            return _make_memory(claim, trace, now)
    except LeaseLost:
        raise
    except Exception as error:
        if (outage := find_outage(error)) is not None:
            wait_for(outage, claim, trace=trace.entries)
            return "pending"
        logger.exception("a capture failed in attempt %s", claim.capture.attempts)
        if isinstance(error, CpuExceeded):
            trace.entries.append({"step": "cpu", "verdict": "failed", "reason": _too_costly()})
        return release_capture(claim, error=_describe(error), trace=trace.entries, now=now)


def _make_memory(claim: Claim, trace: Trace, now: datetime) -> str:
    made: Made = {}
    require_embedder(claim)
    try:
        drafts = pass_gates(
            claim.capture, trace, owner_domains=claim.owner_domains, reach=claim.reach,
            without=claim.without, made=made,
        )  # fmt: skip
        reach = claim.capture.classification if claim.may_lower else claim.reach
        drafts = raise_to_equal(drafts, claim.capture, trace, reach=reach, claim=claim)
        candidates = read_rows(embed(drafts, trace, made=made), claim.capture, trace)
        stored = connect_and_store(candidates, trace, now=now, claim=claim)
    except GateRefused as refusal:
        with unit_of_work():
            finish_capture(claim, state=refusal.state, trace=trace.entries, now=now, error=refusal.reason)
            if refusal.state == "quarantined":
                _note_quarantine(claim.capture, refusal, now)
            if refusal.gate == GATE:
                redact_capture(claim.capture.id)
        return refusal.state
    build_beside(claim.capture.id, now=now, stored=[one.told for one in stored if one.told is not None])
    return "stored"


def _note_quarantine(capture: Capture, refusal: GateRefused, now: datetime) -> None:
    audit.append(
        "capture.quarantine",
        object_type="capture",
        object_id=capture.id,
        now=now,
        detail={"gate": refusal.gate, "score": refusal.score},
        classification=capture.classification,
    )


def dry_run(request: CaptureRequest, *, now: datetime) -> DryRun:
    """
    Return what would become of a capture, and write nothing.

    Raises BadCapture. What a row above the request's class would change is decided, but never told.
    """
    viewer = viewer_in_force()
    check_request(request, viewer)
    trace, made = Trace(), Made()
    row = row_of(request, viewer, now=now)
    with tenant_scope(pipeline_viewer(viewer.tenant_id).naming(viewer.person)):
        if place(row, viewer):
            trace.entries.extend(row.trace)
        reach = row.classification if MAY_LOWER in viewer.scopes else viewer.clearance
        try:
            drafts = pass_gates(
                row, trace, owner_domains=viewer.domains, reach=viewer.clearance, without=switched_off(),
                made=made,
            )  # fmt: skip
            drafts = raise_to_equal(drafts, row, trace, reach=reach)
            candidates = read_rows(embed(drafts, trace, made=made), row, trace)
        except GateRefused as refusal:
            return DryRun(state=refusal.state, trace=tuple(trace.entries), memories=())
        calibration = active_embedder().calibration("passage-passage")
        planned = connect(candidates, trace, calibration)
    would_be = tuple(_would_be(plan) for plan in planned)
    return DryRun(state="stored", trace=tuple(trace.entries), memories=would_be)


def write_memory(request: MemoryRequest, *, now: datetime) -> Written:
    """
    Write a memory directly, past reflection but through every gate.

    Raises BadCapture for what cannot be taken, GateRefused with the gate's word on it.
    """
    viewer = viewer_in_force()
    check_memory(request, viewer)
    request = keep_up(request, viewer)
    trace = Trace()
    # The deed is the viewer's; the sight is the pipeline's: hidden twins must be known to connect.
    acting = acting_for(viewer).naming(viewer.person)
    with tenant_scope(acting):
        draft = draft_memory(request, viewer, trace, now=now, without=switched_off())
        draft = _as_high_as_said(draft, request, viewer)
        written = connect_and_store(embed([draft], trace), trace, now=now)
        build_beside_memories([one.memory_id for one in written], now=now)
    stored = written[0]
    reader = replace(viewer, project_id=draft.audience.project_id)
    with tenant_scope(reader):
        return Written(decision=stored.decision.action.value, memory=get_memory(stored.memory_id))


def _as_high_as_said(draft: Draft, request: MemoryRequest, viewer: Viewer) -> Draft:
    """Return the draft of the class of a higher row that says the same: see `said_above`."""
    if viewer.key_id is None or MAY_LOWER in viewer.scopes:
        return draft
    audience = draft.audience
    with unit_of_work():
        rank = find_said_above(
            {request.content, draft.content}, rank=audience.classification, reach=viewer.clearance,
            agent_id=audience.agent_id, projects=[audience.project_id] if audience.project_id else [],
            domains=viewer.domains, person=viewer.person,
        )  # fmt: skip
    return replace(draft, audience=replace(audience, classification=rank))


def _would_be(plan: Planned) -> WouldBe:
    draft, decision = plan.candidate.draft, plan.decision
    return WouldBe(
        decision=decision.action.value,
        reason=decision.reason,
        target=decision.target.id if decision.target else None,
        content=decision.content or draft.content,
        kind=draft.kind,
        card=draft.card,
        provenance=draft.provenance,
        trust=draft.trust,
        importance=draft.importance,
        layer=draft.layer,
        keywords=draft.keywords,
        entity_key=draft.entity_key,
        concept_key=draft.concept_key,
        value=draft.value,
        occurred_at=draft.occurred_at,
        occurred_resolved=draft.occurred_resolved,
    )


def _state_of(capture_id: UUID) -> str:
    with unit_of_work():
        return str(Capture.objects.values_list("state", flat=True).get(id=capture_id))


def _too_costly() -> str:
    return f"stopped after {settings.CAPTURE_CPU_SECONDS} seconds of CPU"


def _describe(error: Exception) -> str:
    """Name an error without its message, which may hold the text."""
    if isinstance(error, CpuExceeded):
        return f"CpuExceeded: {_too_costly()}"
    code = getattr(error.__cause__, "sqlstate", None)
    return f"{type(error).__name__} ({code})" if code else type(error).__name__
