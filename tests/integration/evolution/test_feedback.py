"""Verdicts in the database: several recalls, several judges, all at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connections

from evolution.feedback.record import give_feedback
from evolution.feedback.verdicts import Outcome
from evolution.models import Feedback
from memories.models import Memory, Usage
from security.models import AuditEvent
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.factories import (
    NOW,
    make_agent,
    make_memory,
    make_project,
    make_recall_event,
    make_recalled_memory,
    make_tenant,
)

pytestmark = pytest.mark.usefixtures("database")


def show(tenant: Viewer, memory: Memory, **event: object) -> UUID:
    """Show the memory in a new recall; return the recall's id."""
    recall = make_recall_event(tenant=tenant, **event)
    make_recalled_memory(tenant=tenant, recall=recall, memory=memory)
    return UUID(str(recall.id))


def judge(viewer: Viewer, recall: UUID, memory: Memory, outcome: Outcome, *, minutes: int = 0) -> float:
    with tenant_scope(viewer):
        return give_feedback(recall, memory.id, outcome, now=NOW + timedelta(minutes=minutes)).q_value


def usage(tenant: Viewer, memory: Memory) -> tuple[float, int]:
    with tenant_scope(tenant), unit_of_work():
        row = Usage.objects.get(memory_id=memory.id)
        return row.q_value, row.verified


@pytest.mark.spec("E-01")
def test_a_replaced_verdict_leaves_q_as_if_it_had_never_been_given() -> None:
    ada = make_tenant("ada")
    person = replace(ada, actor_kind="person")
    memory = make_memory(tenant=ada)
    first, second = show(ada, memory), show(ada, memory)

    judge(person, first, memory, "helpful")
    judge(person, second, memory, "unhelpful")
    q = judge(person, first, memory, "used")

    assert q == pytest.approx(0.475, abs=1e-12)  # 0.95 · 0.5: only the second verdict is left
    assert usage(ada, memory) == (pytest.approx(0.475), 0)


@pytest.mark.spec("E-01")
def test_changing_ones_mind_over_and_over_moves_q_no_further_than_once() -> None:
    ada = make_tenant("ada")
    person = replace(ada, actor_kind="person")
    memory = make_memory(tenant=ada)
    recall = show(ada, memory)

    for _ in range(5):
        judge(person, recall, memory, "unhelpful")
        q = judge(person, recall, memory, "helpful")

    assert q == pytest.approx(0.55, abs=1e-12)
    assert usage(ada, memory) == (pytest.approx(0.55), 1)
    with tenant_scope(ada), unit_of_work():
        assert Feedback.objects.filter(stands=True).count() == 1
        assert Feedback.objects.count() == 10


@pytest.mark.spec("E-01")
def test_a_persons_word_replaces_an_agents_on_the_same_recall() -> None:
    ada = make_tenant("ada")
    atlas = make_agent(tenant=ada)
    memory = make_memory(tenant=ada, agent=atlas)
    recall = show(ada, memory, agent=atlas)
    agent = replace(ada, actor_kind="agent", agent_id=atlas.id, actor_id=str(atlas.id))

    assert judge(agent, recall, memory, "helpful") == pytest.approx(0.5125)
    assert judge(replace(ada, actor_kind="person"), recall, memory, "helpful") == pytest.approx(0.55)


@pytest.mark.spec("E-01")
def test_forty_verdicts_at_once_all_count() -> None:
    ada = make_tenant("ada")
    person = replace(ada, actor_kind="person")
    memory = make_memory(tenant=ada)
    recalls = [show(ada, memory) for _ in range(40)]

    def speak(recall: UUID) -> float:
        try:
            return judge(person, recall, memory, "helpful")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(speak, recalls))

    expected = 1.0 - 0.5 * 0.9**40
    assert usage(ada, memory) == (pytest.approx(expected, abs=1e-9), 40)


@pytest.mark.spec("E-01")
def test_one_recall_judged_from_many_sides_at_once_has_one_verdict() -> None:
    ada = make_tenant("ada")
    person = replace(ada, actor_kind="person")
    memory = make_memory(tenant=ada)
    recall = show(ada, memory)
    outcomes: list[Outcome] = ["helpful", "unhelpful"] * 10

    def speak(outcome: Outcome) -> float:
        try:
            return judge(person, recall, memory, outcome)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(speak, outcomes))

    with tenant_scope(ada), unit_of_work():
        [standing] = Feedback.objects.filter(stands=True)
    expected = {"helpful": (0.55, 1), "unhelpful": (0.475, 0)}[standing.outcome]
    assert usage(ada, memory) == (pytest.approx(expected[0]), expected[1])


