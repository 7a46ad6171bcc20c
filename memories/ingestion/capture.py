"""Capture: keep what was said, redacted, before anything else happens (SPEC W-01)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.crypto import salted_hmac

from memories.access import visible_params
from memories.candidates import (
    MEASURED,
    RELAYED,
    may_correct_others,
    origin_granted,
    origin_of_old,
    voice_of,
)
from memories.domain import (
    LAYERS,
    LONGEST_HANDLE,
    MOST_FINGERPRINTS,
    Fingerprint,
    read_fingerprints,
    to_rows,
)
from memories.ingestion.backlog import require_room
from memories.ingestion.intake import turn_to_take
from memories.ingestion.notify import after_hint, hint, is_short
from memories.ingestion.said_above import MAY_LOWER, note_raise, said_above_params
from memories.models import Capture
from memories.queries import run
from security.models import KEY_HOURS
from security.screening.secrets import redact, redact_tree
from tenants.models import Project
from tenants.scope import NotFound, Viewer, pipeline_viewer, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant, to_json

ROLES: Final = ("user", "assistant", "tool")
LONGEST_NAME: Final = 200
"""Characters in a session, a speaker, a domain or an idempotency key."""
MOST_REFERENCES: Final = 50
LONGEST_METADATA: Final = 10_000
"""Characters of the metadata as JSON."""
OWN_NOTES: Final = frozenset({"said_again", "novelty", "timezone", "echo", "conclusion", "withdrawn"})
"""
Keys of a memory's metadata under which the write track keeps notes of its own. A client's value there would
be read as ours: a word where a yes or no was looked for made every recall fail that met it.
"""
LONGEST_REFERENCES: Final = 10_000
"""Characters of all references of a capture, as JSON."""


class BadCapture(ValueError):
    """The capture cannot be taken as it is; `field` says where and the message what to change."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class IdempotencyConflict(RuntimeError):
    """This idempotency key was used for another request. Use a new key for a new request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRequest:
    """Something that was said, as it comes from outside."""

    text: str
    role: str
    clock: datetime | None = None  #: when it was said, aware; None: as it is taken
    timezone: str = "UTC"  #: IANA name of the zone it was said in
    session: str = ""
    speaker: str = ""  #: the name of who talks
    project_id: UUID | None = None  #: None: the key's own, or no project
    classification: int = 1
    references: tuple[Mapping[str, Any] | str, ...] = ()
    fingerprints: tuple[Mapping[str, Any], ...] = ()  #: {handle, value} each, of what it may speak of
    measured: bool = False  #: of a tool: it tells what was measured, the value of a run, a test or a sensor
    verbatim: bool = False  #: keep it as one event, word for word
    shared: bool = False
    domain: str = ""
    common: bool = False  #: though the person whom the viewer names says it, it is everybody's
    layer: str = ""  #: of what is made of it, of LAYERS; empty: as it is read
    metadata: Mapping[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A capture that is kept; what becomes of it is decided later."""

    id: UUID
    state: str
    repeated: bool  #: it was here already, by its idempotency key
    raised_to: int | None = None  #: the class it has instead of a lower one: see Note [No write down]
    raised_because: str = ""  #: why, as its trace has it
    capped_to: str | None = None  #: the best origin its words may have instead of the one claimed
    person: str = ""  #: the end user whose it is; empty: common
    unshared: bool = False  #: it was to be shared, which its key may not


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureView:
    """A capture as its tenant sees it."""

    id: UUID
    state: str
    trace: tuple[dict[str, Any], ...]
    memories: tuple[UUID, ...]
    error: str
    text: str
    role: str
    speaker: str
    origin: str
    relayed_by: UUID | None
    person: str  #: the end user whose it is; empty: common
    layer: str  #: as it was sent; empty: left to be read
    session: str
    turn: int
    clock: datetime
    timezone: str
    classification: int
    secrets_found: tuple[dict[str, Any], ...]
    metadata: Mapping[str, Any]
    attempts: int
    waits_for: str  #: what is out that it waits for; empty: nothing
    waiting_since: datetime | None
    retry_at: datetime | None  #: when it is tried again
    created_at: datetime
    finished_at: datetime | None


def take_capture(request: CaptureRequest, *, now: datetime) -> Taken:
    """
    Redact and commit the capture, then hint the workers. What is returned is kept, whatever crashes later.

    Raises BadCapture when it cannot be taken, IdempotencyConflict when its key stands for another request,
    BacklogFull when too many wait, ReaderBusy when too many of the tenant's long ones are being taken.
    """
    viewer = viewer_in_force()
    with turn_to_take(len(request.text.encode(errors="replace"))):
        check_request(request, viewer)
        row = row_of(request, viewer, now=now)
        # At full clearance: what its session has read may lie above this viewer, and the capture with it.
        with tenant_scope(pipeline_viewer(viewer.tenant_id)):
            return _commit(row, viewer)


