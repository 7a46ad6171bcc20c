"""
A new version of a document takes the place of the one before (SPEC M-11, K-04).

# Note [Versions]
Documents with the same source and for the same readers are versions of one; the latest by its own date holds.
Once it and an earlier one are settled, the passages of the earlier one that it does not say again, and the
facts drawn from them, are superseded by the row of the new one that says most of the same: their words stand
in its history, and a person may reinstate each. What a person put in a passage's place is theirs and stays.
A row retires rows of its own class alone: what lies above changes nothing below, and what lies below nothing
above.

It is done in small steps, each under the store lock, and noted on the document last: what a crash left undone
the next passage or the next night does.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, OuterRef, QuerySet

from memories.documents.taking import READERS, of_same_source
from memories.models import Capture, Document, Memory
from memories.models.capture import OPEN_STATES
from memories.reconciliation import CURRENT, EXTRACTED, GUESSED
from memories.storage import place_row, supersede
from security import audit
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

AT_ONCE: Final = 50
"""Passages that are superseded under one lock, while the tenant stores nothing else. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """The passages of the version that holds, by class."""

    ids: frozenset[UUID]
    by_class: Mapping[int, Sequence[Memory]]


def replace_versions(document: Document, *, now: datetime) -> int:
    """
    Let the latest settled version of this document's source hold, and return how many passages it superseded.

    Nothing is done without a source, while none is settled, or where there is one version: Note [Versions].
    """
    if document.source_hash is None:
        return 0
    with unit_of_work():
        versions = list(_versions(document))
        latest = next((one for one in reversed(versions) if _has_memories(one)), None)
    before = versions[: versions.index(latest)] if latest is not None else []
    if latest is None or all(one.replaced_by_id for one in before):
        return 0
    # Of one that was replaced before, too: what the version after it said again, this one may not.
    earlier = [one.id for one in before]
    count = 0
    while gone := _supersede_some(earlier, latest.id, now):
        count += gone
    with unit_of_work():
        # One of another class keeps its passages, and holds beside the latest.
        hold = _held_by(earlier, _read_version(latest.id)).values("document_id")
        marked = Document.objects.filter(id__in=earlier, replaced_by=None).exclude(id__in=hold)
        events = [
            audit.Event(
                action="document.replace", object_type="document", object_id=one.id,
                detail={"by": str(latest.id)}, classification=one.classification,
            )
            for one in marked.select_for_update()
        ]  # fmt: skip
        marked.update(replaced_by=latest.id)
        audit.append_all(events, now=now)
    return count


def find_unreplaced(most: int) -> list[Document]:
    """Return a document of each source, at most `most`, with versions of one class that hold or wait."""
    with unit_of_work():
        holding = Document.objects.filter(replaced_by=None, refusal="", source_hash__isnull=False)
        versions = holding.values("source_hash", *READERS, "classification")
        several = versions.annotate(count=Count("id"), ids=ArrayAgg("id", order_by="id")).filter(count__gt=1)
        firsts = [one["ids"][0] for one in several]
        return list(Document.objects.defer("upload").filter(id__in=firsts).order_by("id")[:most])


def _versions(document: Document) -> QuerySet[Any]:
    """Return the settled versions of this document's source for its readers, earliest first."""
    waits = Capture.objects.filter(document_id=OuterRef("id"), state__in=OPEN_STATES)
    same = of_same_source(document).filter(source_hash=document.source_hash)
    return same.exclude(Exists(waits)).order_by("occurred_at", "created_at", "id")


def _has_memories(document: Document) -> bool:
    return Capture.objects.filter(document_id=document.id, state="stored").exists()


def _supersede_some(earlier: Sequence[UUID], latest: UUID, now: datetime) -> int:
    """Supersede some passages of the earlier versions; return how many."""
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        version = _read_version(latest)
        rows = _held_by(earlier, version).filter(classification__in=list(version.by_class))
        by: dict[UUID, list[Memory]] = defaultdict(list)
        for row in rows.order_by("document_id", "passage")[:AT_ONCE]:
            by[_successor(row, version.by_class[row.classification]).id].append(row)
        return sum(
            len(supersede([place_row(one) for one in replaced], by=new, now=now))
            for new, replaced in by.items()
        )


def _held_by(documents: Sequence[UUID], version: _Version) -> QuerySet[Any]:
    """Return what the passages of documents gave and holds, but for what the version says itself."""
    rows = Memory.objects.filter(
        document_id__in=documents, provenance__in=(EXTRACTED, GUESSED), standing=CURRENT
    )  # fmt: skip
    return rows.exclude(id__in=version.ids)


def _read_version(document_id: UUID) -> _Version:
    told = Capture.objects.filter(document_id=document_id, state="stored").values_list(
        "memory_ids", flat=True
    )
    ids = frozenset(UUID(str(one)) for made in told for one in made)
    by_class: dict[int, list[Memory]] = defaultdict(list)
    rows = Memory.objects.filter(id__in=ids, standing=CURRENT)
    for row in rows.only("id", "classification", "keywords", "passage").order_by("passage", "id"):
        by_class[row.classification].append(row)
    return _Version(ids=ids, by_class=by_class)


def _successor(row: Memory, passages: Sequence[Memory]) -> Memory:
    """Return the new passage that has most keywords of the old one; of several, the one at its place."""
    words, place = set(row.keywords), row.passage or 0
    return max(
        passages, key=lambda one: (len(words.intersection(one.keywords)), -abs((one.passage or 0) - place))
    )
