"""The echo rule and what is derived, through the write track (SPEC W-17, M-07, M-08)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from evolution.feedback.record import give_feedback
from memories.models import Lineage, Memory
from memories.storage.read import MemoryView, get_memory
from recall.answering.answer import Answer, recall
from recall.answering.post_response import wait_until_counted
from recall.questions.question import Question
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_tenant
from tests.integration.memories.writing import (
    NOW,
    as_agent,
    ask,
    assert_whole,
    person,
    rows,
    say,
    steps,
    write,
)

CAUSE = "The nightly build fails because the cache volume is full."


@pytest.fixture
def ada() -> Viewer:
    """A person of the tenant."""
    return person(make_tenant("ada"))


@pytest.fixture
def vera(ada: Viewer) -> Agent:
    """An agent of the tenant."""
    return make_agent(tenant=ada, slug="vera")


def look_up(viewer: Viewer, query: str, *, session: str = "") -> Answer:
    with tenant_scope(viewer):
        return recall(Question(query=query, session=session), now=NOW)


def standing(tenant: Viewer, memory_id: UUID) -> MemoryView:
    with tenant_scope(tenant):
        return get_memory(memory_id)


def lines(tenant: Viewer) -> set[tuple[UUID, UUID]]:
    with tenant_scope(tenant), unit_of_work():
        return set(Lineage.objects.values_list("child_id", "parent_id"))


@pytest.mark.spec("W-17", "M-07")
def test_an_echo_changes_nothing_of_what_stands(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera)
    stated = write(replace(ada, agent_id=vera.id), CAUSE).memory
    look_up(agent, "Why does the nightly build fail?")
    wait_until_counted()
    before = standing(ada, stated.id)

    for day in range(1, 4):
        said = "Because its cache volume is full, the nightly build fails."
        told = say(agent, said, role="assistant", session=f"day-{day}", now=NOW + timedelta(days=day))
        assert ("connect", "restate" if day == 1 else "reinforce") in steps(told)

    assert standing(ada, stated.id) == before
    assert [(row.kind, row.provenance, row.trust <= 0.4) for row in rows(ada)[1:]] == [
        ("statement", "agent_inferred", True)
    ]


@pytest.mark.spec("W-17", "M-08")
def test_a_note_that_adds_to_what_was_recalled_rests_on_it(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera)
    first = write(agent, CAUSE).memory
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=first.id).update(trust=0.2)
    look_up(agent, CAUSE)

    more = f"{CAUSE[:-1]}: the cache keeps artefacts of old releases."
    second = write(agent, more).memory

    assert lines(ada) == {(second.id, first.id)}
    assert standing(ada, second.id).trust == 0.2
    assert_whole(ada)


@pytest.mark.spec("M-08", "S-01")
def test_a_note_takes_the_class_of_what_it_names_as_its_source(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera, clearance=2)
    secret = write(
        replace(ada, agent_id=vera.id), "The merger closes because the board agreed to it.", classification=2
    ).memory
    write(agent, "The canteen was full because of the works council's visit on Monday.")
    look_up(agent, "merger")

    say(
        agent, "The offices in Bern were emptied because two teams are to become one.", role="assistant",
        references=(str(secret.id),), classification=1,
    )  # fmt: skip

    note = next(row for row in rows(ada) if "Bern" in row.content)
    assert (note.classification, lines(ada)) == (2, {(note.id, secret.id)})
    assert_whole(ada)


@pytest.mark.spec("M-08")
def test_ids_that_the_agent_was_never_shown_are_no_sources(ada: Viewer, vera: Agent) -> None:
    hidden = write(ada, "The merger closes because the board agreed to it.", classification=3).memory

    say(
        as_agent(ada, vera), "The offices in Bern were emptied because two teams are to become one.",
        role="assistant", references=(str(hidden.id),),
    )  # fmt: skip

    note = next(row for row in rows(ada) if "Bern" in row.content)
    assert (note.classification, lines(ada)) == (1, set())


@pytest.mark.spec("W-17", "M-08")
def test_what_recall_answered_states_nothing_when_a_tool_repeats_it(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera)
    say(
        agent,
        "I found that the nightly build fails because the cache volume is full.",
        role="assistant",
        session="a",
    )
    guess = rows(ada)[0]
    look_up(agent, "Why does the nightly build fail?", session="b")

    say(agent, guess.content, role="tool", session="b")
    say(agent, guess.content, role="assistant", session="b")

    first, *others = rows(ada)
    assert (first.id, first.provenance, first.trust) == (guess.id, "agent_inferred", guess.trust)
    assert {(row.provenance, row.trust <= guess.trust, row.group_id) for row in others} == {
        ("agent_inferred", True, guess.id)
    }
    assert first.last_verified_at == guess.last_verified_at


@pytest.mark.spec("M-08")
def test_what_a_person_says_in_the_session_is_no_echo(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera)
    say(agent, "The nightly build fails because the cache volume is full.", session="a", speaker="Mara")

    say(agent, "The nightly build fails because the cache volume is full.", role="assistant", session="a")

    stated, again = rows(ada)
    assert (stated.provenance, again.provenance) == ("user_stated", "agent_chat")


@pytest.mark.spec("M-07")
def test_use_never_raises_trust(ada: Viewer, vera: Agent) -> None:
    """A thousand recalls, praise for each of some, and the same told again by the same agent."""
    agent = as_agent(ada, vera)
    note = write(agent, CAUSE).memory
    answers = [look_up(agent, "Why does the nightly build fail?") for _ in range(5)]
    wait_until_counted()
    count = "UPDATE usage SET recalled = recalled + 995 WHERE tenant_id = %(tenant)s"
    ask(ada, count)
    for answer in answers:
        for judge in (agent, ada):
            with tenant_scope(judge):
                give_feedback(answer.recall_id, note.id, "helpful", now=NOW)
    for number in range(5):
        write(agent, f"{CAUSE} " * (number % 2) + "The cache volume is full, so the nightly build fails.")

    used = standing(ada, note.id)

    assert used.recalled == 1000
    assert used.q_value > 0.5
    assert {row.trust for row in rows(ada)} == {note.trust}
    assert (used.trust, used.provenance, used.importance) == (note.trust, note.provenance, note.importance)
    assert used.last_verified_at == note.last_verified_at


# What reality says


@pytest.mark.spec("W-19")
def test_the_same_failure_again_is_one_group(ada: Viewer) -> None:
    for run, seconds in enumerate(("3.21", "9.87", "4.02")):
        text = (
            "FAILED tests/test_login.py::test_token - AssertionError: expected 200, got 401\n"
            f"1 failed, 12 passed in {seconds}s"
        )
        say(ada, text, role="tool", session=f"run-{run}", now=NOW + timedelta(hours=run))

    found = rows(ada)
    assert {(row.kind, row.provenance, row.group_id) for row in found} == {
        ("negative", "measured", found[0].id)
    }
    assert {row.note for row in found} == {
        "The test tests/test_login.py::test_token failed because of: AssertionError: expected 200, got 401."
    }
    assert "in 9.87s" in found[1].content


@pytest.mark.spec("W-19")
def test_a_measurement_supersedes_a_guess_and_leaves_the_lesson(ada: Viewer, vera: Agent) -> None:
    agent = as_agent(ada, vera)
    say(agent, "The search service listens on port 8080.", role="assistant", session="a")

    say(
        agent, "The search service listens on port 9090.", role="tool", session="b",
        now=NOW + timedelta(hours=1),
    )  # fmt: skip

    found = {(row.kind, row.value): row.standing for row in rows(ada) if row.card == "state"}
    assert found == {("working_state", "8080"): 2, ("working_state", "9090"): 0}
    (lesson,) = [row for row in rows(ada) if row.kind == "meta"]
    assert "8080" in lesson.content
    assert "9090" in lesson.content
    assert lesson.provenance == "measured"


@pytest.mark.spec("W-19")
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_only_a_tools_turn_reports_a_failure(ada: Viewer, role: str) -> None:
    say(ada, "exit code 2: terraform apply: the state file is locked", role=role)

    assert [row for row in rows(ada) if row.kind == "negative" and "Terraform" in row.content] == []
