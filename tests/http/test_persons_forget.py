"""An end user's own in one call each: handed out, and forgotten (SPEC K-09, S-05)."""

import json
from uuid import UUID

import pytest
from django.utils import timezone

from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, errors
from tests.http.test_persons import BERN, OSLO, WHERE, found, tell

pytestmark = pytest.mark.spec("K-09")


@pytest.fixture
def atlas(ada: Viewer) -> Caller:
    """An agent that talks with many people."""
    return caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)


def test_a_person_is_exported_whole_and_nobody_else(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice", clock="2026-03-01T10:00:00+00:00")
    tell(ada, atlas, "I moved to Rome.", person="alice", clock="2026-03-02T10:00:00+00:00")
    tell(ada, atlas, BERN, person="bob")
    tell(ada, atlas, "The depot is in Oslo.", person="alice", common=True)

    answer = atlas.get("persons/export?person=alice")
    assert answer["Content-Type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [(one["type"], one.get("text") or one["content"]) for one in lines] == [
        ("capture", "I moved to Rome."),
        ("capture", OSLO),
        ("memory", "I moved to Rome."),
        ("memory", OSLO),
    ]
    assert {one["person"] for one in lines} == {"alice"}
    assert atlas.get("persons/export?person=carol").content == b""


@pytest.mark.spec("S-05")
def test_a_person_is_forgotten_in_two_steps_and_nobody_else(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice")
    tell(ada, atlas, OSLO, person="bob")
    tell(ada, atlas, "The depot is in Oslo.", person="alice", common=True)
    atlas.post("captures", {"text": "I have a cat.", "role": "user", "person": "alice"})
    atlas.post("documents", {"title": "Will", "text": "The tiles go to my sister.", "person": "alice"})
    found(atlas, WHERE, person="alice")
    admin = caller(ada)

    shown = admin.post("persons/forget", {"person": "alice"}).json()
    assert shown["counts"] == {"capture": 3, "document": 1, "memory": 1, "recall_event": 1}
    assert (shown["forgotten"], len(shown["hash"])) == (False, 64)
    assert found(atlas, WHERE, person="alice") == {OSLO, "The depot is in Oslo.", "I have a cat."} - {
        "I have a cat."
    }
    moved = admin.post("persons/forget", {"person": "alice", "hash": shown["hash"]})
    assert moved.status_code == 409  # she has asked meanwhile
    shown = admin.post("persons/forget", {"person": "alice"}).json()
    told = {"person": "alice", "hash": shown["hash"], "reason": "asked by letter"}
    done = admin.post("persons/forget", told)
    assert (done.status_code, done.json()["forgotten"]) == (200, True)

    assert found(atlas, WHERE, person="alice") == {"The depot is in Oslo."}
    assert found(atlas, WHERE, person="bob") == {OSLO, "The depot is in Oslo."}
    lines = [json.loads(line) for line in atlas.get("persons/export?person=alice").content.splitlines()]
    assert {(one["type"], one["text"], one["state"]) for one in lines} == {
        ("capture", "[forgotten]", "stored"),
        ("capture", "[forgotten]", "discarded"),
    }
    [event] = [one for one in admin.get("audit").json()["results"] if one["action"] == "person.forget"]
    assert "alice" not in json.dumps(event)
    again = atlas.post("captures", {"text": OSLO, "role": "user", "person": "alice"}).json()
    with tenant_scope(ada):
        assert process_capture(UUID(again["id"]), now=timezone.now()) == "discarded"
    tell(ada, atlas, OSLO, person="carol")  # what one had forgotten, another may say


@pytest.mark.spec("S-05")
def test_the_name_of_a_person_goes_with_what_they_said(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice", speaker="Alice Keller")
    tell(ada, atlas, BERN, person="bob", speaker="Bob Meier")
    said = {"text": "I have a cat.", "role": "user", "person": "alice", "speaker": "Alice Keller"}
    atlas.post("captures", said)  # it waits to be remembered
    admin = caller(ada)

    shown = admin.post("persons/forget", {"person": "alice"}).json()
    admin.post("persons/forget", {"person": "alice", "hash": shown["hash"], "reason": "asked by letter"})

    left = {(one["text"], one["speaker"]) for one in admin.get("captures").json()["results"]}
    assert left == {("[forgotten]", ""), (BERN, "Bob Meier")}
    assert "Keller" not in atlas.get("persons/export?person=alice").content.decode()


@pytest.mark.spec("S-05")
def test_what_one_person_had_forgotten_stays_anothers(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice")
    tell(ada, atlas, OSLO, person="bob")
    tell(ada, atlas, OSLO)
    admin = caller(ada)
    [hers] = admin.get("memories?person=alice").json()["results"]

    shown = admin.post(f"memories/{hers['id']}/forget", {}).json()
    admin.post(f"memories/{hers['id']}/forget", {"hash": shown["hash"], "reason": "she asked"})

    left = admin.get("memories").json()["results"]
    assert {(one["person"], one["content"]) for one in left} == {("bob", OSLO), ("", OSLO)}
    texts = {(one["person"], one["text"]) for one in admin.get("captures").json()["results"]}
    assert texts == {("alice", "[forgotten]"), ("bob", OSLO), ("", OSLO)}


@pytest.mark.spec("S-05")
def test_an_agent_forgets_nobody_and_a_key_none_but_its_own(ada: Viewer, atlas: Caller) -> None:
    held = caller(ada, persons=["alice"])

    assert atlas.post("persons/forget", {"person": "alice"}).status_code == 403
    refused = {"person": "This key may not name this person."}
    assert errors(held.post("persons/forget", {"person": "bob"})) == refused
    assert errors(held.get("persons/export?person=bob")) == refused
    assert held.post("persons/forget", {"person": "alice"}).status_code == 200
