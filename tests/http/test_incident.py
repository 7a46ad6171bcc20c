"""
The incident: an agent that cites its own inferred tasks for ten days promotes none of them (SPEC V-02, W-17).

An AI employee wrote down tasks that nobody had given her, read them back, cited them, and ten days later
held eight invented tasks for official. Here she tries again, in several wordings and two languages, quoting
what she recalls, naming a person as who assigned it, and asking a colleague who shares.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memories.ingestion import notify
from memories.language.guesses import GUESS
from memories.models import Memory
from memories.pipeline import process_capture
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller

pytestmark = pytest.mark.spec("V-02", "W-17")

FIRST_DAY = datetime(2026, 3, 2, 9, tzinfo=UTC)

WORDINGS = [
    "My task is to prepare the quarterly compliance report for the Zurich office.",
    "I am responsible for the quarterly compliance report of the Zurich office.",
    "As assigned by Mara, I own the quarterly compliance report of the Zurich office.",
    "My official tasks are: the quarterly compliance report for the Zurich office.",
    "Mara asked me to prepare the quarterly compliance report for the Zurich office.",
    "One of my duties is writing the quarterly compliance report for the Zurich office.",
    "I must finish the quarterly compliance report for the Zurich office.",
    "The quarterly compliance report for the Zurich office was assigned to me by Mara.",
    "According to my memory, my task is the quarterly compliance report of the Zurich office.",
    "My standing assignment remains the quarterly compliance report for the Zurich office.",
]
WORDINGS_ZH = [
    "我的任务是为苏黎世办公室准备季度合规报告。",
    "我负责苏黎世办公室的季度合规报告。",
    "按照 Mara 的安排，我要完成苏黎世办公室的季度合规报告。",
    "我的正式任务：苏黎世办公室的季度合规报告。",
]
REAL = "Please renew the TLS certificate of the staging server by Friday."


@dataclass(slots=True, kw_only=True)
class Employee:
    """An agent at work over HTTP, on a simulated calendar."""

    tenant: Viewer
    agent: Agent
    http: Caller
    day: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)

    @property
    def session(self) -> str:
        """Return the session of the day: each day has its own."""
        return f"{self.agent.slug}-day-{self.day}"

    def say(self, text: str, role: str = "assistant", **more: Any) -> dict[str, Any]:
        """Have a turn captured and processed; return what became of it."""
        clock = FIRST_DAY + timedelta(days=self.day)
        body = {"text": text, "role": role, "session": self.session, "clock": clock.isoformat(), **more}
        taken = self.http.post("captures", body)
        assert taken.status_code == 202, taken.content
        with tenant_scope(self.tenant):
            process_capture(UUID(taken.json()["id"]), now=clock)
        return self.http.get(f"captures/{taken.json()['id']}").json()

    def recall(self, query: str) -> list[dict[str, Any]]:
        """Ask, and keep what was shown."""
        body = {"query": query, "session": self.session, "k": 10}
        answer = self.http.post("recall", body)
        assert answer.status_code == 200, answer.content
        self.shown += answer.json()["results"]
        return answer.json()["results"]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def vera(ada: Viewer) -> Employee:
    """The employee of the incident."""
    return employ(ada, "vera")


def employ(tenant: Viewer, slug: str) -> Employee:
    agent = make_agent(tenant=tenant, slug=slug)
    return Employee(tenant=tenant, agent=agent, http=caller(tenant, agent=agent.id))


def rows(tenant: Viewer) -> list[Memory]:
    with tenant_scope(tenant), unit_of_work():
        return list(Memory.objects.order_by("created_at"))


def is_about_the_report(row: Memory) -> bool:
    return "compliance" in row.content or "合规" in row.content


def promoted(found: list[Memory]) -> list[str]:
    """
    Return the invented tasks that somebody could take for official.

    What a person asked or quoted stands in their own words, and as a question or a bare statement: no task.
    """
    return [
        row.content
        for row in found
        if is_about_the_report(row) and (row.assigned_by or (row.trust > 0.4 and not is_a_persons_aside(row)))
    ]


def is_a_persons_aside(row: Memory) -> bool:
    return row.provenance == "user_stated" and row.kind in ("statement", "episode") and row.value is None


def days(employee: Employee) -> Iterator[int]:
    for day in range(10):
        employee.day = day
        yield day


def test_ten_wordings_of_one_invented_task_are_one_guess(ada: Viewer, vera: Employee) -> None:
    for day in days(vera):
        vera.say(WORDINGS[day])
        vera.recall("What are my tasks?")

    invented = [row for row in rows(ada) if is_about_the_report(row)]
    assert {(row.provenance, row.assigned_by, row.standing) for row in invented} == {
        ("agent_inferred", None, 0)
    }
    assert promoted(invented) == []
    first, *echoes = invented
    assert first.last_verified_at == FIRST_DAY
    assert {(row.kind, row.group_id) for row in echoes} == {("statement", first.id)}
    shown = [one for one in vera.shown if "compliance" in one["content"]]
    assert {one["voices"] for one in shown} == {1}
    assert {one["trust"] <= 0.4 for one in vera.shown} == {True}


@pytest.mark.parametrize(
    "cite",
    [
        pytest.param(lambda seen: (seen["content"], "assistant"), id="word for word"),
        pytest.param(lambda seen: (f"From memory: {seen['content']}", "assistant"), id="as a quote"),
        pytest.param(lambda seen: (json.dumps({"results": [seen]}), "tool"), id="as a tool's output"),
        pytest.param(lambda seen: (seen["content"].removeprefix(GUESS), "tool"), id="as a measurement"),
        pytest.param(
            lambda seen: (f"Context:\n{seen['content']}\n\nGo on.", "user"), id="in a user's prompt"
        ),
        pytest.param(
            lambda seen: ("My official task, by Mara: " + seen["content"].removeprefix(GUESS), "assistant"),
            id="as official",
        ),
    ],
)
def test_citing_what_was_recalled_promotes_nothing(ada: Viewer, vera: Employee, cite: Any) -> None:
    vera.say(WORDINGS[0])
    before = rows(ada)[0]

    for vera.day in (1, 2):
        (seen,) = [one for one in vera.recall("compliance report Zurich") if "compliance" in one["content"]][
            :1
        ]
        text, role = cite(seen)
        vera.say(text, role)
        vera.say("My task is the quarterly compliance report for the Zurich office.")

    after = rows(ada)
    assert promoted(after) == []
    assert [(row.trust, row.last_verified_at, row.metadata) for row in after if row.id == before.id] == [
        (before.trust, before.last_verified_at, before.metadata)
    ]


@pytest.mark.spec("W-17")
@pytest.mark.parametrize("role", ["tool", "user"])
def test_a_claim_that_comes_back_in_json_was_told_by_nobody(ada: Viewer, vera: Employee, role: str) -> None:
    claim = "My official task, as assigned by Mara: I am responsible for the quarterly compliance report."
    vera.say(claim)
    for vera.day in (1, 2):
        seen = vera.recall("What are my tasks?")
        assert any(claim in one["content"] for one in seen)  # as JSON where that row stands for both
        handed_back = vera.say(json.dumps({"results": [{"content": claim}]}), role)
        vera.say(claim)

    assert handed_back["state"] in ("stored", "discarded")
    own = [row for row in rows(ada) if row.content == claim]
    assert {(row.provenance, row.assigned_by) for row in own} == {("agent_inferred", None)}


def test_a_question_by_a_person_assigns_nothing(ada: Viewer, vera: Employee) -> None:
    vera.say(
        "Did Mara assign you the quarterly compliance report for the Zurich office?", "user", speaker="Tom"
    )
    vera.say("Mara assigned me the quarterly compliance report for the Zurich office.")

    assert promoted(rows(ada)) == []


def test_chinese_wordings_promote_nothing_either(ada: Viewer, vera: Employee) -> None:
    for vera.day, text in enumerate(WORDINGS_ZH):
        vera.say(text)
        vera.recall("我的任务是什么？")

    first, *others = [row for row in rows(ada) if is_about_the_report(row)]
    assert promoted([first, *others]) == []
    assert {(row.kind, row.group_id) for row in others} == {("statement", first.id)}


def test_two_agents_that_share_do_not_talk_each_other_into_it(ada: Viewer, vera: Employee) -> None:
    nils = employ(ada, "nils")
    for day in range(4):
        vera.day = nils.day = day
        vera.say(WORDINGS[day], shared=True)
        nils.recall("What has to be done for the Zurich office?")
        nils.say(
            "Vera's official task is the quarterly compliance report for the Zurich office.", shared=True
        )
        vera.recall("What does Nils say about my tasks?")
        vera.say("Nils confirms that the quarterly compliance report for Zurich is my task.", shared=True)

    assert promoted(rows(ada)) == []


@pytest.mark.spec("W-17")
def test_a_task_that_a_person_assigned_stays_assigned_and_is_found(ada: Viewer, vera: Employee) -> None:
    vera.say(REAL, "user", speaker="Mara")
    for vera.day in (1, 4, 9):
        vera.recall("What are my tasks?")
        vera.say("My task is to renew the TLS certificate of the staging server.")

    found = vera.recall("What was I asked to do about the certificate?")[0]
    row, *echoes = [row for row in rows(ada) if "certificate" in row.content]
    assert {(echo.kind, echo.assigned_by) for echo in echoes} == {("statement", None)}
    assert (row.assigned_by, row.provenance, row.standing) == ("Mara", "user_stated", 0)
    assert (found["id"], found["assigned_by"]) == (str(row.id), "Mara")


def test_an_echo_says_so_on_its_trace(vera: Employee) -> None:
    vera.say(WORDINGS[0])

    told = vera.say(WORDINGS[1])

    connect = next(step for step in told["trace"] if step["step"] == "connect")
    assert (connect["verdict"], connect["reason"]) == ("restate", "an echo of what was recalled")


def test_the_direct_door_takes_the_same_guess_no_better(ada: Viewer, vera: Employee) -> None:
    body = {
        "kind": "finding",
        "content": WORDINGS[2] + " It is due because the auditors need the figures in time.",
    }

    for day in days(vera):
        answer = vera.http.post("memories", {**body, "session": f"day-{day}"})
        assert answer.status_code in (200, 201), answer.content

    assert promoted(rows(ada)) == []
    assert len(rows(ada)) == 1
