"""Documents as their tenant sees them: what they are, and how far their passages have come (SPEC M-11)."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memories.access import readable, readable_projects
from memories.documents.taking import count_states, state_of
from memories.models import Capture, Document
from tenants.managers import page_of
from tenants.scope import NotFound, Viewer, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document as its tenant sees it, and how far its passages have come."""

    id: UUID
    title: str
    source: str
    media_type: str
    file_name: str  #: empty: it came as text
    tags: tuple[str, ...]
    occurred_at: datetime
    passages: int | None  #: pieces; None: not cut yet
    replaced_by: UUID | None  #: the version of its source that holds, as far as the viewer may see it
    refusal: str  #: why its file could not be read, and what to do; empty: it was, or waits
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
        return state_of(self.settled)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageView:
    """A passage of a document: what was said of it, and the memory it became."""

    passage: int
    capture: UUID
    state: str
    memories: tuple[UUID, ...]
    text: str
    classification: int


def get_document(document_id: UUID) -> DocumentView:
    """Return the document, if the viewer in force may see it. Raises NotFound."""
    with unit_of_work() as viewer:
        row = _one(viewer, document_id)
        return _view(row, count_states([row.id])[row.id], _versions_in_sight(viewer, [row]))


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
        counts = count_states([row.id for row in found])
        versions = _versions_in_sight(viewer, found)
        return tuple(_view(row, counts[row.id], versions) for row in found)


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
    return readable(Document.objects.defer("upload"), viewer, projects=readable_projects(viewer))


def _versions_in_sight(viewer: Viewer, rows: Sequence[Document]) -> frozenset[UUID]:
    named = [row.replaced_by_id for row in rows if row.replaced_by_id is not None]
    return frozenset(_within_sight(viewer).filter(id__in=named).values_list("id", flat=True) if named else ())


def _view(row: Document, settled: Mapping[str, int], versions: Container[UUID]) -> DocumentView:
    return DocumentView(
        id=row.id, title=row.title, source=row.source, media_type=row.media_type,
        file_name=row.file_name, tags=tuple(row.tags), occurred_at=row.occurred_at,
        passages=row.passages or None, refusal=row.refusal, settled=settled, summary=row.summary,
        replaced_by=row.replaced_by_id if row.replaced_by_id in versions else None,
        summary_model=row.summary_model, project_id=row.project_id, agent_id=row.agent_id, shared=row.shared,
        domain=row.domain, person=row.person, classification=row.classification, metadata=row.metadata,
        created_at=row.created_at,
    )  # fmt: skip