def row_of(request: CaptureRequest, viewer: Viewer, *, now: datetime) -> Capture:
    """Return the request as a row, redacted and with what the key makes of its hints; not yet written."""
    redaction = redact(request.text)
    request = _without_secrets(request)
    project_id = request.project_id or viewer.project_id
    origin = origin_granted(request.role, viewer, measured=request.measured)
    return Capture(
        text=redaction.text,
        secrets_found=[{"kind": found.kind, "span": list(found.span)} for found in redaction.found],
        role=request.role,
        clock=request.clock or now,
        timezone=request.timezone,
        session=request.session,
        speaker=request.speaker,
        origin=origin,
        voice=voice_of(viewer, role=request.role, speaker=request.speaker),
        corrects=may_correct_others(viewer, project_id),
        trace=_say_capped(request, origin) + _say_unshared(request, viewer),
        verbatim=request.verbatim,
        references=list(request.references),
        metadata=dict(request.metadata),
        fingerprints=to_rows(without_secrets(read_fingerprints(request.fingerprints))),
        project_id=project_id,
        agent_id=viewer.agent_id,
        shared=request.shared and may_share(viewer),
        domain=request.domain,
        person="" if request.common else viewer.person,
        layer=request.layer,
        classification=request.classification,
        api_key_id=viewer.key_id,
        idempotency_key=request.idempotency_key,
        request_hash=_hash(request, redaction.text, person=viewer.person),
        created_at=now,
        # The sweeper leaves it alone until the hint has had its chance.
        leased_until=after_hint(),
    )


def _say_capped(request: CaptureRequest, origin: str) -> list[dict[str, Any]]:
    """Return the trace's word on an origin that is not the one that was claimed (SPEC K-12)."""
    if origin == RELAYED:
        reason = "this key was not granted to relay users: kept as what its agent says that they said"
    elif request.measured and origin != MEASURED:
        reason = "this key was not granted to measure: kept as what a tool said"
    else:
        return []
    return [{"step": "origin", "verdict": "capped", "origin": origin, "reason": reason}]