@pytest.mark.spec("S-03")
def test_a_verdict_is_written_down_with_what_it_did() -> None:
    ada = make_tenant("ada")
    memory = make_memory(tenant=ada)
    recall = show(ada, memory)

    judge(replace(ada, actor_kind="person", actor_id="grace"), recall, memory, "helpful")

    with tenant_scope(ada), unit_of_work():
        [event] = AuditEvent.objects.all()
    assert (event.action, event.object_type, event.object_id) == ("feedback.give", "memory", str(memory.id))
    assert (event.actor_kind, event.actor_id, event.at) == ("person", "grace", NOW)
    assert event.detail == {"recall": str(recall), "outcome": "helpful", "q_before": 0.5, "q_after": 0.55}


def test_what_was_not_shown_or_not_to_one_cannot_be_judged() -> None:
    ada = make_tenant("ada")
    atlas, bert = make_agent(tenant=ada), make_agent(tenant=ada)
    moon = make_project(tenant=ada)
    memory, other = make_memory(tenant=ada), make_memory(tenant=ada)
    recall = show(ada, memory, agent=atlas)

    for viewer, judged in (
        (ada, other),
        (replace(ada, actor_kind="agent", agent_id=bert.id), memory),
        (replace(ada, project_id=moon.id), memory),
        (make_tenant("grace"), memory),
    ):
        with pytest.raises(NotFound):
            judge(viewer, recall, judged, "helpful")
    assert usage(ada, memory) == (0.5, 0)


def agent_of(tenant: Viewer, memory_of: object) -> Viewer:
    agent = memory_of
    return replace(tenant, actor_kind="agent", agent_id=agent.id, actor_id=str(agent.id))  # type: ignore[attr-defined]


@pytest.mark.spec("E-01")
def test_one_agents_sixty_verdicts_on_a_persons_memory_count_once_a_day() -> None:
    ada = make_tenant("ada")
    atlas = make_agent(tenant=ada)
    memory = make_memory(tenant=ada)
    agent = agent_of(ada, atlas)

    qs = [judge(agent, show(ada, memory, agent=atlas), memory, "unhelpful", minutes=n) for n in range(60)]

    assert qs == [pytest.approx(0.475)] * 60
    # The control: a person's count one by one.
    person = replace(ada, actor_kind="person")
    two = [judge(person, show(ada, memory), memory, "unhelpful", minutes=99) for _ in range(2)]
    assert two == [pytest.approx(0.475 * 0.95), pytest.approx(0.475 * 0.95**2)]


@pytest.mark.spec("E-01")
def test_agents_together_move_q_within_a_band_and_not_against_people() -> None:
    ada = make_tenant("ada")
    agents = [make_agent(tenant=ada) for _ in range(20)]
    person = replace(ada, actor_kind="person")
    sunk, praised, backed = (make_memory(tenant=ada) for _ in range(3))
    judge(person, show(ada, backed), backed, "helpful")

    for agent in agents:
        for memory, outcome in ((sunk, "unhelpful"), (praised, "helpful"), (backed, "unhelpful")):
            judge(agent_of(ada, agent), show(ada, memory, agent=agent), memory, outcome)  # type: ignore[arg-type]

    found = [round(usage(ada, memory)[0], 6) for memory in (sunk, praised, backed)]
    assert found == [0.25, round(1 - 0.5 * 0.975**20, 6), 0.5]
    q = judge(person, show(ada, sunk), sunk, "unhelpful", minutes=1)
    assert q == pytest.approx(0.25 * 0.95)


@pytest.mark.spec("E-01")
def test_verdicts_of_agents_that_come_at_once_leave_the_q_that_they_leave_in_a_row() -> None:
    ada = make_tenant("ada")
    atlas = make_agent(tenant=ada)
    memory = make_memory(tenant=ada)
    recalls = [show(ada, memory, agent=atlas) for _ in range(24)]

    def speak(recall: UUID) -> float:
        try:
            return judge(agent_of(ada, atlas), recall, memory, "unhelpful")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(speak, recalls))

    assert usage(ada, memory) == (pytest.approx(0.475), 0)
