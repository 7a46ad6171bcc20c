"""What an end user says of themselves is theirs alone (SPEC K-09)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, errors
from tests.http.saying import say

pytestmark = pytest.mark.spec("K-09")

OSLO, BERN = "I live in Oslo.", "I live in Bern."
WHERE = "Where do I live?"


@pytest.fixture
def atlas(ada: Viewer) -> Caller:
    """An agent that talks with many people."""
    return caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)


def tell(tenant: Viewer, by: Caller, text: str, **more: Any) -> dict[str, Any]:
    """Capture what a user says, without a name, let memory form of it, and return the answer."""
    taken = by.post("captures", {"text": text, "role": "user", **more})
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        assert process_capture(UUID(taken.json()["id"]), now=timezone.now()) == "stored"
    return dict(taken.json())


def found(by: Caller, query: str, **more: Any) -> set[str]:
    """Return the texts that a recall finds."""
    answer = by.post("recall", {"query": query, "k": 10, "min_relevance": 0, **more})
    assert answer.status_code == 200, answer.content
    return {one["content"] for one in answer.json()["results"]}


def test_two_persons_facts_stand_side_by_side_and_each_sees_their_own(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice")
    tell(ada, atlas, BERN, person="bob")

    assert found(atlas, WHERE, person="alice") == {OSLO}
    assert found(atlas, WHERE, person="bob") == {BERN}
    assert found(atlas, WHERE, person="carol") == set()
    rows = caller(ada).get("memories").json()["results"]
    assert {(one["person"], one["standing"], one["value"]) for one in rows} == {
        ("alice", "current", "oslo"),
        ("bob", "current", "bern"),
    }
    assert caller(ada).get("contradictions").json()["results"] == []


def test_a_persons_own_change_supersedes_what_they_said_before(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice", session="a", clock="2026-03-01T10:00:00+00:00")
    tell(ada, atlas, BERN, person="bob", session="b", clock="2026-03-01T11:00:00+00:00")
    tell(ada, atlas, "I moved to Rome.", person="alice", session="c", clock="2026-03-02T10:00:00+00:00")

    assert found(atlas, WHERE, person="alice") == {"I moved to Rome."}
    assert found(atlas, WHERE, person="bob") == {BERN}


def test_who_names_nobody_sees_what_is_common_alone(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice")
    tell(ada, atlas, "The depot is in Oslo.")

    assert found(atlas, "Oslo") == {"The depot is in Oslo."}
    assert found(atlas, "Oslo", person="alice") == {"The depot is in Oslo.", OSLO}
    assert found(caller(ada), "Oslo") == {"The depot is in Oslo."}  # whoever looks from above asks alike
    assert [one["content"] for one in atlas.get("memories").json()["results"]] == ["The depot is in Oslo."]
    assert len(caller(ada).get("memories").json()["results"]) == 2


def test_what_a_person_says_of_the_project_is_the_projects_if_the_caller_says_so(
    ada: Viewer, atlas: Caller
) -> None:
    own = tell(ada, atlas, "The tiles are blue.", person="alice")
    common = tell(ada, atlas, "The depot is in Oslo.", person="alice", common=True)

    assert (own["person"], common["person"]) == ("alice", "")
    assert found(atlas, "depot tiles", person="bob") == {"The depot is in Oslo."}
    assert found(atlas, "depot tiles", person="alice") == {"The depot is in Oslo.", "The tiles are blue."}


def test_two_persons_who_speak_of_themselves_to_all_are_two(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice", common=True)
    tell(ada, atlas, BERN, person="bob", common=True)

    rows = atlas.get("memories").json()["results"]
    assert {(one["entity_key"], one["standing"], one["value"]) for one in rows} == {
        ("alice", "current", "oslo"),
        ("bob", "current", "bern"),
    }


def test_i_without_a_name_is_the_session_and_without_one_nobody_known(ada: Viewer, atlas: Caller) -> None:
    clocks = [f"2026-03-0{day}T10:00:00+00:00" for day in range(1, 7)]
    tell(ada, atlas, OSLO, session="one", clock=clocks[0])
    tell(ada, atlas, BERN, session="two", clock=clocks[1])
    tell(ada, atlas, "I live in Lima.", clock=clocks[2])
    tell(ada, atlas, "I live in Kyiv.", clock=clocks[3])
    tell(ada, atlas, "I moved to Rome.", session="one", clock=clocks[4])

    rows = atlas.get("memories").json()["results"]
    assert {(one["entity_key"], one["value"]) for one in rows} == {
        ("user of one", "rome"),
        ("user of two", "bern"),
        (None, "lima"),
        (None, "kyiv"),
    }


def test_a_name_is_who_it_names_within_the_person(ada: Viewer) -> None:
    say(ada, OSLO, person="alice", session="a")
    say(ada, BERN, person="bob", session="b")

    rows = caller(ada).get("memories").json()["results"]
    assert {(one["entity_key"], one["person"], one["value"]) for one in rows} == {
        ("ines", "alice", "oslo"),
        ("ines", "bob", "bern"),
    }


def test_a_capture_that_waits_is_laid_over_its_own_persons_answers_alone(ada: Viewer, atlas: Caller) -> None:
    atlas.post("captures", {"text": OSLO, "role": "user", "session": "chat", "person": "alice"})

    assert found(atlas, "I live where?", session="chat", person="alice") == {OSLO}
    assert found(atlas, "I live where?", session="chat", person="bob") == set()
    assert found(atlas, "I live where?", session="chat") == set()


@pytest.mark.parametrize("bad", ["", " ", "a b", "ü", "x" * 129, 7, None])
def test_a_person_that_is_no_id_is_refused_by_name(ada: Viewer, atlas: Caller, bad: Any) -> None:
    for path, body in (
        ("captures", {"text": OSLO, "role": "user"}),
        ("memories", {"content": OSLO, "kind": "concept"}),
        ("documents", {"title": "Home", "text": OSLO}),
        ("recall", {"query": WHERE}),
        ("context", {"query": WHERE}),
        ("feedback", {"session": "chat", "used": [str(UUID(int=1))]}),
    ):
        assert "person" in errors(atlas.post(path, {**body, "person": bad})), path


def test_a_header_that_is_no_id_or_names_another_is_refused(ada: Viewer, atlas: Caller) -> None:
    for bad in ("", "a b", "x" * 129):
        assert "Candor-Person" in errors(atlas.get("memories", **{"Candor-Person": bad}))
    both = atlas.post("recall", {"query": WHERE, "person": "bob"}, Candor_Person="alice")
    assert errors(both) == {"person": "The header Candor-Person names another person."}


def test_a_key_that_is_held_to_persons_names_no_other(ada: Viewer) -> None:
    agent = make_agent(tenant=ada, slug="atlas").id
    one, two = (caller(ada, agent=agent, persons=persons) for persons in (["alice"], ["alice", "bob"]))
    free = caller(ada, agent=agent)
    tell(ada, free, BERN, person="carol")

    assert tell(ada, one, OSLO)["person"] == "alice"  # whom else
    assert found(one, WHERE) == {OSLO}
    assert found(two, WHERE) == set()
    assert found(two, WHERE, person="alice") == {OSLO}
    refused = errors(two.post("recall", {"query": WHERE, "person": "carol"}))
    assert refused == {"person": "This key may not name this person."}
    assert "Candor-Person" in errors(two.get("memories", **{"Candor-Person": "carol"}))
    assert errors(one.get("memories?person=carol")) == refused
    assert errors(one.post("captures", {"text": OSLO, "role": "user", "person": "bob"})) == refused


@pytest.mark.spec("S-02")
def test_a_keys_persons_are_shown_kept_by_its_successor_and_bound_what_it_makes(ada: Viewer) -> None:
    admin = caller(ada)
    wish = {"name": "k", "scopes": ["read", "admin"], "ceiling": "internal"}
    made = admin.post("keys", {**wish, "persons": ["alice", "bob"]}).json()
    assert made["persons"] == ["alice", "bob"]
    assert admin.post("keys", wish).json()["persons"] is None

    held = Caller(made["key"])
    assert held.post("keys", wish).status_code == 403
    assert held.post("keys", {**wish, "persons": ["carol"]}).status_code == 403
    assert held.post("keys", {**wish, "persons": ["bob"]}).status_code == 201
    assert admin.post(f"keys/{made['id']}/rotate", {}).json()["persons"] == ["alice", "bob"]


def test_a_held_key_without_an_agent_looks_from_above_on_nobody(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, OSLO, person="alice")
    tell(ada, atlas, BERN, person="bob")
    held = caller(ada, persons=["alice"])

    assert [one["content"] for one in held.get("memories").json()["results"]] == [OSLO]


def test_memories_and_documents_are_a_persons_too(ada: Viewer, atlas: Caller) -> None:
    fact = {"kind": "concept", "content": "The blue tiles are kept because the roof leaks at the north side."}
    written = atlas.post("memories", {**fact, "person": "alice"})
    assert written.status_code == 201, written.content
    assert written.json()["memory"]["person"] == "alice"
    paper = {"title": "Will", "text": "My will: the blue tiles go to my sister."}
    taken = atlas.post("documents", {**paper, "person": "alice"}).json()
    again = atlas.post("documents", {**paper, "person": "bob"}).json()

    assert (taken["person"], again["person"]) == ("alice", "bob")
    assert taken["id"] != again["id"]
    for who, others in (("alice", again["id"]), ("bob", taken["id"])):
        named = {"Candor-Person": who}
        assert atlas.get(f"documents/{others}", **named).status_code == 404
        listed = atlas.get(f"documents?person={who}").json()["results"]
        assert [one["person"] for one in listed] == [who]
    assert atlas.get("documents").json()["results"] == []
    assert found(atlas, "blue tiles", person="bob") == set()


def test_what_was_recalled_for_a_person_is_judged_for_that_person(ada: Viewer, atlas: Caller) -> None:
    memory = tell(ada, atlas, OSLO, person="alice")
    asked = {"query": WHERE, "session": "chat"}
    answer = atlas.post("recall", {**asked, "person": "alice"}).json()
    [shown] = answer["results"]
    verdict = {"memory": shown["id"], "outcome": "helpful"}
    path = f"recall/{answer['recall_id']}/feedback"

    assert memory["person"] == shown["person"] == "alice"
    assert atlas.post(path, verdict).status_code == 404
    assert atlas.post(path, {**verdict, "person": "bob"}).status_code == 404
    assert atlas.post(path, {**verdict, "person": "alice"}).status_code == 200
    uses = {"session": "chat", "used": [shown["id"]]}
    assert atlas.post("feedback", {**uses, "person": "bob"}).json()["results"][0]["result"] == "not_found"
    assert atlas.post("feedback", {**uses, "person": "alice"}).json()["results"][0]["result"] != "not_found"


def test_the_same_key_of_a_request_for_another_person_is_another_request(ada: Viewer, atlas: Caller) -> None:
    body = {"text": OSLO, "role": "user"}
    first = atlas.post("captures", {**body, "person": "alice"}, Idempotency_Key="k1")
    again = atlas.post("captures", {**body, "person": "alice"}, Idempotency_Key="k1")
    other = atlas.post("captures", {**body, "person": "bob"}, Idempotency_Key="k1")

    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 422
