"""
Forget a memory for good: a person's act, in two steps bound to the stored text (SPEC S-05, H-04).

# Note [Forgetting]
All of it is one transaction under the store lock: killed anywhere it has not happened. The first step changes
nothing and shows what would go; the second names the hash of the text that was shown, so that nobody forgets
what they have not read. What stays is a receipt for each memory (`memories.access`), which keeps the text out
for good, and an event on the trail without any content. Nothing is revived: what the memory replaced stays
history, and what waited against it waits.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from psycopg import sql

from evolution.erasure.plan import ErasurePlan, plan_erasure
from evolution.erasure.traces import SQL, Traces, blank_traces, find_traces
from memories.access import digest, normalised, telling_sentences
from memories.curation import OtherText, checked_reason, give_back, hash_text
from memories.ingestion import BadCapture
from memories.models import Erasure, Memory
from memories.reconciliation import CURRENT
from memories.storage import settle_trust, within_sight
from memories.vectors import read_homes
from recall.questions import drop_vectors
from security import audit
from tenants.models import new_id
from tenants.rights import require_person, require_right
from tenants.scope import Viewer, acting_for, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

ACTION: Final = "memory.forget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A memory that goes, or is made anew, as far as who asks may see it."""

    id: UUID
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What goes, or went; hidden rows go as well and are not in it."""

    memory_id: UUID
    content: str  #: of the memory; empty once it is gone
    hash: str
    forgotten: bool
    goes: tuple[Touched, ...]  #: asked, corrected_by_it, says_the_same, rests_on_it
    recomputed: tuple[Touched, ...]  #: dissolved, keeps_to_its_other_sources
    counts: Mapping[str, int]  #: rows by table; of captures, questions and documents those that are blanked
    classification: int  #: of what was asked about


def forget_memory(memory_id: UUID, *, now: datetime, reason: str = "", hash: str = "") -> Forgetting:
    """
    Say what forgetting a memory would take with it; with the hash of its stored text, do it.

    Raises NotForAgents, NotFound, NoRight, OtherText, BadCapture. See Note [Forgetting].
    """
    viewer, reason = require_person("Forgetting is a person's act"), checked_reason(reason)
    acting = acting_for(viewer)
    with tenant_scope(acting), unit_of_work():
        lock_tenant(LockNamespace.STORE)
        lock_tenant(LockNamespace.ENTITIES)
        plan = plan_erasure(memory_id, viewer)
        require_right(viewer, "forget", plan.asked.project_id)
        told = _tell(plan, viewer, forgotten=bool(hash))
        if hash:
            _check(plan, hash, reason)
            erase(plan, reason=reason, now=now)
    return told


def erase(plan: ErasurePlan, *, reason: str, now: datetime) -> None:
    """Carry a plan out; to be called as the pipeline, under the locks that it was made under."""
    traces, spaces = find_traces(plan), [home.space for home in read_homes()]
    gone, act = list(plan.goes), new_id()
    leave_receipts(plan, traces, act, now)
    counts = end_rows(plan, now=now)
    blank_traces(traces, gone)
    counts.update(blanked(traces))
    detail = {
        "act": str(act), "memories": sorted(map(str, gone)), "digest": digest(plan.asked.content).hex(),
        "dissolved": sorted(map(str, plan.dissolved)),
        "counts": {name: count for name, count in sorted(counts.items()) if count},
    }  # fmt: skip
    audit.append(
        ACTION, object_type="memory", object_id=plan.asked.id, now=now, reason=reason, detail=detail,
        classification=plan.rank,
    )  # fmt: skip
    asked, tenant_id = [*traces.asked, *plan.texts], viewer_in_force().tenant_id
    transaction.on_commit(lambda: drop_vectors(tenant_id, spaces=spaces, queries=asked))


def end_rows(plan: ErasurePlan, *, now: datetime) -> Counter[str]:
    """End what goes and what is dissolved, and trust anew what stays; return the rows that went, by table."""
    counts = Counter(erase_rows(list(plan.goes)))
    for pattern in plan.dissolved.values():
        release(pattern, now)
    counts.update(erase_rows(list(plan.dissolved)))
    settle_trust(list(plan.relieved))
    return counts


def _check(plan: ErasurePlan, hash: str, reason: str) -> None:
    if not compare_digest(hash, hash_text(plan.asked.content)):
        raise OtherText(OtherText.__doc__)
    if any(normalised(text) in normalised(reason) for text in plan.quoted):
        raise BadCapture("reason", "stays on the trail: it must not repeat what is to be forgotten")


def leave_receipts(plan: ErasurePlan, traces: Traces, act: UUID, now: datetime) -> None:
    """Write by what the texts are known again; a dissolved pattern's may be made anew of other findings."""
    told = {row.id: [row.content, *plan.versions[row.id]] for row in plan.goes.values()}
    told[plan.asked.id] += traces.told
    known = _known_elsewhere(plan, [text for texts in told.values() for text in texts])
    receipts = [
        Erasure(
            act=act, memory_id=row.id, digest=one, at=now, person=row.person,
            classification=row.classification,
        )
        for row in plan.goes.values()
        for one in sorted(_digests_kept(told[row.id], known))
    ]  # fmt: skip
    receipts += [
        Erasure(
            act=act, memory_id=row.id, digest=None, at=now, person=row.person,
            classification=row.classification,
        )
        for row in plan.dissolved.values()
    ]  # fmt: skip
    Erasure.objects.bulk_create(receipts)


