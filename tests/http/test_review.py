"""Quarantine through the front door: a person releases or dismisses what screening holds (SPEC H-03)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.pipeline import process_capture
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import caller, problem
from tests.http.test_screening import FACT, POISON, contents, told

pytestmark = pytest.mark.spec("H-03")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: the tests work the queue themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def process(tenant: Viewer, capture: dict[str, Any]) -> None:
    with tenant_scope(tenant):
        process_capture(UUID(capture["id"]), now=timezone.now())


def trail(tenant: Viewer) -> list[tuple[Any, ...]]:
    with tenant_scope(tenant), unit_of_work():
        rows = AuditEvent.objects.filter(object_type="capture").order_by("at", "id")
        return list(rows.values_list("action", "reason"))


def test_what_is_released_is_remembered_and_what_the_screen_said_stays(ada: Viewer) -> None:
    person = caller(ada)
    held = told(person, ada, POISON)
    assert (held["state"], contents(ada)) == ("quarantined", [])
    [waiting] = person.get("captures?state=quarantined").json()["results"]
    assert waiting["id"] == held["id"]

    released = person.post(
        f"captures/{held['id']}/review", {"verdict": "release", "reason": "a training text"}
    )
    process(ada, held)

    assert (released.status_code, released.json()["state"]) == (200, "pending")
    shown = person.get(f"captures/{held['id']}").json()
    assert shown["state"] == "stored"
    assert any(FACT[:30] in content for content in contents(ada))
    steps = {entry["step"]: entry for entry in shown["trace"]}
    assert (steps["review"]["verdict"], steps["review"]["reason"]) == ("release", "a training text")
    assert (steps["screen"]["verdict"], bool(steps["screen"]["findings"])) == ("noted", True)
    assert trail(ada) == [("capture.quarantine", ""), ("capture.release", "a training text")]


def test_what_is_released_is_believed_no_more_than_its_origin(ada: Viewer) -> None:
    agent, person = caller(ada, agent=make_agent(tenant=ada).id), caller(ada)
    held = told(agent, ada, POISON, role="tool", verbatim=True)
    plain = told(
        agent, ada, "The depot in Oslo keeps spare parts for ten years, by law.", role="tool", verbatim=True
    )

    person.post(f"captures/{held['id']}/review", {"verdict": "release"})
    process(ada, held)

    rows = [
        person.get(f"memories/{memory}").json()
        for capture in (held, plain)
        for memory in person.get(f"captures/{capture['id']}").json()["memories"]
    ]
    assert len(rows) >= 2
    assert len({(row["provenance"], row["trust"]) for row in rows}) == 1


def test_what_is_dismissed_stays_out_for_good(ada: Viewer) -> None:
    person = caller(ada)
    held = told(person, ada, POISON)

    dismissed = person.post(f"captures/{held['id']}/review", {"verdict": "dismiss"})
    process(ada, held)

    assert (dismissed.status_code, dismissed.json()["state"]) == (200, "discarded")
    assert person.get(f"captures/{held['id']}").json()["text"] == POISON
    assert contents(ada) == []
    again = person.post(f"captures/{held['id']}/review", {"verdict": "release"})
    assert (again.status_code, problem(again)["type"]) == (409, "urn:candor:problem:not-held")
    assert [action for action, _ in trail(ada)] == ["capture.quarantine", "capture.dismiss"]


def test_an_agent_releases_nothing_not_even_its_own(ada: Viewer) -> None:
    agent = caller(ada, agent=make_agent(tenant=ada).id)
    held = told(agent, ada, POISON)

    refused = agent.post(f"captures/{held['id']}/review", {"verdict": "release"})

    assert refused.status_code == 403
    assert agent.get(f"captures/{held['id']}").json()["state"] == "quarantined"
