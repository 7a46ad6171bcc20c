"""What a client claims of itself is refused or capped by its key (SPEC T-09, M-08)."""

from typing import Any

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Capture, Memory
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import caller, errors

pytestmark = pytest.mark.spec("T-09", "M-08")

CAPTURE = {"text": "We chose PostgreSQL because a forgotten filter must show nothing.", "role": "user"}
MEMORY = {
    "content": "The nightly build failed because the cache volume was full, so it must be pruned first.",
    "kind": "finding",
}
CLAIMS = {
    "trust": 1.0, "provenance": "user_correction", "origin_class": "user", "actor": "person:mara",
    "actor_kind": "person", "agent": "nils", "assigned_by": "Mara", "confidence": 1.0, "standing": "current",
    "card": "state", "created_at": "2020-01-01T00:00:00Z", "last_verified_at": "2030-01-01T00:00:00Z",
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def rows(tenant: Viewer, model: Any) -> list[Any]:
    with tenant_scope(tenant), unit_of_work():
        return list(model.objects.all())


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_an_unknown_field_of_a_memory(ada: Viewer, claim: str) -> None:
    refused = caller(ada).post("memories", {**MEMORY, claim: CLAIMS[claim]})

    assert errors(refused).keys() == {claim}
    assert rows(ada, Memory) == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_an_unknown_field_of_a_capture(ada: Viewer, claim: str) -> None:
    refused = caller(ada).post("captures", {**CAPTURE, claim: CLAIMS[claim]})

    assert errors(refused).keys() == {claim}
    assert rows(ada, Capture) == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_an_unknown_field_of_a_correction(ada: Viewer, claim: str) -> None:
    speaking = caller(ada)
    memory = speaking.post("memories", MEMORY).json()["memory"]["id"]

    refused = speaking.post(
        f"memories/{memory}/correct", {"content": "It was the disk.", claim: CLAIMS[claim]}
    )

    assert errors(refused).keys() == {claim}
    assert len(rows(ada, Memory)) == 1


@pytest.mark.parametrize("kind", ["finding", "correction", "meta", "negative", "concept"])
def test_an_agents_key_writes_guesses_whatever_it_calls_them(ada: Viewer, kind: str) -> None:
    agent = make_agent(tenant=ada)
    content = "Actually the cause was wrong: the build failed because the cache was full, never the disk."

    written = caller(ada, agent=agent.id).post(
        "memories", {"content": content, "kind": kind, "importance": 5}
    )

    assert written.status_code == 201, written.content
    memory = written.json()["memory"]
    assert (memory["provenance"], memory["assigned_by"], memory["agent_id"]) == (
        "agent_inferred", None, str(agent.id),
    )  # fmt: skip
    assert memory["trust"] <= 0.4


def test_an_agents_key_shares_nothing_without_the_scope(ada: Viewer) -> None:
    agent = make_agent(tenant=ada)
    asking = caller(ada, agent=agent.id, scopes=("capture", "write", "read"))

    written = asking.post("memories", {**MEMORY, "shared": True})

    assert written.json()["memory"]["shared"] is False


def test_references_lend_no_trust(ada: Viewer) -> None:
    """A note of an agent that names a person's statement as its source is a guess all the same."""
    told = caller(ada).post("memories", MEMORY).json()["memory"]
    asking = caller(ada, agent=make_agent(tenant=ada).id)
    text = "The cache volume fills up because nobody prunes the nightly artefacts."

    taken = asking.post("captures", {"text": text, "role": "assistant", "references": [told["id"]]})
    with tenant_scope(ada):
        process_capture(taken.json()["id"], now=timezone.now())

    notes = [row for row in rows(ada, Memory) if str(row.id) != told["id"]]
    assert {(row.provenance, row.trust <= 0.4) for row in notes} <= {("agent_inferred", True)}
