"""An outcome speaks for what its task was shown, without a thumb on any memory (SPEC E-01)."""

from typing import Any

import pytest

from memories.models import Memory, Usage
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_feedback_reported import q_values, shown
from tests.integration.recall.conftest import NOW

pytestmark = pytest.mark.spec("E-01")


def ended(one: Caller, **body: Any) -> list[dict[str, Any]]:
    answer = one.post("outcomes", {"session": "task-7", **body})
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def verified(tenant: Viewer, memory: Memory) -> int:
    with tenant_scope(tenant), unit_of_work():
        return int(Usage.objects.get(memory_id=memory.id).verified)


def test_without_a_report_every_place_gets_a_little_and_the_first_most(ada: Viewer) -> None:
    _recall, memories = shown(ada, 3)

    results = ended(caller(ada), outcome="succeeded")

    assert [one["memory"] for one in results] == [str(memory.id) for memory in memories]
    # 0.5 + 0.1 · (0.1 / log2(1 + place)) · 0.5
    assert q_values(ada, memories) == [0.505, 0.503155, 0.5025]
    assert [verified(ada, memory) for memory in memories] == [0, 0, 0]  # shown is not proven
    assert [one["result"] for one in ended(caller(ada), outcome="succeeded")] == ["unchanged"] * 3


def test_a_failure_takes_a_little_and_a_later_word_takes_its_place(ada: Viewer) -> None:
    _recall, memories = shown(ada, 2)

    ended(caller(ada), outcome="failed")
    assert q_values(ada, memories) == [0.4975, 0.498423]

    assert {one["result"] for one in ended(caller(ada), outcome="succeeded", score=0.9)} == {"replaced"}
    assert q_values(ada, memories) == [0.5045, 0.502839]


@pytest.mark.parametrize(
    "how", ["its id among the references", "its id in the words", "as a context calls it"]
)
def test_what_a_later_turn_cites_gets_half_and_the_rest_nothing(ada: Viewer, how: str) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    _recall, memories = shown(ada, 3, agent=atlas)
    cited = str(memories[1].id)
    said: dict[str, Any] = {"text": "Done: the report went out by the second card's address."}
    if how == "its id among the references":
        said["references"] = [cited]
    else:
        said["text"] += f" ({cited})" if how == "its id in the words" else f" [{cited[-7:]}]"
    turn = {**said, "role": "assistant", "session": "task-7", "clock": NOW.isoformat()}
    assert caller(ada, agent=atlas.id).post("captures", turn).status_code == 202

    results = ended(caller(ada), outcome="succeeded")

    assert [one["memory"] for one in results] == [cited]
    assert q_values(ada, memories) == [0.5, 0.525, 0.5]
    assert verified(ada, memories[1]) == 1


def test_an_agents_own_task_counts_a_quarter(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    _recall, memories = shown(ada, 1, agent=atlas)

    ended(caller(ada, agent=atlas.id), outcome="succeeded")

    assert q_values(ada, memories) == [0.50125]


def test_rows_that_say_the_same_share_one_voice(ada: Viewer) -> None:
    _recall, memories = shown(ada, 2)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id__in=[one.id for one in memories]).update(group_id=memories[0].id)

    ended(caller(ada), outcome="succeeded")

    assert q_values(ada, memories) == [0.5025, 0.501577]


def test_what_was_reported_as_used_gets_all_of_it_and_the_rest_nothing_however_often(ada: Viewer) -> None:
    _recall, memories = shown(ada, 2)
    person = caller(ada)
    person.post("feedback", {"session": "task-7", "used": [str(memories[1].id)]})

    ended(person, outcome="succeeded")
    ended(person, outcome="succeeded", score=0.6)

    assert q_values(ada, memories) == [0.5, 0.53]


def test_a_persons_own_word_is_not_overruled(ada: Viewer) -> None:
    _recall, memories = shown(ada, 2)
    person = caller(ada)
    person.post("feedback", {"session": "task-7", "unhelpful": [str(memories[0].id)]})

    assert ended(person, outcome="succeeded") == []
    assert q_values(ada, memories) == [0.475, 0.5]