def _say_unshared(request: CaptureRequest, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the trace's word on a wish to share that the key may not have (SPEC K-12)."""
    if not request.shared or may_share(viewer):
        return []
    return [{"step": "share", "verdict": "refused", "reason": "this key has not the scope share"}]


def place(row: Capture, viewer: Viewer) -> bool:
    """
    Set the capture's class and its place in its session; return whether it was raised for its words.

    To be called as the pipeline; the place is safe only under the tenant's CAPTURE lock. See Note [No write
    down] in `memories.ingestion.high_water_mark`, and `memories.ingestion.said_above`.
    """
    asked = row.classification
    reach = asked if viewer.key_id is None or MAY_LOWER in viewer.scopes else viewer.clearance
    params = said_above_params(
        [row.text], rank=asked, reach=reach, agent_id=row.agent_id,
        projects=[row.project_id] if row.project_id else [], domains=viewer.domains, person=viewer.person,
    )  # fmt: skip
    with unit_of_work():
        found = run(
            "place_capture", **params, agent=row.agent_id, key=row.api_key_id, session=row.session,
            project=row.project_id, whose=row.person, cites=to_json(row.references),
        )[0]  # fmt: skip
    row.turn = int(found["turn"])
    if int(found["said"]) <= int(found["read"]):
        return False  # what its session has read is the database's to write, on the trace, too
    row.classification = int(found["said"])
    row.trace = [*row.trace, note_raise(asked=asked, rank=row.classification)]
    return True


def may_share(viewer: Viewer) -> bool:
    """Tell whether the viewer may share with other agents: what is asked is capped by the key (SPEC T-09)."""
    return viewer.key_id is None or "share" in viewer.scopes


def _without_secrets(request: CaptureRequest) -> CaptureRequest:
    """
    Return the request with no secret in anything but its text (SPEC W-07).

    An idempotency key that is a secret becomes a code of it: requests must still be told apart.
    """
    session, speaker, domain = (
        redact(text).text for text in (request.session, request.speaker, request.domain)
    )
    references, metadata = (redact_tree(tree).value for tree in (request.references, request.metadata))
    key = request.idempotency_key
    if key is not None and redact(key).found:
        key = salted_hmac("candor.idempotency", key, algorithm="sha256").hexdigest()
    return replace(
        request,
        session=session,
        speaker=speaker,
        domain=domain,
        references=references,
        metadata=metadata,
        idempotency_key=key,
    )


def _commit(row: Capture, viewer: Viewer) -> Taken:
    tenant_id = viewer_in_force().tenant_id
    with unit_of_work():
        lock_tenant(LockNamespace.CAPTURE)
        if (former := _find_former(row)) is not None:
            if bytes(former.request_hash or b"") != row.request_hash:
                raise IdempotencyConflict(IdempotencyConflict.__doc__)
            raise_note = _raise_of(former)
            return Taken(
                id=former.id, state=former.state, repeated=True,
                raised_to=former.classification if raise_note else None,
                raised_because=raise_note.get("reason", ""),
                capped_to=_capped_to(former), person=former.person, unshared=_was_unshared(former),
            )  # fmt: skip
        require_room()
        asked = row.classification
        place(row, viewer)
        row.save(force_insert=True)
        transaction.on_commit(partial(hint, tenant_id, row.id, is_short=is_short(row.text)))
        raised_to = row.classification if row.classification > asked else None
        return Taken(
            id=row.id, state=row.state, repeated=False, raised_to=raised_to,
            raised_because=_why_raised(row) if raised_to is not None else "",
            capped_to=_capped_to(row), person=row.person, unshared=_was_unshared(row),
        )  # fmt: skip


def _why_raised(row: Capture) -> str:
    """Return why a capture that was just kept was raised: the database may have written it on the trace."""
    row.refresh_from_db(fields=["trace"])
    return str(_raise_of(row).get("reason", ""))


def _was_unshared(row: Capture) -> bool:
    """Tell whether a capture was to be shared, which its key may not do."""
    return any(one["step"] == "share" for one in row.trace)


def _capped_to(row: Capture) -> str | None:
    """Return the origin that a capture's words are held to, or None when they may have the one claimed."""
    was_capped = any(one["step"] == "origin" and one["verdict"] == "capped" for one in row.trace)
    return str(row.origin) if was_capped else None


def _raise_of(former: Capture) -> dict[str, Any]:
    """Return what its trace says of the capture's having been raised; nothing where it was not."""
    return next((one for one in former.trace if (one["step"], one["verdict"]) == ("class", "raised")), {})


def _find_former(row: Capture) -> Capture | None:
    if row.idempotency_key is None:
        return None
    same_key = Capture.objects.filter(idempotency_key=row.idempotency_key)
    same_key = same_key.filter(api_key_id=row.api_key_id) if row.api_key_id else same_key.filter(api_key=None)
    former: Capture | None = same_key.first()
    if former is None or former.created_at > row.created_at - timedelta(hours=KEY_HOURS):
        return former
    Capture.objects.filter(id=former.id).update(idempotency_key=None, request_hash=None)
    return None


def get_capture(capture_id: UUID) -> CaptureView:
    """Return the capture, if the viewer in force may see it. Raises NotFound."""
    viewer = viewer_in_force()
    with unit_of_work():
        row = Capture.objects.filter(id=capture_id).first()
    if row is None or not _may_see(viewer, row):
        raise NotFound(NotFound.__doc__)
    return capture_view(row)


def capture_view(row: Capture) -> CaptureView:
    """Return the row as its tenant sees it."""
    waits_for = row.waits_for if row.state == "pending" else ""
    return CaptureView(
        id=row.id, state=row.state, trace=tuple(row.trace), error=row.error, text=row.text, role=row.role,
        memories=tuple(UUID(memory_id) for memory_id in row.memory_ids), speaker=row.speaker,
        origin=row.origin or origin_of_old(row.role, by_agent=row.agent_id is not None),
        relayed_by=row.agent_id if row.role == "user" else None, person=row.person, layer=row.layer,
        session=row.session, turn=row.turn, clock=row.clock, timezone=row.timezone,
        classification=row.classification, secrets_found=tuple(row.secrets_found), metadata=row.metadata,
        waits_for=waits_for, waiting_since=row.waiting_since if waits_for else None,
        retry_at=row.leased_until if waits_for else None,
        attempts=row.attempts, created_at=row.created_at, finished_at=row.finished_at,
    )  # fmt: skip


def _may_see(viewer: Viewer, row: Capture) -> bool:
    """Tell whether a capture is the viewer's own: what was said to one agent is no other's business."""
    if not viewer.may("view", row.project_id):
        return False
    params = visible_params(viewer, None)
    if row.project_id is not None and viewer.project_id is not None and row.project_id != viewer.project_id:
        return False
    return bool(params["sees_every_owner"]) or row.agent_id == viewer.agent_id


def check_request(request: CaptureRequest, viewer: Viewer) -> None:
    """Raise BadCapture when the request cannot be taken from this viewer."""
    check_text("text", request.text, longest=settings.MAX_TEXT_LENGTH)
    for name in ("session", "speaker", "domain"):
        check_text(name, getattr(request, name), longest=LONGEST_NAME, may_be_empty=True)
    if request.idempotency_key is not None:
        check_text("idempotency_key", request.idempotency_key, longest=LONGEST_NAME)
    if request.role not in ROLES:
        raise BadCapture("role", f"must be one of {', '.join(ROLES)}")
    if request.layer not in ("", *LAYERS):
        raise BadCapture("layer", f"must be one of {', '.join(LAYERS)}")
    if request.clock is not None:
        check_moment("clock", request.clock)
    check_metadata(request.metadata)
    check_zone(request.timezone)
    check_class(request.classification, viewer)
    if len(request.references) > MOST_REFERENCES:
        raise BadCapture("references", f"may be at most {MOST_REFERENCES}")
    references = json.dumps(request.references, ensure_ascii=False)
    check_text("references", references.replace("\\u0000", "\0"), longest=LONGEST_REFERENCES)
    check_fingerprints(request.fingerprints)
    check_project(request.project_id, viewer)


def check_fingerprints(fingerprints: Sequence[Mapping[str, Any]]) -> None:
    """Raise BadCapture for a fingerprint of what is no handle, or for two of one."""
    if len(fingerprints) > MOST_FINGERPRINTS:
        raise BadCapture("fingerprints", f"may be at most {MOST_FINGERPRINTS}")
    try:
        found = read_fingerprints(fingerprints)
    except ValueError as bad:
        raise BadCapture("fingerprints", str(bad)) from None
    for one in found:
        check_text("fingerprints", one.handle.name, longest=LONGEST_HANDLE)
        check_text("fingerprints", one.handle.scope, longest=LONGEST_HANDLE, may_be_empty=True)


def without_secrets(fingerprints: Iterable[Fingerprint]) -> list[Fingerprint]:
    """Return the fingerprints but those whose handle holds a secret: nothing is bound to it (SPEC W-07)."""
    return [one for one in fingerprints if not redact(f"{one.handle.name} {one.handle.scope}").found]


def check_text(field: str, text: str, *, longest: int, may_be_empty: bool = False) -> None:
    """Raise BadCapture for a text that is empty, too long, or that PostgreSQL or the embedder cannot hold."""
    if not text.strip() and not may_be_empty:
        raise BadCapture(field, "must not be empty")
    if len(text) > longest:
        raise BadCapture(field, f"may have at most {longest} characters; it has {len(text)}")
    if "\0" in text:
        raise BadCapture(field, "must not contain the character NUL (U+0000)")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise BadCapture(field, "is not valid Unicode: it contains half of a surrogate pair")


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Raise BadCapture for what is too long, or says what the write track says itself."""
    check_text("metadata", to_json(dict(metadata)), longest=LONGEST_METADATA)
    if taken := sorted(OWN_NOTES & metadata.keys()):
        raise BadCapture(
            "metadata", f"may not have {', '.join(taken)}: the service keeps its own under these"
        )


def check_moment(field: str, moment: datetime) -> None:
    """Raise BadCapture for a moment without a zone: whose noon it was could only be guessed."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise BadCapture(field, "must carry its offset from UTC, such as 2026-03-05T14:00:00+08:00")
    if not 1900 <= moment.year <= 2200:
        raise BadCapture(field, "must lie between the years 1900 and 2200")


def check_zone(name: str) -> None:
    """Raise BadCapture for a name that is no time zone."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        message = "is not the name of a time zone; use one such as Asia/Shanghai"
        raise BadCapture("timezone", message) from None


def check_class(classification: int, viewer: Viewer) -> None:
    """Raise BadCapture for a class that is none, or above what the viewer may see."""
    if not 0 <= classification <= 3:
        raise BadCapture("classification", "must be one of public, internal, restricted, confidential")
    if classification > viewer.clearance:
        raise BadCapture("classification", "is above what this key may see")


def check_project(project_id: UUID | None, viewer: Viewer) -> None:
    """
    Raise BadCapture for a project that is not there, or not the one that the viewer is bound to.

    Nobody writes where they may not look: that holds for what belongs to no project, too.
    """
    if not viewer.may("view", project_id or viewer.project_id):
        raise BadCapture("project", "is not a project of yours")
    if project_id is None or project_id == viewer.project_id:
        return
    with unit_of_work():
        known = Project.objects.filter(id=project_id).exists()
    if not known or viewer.project_id is not None:
        raise BadCapture("project", "is not a project of yours")


def _hash(request: CaptureRequest, redacted: str, *, person: str) -> bytes:
    """
    Return what tells this request from another under the same key.

    Taken of the redacted text: a hash of a secret among known words gives the secret away.
    """
    fields = asdict(request) | {"text": redacted, "person": person}
    for added in ("measured", "fingerprints", "metadata", "common", "person", "layer"):
        if not fields[added]:  # as it was before there were any: a request may be sent again later
            del fields[added]
    return sha256(json.dumps(fields, cls=DjangoJSONEncoder, sort_keys=True).encode()).digest()
