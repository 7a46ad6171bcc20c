"""What was asked before, as its asker may see it now (SPEC R-13)."""

from datetime import timedelta
from typing import Any

import pytest

from tenants.scope import Viewer
from tests.factories import (
    NOW,
    make_agent,
    make_memory,
    make_project,
    make_recall_event,
    make_recalled_memory,
)
from tests.http.conftest import Caller, caller
from tests.http.people import key_of_person, make_person

pytestmark = pytest.mark.spec("R-13", "S-01", "T-07")


def answered(tenant: Viewer, *memories: Any, **event: Any) -> Any:
    """Return a recall that told these memories, in their order."""
    recall = make_recall_event(tenant=tenant, **event)
    for place, memory in enumerate(memories, 1):
        make_recalled_memory(
            tenant=tenant, recall=recall, memory=memory, place=place, score=1 / place,
            classification=memory.classification,
        )  # fmt: skip
    return recall


def told(one: Caller, recall: Any) -> list[str]:
    """Return the ids that the recall tells, in its order."""
    answer = one.get(f"recall/{recall.id}")
    assert answer.status_code == 200, answer.content
    return [result["memory"]["id"] for result in answer.json()["results"]]


def test_an_agent_reads_what_it_asked_and_was_told(ada: Viewer) -> None:
    agent = make_agent(tenant=ada, slug="rui")
    make_memory(tenant=ada, agent=agent, content="The east depot has no ramp.")
    one = caller(ada, agent=agent.id)
    asked = one.post("recall", {"query": "Which depot has no ramp?", "session": "till"}).json()

    shown = one.get(f"recall/{asked['recall_id']}").json()

    assert asked["results"] != []
    assert [result["memory"]["id"] for result in shown["results"]] == [row["id"] for row in asked["results"]]
    assert [result["score"] for result in shown["results"]] == [row["score"] for row in asked["results"]]
    assert (shown["query"], shown["session"], shown["agent_id"]) == (
        "Which depot has no ramp?", "till", str(agent.id),
    )  # fmt: skip
    recalls = one.get(f"memories/{asked['results'][0]['id']}/recalls").json()
    assert recalls["results"] == [{name: value for name, value in shown.items() if name != "results"}]


def test_another_agents_recall_is_not_there_and_a_person_reads_it(ada: Viewer) -> None:
    atlas, rui = (make_agent(tenant=ada, slug=slug) for slug in ("atlas", "rui"))
    memory = make_memory(tenant=ada, shared=True)
    recall = answered(ada, memory, agent=atlas, classification=1)
    foreign, own = caller(ada, agent=rui.id), caller(ada, agent=atlas.id)

    assert foreign.get(f"recall/{recall.id}").status_code == 404
    assert foreign.get(f"memories/{memory.id}/recalls").json() == {"results": [], "next": None}
    for one in (own, caller(ada)):
        assert told(one, recall) == [str(memory.id)]
        assert [row["id"] for row in one.get(f"memories/{memory.id}/recalls").json()["results"]] == [
            str(recall.id)
        ]


def test_what_may_not_be_seen_any_more_is_left_out_and_nothing_says_so(ada: Viewer) -> None:
    rui = make_agent(tenant=ada, slug="rui")
    mine = {"agent": rui, "tenant": ada}
    seen = [make_memory(**mine, content=f"Depot {number} has a ramp.") for number in range(2)]
    hidden = [
        make_memory(**mine, content="Above.", classification=2),
        make_memory(**mine, content="Vera's.", person="vera"),
        make_memory(tenant=ada, content="Another agent's.", agent=make_agent(tenant=ada, slug="atlas")),
    ]
    event = {"agent": rui, "classification": 1}
    less = answered(ada, *seen, **event)
    more = answered(ada, hidden[0], seen[0], hidden[1], hidden[2], seen[1], **event)
    low = caller(ada, agent=rui.id, ceiling=1)

    assert told(low, more) == told(low, less) == [str(one.id) for one in seen]
    bodies = [low.get(f"recall/{one.id}").json() for one in (less, more)]
    for body in bodies:
        del body["id"]
        for result in body["results"]:
            del result["score"]  # of the place in which it was made here
    assert bodies[0] == bodies[1]


def test_a_question_is_of_its_askers_class_and_its_persons(ada: Viewer) -> None:
    rui = make_agent(tenant=ada, slug="rui")
    memory = make_memory(tenant=ada, agent=rui)
    high = answered(ada, memory, agent=rui, classification=2)
    veras = answered(ada, memory, agent=rui, classification=1, person="vera")
    low = caller(ada, agent=rui.id, ceiling=1)

    assert low.get(f"recall/{high.id}").status_code == 404
    assert low.get(f"recall/{veras.id}").status_code == 404
    assert low.get(f"recall/{veras.id}", **{"Candor-Person": "willy"}).status_code == 404
    assert low.get(f"recall/{veras.id}", **{"Candor-Person": "vera"}).status_code == 200
    assert low.get(f"memories/{memory.id}/recalls").json()["results"] == []


@pytest.mark.spec("S-04")
def test_a_recall_of_a_project_is_read_by_who_may_view_it(ada: Viewer) -> None:
    moon, sun = (make_project(tenant=ada, slug=slug) for slug in ("moon", "sun"))
    recall = answered(ada, make_memory(tenant=ada, project=moon), project=moon, classification=1)
    within = caller(ada, project=moon.id)
    looker = Caller(key_of_person(ada, make_person(ada, "looker", held={moon: ["view"]})))
    others = Caller(key_of_person(ada, make_person(ada, "others", held={sun: ["view"]})))

    assert within.get(f"recall/{recall.id}").status_code == 200
    assert looker.get(f"recall/{recall.id}").status_code == 200
    assert others.get(f"recall/{recall.id}").status_code == 404
    assert caller(ada, project=sun.id).get(f"recall/{recall.id}").status_code == 404


@pytest.mark.spec("S-05")
def test_what_was_forgotten_is_in_no_recall(ada: Viewer) -> None:
    rui = make_agent(tenant=ada, slug="rui")
    gone = make_memory(tenant=ada, agent=rui, content="The vault of Zanzibar opens at noon.")
    kept = make_memory(tenant=ada, agent=rui, content="The east depot has no ramp.")
    recall = answered(ada, gone, kept, agent=rui, classification=1, query="when does zanzibar open")
    person = caller(ada)
    plan = person.post(f"memories/{gone.id}/forget", {}).json()
    assert person.post(f"memories/{gone.id}/forget", {"hash": plan["hash"]}).json()["forgotten"]

    shown = caller(ada, agent=rui.id).get(f"recall/{recall.id}")

    assert [one["memory"]["id"] for one in shown.json()["results"]] == [str(kept.id)]
    assert "anzibar" not in shown.content.decode()


@pytest.mark.spec("I-01")
def test_recalls_of_a_memory_come_by_pages_newest_first(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    recalls = [answered(ada, memory, at=NOW + timedelta(hours=number // 2)) for number in range(5)]
    one, got, cursor = caller(ada), [], ""

    while cursor is not None:
        page = one.get(
            f"memories/{memory.id}/recalls?limit=2" + (f"&cursor={cursor}" if cursor else "")
        ).json()
        got += [row["id"] for row in page["results"]]
        cursor = page["next"]

    wanted = sorted(recalls, key=lambda row: (row.at, row.id), reverse=True)
    assert got == [str(row.id) for row in wanted]
