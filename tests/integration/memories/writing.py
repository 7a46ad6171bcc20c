"""Capture and write as the service does, and look at what became of it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memories.candidates.index_text import terms_of
from memories.ingestion.capture import CaptureRequest, CaptureView, get_capture, take_capture
from memories.models import Memory
from memories.pipeline import MemoryRequest, Written, process_capture, write_memory
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work

NOW = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)

FAKE = {"default": {"BACKEND": "memories.embedders.fake.FakeEmbedder", "OPTIONS": {}}}
"""settings.EMBEDDERS for tests in which nothing depends on what words mean."""


def person(tenant: Viewer, **changes: Any) -> Viewer:
    """Return a person of the tenant, who sees up to confidential."""
    return replace(tenant, actor_kind="person", actor_id="grace", **changes)


def as_agent(tenant: Viewer, agent: Agent, **changes: Any) -> Viewer:
    """Return the agent as a viewer, who sees up to internal."""
    own = {"clearance": 1, "domains": tuple(agent.domains), "project_id": agent.project_id}
    return replace(tenant, actor_kind="agent", actor_id=agent.slug, agent_id=agent.id, **own | changes)


def say(viewer: Viewer, text: str, *, now: datetime = NOW, **given: Any) -> CaptureView:
    """Capture what the viewer says and process it; return the capture with its trace."""
    measured = given.get("role") == "tool"  # what the tools of these tests say was measured
    request = CaptureRequest(**{"text": text, "role": "user", "clock": now, "measured": measured} | given)
    with tenant_scope(viewer):
        taken = take_capture(request, now=now)
        process_capture(taken.id, now=now)
        return get_capture(taken.id)


def write(
    viewer: Viewer, content: str, kind: str = "finding", *, now: datetime = NOW, **given: Any
) -> Written:
    """Write a memory directly."""
    with tenant_scope(viewer):
        return write_memory(MemoryRequest(content=content, kind=kind, **given), now=now)


def steps(capture: CaptureView) -> list[tuple[str, str]]:
    """Return the trace as (step, verdict)."""
    return [(entry["step"], entry["verdict"]) for entry in capture.trace]


def rows(tenant: Viewer) -> list[Memory]:
    """Return all memories of the tenant, oldest first."""
    with tenant_scope(tenant), unit_of_work():
        return list(Memory.objects.order_by("created_at", "id"))


def texts(tenant: Viewer) -> list[str]:
    """Return the texts of all memories of the tenant, in order of the alphabet."""
    return sorted(row.content for row in rows(tenant))


def count(tenant: Viewer, table: str) -> int:
    """Return how many rows the tenant has in a table."""
    return int(ask(tenant, f'SELECT count(*) FROM "{table}" WHERE tenant_id = %(tenant)s')[0][0])


def ask(tenant: Viewer, sql: str, **params: Any) -> list[tuple[Any, ...]]:
    """Run a statement in the tenant's scope and return its rows."""
    with tenant_scope(tenant), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(sql, params | {"tenant": tenant.tenant_id})
        return list(cursor.fetchall()) if cursor.description else []


def assert_whole(tenant: Viewer) -> None:
    """Assert that what search reads agrees with the memories: nothing half written, nothing left over."""
    memories = {row.id: row for row in rows(tenant)}
    titles = dict(ask(tenant, "SELECT id, title FROM document WHERE tenant_id = %(tenant)s"))
    for table in ("usage", "embedding"):
        owners = ask(tenant, f'SELECT memory_id FROM "{table}" WHERE tenant_id = %(tenant)s')
        assert sorted(row[0] for row in owners) == sorted(memories), table
    postings: dict[UUID, dict[str, int]] = {memory_id: {} for memory_id in memories}
    live: dict[UUID, set[bool]] = {memory_id: set() for memory_id in memories}
    sql = "SELECT memory_id, term, frequency, live FROM posting WHERE tenant_id = %(tenant)s"
    for memory_id, term, frequency, is_live in ask(tenant, sql):
        postings[memory_id][term] = frequency
        live[memory_id].add(is_live)
    sizes: dict[int, list[int]] = {}
    for memory_id, row in memories.items():
        row.zone = row.metadata.get("timezone", "UTC")
        row.title = titles.get(row.document_id, "")
        terms = terms_of(row)  # type: ignore[arg-type]
        assert postings[memory_id] == terms.frequency, row.content
        searched = row.standing == 0 and row.archived_at is None
        assert live[memory_id] <= {searched}, row.content
        size = sizes.setdefault(row.classification, [0, 0])
        if searched:
            size[0] += 1
            size[1] += terms.length
    stat = ask(
        tenant,
        "SELECT classification, documents, total_length FROM collection_stat WHERE tenant_id = %(tenant)s",
    )
    found = {rank: [documents, length] for rank, documents, length in stat}
    # A class that everything has left keeps its row of sizes, at nothing.
    assert {one: size for one, size in found.items() if any(size)} == {
        one: size for one, size in sizes.items() if any(size)
    }
