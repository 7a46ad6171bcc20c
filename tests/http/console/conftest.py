"""People of a tenant in a browser, and one row for every page, some of another tenant and class."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.factories import (
    make_agent,
    make_capture,
    make_contradiction,
    make_document,
    make_downgrade,
    make_entity,
    make_membership,
    make_memory,
    make_mention,
    make_recall_event,
    make_recalled_memory,
    make_tenant,
    make_tenant_grant,
    make_user,
    make_verification,
)
from tests.http.test_admin import browser

ROLES = ("operator", "auditor", "reader")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: there is no queue here."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Rows of a tenant, each with a mark in what a page shows of it, and the pages' addresses."""

    tenant: Viewer
    memory: Any
    other: Any
    capture: Any
    contradiction: Any
    verification: Any
    downgrade: Any
    recall: Any
    entity: Any
    document: Any
    agent: Any

    def pages(self) -> dict[str, str]:
        """Return each page's address by its name."""
        plain = (
            "", "-charts", "-tour", "-search", "-playground", "-write", "-quarantine", "-dead",
            "-arbitration", "-verify", "-downgrades", "-memories", "-entities", "-documents", "-agents",
            "-persons", "-audit", "-health", "-ranking", "-people", "-keys",
        )  # fmt: skip
        found = {f"console{name}": reverse(f"console{name}") for name in plain}
        rows = {
            "console-memory": self.memory.id, "console-graph": self.memory.id,
            "console-graph-data": self.memory.id, "console-conflict": self.contradiction.id,
            "console-recall": self.recall.id, "console-entity": self.entity.id,
            "console-document": self.document.id, "console-agent": self.agent.slug,
            "console-agent-counts": self.agent.slug,
        }  # fmt: skip
        found |= {name: reverse(name, args=[row]) for name, row in rows.items()}
        found["console-session"] = reverse("console-session") + "?session=planning"
        found["console-person"] = reverse("console-person") + "?person=u-1"
        found["console-search-asked"] = reverse("console-search") + "?q=remembers"
        found["console-context"] = reverse("console-search") + "?q=remembers&as=context"
        found["console-playground-asked"] = reverse("console-playground") + "?q=remembers"
        found["console-channels"] = reverse("console-channels") + "?q=remembers"
        return found


def fill(tenant: Viewer, mark: str, *, rank: int = 1) -> Shown:
    """Make one row for every page, each with the mark in its words."""
    here = {"tenant": tenant, "classification": rank}
    findings = [{"detector": "injection", "reason": "orders", "span": [0, len(mark)], "score": None}]
    trace = [{"step": "screen", "verdict": "quarantine", "gate": "injection", "reason": "orders",
              "findings": findings}]  # fmt: skip
    capture = make_capture(
        **here, text=f"{mark} says", state="quarantined", session="planning", turn=0, trace=trace
    )
    memory, other = (
        make_memory(**here, content=f"{mark} {does}", session="planning", turn=0, capture_id=capture.id)
        for does in ("remembers", "forgets")
    )
    entity = make_entity(tenant=tenant, name=mark)
    make_mention(tenant=tenant, memory=memory, entity=entity, classification=rank)
    guarded = make_memory(tenant=tenant, classification=3, content=f"{mark} is guarded")
    recall = make_recall_event(**here, query=f"{mark}?")
    make_recalled_memory(tenant=tenant, recall=recall, memory=memory, classification=rank)
    return Shown(
        tenant=tenant, memory=memory, other=other, capture=capture, recall=recall,
        contradiction=make_contradiction(
            tenant=tenant, older=memory, newer=other, entity_key=mark, classification=rank
        ),
        verification=make_verification(tenant=tenant, memory=memory, classification=rank, what=mark),
        downgrade=make_downgrade(tenant=tenant, memory=guarded, now=timezone.now()),
        entity=entity,
        document=make_document(**here, title=mark),
        agent=make_agent(tenant=tenant, slug=mark.lower(), name=mark),
    )  # fmt: skip


def sit(
    tenant: Viewer, *, role: str = "operator", ceiling: int = 3, unfiled: tuple[str, ...] = ("view",)
) -> Client:
    """Return the browser of a new person of the tenant; what they hold in no project but for an operator."""
    user = make_user(f"{role}-{tenant.tenant_id}-{ceiling}")
    make_membership(tenant=tenant, user=user, role=role, ceiling=ceiling)
    for right in unfiled if role != "operator" else ():
        make_tenant_grant(tenant=tenant, user=user, right=right)
    return browser(user)


@pytest.fixture
def shown(ada: Viewer) -> Shown:
    """A tenant with a row for every page."""
    return fill(ada, "Marker")


@pytest.fixture
def strange() -> Shown:
    """Another tenant with the same."""
    return fill(make_tenant("bob"), "Stranger")
