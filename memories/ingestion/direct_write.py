"""A memory that is written directly, without a capture: what may be said of it, and the draft it makes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings

from memories.candidates import Audience, Draft, origin_granted, voice_of, weaker
from memories.domain import KINDS, LAYERS, USUAL_LAYER, Trace, read_fingerprints
from memories.extraction import automatic_tags, believe
from memories.gates import GateRefused, judge_quality, screen_text
from memories.ingestion.capture import (
    LONGEST_NAME,
    BadCapture,
    check_class,
    check_fingerprints,
    check_metadata,
    check_moment,
    check_project,
    check_text,
    check_zone,
    may_share,
    without_secrets,
)
from memories.ingestion.high_water_mark import written_class
from memories.language import (
    canonical_tag,
    claims_task,
    concept_spelling,
    entity_spelling,
    find_entities,
    keywords,
    word_as_guess,
)
from memories.llms import LONGEST_CONTENT
from memories.temporal import Normalised, normalise
from security.screening.secrets import redact, redact_named, redact_tree
from tenants.scope import Viewer

EXAMPLE: Final = "example"
"""The kind of a task that was done, with how it went (SPEC M-02, C-01)."""

MOST_WORDS: Final = 50
"""Keywords or tags one memory may be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRequest:
    """A memory as it is wished from outside; its origin, and so its trust, the key decides."""

    content: str
    kind: str
    importance: int = 3  #: 1 to 5
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    shared: bool = False
    domain: str = ""
    classification: int = 1
    layer: str = USUAL_LAYER
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = None  #: None: read from the content, else now
    timezone: str = "UTC"
    concept_key: str | None = None
    entity_key: str | None = None
    value: str | None = None  #: of a state; None: its content
    cardinality: str | None = None  #: of a state: single or multi; None: the kind's, else single
    project_id: UUID | None = None
    session: str = ""
    common: bool = False  #: though the viewer names a person, it is everybody's
    fingerprints: tuple[Mapping[str, Any], ...] = ()  #: {handle, value} each, of what it may speak of
    metadata: Mapping[str, Any] = field(default_factory=dict)
    outcome: float | None = None  #: of an example: how it went, in [0, 1]


def check_memory(request: MemoryRequest, viewer: Viewer) -> None:
    """Raise BadCapture when the memory cannot be taken from this viewer."""
    if request.kind not in KINDS:
        raise BadCapture("kind", f"must be one of {', '.join(KINDS)}")
    check_text("content", request.content, longest=min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH))
    if not 1 <= request.importance <= 5:
        raise BadCapture("importance", "must lie between 1 and 5")
    if request.layer not in LAYERS:
        raise BadCapture("layer", f"must be one of {', '.join(LAYERS)}")
    if request.cardinality not in (None, "single", "multi"):
        raise BadCapture("cardinality", "must be single or multi")
    for name in ("session", "domain"):
        check_text(name, getattr(request, name), longest=LONGEST_NAME, may_be_empty=True)
    for name in ("concept_key", "entity_key", "value"):
        if getattr(request, name) is not None:
            check_text(name, getattr(request, name), longest=LONGEST_NAME)
    for name in ("keywords", "tags"):
        _check_words(name, getattr(request, name))
    check_metadata(request.metadata)
    if request.outcome is not None and (request.kind != EXAMPLE or not 0 <= request.outcome <= 1):
        raise BadCapture("outcome", "is of an example, and lies between 0 and 1")
    check_zone(request.timezone)
    _check_times(request)
    check_class(request.classification, viewer)
    check_fingerprints(request.fingerprints)
    check_project(request.project_id, viewer)


def keep_up(request: MemoryRequest, viewer: Viewer) -> MemoryRequest:
    """Return the request with the class that its session has read, if it is higher. Raises BadCapture."""
    person = "" if request.common else viewer.person
    rank = written_class(request.classification, viewer, person=person, session=request.session)
    return replace(request, classification=rank)


def _check_words(field_name: str, words: tuple[str, ...]) -> None:
    if len(words) > MOST_WORDS:
        raise BadCapture(field_name, f"may be at most {MOST_WORDS}")
    for word in words:
        check_text(field_name, word, longest=LONGEST_NAME)


def _check_times(request: MemoryRequest) -> None:
    for name in ("valid_from", "valid_until", "occurred_at"):
        if (moment := getattr(request, name)) is not None:
            check_moment(name, moment)
    if request.valid_from and request.valid_until and request.valid_until <= request.valid_from:
        raise BadCapture("valid_until", "must lie after valid_from")


