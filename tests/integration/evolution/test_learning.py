"""What verdicts leave behind by kind of question, and what a session used or a task's end says of it."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connections

from evolution.feedback.outcomes import Ending, report_outcome
from evolution.feedback.record import give_feedback
from evolution.feedback.reported import ReportedPlace, UseReported, report_uses
from evolution.feedback.verdicts import Outcome
from evolution.models import Feedback
from memories.models import Memory, Usage
from recall.models import LearntOfMemory
from recall.ranking.question_clusters import cluster_of, gather
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_agent, make_memory, make_recall_event, make_recalled_memory, make_tenant

pytestmark = pytest.mark.usefixtures("database")

DEPLOY = cluster_of(["deploy", "harbour"])
LUNCH = cluster_of(["eat", "lunch"])


@pytest.fixture
def ada() -> Viewer:
    """A person of a tenant."""
    return replace(make_tenant("ada"), actor_kind="person", actor_id="ada")


def show(tenant: Viewer, *memories: Memory, minutes: int = 0, **event: object) -> UUID:
    """Show the memories in a new recall; return the recall's id."""
    recall = make_recall_event(tenant=tenant, at=NOW + timedelta(minutes=minutes), **event)
    for place, memory in enumerate(memories, start=1):
        make_recalled_memory(tenant=tenant, recall=recall, memory=memory, place=place)
    return UUID(str(recall.id))


def judge(viewer: Viewer, recall: UUID, memory: Memory, outcome: Outcome) -> float:
    with tenant_scope(viewer):
        return give_feedback(recall, memory.id, outcome, now=NOW).q_value


def report(viewer: Viewer, where: ReportedPlace, uses: Mapping[UUID, Outcome]) -> list[UseReported]:
    with tenant_scope(viewer):
        return list(report_uses(where, uses, now=NOW))


def end(viewer: Viewer, where: ReportedPlace, ending: Ending) -> list[tuple[UUID, str, Outcome]]:
    with tenant_scope(viewer):
        told = report_outcome(where, ending, score=float(ending == "succeeded"), now=NOW + timedelta(days=3))
        return [(one.memory, one.result, one.outcome) for one in told]


def learnt(viewer: Viewer, memory: Memory, sketch: bytes) -> tuple[float, float]:
    """Return (helped, said) as the viewer's recall would read them."""
    with tenant_scope(viewer), unit_of_work():
        rows = LearntOfMemory.objects.filter(memory_id=memory.id).order_by("classification")
        evidence = gather([b"".join(bytes(row.clusters) for row in rows)], sketch)
        return float(evidence.helped[0]), float(evidence.said[0])


def usage(tenant: Viewer, memory: Memory) -> tuple[float, int]:
    with tenant_scope(tenant), unit_of_work():
        row = Usage.objects.get(memory_id=memory.id)
        return round(row.q_value, 6), row.verified


