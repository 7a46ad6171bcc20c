"""
Erase again what a restore or an older copy brought back (SPEC S-05).

A backup holds what was in the house when it was made, and receipts as old as itself. So the receipts are
exported beside it (`manage.py replay_erasures --export`), and after a restore they are put back and replayed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.erasure.memory import erase
from evolution.erasure.plan import plan_erasure
from memories.access import FORGOTTEN, digest, digests
from memories.ingestion import redact_capture
from memories.models import Capture, Erasure, Memory
from memories.models.capture import OPEN_STATES
from tenants.scope import unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

BATCH: Final = 1_000
"""Rows looked at in one transaction."""

REASON: Final = "it was forgotten before"

Progress = Callable[[str, int], None]
"""Is told what is looked through, and how many rows were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What was there again."""

    memories: int
    captures: int  #: beside those of these memories


def export_receipts() -> Iterator[dict[str, Any]]:
    """Yield the receipts of the tenant in force, oldest first; they hold no content."""
    with unit_of_work():
        rows = list(Erasure.objects.order_by("at", "id"))
    for row in rows:
        yield {
            "tenant": str(row.tenant_id), "id": str(row.id), "act": str(row.act),
            "memory": str(row.memory_id), "digest": row.digest and bytes(row.digest).hex(),
            "at": row.at.isoformat(), "classification": row.classification, "person": row.person,
        }  # fmt: skip


def read_receipts(path: Path) -> list[dict[str, Any]]:
    """Return the receipts in a file of lines of JSON. Raises OSError, or ValueError for anything else."""
    try:
        return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]
    except ValueError as error:
        raise ValueError(f"The receipts in {path} cannot be read: {error}") from error


def import_receipts(receipts: Iterable[Mapping[str, Any]]) -> int:
    """
    Put back the receipts that are of the tenant in force and not there; return how many.

    Raises KeyError or ValueError for a line that is no receipt.
    """
    tenant_id = viewer_in_force().tenant_id
    own = [_receipt(one) for one in receipts if UUID(one["tenant"]) == tenant_id]
    with unit_of_work():
        known = set(Erasure.objects.filter(id__in=[row.id for row in own]).values_list("id", flat=True))
        missing = [row for row in own if row.id not in known]
        Erasure.objects.bulk_create(missing)
    return len(missing)


def _receipt(given: Mapping[str, Any]) -> Erasure:
    return Erasure(
        id=UUID(given["id"]), act=UUID(given["act"]), memory_id=UUID(given["memory"]),
        digest=given["digest"] and bytes.fromhex(given["digest"]), at=datetime.fromisoformat(given["at"]),
        classification=int(given["classification"]), person=given.get("person", ""),
    )  # fmt: skip


def replay_erasures(*, now: datetime, progress: Progress = lambda _what, _done: None) -> Replayed:
    """
    Erase the tenant's memories and captures that were forgotten before; run again it finds nothing.

    To be called as the pipeline. Each memory is a transaction of its own, so that nobody waits for them all.
    """
    with unit_of_work():
        told = Erasure.objects.filter(digest__isnull=False).values_list(
            "memory_id", "digest", "classification", "person"
        )
        receipts = [(memory_id, bytes(one), rank, person) for memory_id, one, rank, person in told]
    ids = {memory_id: rank for memory_id, _, rank, _ in receipts}
    known = {(person, one): rank for _, one, rank, person in receipts}
    memories = captures = 0
    for memory_id, text, person in _walk(Memory, "content", progress):
        rank = ids.get(memory_id, known.get((person, digest(text))))
        memories += 0 if rank is None else _again(memory_id, rank, now)
    for capture_id, text, person in _walk(Capture, "text", progress, exclude=OPEN_STATES):
        if text != FORGOTTEN and {(person, one) for one in digests(text)} & known.keys():
            with unit_of_work():
                redact_capture(capture_id)
            captures += 1
    return Replayed(memories=memories, captures=captures)


def _again(memory_id: UUID, rank: int, now: datetime) -> int:
    """Erase a memory with all that goes with it; return how many went, 0 when it is gone already."""
    with unit_of_work() as viewer:
        lock_tenant(LockNamespace.STORE)
        lock_tenant(LockNamespace.ENTITIES)
        row = Memory.objects.filter(id=memory_id).first()
        if row is None:
            return 0
        plan = plan_erasure(memory_id, viewer.capped(max(rank, row.classification)))
        erase(plan, reason=REASON, now=now)
    return len(plan.goes)


def _walk(
    model: Any, column: str, progress: Progress, *, exclude: tuple[str, ...] = ()
) -> Iterator[tuple[UUID, str, str]]:
    """Yield the id, the text and the person of every row, batch by batch in the order of ids."""
    after, done = UUID(int=0), 0
    while True:
        with unit_of_work():
            rows = model.objects.filter(id__gt=after)
            rows = rows.exclude(state__in=exclude) if exclude else rows
            batch = list(rows.order_by("id").values_list("id", column, "person")[:BATCH])
        if not batch:
            return
        yield from batch
        after, done = batch[-1][0], done + len(batch)
        progress(model._meta.db_table, done)
