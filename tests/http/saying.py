"""Say something over HTTP, let memory form of it, and look what came of it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.http.conftest import caller


def say(
    tenant: Viewer, text: str, *, session: str = "monday", clock: str = "2026-03-02T10:00:00+00:00",
    role: str = "user", speaker: str = "Ines", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Capture a turn, process it, and return the capture as it is shown afterwards."""
    speaking = caller(tenant)
    named = {name: value for name, value in (("speaker", speaker), ("session", session)) if value}
    body = {"text": text, "role": role, "clock": clock, **named, **more}
    taken = speaking.post("captures", body)
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())
    return dict(speaking.get(f"captures/{taken.json()['id']}").json())


def rows_of(tenant: Viewer, capture: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the memories of a capture that are spans of it, in their order."""
    speaking = caller(tenant)
    rows = [dict(speaking.get(f"memories/{one}").json()) for one in capture["memories"]]
    return sorted((row for row in rows if row["span"]), key=lambda row: row["span"])


def recall(tenant: Viewer, query: str, **more: Any) -> list[dict[str, Any]]:
    """Return what a recall finds."""
    answer = caller(tenant).post("recall", {"query": query[:1900], "k": 10, **more})
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])
