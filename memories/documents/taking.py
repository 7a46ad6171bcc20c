"""
Documents: taken whole, as text or as a file, to be cut into passages later (SPEC M-11).

The document's row and one capture are committed together. A text stands in that capture, redacted; a file
stands on the document's row as it came, is shown by no door, and goes as soon as a worker has read it
(`memories.documents.cutting`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.expressions import Combinable

from memories.candidates import voice_of
from memories.files import PLAIN, TEXT_TYPES, UnreadableFile, kind_of
from memories.ingestion import (
    LONGEST_METADATA,
    LONGEST_NAME,
    MOST_WORDS,
    BadCapture,
    after_hint,
    check_class,
    check_moment,
    check_project,
    check_text,
    check_zone,
    hint,
    may_share,
    require_room,
    turn_to_take,
    written_class,
)
from memories.language import canonical_tag
from memories.models import Capture, Document
from memories.models.capture import OPEN_STATES
from security import audit
from security.screening.secrets import redact, redact_tree
from tenants.models import new_id
from tenants.scope import Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

ReadBytes = Callable[[], bytes]

READERS: Final = ("project_id", "agent_id", "shared", "domain", "person")
"""Columns of a document that say for whom it is, its class apart."""

LONGEST_TITLE: Final = 300
LONGEST_SOURCE: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRequest:
    """A text from outside, whole; or what is said of a file."""

    title: str = ""  #: empty, of a file only: as the file itself says, else its name
    text: str = ""
    source: str = ""  #: a path, an address, a connector's name
    media_type: str = PLAIN
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None  #: the document's own date; None: as it is taken
    timezone: str = "UTC"
    project_id: UUID | None = None
    classification: int = 1
    shared: bool = False
    domain: str = ""
    common: bool = False  #: though it comes from the person whom the viewer names, it is everybody's
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTaken:
    """A document that is kept; memory of its passages forms later."""

    id: UUID
    passages: int | None  #: pieces; None: not cut yet
    repeated: bool  #: the same text was here already, for the same readers
    person: str  #: the end user whose it is; empty: common
    state: str = "processing"


def take_document(request: DocumentRequest, *, now: datetime) -> DocumentTaken:
    """
    Redact and commit a document, then hint the workers. The same text comes once for the same readers.

    Raises BadCapture when it cannot be taken, BacklogFull when too many captures wait, ReaderBusy when too
    many of the tenant's long texts are being taken.
    """
    viewer = viewer_in_force()
    with turn_to_take(len(request.text.encode(errors="replace"))):
        check_text("title", request.title, longest=LONGEST_TITLE)
        check_text("text", request.text, longest=settings.MAX_DOCUMENT_LENGTH)
        if request.media_type not in TEXT_TYPES:
            raise BadCapture("media_type", f"must be one of {', '.join(TEXT_TYPES)}")
        check_document(request, viewer)
        text = redact(request.text).text
        row = _row_of(request, viewer, now)
        row.content_hash = sha256(text.encode()).digest()
        return _take(row, viewer, text=text, zone=request.timezone, now=now)


def take_upload(
    request: DocumentRequest, *, name: str, size: int, read: ReadBytes, now: datetime
) -> DocumentTaken:
    """
    Commit a file as it came, then hint the workers, who read it. The same file comes once, as a text does.

    name: of the file; tells Markdown from plain text, and is the title until the file says a better one.
    size: bytes. read: returns the bytes; called in the tenant's turn.

    Raises BadCapture, on `file` for one that is too large, empty or of a kind that is not read; BacklogFull
    and ReaderBusy as `take_document` does.
    """
    viewer = viewer_in_force()
    if size > settings.MAX_UPLOAD_BYTES:
        raise BadCapture(
            "file", f"may have at most {settings.MAX_UPLOAD_BYTES} bytes; split it, or send its text"
        )
    with turn_to_take(size):
        check_text("title", request.title, longest=LONGEST_TITLE, may_be_empty=True)
        check_document(request, viewer)
        data = read()
        try:
            media_type = kind_of(data, name=name)
        except UnreadableFile as refused:
            raise BadCapture("file", str(refused)) from refused
        named = name[-LONGEST_TITLE:]  # its end tells what it is
        row = _row_of(replace(request, title=request.title or named, media_type=media_type), viewer, now)
        row.file_name = redact(named).text
        row.content_hash = sha256(data).digest()
        row.upload = data
        return _take(row, viewer, text="", zone=request.timezone, now=now)


def check_document(request: DocumentRequest, viewer: Viewer) -> None:
    """Raise BadCapture when what is said of the document cannot be taken from this viewer."""
    check_text("source", request.source, longest=LONGEST_SOURCE, may_be_empty=True)
    check_text("domain", request.domain, longest=LONGEST_NAME, may_be_empty=True)
    if len(request.tags) > MOST_WORDS:
        raise BadCapture("tags", f"may be at most {MOST_WORDS}")
    for tag in request.tags:
        check_text("tags", tag, longest=LONGEST_NAME)
    if request.occurred_at is not None:
        check_moment("occurred_at", request.occurred_at)
    check_text("metadata", repr(request.metadata), longest=LONGEST_METADATA)
    check_zone(request.timezone)
    check_class(request.classification, viewer)
    check_project(request.project_id, viewer)


def _row_of(request: DocumentRequest, viewer: Viewer, now: datetime) -> Document:
    source = redact(request.source).text
    return Document(
        id=new_id(),
        title=redact(request.title).text,
        source=source,
        source_hash=sha256(source.encode()).digest() if source else None,
        media_type=request.media_type,
        tags=list(dict.fromkeys(canonical_tag(redact(tag).text) for tag in request.tags)),
        occurred_at=request.occurred_at or now,
        project_id=request.project_id or viewer.project_id,
        agent_id=viewer.agent_id,
        shared=request.shared and may_share(viewer),
        domain=request.domain,
        person="" if request.common else viewer.person,
        classification=request.classification,
        api_key_id=viewer.key_id,
        metadata=redact_tree(dict(request.metadata)).value,
        created_at=now,
    )


def _take(row: Document, viewer: Viewer, *, text: str, zone: str, now: datetime) -> DocumentTaken:
    row.classification = written_class(row.classification, viewer, person=row.person)
    with tenant_scope(acting_for(viewer)):
        return _commit(row, text, zone, now)


def _commit(row: Document, text: str, zone: str, now: datetime) -> DocumentTaken:
    with unit_of_work() as viewer:
        lock_tenant(LockNamespace.CAPTURE)
        former = _find_former(row)
        if former is not None:
            state = state_of(count_states([former.id])[former.id])
            return DocumentTaken(
                id=former.id, passages=former.passages or None, repeated=True, state=state,
                person=former.person,
            )  # fmt: skip
        require_room()
        row.save(force_insert=True)
        whole = capture_of(
            row, text=text, zone=zone, now=now, leased_until=after_hint(), voice=voice_of(viewer)
        )
        whole.save(force_insert=True)
        audit.append(
            "document.create", object_type="document", object_id=row.id, now=now,
            detail=_measured(row, text), classification=row.classification,
        )  # fmt: skip
        transaction.on_commit(partial(hint, viewer.tenant_id, whole.id, is_short=False))
    return DocumentTaken(id=row.id, passages=None, repeated=False, person=row.person)


def of_same_source(document: Document) -> QuerySet[Any]:
    """
    Return the documents of the same source and for the same readers, whatever their class.

    Those that were refused are none of them: they may be tried again, since limits change, and so do readers.
    """
    readers = {name: getattr(document, name) for name in READERS}
    return Document.objects.defer("upload").filter(source=document.source, refusal="", **readers)


def _find_former(row: Document) -> Document | None:
    same = of_same_source(row).filter(content_hash=row.content_hash, classification=row.classification)
    former: Document | None = same.order_by("created_at").first()
    return former


def capture_of(
    document: Document,
    *,
    text: str,
    zone: str,
    now: datetime,
    leased_until: Combinable,
    voice: str,
    place: int | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Capture:
    """Return the capture of a passage, a turn of a session that is the document; place None: of all of it."""
    return Capture(
        text=text,
        metadata=metadata or {},
        role="tool",
        origin="extracted",
        voice=voice,
        session=f"document:{document.id}",
        turn=place or 0,
        clock=document.occurred_at,
        timezone=zone,
        document_id=document.id,
        passage=place,
        project_id=document.project_id,
        agent_id=document.agent_id,
        shared=document.shared,
        domain=document.domain,
        person=document.person,
        classification=document.classification,
        api_key_id=document.api_key_id,
        created_at=now,
        leased_until=leased_until,
    )


def _measured(row: Document, text: str) -> dict[str, Any]:
    if row.upload is None:
        return {"characters": len(text)}
    return {"bytes": len(row.upload), "media_type": row.media_type}


def count_states(documents: Sequence[UUID]) -> dict[UUID, dict[str, int]]:
    """Return of each document how many captures of it are in which state."""
    counts: dict[UUID, dict[str, int]] = {document: {} for document in documents}
    rows = Capture.objects.filter(document_id__in=documents).values_list("document_id", "state")
    for document, state, count in rows.annotate(count=Count("id")):
        counts[document][state] = count
    return counts


def state_of(settled: Mapping[str, int]) -> str:
    """Return «processing» while a passage is on its way, else «settled»."""
    return "processing" if any(settled.get(state) for state in OPEN_STATES) else "settled"
