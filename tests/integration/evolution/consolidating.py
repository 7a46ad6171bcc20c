"""Findings to be consolidated, and what became of them."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.db import connection

from evolution.consolidation.step import consolidate
from evolution.steps.contract import Night, StepOutcome
from memories.models import Lineage, Link, Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.integration.memories.writing import NOW, rows, write

TOKENS = (
    "The JWT expires too early, because the gateway clock runs four minutes ahead.",
    "We learned that auth refuses logins whenever NTP is down on the edge host.",
    "Restarting pods never helped: 40 failures a minute went on until the time was set.",
)
"""Three findings on one matter, ours: they say different things, so that none is merged with another."""

COLOURS = (
    "Print shops bill twice for a cancelled order, since the queue keeps a copy.",
    "We found that invoices of Saturday are sent on Monday with a wrong total.",
    "A refund fails if the customer paid by voucher, because the ledger has no such line.",
)
"""Three findings on another matter."""

WORDS = ("jwt", "gateway", "clock", "auth")


def find(
    viewer: Viewer, content: str, session: str, *words: str, now: datetime = NOW, **given: Any
) -> Memory:
    """Write a finding with these keywords in a session; return its row."""
    written = write(viewer, content, session=session, keywords=words or WORDS, now=now, **given)
    return next(row for row in rows(viewer) if row.id == written.memory.id)


def sleep(tenant: Viewer, *, now: datetime = NOW, **night: Any) -> StepOutcome:
    """Run the step as a night does."""
    with tenant_scope(tenant):
        return consolidate(Night(tenant_id=tenant.tenant_id, now=now, **night))


def patterns(tenant: Viewer) -> list[Memory]:
    return [row for row in rows(tenant) if row.kind == "pattern"]


def standing(tenant: Viewer) -> dict[str, int]:
    """Return how many rows of each kind stand how: «finding 2» are the superseded findings."""
    return dict(Counter(f"{row.kind} {row.standing}" for row in rows(tenant)))


def lines(tenant: Viewer, child: Memory) -> set[Any]:
    """Return the ids of what the memory rests on."""
    with tenant_scope(tenant), unit_of_work():
        return set(Lineage.objects.filter(child_id=child.id).values_list("parent_id", flat=True))


def links(tenant: Viewer, source: Memory) -> Counter[str]:
    """Return how many links of which type the memory has to others."""
    with tenant_scope(tenant), unit_of_work():
        return Counter(Link.objects.filter(source_id=source.id).values_list("type", flat=True))


def snapshot(tenant: Viewer) -> dict[str, list[tuple[Any, ...]]]:
    """Return the content of every table that consolidation writes, for a comparison of two moments."""
    tables = (
        "memory", "lineage", "link", "consolidation", "posting", "embedding", "collection_stat", "mention",
        "memory_version", "audit_event",
    )  # fmt: skip
    found = {}
    with tenant_scope(tenant), unit_of_work(), connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT t::text FROM {table} t ORDER BY 1")
            found[table] = list(cursor.fetchall())
    return found
