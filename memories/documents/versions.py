"""
A new version of a document takes the place of the one before (SPEC M-11, K-04).

# Note [Versions]
Documents with the same source and for the same readers are versions of one; the latest by its own date holds.
Once it and an earlier one are settled, the passages of the earlier one that it does not say again are
superseded by the passage of the new one that says most of the same: their words stand in its history, and a
person may reinstate each. What a person put in a passage's place is theirs and stays. A row retires rows of
its own class alone: what lies above changes nothing below, and what lies below nothing above.

It is done in small steps, each under the store lock, and noted on the document last: what a crash left undone
the next passage or the next night does.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, OuterRef, QuerySet

from memories.models import Capture, Document, Memory
from memories.models.capture import OPEN_STATES
from memories.reconciliation import CURRENT
from memories.storage import place_row, supersede
from security import audit
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant

AT_ONCE: Final = 50
"""Passages that are superseded under one lock, while the tenant stores nothing else. Ours."""

PASSAGE: Final = "passage"
EXTRACTED: Final = "extracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """The passages of the version that holds, by class."""

    ids: frozenset[UUID]
    by_class: Mapping[int, Sequence[Memory]]


def replace_versions(document_id: UUID, *, now: datetime) -> int:
    """
    Let the latest settled version of this document's source hold, and return how many passages it superseded.

    Nothing is done while none is settled, or where the source has one version. See Note [Versions].
    """
    with unit_of_work():
        versions = list(_versions(document_id))
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


def find_unreplaced() -> list[UUID]:
    """Return one document of each source that has several versions of one class which hold, or wait."""
    with unit_of_work():
        holding = Document.objects.filter(replaced_by=None, refusal="", source_hash__isnull=False)
        versions = holding.values(
            "source_hash", "project_id", "agent_id", "shared", "domain", "person", "classification"
        )  # fmt: skip
        several = versions.annotate(count=Count("id"), ids=ArrayAgg("id", order_by="id")).filter(count__gt=1)
        return sorted(one["ids"][0] for one in several)


def _versions(document_id: UUID) -> QuerySet[Any]:
    """Return the settled versions of this document's source for its readers, earliest first."""
    document = Document.objects.filter(id=document_id, source_hash__isnull=False).defer("upload").first()
    if document is None:
        return Document.objects.none()
    waits = Capture.objects.filter(document_id=OuterRef("id"), state__in=OPEN_STATES)
    same = Document.objects.filter(
        source_hash=document.source_hash, source=document.source, project_id=document.project_id,
        agent_id=document.agent_id, shared=document.shared, domain=document.domain, person=document.person,
        refusal="",
    )  # fmt: skip
    return same.exclude(Exists(waits)).defer("upload").order_by("occurred_at", "created_at", "id")


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
    """Return the passages of documents that hold, but for those that the version says itself."""
    rows = Memory.objects.filter(
        document_id__in=documents, kind=PASSAGE, provenance=EXTRACTED, standing=CURRENT
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
    shared = Counter({one.id: len(set(one.keywords) & set(row.keywords)) for one in passages})
    return max(passages, key=lambda one: (shared[one.id], -abs((one.passage or 0) - (row.passage or 0))))