@pytest.mark.spec("E-13")
def test_a_verdict_is_kept_for_the_memory_and_for_the_kind_of_question(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    judge(ada, show(ada, memory, cluster=DEPLOY), memory, "helpful")
    judge(ada, show(ada, memory, cluster=LUNCH), memory, "unhelpful")

    assert usage(ada, memory) == (0.5225, 1)
    assert learnt(ada, memory, DEPLOY) == (1.0, 1.0)
    assert learnt(ada, memory, LUNCH) == (0.0, 1.0)


@pytest.mark.spec("E-13", "E-01")
def test_a_replaced_verdict_is_taken_back_from_its_kind_of_question_too(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    recall = show(ada, memory, cluster=DEPLOY)
    outcomes: tuple[Outcome, ...] = ("helpful", "helpful", "unhelpful", "helpful", "used")
    seen = []
    for outcome in outcomes:
        judge(ada, recall, memory, outcome)
        seen.append(learnt(ada, memory, DEPLOY))
    assert seen == [(1, 1), (1, 1), (0, 1), (1, 1), (0, 0)]


@pytest.mark.spec("E-13", "E-01")
def test_an_agents_praise_weighs_a_quarter_there_too(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada)
    memory = make_memory(tenant=ada, agent=atlas)
    recall = show(ada, memory, agent=atlas, cluster=DEPLOY)
    judge(replace(ada, actor_kind="agent", agent_id=atlas.id), recall, memory, "helpful")
    assert learnt(ada, memory, DEPLOY) == (0.25, 0.25)


@pytest.mark.spec("E-13", "S-01")
def test_what_was_learnt_from_a_question_is_read_by_those_cleared_for_it(ada: Viewer) -> None:
    memory = make_memory(tenant=ada, classification=0)
    judge(ada, show(ada, memory, cluster=DEPLOY, classification=3), memory, "helpful")
    judge(ada, show(ada, memory, cluster=DEPLOY, classification=1), memory, "unhelpful")

    assert learnt(ada, memory, DEPLOY) == (1.0, 2.0)
    assert learnt(replace(ada, clearance=1), memory, DEPLOY) == (0.0, 1.0)
    assert learnt(replace(ada, clearance=0), memory, DEPLOY) == (0.0, 0.0)
    assert learnt(make_tenant("grace"), memory, DEPLOY) == (0.0, 0.0)


@pytest.mark.spec("E-13")
def test_twenty_verdicts_at_once_on_one_kind_of_question_all_count(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    recalls = [show(ada, memory, cluster=DEPLOY) for _ in range(20)]

    def speak(recall: UUID) -> float:
        try:
            return judge(ada, recall, memory, "helpful")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(speak, recalls))
    assert learnt(ada, memory, DEPLOY) == (20.0, 20.0)


@pytest.mark.spec("E-01")
def test_a_session_is_judged_where_it_was_shown_last_and_the_same_report_twice_is_once(ada: Viewer) -> None:
    one, other = make_memory(tenant=ada), make_memory(tenant=ada)
    first = show(ada, one, other, session="s1")
    last = show(ada, one, minutes=5, session="s1")
    show(ada, one, minutes=9, session="s2")
    uses: dict[UUID, Outcome] = {one.id: "helpful", other.id: "used"}

    told = report(ada, ReportedPlace(session="s1"), uses)
    show(ada, one, minutes=7, session="s1")
    again = report(ada, ReportedPlace(session="s1"), uses)

    assert [(use.recall, use.result, use.q_value) for use in told] == [
        (last, "counted", 0.55),
        (first, "counted", 0.5),
    ]
    assert [(use.recall, use.result, use.q_value) for use in again] == [
        (last, "unchanged", 0.55),
        (first, "unchanged", 0.5),
    ]
    assert usage(ada, one) == (0.55, 1)


@pytest.mark.spec("E-01")
def test_a_report_from_many_sides_at_once_gives_one_verdict_each(ada: Viewer) -> None:
    memories = [make_memory(tenant=ada) for _ in range(4)]
    recall = show(ada, *memories)
    uses: dict[UUID, Outcome] = {memory.id: "helpful" for memory in memories}

    def speak(turn: int) -> list[str]:
        order = list(uses.items())[:: 1 if turn % 2 else -1]  # nobody waits for the other in a ring
        try:
            return [use.result for use in report(ada, ReportedPlace(recall=recall), dict(order))]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        told = [result for each in pool.map(speak, range(12)) for result in each]
    assert (told.count("counted"), told.count("unchanged")) == (4, 44)
    assert [usage(ada, memory) for memory in memories] == [(0.55, 1)] * 4


@pytest.mark.spec("E-01")
def test_a_tasks_end_is_credited_to_what_was_used_for_it_alone(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada)
    used, praised, ignored, blamed = (make_memory(tenant=ada, agent=atlas) for _ in range(4))
    show(ada, used, praised, ignored, blamed, session="s1", agent=atlas)
    agent = replace(ada, actor_kind="agent", agent_id=atlas.id, actor_id=str(atlas.id))
    report(
        agent, ReportedPlace(session="s1"), {used.id: "used", praised.id: "helpful", blamed.id: "unhelpful"}
    )

    assert end(ada, ReportedPlace(session="s1"), "succeeded") == [
        (used.id, "replaced", "helpful"),
        (praised.id, "replaced", "helpful"),
    ]
    assert [usage(ada, memory)[0] for memory in (used, praised, ignored, blamed)] == [0.55, 0.55, 0.5, 0.475]
    assert {one[1] for one in end(ada, ReportedPlace(session="s1"), "succeeded")} == {"unchanged"}
    assert {one[1:] for one in end(ada, ReportedPlace(session="s1"), "failed")} == {("replaced", "unhelpful")}
    assert [usage(ada, memory)[0] for memory in (used, praised, ignored, blamed)] == [
        0.475,
        0.475,
        0.5,
        0.475,
    ]


@pytest.mark.spec("E-01")
def test_a_persons_word_on_one_memory_outlasts_how_the_task_ended(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    recall = show(ada, memory)
    judge(ada, recall, memory, "helpful")

    assert end(ada, ReportedPlace(recall=recall), "failed") == []
    assert usage(ada, memory) == (0.55, 1)


@pytest.mark.spec("E-01")
def test_an_agent_that_reports_its_own_success_praises_itself(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada)
    memory = make_memory(tenant=ada, agent=atlas)
    recall = show(ada, memory, agent=atlas)
    agent = replace(ada, actor_kind="agent", agent_id=atlas.id, actor_id=str(atlas.id))
    report(agent, ReportedPlace(recall=recall), {memory.id: "used"})

    end(agent, ReportedPlace(recall=recall), "succeeded")

    assert usage(ada, memory) == (0.5125, 1)
    with tenant_scope(ada), unit_of_work():
        log = list(Feedback.objects.order_by("id").values_list("origin", "outcome", "stands"))
    assert log == [("implicit", "used", False), ("outcome", "helpful", True)]


@pytest.mark.spec("E-01", "T-01")
def test_nobody_credits_what_others_were_shown(ada: Viewer) -> None:
    atlas, bert = make_agent(tenant=ada), make_agent(tenant=ada)
    memory = make_memory(tenant=ada, agent=atlas)
    recall = show(ada, memory, agent=atlas, session="s1")
    bert_asks = replace(ada, actor_kind="agent", agent_id=bert.id)
    strangers = (bert_asks, make_tenant("grace"), replace(ada, clearance=0))

    for viewer in strangers:
        for where in (
            ReportedPlace(recall=recall),
            ReportedPlace(session="s1"),
            ReportedPlace(recall=uuid4()),
        ):
            [use] = report(viewer, where, {memory.id: "helpful"})
            assert use == UseReported(memory=memory.id, outcome="helpful", result="not_found")
            with pytest.raises(NotFound):
                end(viewer, where, "succeeded")
    assert usage(ada, memory) == (0.5, 0)
