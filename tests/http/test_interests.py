"""What an agent keeps asking about: counted by the night, told over HTTP, lifted where a policy says so."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone

from evolution.interests import count_interests
from evolution.steps import Night
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import Caller, caller, errors
from tests.integration.recall.conftest import remember
from tests.integration.recall.proving import prove

pytestmark = pytest.mark.spec("E-11")

QUESTIONS: Final = (
    "Where is the turbine?", "Is the turbine repaired?", "When does the turbine stop?", "How is the weather?",
)  # fmt: skip


def sleep(tenant: Viewer, *, days: int = 0, **night: Any) -> dict[str, int]:
    """Count as of so many days from now."""
    with tenant_scope(tenant):
        at = timezone.now() + timedelta(days=days)
        return dict(count_interests(Night(tenant_id=tenant.tenant_id, now=at, **night)).counts)


def ask(one: Caller, *questions: str, **more: Any) -> None:
    """Ask each question in a session of its own."""
    for number, question in enumerate(questions):
        body = {"query": question, "session": f"{question}-{number}", **more}
        assert one.post("recall", body).status_code == 200


def agent(tenant: Viewer, slug: str, **key: Any) -> Caller:
    """Return a caller with a new key of this agent."""
    with tenant_scope(tenant), unit_of_work():
        known = Agent.objects.filter(slug=slug).first()
    return caller(tenant, agent=(known or make_agent(tenant=tenant, slug=slug)).id, **key)


def terms(one: Caller, query: str = "") -> dict[str, int]:
    answer = one.get(f"interests?{query}")
    assert answer.status_code == 200, answer.content
    return {row["term"]: row["occasions"] for row in answer.json()["results"]}


@pytest.fixture
def scout(ada: Viewer) -> Caller:
    """Return a caller that is an agent."""
    return agent(ada, "scout")


def test_what_is_asked_again_and_again_is_an_interest(ada: Viewer, scout: Caller) -> None:
    ask(scout, *QUESTIONS)
    assert terms(scout) == {}

    assert sleep(ada, dry_run=True) == {"asked": 4, "interests": 1, "changed": 2}
    assert terms(scout) == {}, "a dry run writes nothing"
    assert sleep(ada)["changed"] == 2
    assert sleep(ada)["changed"] == 0, "a second night finds nothing to write"

    told = scout.get("interests?days=7").json()
    assert (told["days"], told["occasions"]) == (7, 4)
    [turbine] = told["results"]
    assert turbine == {
        "term": "turbine", "occasions": 3, "share": pytest.approx(3 / 9, abs=1e-4),
        "classification": turbine["classification"],
    }  # fmt: skip
    assert terms(caller(ada), "agent=scout") == {"turbine": 3}


def test_twenty_questions_of_one_session_are_one_occasion(ada: Viewer, scout: Caller) -> None:
    for _ in range(20):
        scout.post("recall", {"query": "Where is the turbine?", "session": "loop"})
    sleep(ada)
    assert terms(scout) == {}


def test_what_is_not_asked_about_any_more_leaves_the_windows_one_by_one(ada: Viewer, scout: Caller) -> None:
    ask(scout, *QUESTIONS)
    for later, known in ((0, (3, 3, 3)), (8, (0, 3, 3)), (31, (0, 0, 3)), (91, (0, 0, 0))):
        sleep(ada, days=later)
        assert tuple(terms(scout, f"days={days}").get("turbine", 0) for days in (7, 30, 90)) == known


def test_nobody_learns_what_was_asked_elsewhere(ada: Viewer, scout: Caller) -> None:
    ask(agent(ada, "other"), *QUESTIONS)
    ask(agent(ada, "other"), "Where is the boiler?", "Is the boiler hot?", person="ines")
    sleep(ada)
    assert terms(scout, "agent=other") == {}
    assert terms(caller(ada), "agent=other") == {"turbine": 3}, "an end user's questions steer no others"


def test_a_reader_counts_what_was_asked_at_its_class_and_below(ada: Viewer, scout: Caller) -> None:
    ask(agent(ada, "scout", ceiling=2), *QUESTIONS)
    sleep(ada)
    assert terms(caller(ada), "agent=scout") == {"turbine": 3}
    assert terms(caller(ada, ceiling=1), "agent=scout") == {}
    assert caller(ada, ceiling=1).get("interests?agent=scout").json()["occasions"] == 0


def test_a_project_does_not_learn_what_was_asked_in_another(ada: Viewer, scout: Caller) -> None:
    red, blue = (make_project(tenant=ada, slug=slug) for slug in ("red", "blue"))
    ask(agent(ada, "scout"), *QUESTIONS, project="red")
    sleep(ada)
    assert terms(caller(ada, project=red.id), "agent=scout") == {"turbine": 3}
    assert terms(caller(ada, project=blue.id), "agent=scout") == {}


@pytest.mark.spec("R-03")
def test_a_policy_may_lift_what_its_agent_keeps_asking_about(ada: Viewer, scout: Caller) -> None:
    remember(ada, "The valve was replaced by Jonas on Monday.", shared=True)
    remember(ada, "The turbine was replaced by Jonas on Monday.", shared=True)
    ask(scout, *QUESTIONS)
    sleep(ada)
    before = explained(scout)
    lift(ada, interest_boost=1.0, interest_days=7)
    after = explained(scout)

    assert {one["interests"] for one in before.values()} == {1.0}, "off unless a policy says otherwise"
    assert after["turbine"]["interests"] == pytest.approx(1 + 3 / 9, abs=1e-3)
    assert after["valve"]["interests"] == explained(caller(ada))["turbine"]["interests"] == 1.0
    assert after["turbine"]["total"] > before["turbine"]["total"] * 1.3
    assert explained(scout, leave_out=["interests"])["turbine"]["interests"] == 1.0


def explained(one: Caller, **more: Any) -> dict[str, dict[str, Any]]:
    """Return what the scores are made of, by the second word of the rows."""
    asked = {"query": "What did Jonas replace on Monday?", "min_relevance": 0, "seed": 1, "explain": True}
    answer = one.post("recall", {**asked, **more}).json()
    return {row["content"].split()[1]: row["explain"] for row in answer["results"]}


def lift(tenant: Viewer, **changes: Any) -> None:
    """Put a policy in force that differs from the default by these."""
    priya = caller(tenant)
    draft = priya.post("policies", {"name": "lifting", "changes": changes}).json()
    prove(tenant, draft["id"], "lifting@1", now=timezone.now())
    assert priya.post(f"policies/{draft['id']}/activate").status_code == 200


@pytest.mark.parametrize("changes", [{"interest_days": 8}, {"interest_boost": 1.5}])
def test_a_policy_with_another_window_or_more_than_twice_the_score_is_refused(
    ada: Viewer, changes: dict[str, Any]
) -> None:
    refused = errors(caller(ada).post("policies", {"name": "lifting", "changes": changes}))
    assert set(refused) == {f"changes.{next(iter(changes))}"}


def test_what_is_asked_wrongly_is_told_by_its_field(ada: Viewer) -> None:
    one = caller(ada)
    assert set(errors(one.get("interests"))) == {"agent"}
    assert set(errors(one.get("interests?agent=nobody"))) == {"agent"}
    assert set(errors(one.get("interests?agent=nobody&days=8"))) == {"days"}
