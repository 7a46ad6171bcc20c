"""
Documents: taken whole, cut into passages, each of which goes the way of a capture (SPEC M-11).

The document's row and the captures of its passages are committed together, redacted. So a crash later loses
nothing, every passage passes the same gates, and one that is refused says so on its own trace.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from memories.backlog import require_room
from memories.capture import (
    HINT_SECONDS,
    LONGEST_NAME,
    BadCapture,
    check_class,
    check_moment,
    check_project,
    check_text,
    check_zone,
    may_share,
)
from memories.direct import MOST_WORDS
from memories.hints import hint
from memories.locks import LockNamespace, lock_tenant
from memories.models import Capture, Document
from memories.models.capture import OPEN_STATES
from memories.passages import Passage, cut_passages
from memories.tags import canonical_tag
from memories.visibility import readable, readable_projects
from memories.written_class import written_class
from security import audit
from security.screening.secret_tree import redact_tree
from security.screening.secrets import redact
from tenants.models import new_id
from tenants.scope import NotFound, Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force

MEDIA_TYPES: Final = ("text/plain", "text/markdown")
LONGEST_TITLE: Final = 300
LONGEST_SOURCE: Final = 1_000
LONGEST_METADATA: Final = 10_000
"""Characters of the metadata as JSON."""

MOST_HINTS: Final = 100
"""Passages that are hinted at once; the sweeper finds the others, and captures of others come between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRequest:
    """A text from outside, whole."""

    title: str
    text: str
    source: str = ""  #: a path, an address, a connector's name
    media_type: str = "text/plain"
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None  #: the document's own date; None: as it is taken
    timezone: str = "UTC"
    project_id: UUID | None = None
    classification: int = 1
    shared: bool = False
    domain: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTaken:
    """A document that is kept; memory of its passages forms later."""

    id: UUID
    passages: int
    repeated: bool  #: the same text was here already, for the same readers


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document as its tenant sees it, and how far its passages have come."""

    id: UUID
    title: str
    source: str
    media_type: str
    tags: tuple[str, ...]
    occurred_at: datetime
    passages: int
    settled: Mapping[str, int]  #: state of a passage's capture → how many
    summary: str
    summary_model: str
    project_id: UUID | None
    agent_id: UUID | None
    shared: bool
    domain: str
    classification: int
    metadata: Mapping[str, Any]
    created_at: datetime

    @property
    def state(self) -> str:
        """Return «processing» while a passage is on its way, else «settled»."""
        return "processing" if any(self.settled.get(state) for state in OPEN_STATES) else "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageView:
    """A passage of a document: what was said of it, and the memory it became."""

    passage: int
    capture: UUID
    state: str
    memories: tuple[UUID, ...]
    text: str
    classification: int


def take_document(request: DocumentRequest, *, now: datetime) -> DocumentTaken:
    """
    Redact, cut and commit a document, then hint the workers. The same text comes once for the same readers.

    Raises BadCapture when it cannot be taken, BacklogFull when too many captures wait.
    """
    viewer = viewer_in_force()
    check_document(request, viewer)
    text = redact(request.text).text
    row = _row_of(request, viewer, text, now)
    row.classification = written_class(request.classification, viewer)
    pieces = cut_passages(text)
    row.passages = len(pieces)
    with tenant_scope(acting_for(viewer)):
        return _commit(row, pieces, request.timezone, now)


def check_document(request: DocumentRequest, viewer: Viewer) -> None:
    """Raise BadCapture when the document cannot be taken from this viewer."""
    check_text("title", request.title, longest=LONGEST_TITLE)
    check_text("text", request.text, longest=settings.MAX_DOCUMENT_LENGTH)
    check_text("source", request.source, longest=LONGEST_SOURCE, may_be_empty=True)
    check_text("domain", request.domain, longest=LONGEST_NAME, may_be_empty=True)
    if request.media_type not in MEDIA_TYPES:
        raise BadCapture("media_type", f"must be one of {', '.join(MEDIA_TYPES)}")
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


def _row_of(request: DocumentRequest, viewer: Viewer, text: str, now: datetime) -> Document:
    return Document(
        id=new_id(),
        title=redact(request.title).text,
        source=redact(request.source).text,
        media_type=request.media_type,
        content_hash=sha256(text.encode()).digest(),
        tags=list(dict.fromkeys(canonical_tag(redact(tag).text) for tag in request.tags)),
        occurred_at=request.occurred_at or now,
        project_id=request.project_id or viewer.project_id,
        agent_id=viewer.agent_id,
        shared=request.shared and may_share(viewer),
        domain=request.domain,
        classification=request.classification,
        api_key_id=viewer.key_id,
        metadata=redact_tree(dict(request.metadata)).value,
        created_at=now,
    )


def _commit(row: Document, pieces: tuple[Passage, ...], zone: str, now: datetime) -> DocumentTaken:
    with unit_of_work() as viewer:
        lock_tenant(LockNamespace.CAPTURE)
        former = _find_former(row)
        if former is not None:
            return DocumentTaken(id=former.id, passages=former.passages, repeated=True)
        require_room()
        row.save(force_insert=True)
        captures = [_capture_of(row, place, piece, zone, now) for place, piece in enumerate(pieces)]
        Capture.objects.bulk_create(captures)
        audit.append(
            "document.create", object_type="document", object_id=row.id, now=now,
            detail={"passages": len(pieces)}, classification=row.classification,
        )  # fmt: skip
        for capture in captures[:MOST_HINTS]:
            transaction.on_commit(partial(hint, viewer.tenant_id, capture.id, is_short=False))
    return DocumentTaken(id=row.id, passages=row.passages, repeated=False)


def _find_former(row: Document) -> Document | None:
    same = Document.objects.filter(
        content_hash=row.content_hash, source=row.source, project_id=row.project_id, agent_id=row.agent_id,
        shared=row.shared, domain=row.domain, classification=row.classification,
    )  # fmt: skip
    former: Document | None = same.order_by("created_at").first()
    return former


def _capture_of(document: Document, place: int, piece: Passage, zone: str, now: datetime) -> Capture:
    """Return the capture of a passage: a turn of a session that is the document."""
    return Capture(
        text=piece.text,
        role="tool",
        session=f"document:{document.id}",
        turn=place,
        clock=document.occurred_at,
        timezone=zone,
        document_id=document.id,
        passage=place,
        project_id=document.project_id,
        agent_id=document.agent_id,
        shared=document.shared,
        domain=document.domain,
        classification=document.classification,
        api_key_id=document.api_key_id,
        created_at=now,
        leased_until=now + timedelta(seconds=HINT_SECONDS if place < MOST_HINTS else 0),
    )


def get_document(document_id: UUID) -> DocumentView:
    """Return the document, if the viewer in force may see it. Raises NotFound."""
    with unit_of_work() as viewer:
        row = _one(viewer, document_id)
        return _view(row, _count_states([row.id])[row.id])


def list_documents(
    *, source: str | None = None, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[DocumentView, ...]:
    """Return at most `most` documents that the viewer may see, newest first; after: the last one had."""
    with unit_of_work() as viewer:
        rows = _within_sight(viewer).order_by("-created_at", "-id")
        rows = rows.filter(source=source) if source is not None else rows
        if after is not None:
            created_at, document_id = after
            rows = rows.filter(Q(created_at__lt=created_at) | Q(created_at=created_at, id__lt=document_id))
        found = list(rows[:most])
        counts = _count_states([row.id for row in found])
        return tuple(_view(row, counts[row.id]) for row in found)


def list_passages(document_id: UUID, *, first: int, most: int) -> tuple[PassageView, ...]:
    """Return at most `most` passages of a document in order, from the place `first`. Raises NotFound."""
    with unit_of_work() as viewer:
        _one(viewer, document_id)
        rows = Capture.objects.filter(document_id=document_id, passage__gte=first).order_by("passage")[:most]
        return tuple(
            PassageView(
                passage=row.passage, capture=row.id, state=row.state, text=row.text,
                memories=tuple(UUID(memory_id) for memory_id in row.memory_ids),
                classification=row.classification,
            )
            for row in rows
        )  # fmt: skip


def _one(viewer: Viewer, document_id: UUID) -> Document:
    row: Document | None = _within_sight(viewer).filter(id=document_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _within_sight(viewer: Viewer) -> QuerySet[Any]:
    return readable(Document.objects.all(), viewer, projects=readable_projects(viewer))


def _count_states(documents: list[UUID]) -> dict[UUID, dict[str, int]]:
    counts: dict[UUID, dict[str, int]] = {document: {} for document in documents}
    rows = Capture.objects.filter(document_id__in=documents).values_list("document_id", "state")
    for document, state, count in rows.annotate(count=Count("id")):
        counts[document][state] = count
    return counts


def _view(row: Document, settled: Mapping[str, int]) -> DocumentView:
    return DocumentView(
        id=row.id, title=row.title, source=row.source, media_type=row.media_type, tags=tuple(row.tags),
        occurred_at=row.occurred_at, passages=row.passages, settled=settled, summary=row.summary,
        summary_model=row.summary_model, project_id=row.project_id, agent_id=row.agent_id, shared=row.shared,
        domain=row.domain, classification=row.classification, metadata=row.metadata,
        created_at=row.created_at,
    )  # fmt: skip
