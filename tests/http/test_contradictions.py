"""The arbitration queue over HTTP: what contradicts itself, and a person's answer."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Memory
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import Caller, caller, errors, problem


def lives(one: Caller, town: str, day: str, **given: Any) -> dict[str, Any]:
    """Write that Ann lives there since that day; return the answer."""
    body = {
        "content": f"Ann lives in {town}.", "kind": "profile", "entity_key": "Ann",
        "concept_key": "residence", "value": town, "occurred_at": f"{day}T09:00:00Z",
    }  # fmt: skip
    answer = one.post("memories", body | given)
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json())


def contest(one: Caller, **given: Any) -> dict[str, Any]:
    """Let Ann move from Bern to Basel within two months, and nobody say so; return the open question."""
    lives(one, "Bern", "2026-01-10", **given)
    assert lives(one, "Basel", "2026-03-11", **given)["decision"] == "arbitrate"
    return listed(one)[0]


def listed(one: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = one.get(f"contradictions?{query}")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def standing(tenant: Viewer) -> dict[str, int]:
    with tenant_scope(tenant), unit_of_work():
        return dict(Memory.objects.values_list("value", "standing"))


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no hint: the test works the queue itself."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.mark.spec("W-12", "M-05", "H-02")
def test_an_open_question_shows_both_memories_one_of_them_current(ada: Viewer) -> None:
    question = contest(caller(ada))

    assert (question["state"], question["verdict"], question["resolved_at"]) == ("open", None, None)
    assert (question["entity_key"], question["concept_key"], question["trust_gap"]) == (
        "ann",
        "residence",
        0.0,
    )
    sides = [(side["content"], side["standing"]) for side in (question["older"], question["newer"])]
    assert sides == [("Ann lives in Bern.", "contender"), ("Ann lives in Basel.", "current")]
    assert caller(ada).get(f"contradictions/{question['id']}").json() == question


@pytest.mark.spec("H-02")
@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("keep_old", {"Bern": 0, "Basel": 2}),
        ("accept_new", {"Bern": 2, "Basel": 0}),
        ("coexist", {"Bern": 0, "Basel": 0}),
    ],
)
def test_a_person_answers_once(ada: Viewer, verdict: str, expected: dict[str, int]) -> None:
    person = caller(ada)
    question = contest(person)

    answers = [
        person.post(f"contradictions/{question['id']}/resolve", {"verdict": verdict}) for _ in range(2)
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert (answers[0].json()["state"], answers[0].json()["verdict"]) == ("resolved", verdict)
    assert standing(ada) == expected
    assert listed(person) == []
    assert [one["id"] for one in listed(person, "state=resolved&state=open")] == [question["id"]]


@pytest.mark.spec("H-02")
def test_another_answer_later_is_a_conflict_and_changes_nothing(ada: Viewer) -> None:
    person = caller(ada)
    question = contest(person)
    person.post(f"contradictions/{question['id']}/resolve", {"verdict": "keep_old"})

    refused = person.post(f"contradictions/{question['id']}/resolve", {"verdict": "coexist"})

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:answered-otherwise")
    assert standing(ada) == {"Bern": 0, "Basel": 2}


@pytest.mark.spec("S-02", "T-09")
def test_neither_an_agent_nor_a_key_without_the_scope_may_answer(ada: Viewer) -> None:
    agent = make_agent(tenant=ada)
    question = contest(caller(ada, agent=agent.id))
    path = f"contradictions/{question['id']}/resolve"

    by_agent = caller(ada, agent=agent.id).post(path, {"verdict": "accept_new"})
    by_reader = caller(ada, scopes=["read"]).post(path, {"verdict": "accept_new"})

    assert (by_agent.status_code, by_reader.status_code) == (403, 403)
    assert "bound to no agent" in problem(by_agent)["detail"]
    assert standing(ada) == {"Bern": 1, "Basel": 0}


@pytest.mark.spec("S-01", "T-01", "T-05")
def test_who_may_not_see_both_memories_finds_no_contradiction(ada: Viewer, grace: Viewer) -> None:
    owner, other = make_agent(tenant=ada), make_agent(tenant=ada)
    question = contest(caller(ada, agent=owner.id), classification="restricted")
    path = f"contradictions/{question['id']}"

    for stranger in (caller(grace), caller(ada, agent=other.id), caller(ada, ceiling=1)):
        assert listed(stranger) == []
        assert stranger.get(path).status_code == 404
        assert stranger.post(f"{path}/resolve", {"verdict": "keep_old"}).status_code in (403, 404)
    assert standing(ada) == {"Bern": 1, "Basel": 0}


@pytest.mark.spec("H-02")
def test_the_queue_is_filtered_and_paged(ada: Viewer) -> None:
    make_project(tenant=ada, slug="moon")
    person = caller(ada)
    contest(person)
    contest(person, project="moon")
    contest(person, entity_key="Bob")

    first = person.get("contradictions?limit=2").json()
    second = person.get(f"contradictions?limit=2&cursor={first['next']}").json()

    assert (len(first["results"]), len(second["results"]), second["next"]) == (2, 1, None)
    assert [one["entity_key"] for one in listed(person, "entity_key=BOB&concept_key=Residence")] == ["bob"]
    assert len(listed(person, "entity_key=ann")) == 2


@pytest.mark.parametrize("body", [{}, {"verdict": "maybe"}, {"verdict": "keep_old", "why": "so"}])
def test_an_answer_that_is_none_is_refused(ada: Viewer, body: dict[str, Any]) -> None:
    person = caller(ada)
    question = contest(person)

    assert errors(person.post(f"contradictions/{question['id']}/resolve", body))
    assert len(listed(person)) == 1


def test_a_contradiction_that_is_not_there_is_not_found(ada: Viewer) -> None:
    assert caller(ada).get(f"contradictions/{uuid4()}").status_code == 404


@pytest.mark.spec("W-12", "M-08")
def test_what_an_agent_guesses_never_replaces_what_a_person_stated(ada: Viewer, no_broker: None) -> None:
    """The claim stays on record beside the statement, and the statement stands."""
    agent = caller(ada, agent=make_agent(tenant=ada).id)
    said = {"text": "I live in Bern.", "role": "user", "speaker": "Ann", "clock": "2026-01-10T09:00:00Z"}
    with tenant_scope(ada):
        process_capture(UUID(agent.post("captures", said).json()["id"]), now=timezone.now())

    guesses = [lives(agent, "Basel", day) for day in ("2026-01-12", "2026-01-13", "2026-04-14")]

    assert [guess["decision"] for guess in guesses] == ["arbitrate", "restate", "restate"]
    assert {value.lower(): place for value, place in standing(ada).items()} == {"bern": 0, "basel": 2}
    (record,) = listed(agent, "state=resolved")
    assert (record["verdict"], record["resolved_by"]) == ("keep_old", "trust_gap")
    assert (record["older"]["content"], record["newer"]["provenance"]) == (
        "I live in Bern.",
        "agent_inferred",
    )
