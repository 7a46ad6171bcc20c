"""Changing a memory's class over HTTP (SPEC S-01)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Memory
from memories.pipeline import process_capture
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_lineage, make_memory
from tests.http.conftest import Caller, caller, errors, problem
from tests.integration.memories.writing import assert_whole

pytestmark = pytest.mark.spec("S-01")

SAID = "The vault code of the Basel office is kept by Maria Keller in the blue folder."

NOTE = "The nightly build failed because the cache volume was full, so it must be pruned first."


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let no hint be tried, and ask no model."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


def say(tenant: Viewer, one: Caller, text: str, **more: Any) -> dict[str, Any]:
    """Capture and process a turn; return the capture as its tenant sees it."""
    taken = one.post("captures", {"text": text, "role": "user"} | more)
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())
    return seen(tenant, taken.json()["id"])


def seen(tenant: Viewer, capture: str) -> dict[str, Any]:
    """Return a capture as the tenant's widest key sees it."""
    answer: dict[str, Any] = caller(tenant).get(f"captures/{capture}").json()
    return answer


def note(one: Caller, content: str, **more: Any) -> str:
    answer = one.post("memories", {"content": content, "kind": "finding"} | more)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["memory"]["id"])


def classify(one: Caller, memory: str, name: str, reason: str = "it names a code") -> Any:
    return one.post(f"memories/{memory}/classify", {"classification": name, "reason": reason})


def rank(tenant: Viewer, memory: str | UUID) -> int:
    with tenant_scope(tenant), unit_of_work():
        return int(Memory.objects.get(id=memory).classification)


def trail(tenant: Viewer, *actions: str) -> list[AuditEvent]:
    with tenant_scope(tenant), unit_of_work():
        return list(AuditEvent.objects.filter(action__in=actions).order_by("at", "id"))


def found(one: Caller, query: str, **more: Any) -> list[str]:
    answer = one.post("recall", {"query": query, "min_relevance": 0} | more)
    assert answer.status_code == 200, answer.content
    return [str(row["id"]) for row in answer.json()["results"]]


# Upwards


def test_a_raised_memory_is_gone_from_every_door_of_a_lower_key(ada: Viewer) -> None:
    person, low = caller(ada), caller(ada, ceiling=1)
    beside = note(person, "every build takes twelve minutes when the cache is cold")
    capture = say(ada, person, SAID, session="monday", verbatim=True)
    [memory] = capture["memories"]
    assert found(low, "Who keeps the vault code of the Basel office?", session="monday")[0] == memory

    done = classify(person, memory, "restricted")

    assert (done.status_code, done.json()["former"], done.json()["followed"]) == (200, "internal", 0)
    assert done.json()["memory"]["classification"] == "restricted"
    assert memory not in found(low, "Who keeps the vault code of the Basel office?")
    doors = [f"memories/{memory}", f"memories/{memory}/history", f"memories/{memory}/links",
             f"captures/{capture['id']}"]  # fmt: skip
    assert [low.get(door).status_code for door in doors] == [404] * 4
    assert [one["id"] for one in low.get("memories").json()["results"]] == [beside]
    assert [low.get(name).json()["results"] for name in ("captures", "entities")] == [[], []]
    assert b"Keller" not in low.get("audit").content
    assert_whole(ada)


def test_what_rests_on_a_raised_memory_rises_with_it_and_each_is_on_the_trail(ada: Viewer) -> None:
    person = caller(ada)
    source = UUID(note(person, NOTE))
    child, grandchild = make_memory(tenant=ada), make_memory(tenant=ada)
    make_lineage(tenant=ada, child=child, parent_id=source, parent=None)
    make_lineage(tenant=ada, child=grandchild, parent=child)

    done = classify(person, str(source), "confidential", reason="a code")

    assert done.json()["followed"] == 2
    assert [rank(ada, one) for one in (source, child.id, grandchild.id)] == [3, 3, 3]
    events = {event.object_id: event for event in trail(ada, "memory.classify")}
    assert events.keys() == {str(source), str(child.id), str(grandchild.id)}
    first = events[str(source)]
    assert (first.actor_kind, first.reason, first.classification) == ("person", "a code", 3)
    assert first.detail == {"from": "internal", "to": "confidential"}
    followed = {"from": "internal", "to": "confidential", "because": str(source)}
    assert events[str(grandchild.id)].detail == followed


def test_the_same_class_again_changes_nothing_and_a_lower_one_is_another_door(ada: Viewer) -> None:
    person = caller(ada)
    memory = note(person, NOTE)
    assert classify(person, memory, "restricted").status_code == 200

    again, lower = classify(person, memory, "restricted"), classify(person, memory, "public")

    assert (again.status_code, again.json()["former"]) == (200, "restricted")
    assert (lower.status_code, problem(lower)["type"]) == (409, "urn:candor:problem:not-raised")
    assert rank(ada, memory) == 2
    assert len(trail(ada, "memory.classify")) == 1


def test_raising_needs_a_person_a_reason_and_their_own_ceiling(ada: Viewer) -> None:
    memory = note(caller(ada), NOTE)
    agent = make_agent(tenant=ada)

    by_agent = classify(caller(ada, agent=agent.id), memory, "restricted")
    above = classify(caller(ada, ceiling=2), memory, "confidential")
    bare = classify(caller(ada), memory, "restricted", reason="  ")

    assert by_agent.status_code == 403
    assert errors(above) == {"classification": "is above what this key may see"}
    assert errors(bare).keys() == {"reason"}
    assert rank(ada, memory) == 1
    assert trail(ada, "memory.classify") == []


def test_a_value_that_rises_beside_a_current_one_waits_and_is_asked_about(ada: Viewer) -> None:
    person = caller(ada)
    note(person, NOTE)
    state = {
        "kind": "working_state",
        "entity_key": "staging",
        "concept_key": "location",
        "cardinality": "single",
    }
    low = note(person, "Staging runs in Bern.", value="Bern", **state)
    high = note(person, "Staging runs in Basel.", value="Basel", classification="confidential", **state)
    assert rank(ada, high) == 3

    done = classify(person, low, "confidential")

    assert done.json()["memory"]["standing"] == "contender"
    asked = person.get("contradictions").json()["results"]
    assert [{one["older"]["id"], one["newer"]["id"]} for one in asked] == [{low, high}]
    assert_whole(ada)
