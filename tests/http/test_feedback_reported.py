"""What a session used, and how its task ended, over HTTP."""

from typing import Any
from uuid import uuid4

import pytest

from memories.models import Memory, Usage
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory, make_recall_event, make_recalled_memory
from tests.http.conftest import caller, errors


def shown(tenant: Viewer, count: int, **event: Any) -> tuple[str, list[Memory]]:
    """Show new memories in one recall of a session; return the recall's id and them."""
    recall = make_recall_event(tenant=tenant, session="task-7", **event)
    memories = [make_memory(tenant=tenant, **event) for _ in range(count)]
    for place, memory in enumerate(memories, start=1):
        make_recalled_memory(tenant=tenant, recall=recall, memory=memory, place=place)
    return str(recall.id), memories


def q_values(tenant: Viewer, memories: list[Memory]) -> list[float]:
    with tenant_scope(tenant), unit_of_work():
        return [round(Usage.objects.get(memory_id=memory.id).q_value, 6) for memory in memories]


@pytest.mark.spec("E-01")
def test_what_a_session_used_is_reported_in_one_call(ada: Viewer) -> None:
    recall, memories = shown(ada, 3)
    one, two, three = (str(memory.id) for memory in memories)
    stranger = str(uuid4())
    body = {"session": "task-7", "helpful": [one, stranger], "unhelpful": [two], "used": [three]}

    told = caller(ada).post("feedback", body)

    assert told.status_code == 200
    found = {"recall": recall, "result": "counted"}
    assert told.json() == {
        "results": [
            {**found, "memory": three, "outcome": "used", "q_value": 0.5},
            {**found, "memory": one, "outcome": "helpful", "q_value": 0.55},
            {
                "memory": stranger,
                "outcome": "helpful",
                "result": "not_found",
                "recall": None,
                "q_value": None,
            },
            {**found, "memory": two, "outcome": "unhelpful", "q_value": 0.475},
        ]
    }
    assert q_values(ada, memories) == [0.55, 0.475, 0.5]


@pytest.mark.spec("E-01")
def test_an_outcome_that_comes_later_speaks_for_what_was_used(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    recall, memories = shown(ada, 2, agent=atlas)
    agent, person = caller(ada, agent=atlas.id), caller(ada)
    agent.post("feedback", {"recall": recall, "used": [str(memories[0].id)]})

    own = agent.post("outcomes", {"session": "task-7", "outcome": "succeeded"}).json()["results"]
    outside = person.post("outcomes", {"session": "task-7", "outcome": "succeeded"}).json()["results"]

    assert [(use["memory"], use["q_value"]) for use in own] == [(str(memories[0].id), 0.5125)]
    assert [(use["memory"], use["q_value"]) for use in outside] == [(str(memories[0].id), 0.55)]
    assert q_values(ada, memories) == [0.55, 0.5]


@pytest.mark.spec("E-01", "T-01")
def test_a_foreign_session_or_recall_is_answered_like_none(ada: Viewer, grace: Viewer) -> None:
    recall, memories = shown(ada, 1)
    memory = str(memories[0].id)
    stranger, owner = caller(grace), caller(ada)

    def ends(one: Any, where: dict[str, str]) -> tuple[int, bytes]:
        answer = one.post("outcomes", {**where, "outcome": "failed"})
        return answer.status_code, answer.content

    nothing = ends(owner, {"recall": str(uuid4())})
    assert nothing[0] == 404
    assert ends(stranger, {"recall": recall}) == nothing
    assert ends(stranger, {"session": "task-7"}) == nothing
    assert ends(owner, {"session": "none"}) == nothing
    reported = [
        one.post("feedback", {**where, "helpful": [memory]}).content
        for one, where in (
            (stranger, {"recall": recall}),
            (stranger, {"session": "task-7"}),
            (owner, {"recall": str(uuid4())}),
        )
    ]
    assert len(set(reported)) == 1
    assert q_values(ada, memories) == [0.5]


MEMORY = str(uuid4())


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("feedback", {"helpful": [MEMORY]}, "recall"),
        ("feedback", {"recall": MEMORY, "session": "s", "helpful": [MEMORY]}, "recall"),
        ("feedback", {"session": "s"}, "used"),
        ("feedback", {"session": "s", "helpful": [MEMORY], "unhelpful": [MEMORY]}, "used"),
        ("feedback", {"session": "s", "used": [MEMORY, MEMORY]}, "used"),
        ("feedback", {"session": "s", "used": [str(uuid4()) for _ in range(101)]}, "used"),
        ("feedback", {"session": "s", "used": ["no-id"]}, "used.0"),
        ("feedback", {"session": "s", "used": [MEMORY], "provenance": "outcome"}, "provenance"),
        ("outcomes", {"outcome": "failed"}, "recall"),
        ("outcomes", {"session": "s", "outcome": "perfect"}, "outcome"),
        ("outcomes", {"session": "s", "outcome": "failed", "weight": 1}, "weight"),
    ],
)
def test_a_bad_report_is_refused_by_field(ada: Viewer, path: str, body: Any, field: str) -> None:
    assert set(errors(caller(ada).post(path, body))) == {field}
