"""
Forget an end user: all that is theirs, in two steps (SPEC K-09, S-05).

The steps and the rights are those of forgetting a memory, and so are the means: see Note [Forgetting] in
`evolution.erasure.memory`. What a person gave to all is not theirs and stays; it is forgotten by its id.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from evolution.erasure.memory import blanked, end_rows, leave_receipts
from evolution.erasure.plan import ErasurePlan, plan_erasure_of, reach_of
from evolution.erasure.traces import Traces, blank_traces
from memories.access import FORGOTTEN, REASON, digest, normalised
from memories.curation import OtherText, checked_reason
from memories.ingestion import BadCapture
from memories.models import Capture, Document, Memory
from memories.models.capture import OPEN_STATES
from memories.vectors import read_homes
from recall.models import RecallEvent
from recall.questions import drop_vectors
from security import audit
from tenants.models import new_id
from tenants.rights import NoRight, require_person
from tenants.scope import FULL_CLEARANCE, Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

ACTION: Final = "person.forget"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonForgetting:
    """What of an end user goes, or went; hidden rows go as well and are not in it."""

    person: str
    hash: str  #: of all that goes: another capture, and it is another one
    forgotten: bool
    counts: Mapping[str, int]  #: memories, captures, documents and recalls, as far as who asks may see them


@dataclass(frozen=True, slots=True, kw_only=True)
class _Theirs:
    """All that is a person's, in the projects in which the viewer may forget."""

    memories: tuple[Memory, ...]
    captures: tuple[Capture, ...]
    documents: tuple[UUID, ...]
    recalls: tuple[RecallEvent, ...]

    @property
    def hash(self) -> str:
        """Return what tells this from what it was before, in hexadecimal."""
        told = [f"{row.id} {bytes(row.content_hash).hex()}" for row in self.memories]
        told += [f"{row.id} {row.text == FORGOTTEN}" for row in self.captures]
        told += [str(one) for one in (*self.documents, *(row.id for row in self.recalls))]
        return sha256("\n".join(told).encode()).hexdigest()


def forget_person(person: str, *, now: datetime, reason: str = "", hash: str = "") -> PersonForgetting:
    """
    Say what of an end user would go; with the hash of it, forget it for good.

    Of nobody nothing goes: the counts are empty. Raises NotForAgents, NoRight for who may forget nowhere,
    OtherText when something came or went since the hash was shown, BadCapture.
    """
    viewer, reason = require_person("Forgetting is a person's act"), checked_reason(reason)
    reach = reach_of(viewer)
    if reach is not None and not reach:
        raise NoRight(NoRight.__doc__)
    with tenant_scope(acting_for(viewer)), unit_of_work():
        lock_tenant(LockNamespace.STORE)
        lock_tenant(LockNamespace.ENTITIES)
        theirs = _find(person, reach)
        told = PersonForgetting(
            person=person, hash=theirs.hash, forgotten=bool(hash), counts=_count(person, reach, viewer)
        )
        if hash:
            _check(theirs, hash, reason)
            _erase(theirs, viewer, person=person, reason=reason, now=now)
    return told


def _find(person: str, reach: frozenset[UUID | None] | None) -> _Theirs:
    recalls = _within(RecallEvent.objects.filter(person=person), reach).order_by("id")
    return _Theirs(
        memories=tuple(_within(Memory.objects.filter(person=person), reach).order_by("id")),
        captures=tuple(_within(Capture.objects.filter(person=person), reach).order_by("id")),
        documents=tuple(_within(Document.objects.filter(person=person), reach).values_list("id", flat=True)),
        recalls=tuple(recalls.exclude(query=FORGOTTEN)),
    )


def _within(rows: QuerySet[Any], reach: frozenset[UUID | None] | None) -> QuerySet[Any]:
    """Return the rows that lie in these projects; None: in any, and among them: in none."""
    if reach is None:
        return rows
    filed = Q(project_id__in=[one for one in reach if one is not None])
    return rows.filter(filed | Q(project_id=None) if None in reach else filed)


def _count(person: str, reach: frozenset[UUID | None] | None, viewer: Viewer) -> dict[str, int]:
    """Return how much of it the viewer may see."""
    with tenant_scope(viewer.naming(person)), unit_of_work():
        seen = _find(person, reach)
    counts = {
        "memory": len(seen.memories),
        "capture": len(seen.captures),
        "document": len(seen.documents),
        "recall_event": len(seen.recalls),
    }
    return {name: count for name, count in counts.items() if count}


def _check(theirs: _Theirs, hash: str, reason: str) -> None:
    if not compare_digest(hash, theirs.hash):
        raise OtherText(OtherText.__doc__)
    texts = (normalised(text) for text in (*(row.content for row in theirs.memories), *_texts(theirs)))
    if any(text and text in normalised(reason) for text in texts):
        raise BadCapture("reason", "stays on the trail: it must not repeat what is to be forgotten")


def _texts(theirs: _Theirs) -> list[str]:
    return [row.text for row in theirs.captures if row.text != FORGOTTEN]


def _erase(theirs: _Theirs, viewer: Viewer, *, person: str, reason: str, now: datetime) -> None:
    """Carry it out; as the pipeline, under the locks that it was found under."""
    traces, act, counts = _traces(theirs), new_id(), Counter[str]()
    spaces, gone = [home.space for home in read_homes()], list[UUID]()
    if theirs.memories:
        plan: ErasurePlan = plan_erasure_of(theirs.memories, viewer)
        leave_receipts(plan, traces, act, now)
        counts.update(end_rows(plan, now=now))
        gone = list(plan.goes)
    _end_waiting(theirs, now)
    _unname(theirs)
    blank_traces(traces, gone)
    counts.update(blanked(traces))
    detail = {
        "act": str(act), "digest": digest(person).hex(), "memories": sorted(map(str, gone)),
        "counts": {name: count for name, count in sorted(counts.items()) if count},
    }  # fmt: skip
    audit.append(
        ACTION, object_type="person", object_id=act, now=now, reason=reason, detail=detail,
        classification=_rank(theirs),
    )  # fmt: skip
    asked = [*traces.asked, *(row.content for row in theirs.memories)]
    tenant_id = viewer_in_force().tenant_id
    transaction.on_commit(lambda: drop_vectors(tenant_id, spaces=spaces, queries=asked))


def _traces(theirs: _Theirs) -> Traces:
    return Traces(
        captures=tuple(row.id for row in theirs.captures),
        told=tuple(_texts(theirs)),
        queries=tuple(row.id for row in theirs.recalls),
        asked=tuple(row.query for row in theirs.recalls),
        given=(),
        documents=theirs.documents,
        words=(),
    )


def _end_waiting(theirs: _Theirs, now: datetime) -> None:
    """Take what waits to be remembered out of the queue: who works on one finds its lease gone."""
    Capture.objects.filter(id__in=[row.id for row in theirs.captures], state__in=OPEN_STATES).update(
        state="discarded", error=REASON, lease_token=None, leased_until=None, finished_at=now
    )


def _unname(theirs: _Theirs) -> None:
    """Take the name of who spoke from their captures: of a person who goes whole it says who they were."""
    Capture.objects.filter(id__in=[row.id for row in theirs.captures]).exclude(speaker="").update(speaker="")


def _rank(theirs: _Theirs) -> int:
    """Return the highest class of what goes, 0–3."""
    ranks = [row.classification for row in theirs.memories]
    return max([*ranks, *(row.classification for row in theirs.captures)], default=FULL_CLEARANCE)
