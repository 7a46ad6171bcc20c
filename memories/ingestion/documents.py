"""
Documents: taken whole, cut into passages, each of which goes the way of a capture (SPEC M-11).

The document's row and one capture with its whole text are committed together, redacted; a worker cuts it.

# Note [Cutting]
What waits to be cut is a capture that names a document and no passage: the row is the job, with its lease and
its attempts. To cut it makes it the capture of the first passage and adds the others, in one transaction that
says the lease's token. So a crash anywhere loses nothing and repeats nothing, every passage passes the same
gates, and one that is refused says so on its own trace.
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
from django.db.models import Count, QuerySet

from memories.access import readable, readable_projects
from memories.candidates import voice_of
from memories.ingestion.backlog import require_room
from memories.ingestion.capture import (
    HINT_SECONDS,
    LONGEST_METADATA,
    LONGEST_NAME,
    BadCapture,
    check_class,
    check_moment,
    check_project,
    check_text,
    check_zone,
    may_share,
)
from memories.ingestion.direct_write import MOST_WORDS
from memories.ingestion.high_water_mark import written_class
from memories.ingestion.intake import turn_to_take
from memories.ingestion.job_queue import Claim, begin_cut, finish_capture
from memories.ingestion.notify import hint
from memories.ingestion.passages import cut_passages
from memories.language import canonical_tag
from memories.models import Capture, Document
from memories.models.capture import OPEN_STATES
from security import audit
from security.screening.secrets import redact, redact_tree
from tenants.managers import page_of
from tenants.models import new_id
from tenants.scope import NotFound, Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

MEDIA_TYPES: Final = ("text/plain", "text/markdown")
LONGEST_TITLE: Final = 300
LONGEST_SOURCE: Final = 1_000

NO_WORDS: Final = "there is nothing in it but blanks"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document as its tenant sees it, and how far its passages have come."""

    id: UUID
    title: str
    source: str
    media_type: str
    tags: tuple[str, ...]
    occurred_at: datetime
    passages: int | None  #: pieces; None: not cut yet
    settled: Mapping[str, int]  #: state of a passage's capture → how many; what is not cut yet counts as one
    summary: str
    summary_model: str
    project_id: UUID | None
    agent_id: UUID | None
    shared: bool
    domain: str
    person: str  #: the end user whose it is; empty: common
    classification: int
    metadata: Mapping[str, Any]
    created_at: datetime

    @property
    def state(self) -> str:
        """Return «processing» while a passage is on its way, else «settled»."""
        return _state_of(self.settled)


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
    Redact and commit a document, then hint the workers. The same text comes once for the same readers.

    Raises BadCapture when it cannot be taken, BacklogFull when too many captures wait, ReaderBusy when too
    many of the tenant's long texts are being taken.
    """
    viewer = viewer_in_force()
    with turn_to_take(request.text):
        check_document(request, viewer)
        text = redact(request.text).text
        row = _row_of(request, viewer, text, now)
        row.classification = written_class(request.classification, viewer, person=row.person)
        with tenant_scope(acting_for(viewer)):
            return _commit(row, text, request.timezone, now)


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
        person="" if request.common else viewer.person,
        classification=request.classification,
        api_key_id=viewer.key_id,
        metadata=redact_tree(dict(request.metadata)).value,
        created_at=now,
    )


def _commit(row: Document, text: str, zone: str, now: datetime) -> DocumentTaken:
    with unit_of_work() as viewer:
        lock_tenant(LockNamespace.CAPTURE)
        former = _find_former(row)
        if former is not None:
            state = _state_of(_count_states([former.id])[former.id])
            return DocumentTaken(
                id=former.id, passages=former.passages or None, repeated=True, state=state,
                person=former.person,
            )  # fmt: skip
        require_room()
        row.save(force_insert=True)
        whole = _capture_of(
            row, text=text, zone=zone, now=now, leased_until=_after_hint(now), voice=voice_of(viewer)
        )
        whole.save(force_insert=True)
        audit.append(
            "document.create", object_type="document", object_id=row.id, now=now,
            detail={"characters": len(text)}, classification=row.classification,
        )  # fmt: skip
        transaction.on_commit(partial(hint, viewer.tenant_id, whole.id, is_short=False))
    return DocumentTaken(id=row.id, passages=None, repeated=False, person=row.person)


def is_uncut(capture: Capture) -> bool:
    """Tell whether the capture holds a whole document; see Note [Cutting]."""
    return capture.document_id is not None and capture.passage is None


def cut_document(claim: Claim, *, now: datetime) -> None:
    """
    Cut the document that the claimed capture holds, and hint its passages. Raises LeaseLost.

    A text without a word has no passages: its one capture is discarded.
    """
    whole = claim.capture
    pieces = cut_passages(whole.text)
    if not pieces:
        with unit_of_work():
            trace = [{"step": "cut", "verdict": "discard", "reason": NO_WORDS}]
            finish_capture(claim, state="discarded", trace=trace, now=now, error=NO_WORDS)
        return
    with unit_of_work() as viewer:
        begin_cut(claim, text=pieces[0].text, leased_until=_after_hint(now))
        # Read anew: a class that was raised since it was taken is its passages' class.
        document = Document.objects.get(id=whole.document_id)
        others = [
            _capture_of(
                document, place=place, text=piece.text, zone=whole.timezone, now=now,
                leased_until=_after_hint(now) if place < MOST_HINTS else now, voice=whole.voice,
            )
            for place, piece in enumerate(pieces[1:], start=1)
        ]  # fmt: skip
        Capture.objects.bulk_create(others)
        Document.objects.filter(id=document.id).update(passages=len(pieces))
        for capture in (whole, *others[: MOST_HINTS - 1]):
            transaction.on_commit(partial(hint, viewer.tenant_id, capture.id, is_short=False))


def _after_hint(now: datetime) -> datetime:
    """Return until when the sweeper leaves a capture to its hint."""
    return now + timedelta(seconds=HINT_SECONDS)


def _find_former(row: Document) -> Document | None:
    same = Document.objects.filter(
        content_hash=row.content_hash, source=row.source, project_id=row.project_id, agent_id=row.agent_id,
        shared=row.shared, domain=row.domain, person=row.person, classification=row.classification,
    )  # fmt: skip
    former: Document | None = same.order_by("created_at").first()
    return former


def _capture_of(
    document: Document,
    *,
    text: str,
    zone: str,
    now: datetime,
    leased_until: datetime,
    voice: str,
    place: int | None = None,
) -> Capture:
    """Return the capture of a passage, a turn of a session that is the document; place None: of all of it."""
    return Capture(
        text=text,
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


def get_document(document_id: UUID) -> DocumentView:
    """Return the document, if the viewer in force may see it. Raises NotFound."""
    with unit_of_work() as viewer:
        row = _one(viewer, document_id)
        return _view(row, _count_states([row.id])[row.id])


def list_documents(
    *,
    source: str | None = None,
    person: str | None = None,
    after: tuple[datetime, UUID] | None = None,
    most: int,
) -> tuple[DocumentView, ...]:
    """Return at most `most` documents that the viewer may see, newest first; after: the last one had."""
    with unit_of_work() as viewer:
        rows = _within_sight(viewer)
        rows = rows.filter(source=source) if source is not None else rows
        rows = rows.filter(person=person) if person is not None else rows
        rows = page_of(rows, by="created_at", after=after)
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


def _state_of(settled: Mapping[str, int]) -> str:
    return "processing" if any(settled.get(state) for state in OPEN_STATES) else "settled"


def _view(row: Document, settled: Mapping[str, int]) -> DocumentView:
    return DocumentView(
        id=row.id, title=row.title, source=row.source, media_type=row.media_type, tags=tuple(row.tags),
        occurred_at=row.occurred_at, passages=row.passages or None, settled=settled, summary=row.summary,
        summary_model=row.summary_model, project_id=row.project_id, agent_id=row.agent_id, shared=row.shared,
        domain=row.domain, person=row.person, classification=row.classification, metadata=row.metadata,
        created_at=row.created_at,
    )  # fmt: skip
