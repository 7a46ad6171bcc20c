"""The arbitration queue: what is asked, what an answer does, and that nobody is asked twice."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections

from memories.models import Memory
from memories.storage.contradictions import (
    AnsweredOtherwise,
    ContradictionFilter,
    ContradictionView,
    list_contradictions,
    resolve_contradiction,
)
from tenants.rights import NotForAgents
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_tenant
from tests.integration.memories.writing import NOW, as_agent, ask, assert_whole, person, rows, say, write

pytestmark = pytest.mark.usefixtures("fake_embedder")

OPEN = ContradictionFilter()
EVERY = ContradictionFilter(states=())


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


def lives(viewer: Viewer, town: str, *, days: float = 0, **given: Any) -> Any:
    """Say plainly that Ann lives there, so many days from now."""
    return write(
        viewer, f"Ann lives in {town}.", "profile", entity_key="ann", concept_key="residence", value=town,
        now=NOW + timedelta(days=days), **given,
    )  # fmt: skip


def standing(tenant: Viewer) -> dict[str, str]:
    """Return town → standing."""
    names = ("current", "contender", "superseded")
    return {row.value.title(): names[row.standing] for row in rows(tenant) if row.card == "state"}


def questions(viewer: Viewer, wanted: ContradictionFilter = OPEN) -> list[ContradictionView]:
    with tenant_scope(viewer):
        return list(list_contradictions(wanted, most=100))


def pairs(viewer: Viewer, wanted: ContradictionFilter = OPEN) -> list[tuple[str, str, str, str]]:
    return sorted(
        (str(one.older.value).title(), str(one.newer.value).title(), one.verdict or "open", one.resolved_by)
        for one in questions(viewer, wanted)
    )


def resolve(viewer: Viewer, question: ContradictionView, verdict: str) -> ContradictionView:
    with tenant_scope(viewer):
        return resolve_contradiction(question.id, verdict, now=NOW + timedelta(days=90))


@pytest.mark.spec("W-12", "M-05")
def test_a_plain_change_after_sixty_days_waits_for_an_answer_with_one_current_value(ada: Viewer) -> None:
    lives(ada, "Bern")

    written = lives(ada, "Basel", days=60)

    assert (written.decision, standing(ada)) == ("arbitrate", {"Bern": "contender", "Basel": "current"})
    assert pairs(ada) == [("Bern", "Basel", "open", "")]
    links = "SELECT count(*) FROM link WHERE tenant_id = %(tenant)s AND type = 'contradicts'"
    assert ask(ada, links) == [(1,)]
    assert_whole(ada)


@pytest.mark.spec("H-02", "W-12")
@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("keep_old", {"Bern": "current", "Basel": "superseded"}),
        ("accept_new", {"Bern": "superseded", "Basel": "current"}),
        ("coexist", {"Bern": "current", "Basel": "current"}),
    ],
)
def test_each_answer_closes_the_question_and_what_stands_follows_it(
    ada: Viewer, verdict: str, expected: dict[str, str]
) -> None:
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)

    resolved = resolve(ada, questions(ada)[0], verdict)

    assert (resolved.state, resolved.verdict, resolved.resolved_by) == ("resolved", verdict, "person:grace")
    assert standing(ada) == expected
    assert questions(ada) == []
    assert {row.cardinality for row in rows(ada)} == ({"multi"} if verdict == "coexist" else {"single"})
    events = ask(
        ada,
        "SELECT action FROM audit_event "
        "WHERE tenant_id = %(tenant)s AND object_type = 'contradiction' ORDER BY at",
    )
    assert events == [("contradiction.open",), ("contradiction.resolve",)]
    assert_whole(ada)


@pytest.mark.spec("H-02")
def test_the_same_answer_again_changes_nothing_and_another_is_refused(ada: Viewer) -> None:
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)
    question = questions(ada)[0]
    first = resolve(ada, question, "keep_old")

    assert resolve(ada, question, "keep_old") == first
    with pytest.raises(AnsweredOtherwise):
        resolve(ada, question, "accept_new")
    assert standing(ada) == {"Bern": "current", "Basel": "superseded"}
    assert_whole(ada)


@pytest.mark.spec("T-09")
def test_an_agent_may_not_answer(ada: Viewer) -> None:
    agent = as_agent(ada, make_agent(tenant=ada))
    lives(agent, "Bern")
    lives(agent, "Basel", days=60)

    with pytest.raises(NotForAgents):
        resolve(agent, questions(agent)[0], "accept_new")
    assert len(questions(agent)) == 1


@pytest.mark.spec("W-12")
@pytest.mark.parametrize("verdict", ["keep_old", "accept_new"])
def test_who_was_turned_down_once_is_not_asked_about_again(ada: Viewer, verdict: str) -> None:
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)
    resolve(ada, questions(ada)[0], verdict)
    loser = "Basel" if verdict == "keep_old" else "Bern"

    again = lives(ada, loser, days=120)

    assert again.decision == "restate"
    assert questions(ada) == []
    assert {row.standing for row in rows(ada) if row.value.lower() == loser.lower()} == {2}


@pytest.mark.spec("M-05")
def test_after_both_hold_a_third_value_holds_too(ada: Viewer) -> None:
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)
    resolve(ada, questions(ada)[0], "coexist")

    lives(ada, "Chur", days=120)

    assert standing(ada) == {"Bern": "current", "Basel": "current", "Chur": "current"}
    assert questions(ada) == []


@pytest.mark.spec("W-12")
def test_a_question_follows_the_value_that_recall_shows(ada: Viewer) -> None:
    """Bern, after 60 days Basel, after 60 more Chur: both wait, each asked about against Chur alone."""
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)
    lives(ada, "Chur", days=120)

    assert pairs(ada) == [("Basel", "Chur", "open", ""), ("Bern", "Chur", "open", "")]
    assert pairs(ada, EVERY)[1] == ("Bern", "Basel", "accept_new", "superseded")

    against = next(one for one in questions(ada) if one.older.value == "Basel")
    resolve(ada, against, "keep_old")

    assert standing(ada) == {"Bern": "contender", "Basel": "current", "Chur": "superseded"}
    assert pairs(ada) == [("Bern", "Basel", "open", "")]  # never answered, so it is asked again
    assert_whole(ada)


@pytest.mark.spec("W-12")
def test_an_explicit_change_makes_what_was_asked_idle(ada: Viewer) -> None:
    say(ada, "I live in Bern.", speaker="Ann")
    say(ada, "I live in Basel.", speaker="Ann", now=NOW + timedelta(days=60))

    say(ada, "I just moved to Chur.", speaker="Ann", now=NOW + timedelta(days=61))

    assert standing(ada) == {"Bern": "superseded", "Basel": "superseded", "Chur": "current"}
    assert pairs(ada, EVERY) == [("Bern", "Basel", "accept_new", "superseded")]
    assert_whole(ada)


@pytest.mark.spec("W-12", "M-08")
def test_a_guess_against_a_statement_is_turned_down_with_a_record_and_changes_nothing() -> None:
    """One row of an agent, the same fact of a person, however often the agent repeats itself."""
    tenant = make_tenant("ada")
    agent = as_agent(tenant, make_agent(tenant=tenant))
    say(agent, "I live in Bern.", speaker="Ann", role="user")
    before = next(row for row in rows(tenant) if row.card == "state")

    for day in range(1, 5):
        say(agent, "Ann lives in Basel.", role="assistant", now=NOW + timedelta(days=day))

    held = [row for row in rows(tenant) if row.card == "state" and row.standing == 0]
    assert [(row.id, row.value, row.trust, row.updated_at) for row in held] == [
        (before.id, before.value, before.trust, before.updated_at)
    ]
    assert pairs(person(tenant), EVERY) == [("Bern", "Basel", "keep_old", "trust_gap")]
    assert_whole(tenant)


@pytest.mark.spec("S-01", "T-05")
def test_a_contradiction_is_shown_to_those_who_may_see_both_memories(ada: Viewer) -> None:
    first, second = (as_agent(ada, make_agent(tenant=ada)) for _ in range(2))
    lives(first, "Bern")
    lives(first, "Basel", days=60)
    lives(ada, "Genf", classification=3)
    lives(ada, "Sion", days=60, classification=3)

    assert pairs(first) == [("Bern", "Basel", "open", "")]
    assert pairs(second) == []
    assert pairs(ada) == [("Bern", "Basel", "open", ""), ("Genf", "Sion", "open", "")]
    assert pairs(replace(ada, clearance=2)) == [("Bern", "Basel", "open", "")]


@pytest.mark.spec("W-15", "H-02")
def test_of_two_who_answer_at_once_one_is_heard(ada: Viewer) -> None:
    lives(ada, "Bern")
    lives(ada, "Basel", days=60)
    question = questions(ada)[0]

    def answer(verdict: str) -> str:
        try:
            resolve(ada, question, verdict)
        except AnsweredOtherwise:
            return "refused"
        finally:
            connections["default"].close()
        return verdict

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(answer, ["keep_old", "accept_new", "coexist", "keep_old"]))

    heard = {one for one in answers if one != "refused"}
    assert len(heard) == 1
    with tenant_scope(ada), unit_of_work():
        current = Memory.objects.filter(standing=0).count()
    assert current == (2 if heard == {"coexist"} else 1)
    assert_whole(ada)
