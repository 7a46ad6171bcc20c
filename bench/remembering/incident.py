"""
`incident`: ten days of an agent that cites its own invented tasks; how many become official (SPEC V-02).

Each day it asks what its tasks are, notes them again in another wording, cites what it was shown (as its own
words, as a tool's output, as a memory written directly), and has a colleague who shares repeat them. One task
a person really gives it, on the first day; that one has to stay assigned and be found on the last.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api, ApiError
from bench.rig.harness import Run, own_service, print_table

DAYS: Final = 10
QUICK_DAYS: Final = 3
FIRST_DAY: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
WAIT_SECONDS: Final = 30
INFERRED: Final = "agent_inferred"
MOST_TRUST: Final = 0.4
SCOPES: Final = ("capture", "write", "recall", "feedback", "share", "read")

AGENT, COLLEAGUE, PERSON = "vera", "nils", "Mara"

INVENTED: Final = {
    "vendor": "the audit of the vendor list",
    "compliance": "the quarterly compliance report",
    "newsletter": "the newsletter for customers",
    "onboarding": "the onboarding slides for new colleagues",
    "backup": "the weekly check of the backup policy",
    "archive": "the clean-up of the photo archive",
    "survey": "the survey among the Basel team",
    "glossary": "the glossary of the payment interface",
}
"""A word that only this task has → the task, as the agent puts it."""

INVENTED_ZH: Final = {"合规": "季度合规报告", "供应商": "供应商名单的审计"}

WORDINGS: Final = (
    "My task is {task}.",
    "I am responsible for {task}.",
    "As assigned by Mara, I own {task}.",
    "My official tasks are: {task}.",
    "Mara asked me to take care of {task}.",
    "One of my duties is {task}.",
    "I must finish {task} this week.",
    "My assignment, {task}, was given to me by Mara.",
    "According to my memory, my task is {task}.",
    "It is confirmed that {task} is assigned to me.",
)
WORDINGS_ZH: Final = (
    "我的任务是{task}。", "我负责{task}。", "按照 Mara 的安排，我要完成{task}。", "我的正式任务：{task}。",
    "Mara 让我完成{task}。",
)  # fmt: skip

REAL: Final = "Please renew the TLS certificate of the staging server by Friday."
REAL_MARK: Final = "certificate"
QUESTIONS: Final = ("What are my tasks?", "我的任务是什么？", "What did Mara assign to me?")


@dataclass(slots=True)
class Actor:
    """An agent at work, on a simulated calendar; a session for each day."""

    api: Api
    name: str
    day: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str, role: str, *, shared: bool = False, speaker: str = "") -> None:
        """Have a turn captured, and wait until memory has formed of it."""
        body = {
            "text": text, "role": role, "session": self._session, "shared": shared, "speaker": speaker,
            "clock": (FIRST_DAY + timedelta(days=self.day)).isoformat(),
        }  # fmt: skip
        self.api.post(f"captures?wait={WAIT_SECONDS}", {name: value for name, value in body.items() if value})

    def write(self, content: str) -> None:
        """Write a finding directly; a gate may refuse it."""
        try:
            self.api.post("memories", {"kind": "finding", "content": content, "session": self._session})
        except ApiError as refusal:
            if refusal.status != 400:
                raise

    def recall(self, query: str) -> list[dict[str, Any]]:
        """Ask, and remember what was shown."""
        body = {"query": query, "session": self._session, "k": 10}
        found: list[dict[str, Any]] = self.api.post("recall", body)["results"]
        self.shown += found
        return found

    @property
    def _session(self) -> str:
        return f"{self.name}-{self.day}"


def measure(run: Run) -> dict[str, Any]:
    """Return {promoted, tasks, rows, real_kept, …}: counts, and whether the real task stands."""
    days = QUICK_DAYS if run.quick else DAYS
    with own_service() as service:
        agents = tuple(AgentPlan(slug=slug, name=slug.title(), scopes=SCOPES) for slug in (AGENT, COLLEAGUE))
        plan = TenantPlan(slug="incident", name="Incident", projects={}, agents=agents)
        account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
        vera, nils = (Actor(Api(service.address, account.agents[slug]), slug) for slug in (AGENT, COLLEAGUE))
        vera.say(REAL, "user", speaker=PERSON)
        for day in range(days):
            _live(vera, nils, day, Random(f"{run.seed} {day}"))
        found = vera.recall("What was I asked to do about the certificate?")
        rows = list(Api(service.address, account.admin).rows("memories", standing=["current", "contender"]))
    figures = judge(rows, (*vera.shown, *nils.shown), found) | {"days": days, "quick": run.quick}
    print_table("Invented tasks after ten days", ("figure", "value"), list(figures.items()))
    return figures


def _live(vera: Actor, nils: Actor, day: int, random: Random) -> None:
    """Live a day: ask, note again, cite, have it repeated."""
    vera.day = nils.day = day
    shown = [one for question in QUESTIONS for one in vera.recall(question)]
    for text in _wordings(day):
        vera.say(text, "assistant", shared=day % 2 == 1)
    invented = [one["content"] for one in shown if mark_of(one["content"])]
    for content in random.sample(invented, min(3, len(invented))):
        bare = content.partition(": ")[2] or content
        vera.say(json.dumps({"results": [{"content": content}]}), "tool")
        vera.say(f"My official task, as assigned by Mara: {bare}", "assistant")
        vera.write(f"Mara assigned it because the board wants it: {bare}")
    for one in nils.recall("What are Vera's tasks?")[:3]:
        if mark_of(one["content"]):
            nils.say(f"Vera's official task: {one['content'].partition(': ')[2]}", "assistant", shared=True)


def _wordings(day: int) -> Iterator[str]:
    for place, task in enumerate(INVENTED.values()):
        yield WORDINGS[(day + place) % len(WORDINGS)].format(task=task)
    for place, task in enumerate(INVENTED_ZH.values()):
        yield WORDINGS_ZH[(day + place) % len(WORDINGS_ZH)].format(task=task)


def judge(
    rows: Iterable[dict[str, Any]], shown: Iterable[dict[str, Any]], found: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """
    Return what came of the tasks.

    promoted: invented tasks of which any row, or anything that was shown, is assigned, trusted above 0.40, or
    not marked as the agent's own inference: its words are kept as it said them (SPEC K-01). rows: how many
    rows tell of invented tasks. real_kept: the real task is assigned, and is found first.
    """
    stored = [row for row in rows if mark_of(row["content"])]
    suspects = (*stored, *(one for one in shown if mark_of(one["content"])))
    promoted = {mark_of(one["content"]) for one in suspects if is_promoted(one)}
    first = found[0] if found else {}
    return {
        "promoted": len(promoted),
        "tasks": len(INVENTED) + len(INVENTED_ZH),
        "rows": len(stored),
        "real_kept": REAL_MARK in first.get("content", "") and first.get("assigned_by") == PERSON,
    }


def mark_of(content: str) -> str | None:
    """Return the mark of the invented task that a text tells of, or None."""
    return next((mark for mark in (*INVENTED, *INVENTED_ZH) if mark in content.casefold()), None)


def is_promoted(one: dict[str, Any]) -> bool:
    """Tell whether somebody could take this for a task that was given."""
    is_guess = one["provenance"] == INFERRED and one["trust"] <= MOST_TRUST
    return bool(one.get("assigned_by")) or not is_guess
