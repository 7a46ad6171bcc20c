"""A verdict is heard by the next question of its kind, by others only as far as the memory's own q goes."""

from typing import Any

import pytest

from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer
from tests.factories import make_memory
from tests.http.conftest import Caller, caller

DEPLOY = "How do we deploy the harbour server?"
REWORDED = "Please remember: how do we deploy the harbour server?"
COST = "What does the harbour server cost a month?"


@pytest.fixture
def person(ada: Viewer) -> Caller:
    """Somebody whose one memory was recalled just now, so that nothing of its usefulness is forgotten."""
    make_memory(tenant=ada, content="The harbour server is deployed by the release job, for 20 euro a month.")
    one = caller(ada)
    ask(one, DEPLOY)
    return one


def ask(one: Caller, query: str) -> Any:
    asked = {"query": query, "explain": True, "policy": "default", "min_relevance": 0}
    answer = one.post("recall", asked).json()
    wait_until_counted()
    return answer


def usefulness(one: Caller, query: str) -> float:
    """Return what the memory's usefulness adds to its score for this question."""
    return float(ask(one, query)["results"][0]["explain"]["usefulness"])


def judge(one: Caller, query: str, outcome: str) -> None:
    answer = ask(one, query)
    verdict = {"memory": answer["results"][0]["id"], "outcome": outcome}
    assert one.post(f"recall/{answer['recall_id']}/feedback", verdict).status_code == 200


@pytest.mark.spec("E-13", "R-03")
def test_a_verdict_counts_most_for_its_own_question_and_little_for_others(person: Caller) -> None:
    before = usefulness(person, DEPLOY)
    judge(person, DEPLOY, "helpful")
    after = {query: usefulness(person, query) / before for query in (DEPLOY, REWORDED, COST)}

    assert after[DEPLOY] == pytest.approx((1 + 2 * 0.55) / 3 / 0.5, rel=1e-3)
    assert after[COST] == pytest.approx(0.55 / 0.5, rel=1e-3)
    assert after[COST] < after[REWORDED] <= after[DEPLOY]


@pytest.mark.spec("E-13")
def test_blame_for_one_kind_of_question_leaves_praise_for_another(person: Caller) -> None:
    before = usefulness(person, DEPLOY)
    judge(person, DEPLOY, "helpful")
    judge(person, COST, "unhelpful")

    assert usefulness(person, DEPLOY) > before > usefulness(person, COST)


@pytest.mark.spec("E-13", "S-01")
def test_what_was_learnt_above_ones_class_is_not_heard(ada: Viewer, person: Caller) -> None:
    low = caller(ada, ceiling=1)
    before = usefulness(low, DEPLOY)
    judge(person, DEPLOY, "helpful")

    assert usefulness(low, DEPLOY) / before == pytest.approx(0.55 / 0.5, rel=1e-3)
    assert usefulness(person, DEPLOY) / before == pytest.approx(0.7 / 0.5, rel=1e-3)


@pytest.mark.spec("E-13", "E-01")
def test_what_never_helped_with_a_question_does_not_stand_first_for_it(ada: Viewer) -> None:
    for content in (
        "The harbour server is deployed by the release job.",
        "Deploy the harbour server with the blue script of the night shift.",
    ):
        make_memory(tenant=ada, content=content)
    one = caller(ada)
    first, second = [row["id"] for row in ask(one, DEPLOY)["results"]]
    cost = [row["id"] for row in ask(one, COST)["results"]]

    for _ in range(4):
        answer = ask(one, DEPLOY)
        said = {"recall": answer["recall_id"], "helpful": [second], "unhelpful": [first]}
        assert one.post("feedback", said).status_code == 200

    after = ask(one, DEPLOY)["results"]
    assert [row["id"] for row in after] == [second, first]
    assert after[0]["explain"]["verdicts"] > 1 > after[1]["explain"]["verdicts"] > 0.5
    told = ask(one, COST)["results"]
    assert {row["explain"]["verdicts"] for row in told} == {1.0}, "heard by another question"
    assert len(told) == len(cost)