def _digests_kept(texts: Iterable[str], known: set[str]) -> set[bytes]:
    """Return the digests of the texts and of their sentences, without those that others say, too."""
    return {digest(part) for text in texts for part in {text, *(telling_sentences(text) - known)}}


def _known_elsewhere(plan: ErasurePlan, texts: Iterable[str]) -> set[str]:
    """Return the sentences that memories which stay have, too: to keep them out would harm those."""
    parts = sorted({part for text in texts for part in telling_sentences(text)})
    gone = [*plan.goes, *plan.dissolved]
    found = SQL.run("find_known_elsewhere", texts=parts, memories=gone, person=plan.person)
    return {row["text"] for row in found}


def erase_rows(memories: Sequence[UUID]) -> dict[str, int]:
    """End these memories with all that refers to them; return the rows that went, by table."""
    if not memories:
        return {}
    return {row["relation"]: row["gone"] for row in SQL.run("erase_memories", memories=list(memories))}


def release(pattern: Memory, now: datetime) -> None:
    """Let go of the findings that a pattern stands for, before it goes: those of a live one live again."""
    if pattern.standing == CURRENT and pattern.archived_at is None:
        give_back(pattern, now=now)
    else:
        heir = pattern.superseded_by_id
        Memory.objects.filter(superseded_by_id=pattern.id).update(superseded_by_id=heir, updated_at=now)


def blanked(traces: Traces) -> dict[str, int]:
    """Return how many rows outside of memory are blanked, by table."""
    return {
        "capture": len(traces.captures),
        "recall_event": len(traces.queries),
        "document": len(traces.documents),
        "shadow_question": len(traces.given),
    }


def _tell(plan: ErasurePlan, viewer: Viewer, *, forgotten: bool) -> Forgetting:
    """Return the plan as far as the viewer may see it."""
    with tenant_scope(viewer), unit_of_work():
        ids = [*plan.goes, *plan.dissolved, *plan.relieved]
        seen = set(within_sight(None).filter(id__in=ids).values_list("id", flat=True))
        whole = [*plan.goes, *plan.dissolved]
        counts = {**_count_rows(whole), **blanked(find_traces(plan))}
    anew = [(one, "dissolved") for one in plan.dissolved]
    anew += [(one, "keeps_to_its_other_sources") for one in plan.relieved]
    return Forgetting(
        memory_id=plan.asked.id,
        content="" if forgotten else plan.asked.content,
        hash=hash_text(plan.asked.content),
        forgotten=forgotten,
        goes=tuple(Touched(id=one, how=plan.why[one]) for one in plan.goes if one in seen),
        recomputed=tuple(Touched(id=one, how=how) for one, how in anew if one in seen),
        counts={name: count for name, count in sorted(counts.items()) if count},
        classification=plan.asked.classification,
    )


def _count_rows(memories: Sequence[UUID]) -> dict[str, int]:
    """Return how many rows refer to the memories, by table, as far as the viewer in force may see them."""
    counts = {"memory": Memory.objects.filter(id__in=list(memories)).count()}
    for part in SQL.run("find_referring"):
        refers = sql.SQL(" OR ").join(
            sql.SQL("{} = ANY (%(memories)s)").format(sql.Identifier(column)) for column in part["columns"]
        )
        count = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %(tenant)s AND ({})").format(
            sql.Identifier(part["name"]), refers
        )
        with connection.cursor() as cursor:
            cursor.execute(count, {"tenant": viewer_in_force().tenant_id, "memories": list(memories)})
            counts[part["name"]] = cursor.fetchone()[0]
    return counts