def draft_memory(
    request: MemoryRequest,
    viewer: Viewer,
    trace: Trace,
    *,
    now: datetime,
    without: frozenset[str] = frozenset(),
) -> Draft:
    """
    Pass the gates and return the draft. Raises GateRefused.

    without: parts of the write track that the tenant has switched off (see `tenants.switches`).
    """
    request = _without_secrets(request)
    text = request.content
    with trace.step("normalise"):
        normalised = normalise(text, clock=now, zone=ZoneInfo(request.timezone))
    beside = (request.entity_key, request.concept_key, request.value, *request.tags, *request.keywords)
    screen_text(text, trace, names=filter(None, beside), without=without)
    # Origin, not method (SPEC M-08): what an agent writes is its own, whatever it says of it.
    provenance = "agent_inferred" if viewer.actor_kind == "agent" else weaker("user_stated", _origin(viewer))
    _require_keys(request, trace)
    judge_quality(normalised.text, request.kind, provenance, trace)
    return replace(_draft(request, viewer, normalised, provenance, now), without=without)


def _origin(viewer: Viewer) -> str:
    return origin_granted("user", viewer, measured=False)


def _without_secrets(request: MemoryRequest) -> MemoryRequest:
    """Return the request without secrets in its texts (SPEC W-07); a value is read under its concept."""
    plain: dict[str, Any] = {
        name: redact(getattr(request, name)).text for name in ("content", "session", "domain")
    }
    keys: dict[str, Any] = {
        name: None if (key := getattr(request, name)) is None else redact(key).text
        for name in ("concept_key", "entity_key")
    }
    value = None if request.value is None else redact_named(request.concept_key or "", request.value)
    trees = {name: redact_tree(getattr(request, name)).value for name in ("keywords", "tags", "metadata")}
    return replace(request, **plain, **keys, **trees, value=value)


def _require_keys(request: MemoryRequest, trace: Trace) -> None:
    """Raise GateRefused for a state that does not say of whom and of what: its quality (SPEC W-09)."""
    if KINDS[request.kind].card != "state":
        return
    wanted = {
        "entity": entity_spelling(request.entity_key),
        "concept": concept_spelling(request.concept_key),
    }
    failed = [name for name, given in wanted.items() if given is None]
    if failed:
        with trace.step("quality") as entry:
            reason = f"a state needs its {' and its '.join(failed)}"
            entry |= {"verdict": "discard", "reason": reason, "failed": failed}
            raise GateRefused("quality", reason, score=0.0, failed=failed)


def _draft(
    request: MemoryRequest, viewer: Viewer, normalised: Normalised, provenance: str, now: datetime
) -> Draft:
    policy = KINDS[request.kind]
    by_person = viewer.actor_kind != "agent" and viewer.relays_users
    is_guess = not by_person and (policy.needs_assigner or claims_task(normalised.text))
    is_state = policy.card == "state"
    content = word_as_guess(request.content) if is_guess else request.content
    chosen = tuple(request.keywords) or keywords(content)
    occurred_at = request.occurred_at or normalised.occurred_at
    resolved = request.occurred_at is not None or normalised.occurred_resolved
    tags = tuple(canonical_tag(tag) for tag in request.tags)
    return Draft(
        content=content,
        kind=request.kind,
        card=policy.card,
        audience=_audience(request, viewer),
        confidence=1.0,
        provenance=provenance,
        trust=believe(provenance, 1.0),
        occurred_at=occurred_at,
        occurred_resolved=resolved,
        effective_at=occurred_at if is_state and resolved else now,
        said_at=now,
        concept_key=concept_spelling(request.concept_key),
        entity_key=entity_spelling(request.entity_key),
        value=(request.value or content) if is_state else None,
        cardinality=(request.cardinality or policy.cardinality or "single") if is_state else None,
        keywords=chosen,
        tags=automatic_tags(chosen) + (() if by_person else tags),
        manual_tags=tags if by_person else (),  # an agent's are hints, kept no longer than automatic ones
        entities=find_entities(content),
        importance=min(request.importance, viewer.max_importance),  # a hint, capped by the key (SPEC T-09)
        assigned_by=viewer.actor_id if policy.needs_assigner and by_person else None,
        layer=request.layer,
        session=request.session,
        voice=voice_of(viewer),
        valid_from=request.valid_from,
        valid_until=request.valid_until,
        owner_domains=viewer.domains,
        reach=viewer.clearance,
        zone=request.timezone,
        metadata=dict(request.metadata) | _with_outcome(request),
        fingerprints=tuple(without_secrets(read_fingerprints(request.fingerprints))),
    )


def _with_outcome(request: MemoryRequest) -> dict[str, float]:
    return {} if request.outcome is None else {"outcome": request.outcome}


def _audience(request: MemoryRequest, viewer: Viewer) -> Audience:
    return Audience(
        agent_id=viewer.agent_id,
        project_id=request.project_id or viewer.project_id,
        shared=request.shared and may_share(viewer),
        domain=request.domain,
        classification=request.classification,
        person="" if request.common else viewer.person,
    )
