"""The sample fleet: load what it said, show what the gates refused, ask what it should know."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from bench.corpora.sample_fleet import FLEET, Row, read_lines, read_plan, write_fleet
from bench.rig.accounts import Account, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.service import Service
from examples.next_steps import Done
from examples.printing import Mark, heading, print_result, progress, say, shorten, table

PLACES: Final = 5
SEED: Final = 1
EXAMPLE: Final = 64
"""Columns of an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """The files of the sample fleet; see its README."""

    plan: TenantPlan
    captures: Sequence[Row]
    labels: Mapping[str, Row]  #: by capture
    questions: Sequence[Row]  #: those of the demo

    def judge(self, question: Row, said_in: set[str]) -> Mark:
        """Judge a memory by the captures it was made of; a duplicate answers as well as its original."""
        originals = {self.labels[name].get("duplicate_of", name) for name in said_in}
        if (said_in | originals).intersection(question["expect"]):
            return Mark.EXPECTED
        return Mark.REFUTED if said_in.intersection(question["must_not"]) else Mark.NONE


def read_fleet(folder: Path = FLEET) -> Fleet:
    """Read the sample fleet."""
    return Fleet(
        plan=read_plan(folder),
        captures=read_lines(folder / "captures.jsonl"),
        labels={label["id"]: label for label in read_lines(folder / "labels.jsonl")},
        questions=[one for one in read_lines(folder / "questions.jsonl") if one.get("demo")],
    )


def give_tour(service: Service, keys: KeyFile) -> Done:
    """Load, show the gates, ask. Raises ApiError, Stuck, CommandFailed."""
    fleet = read_fleet()
    account = open_account(service, fleet.plan, keys)
    captures = load(service, fleet, account)
    show_gates(captures)
    dead = sum(1 for capture in captures.values() if capture["state"] == "dead")
    faults = [f"{dead} captures are dead"] if dead else []
    faults += ask(service, fleet, account, captures)
    question = {"query": "Who owns Roost?", "k": 3, "explain": True}
    return Done(account=account, faults=faults, question=question)


def load(service: Service, fleet: Fleet, account: Account) -> dict[str, Row]:
    """Post every capture with its agent's key and wait; return capture by the fleet's id."""
    heading(f"{len(fleet.captures)} captures of {len(fleet.plan.agents)} agents of {fleet.plan.name}")
    return write_fleet(service, account, fleet.captures, watch=progress)


def show_gates(captures: Mapping[str, Row]) -> None:
    """Print what became of the captures, and each gate's refusals with a reason and an example."""
    states = Counter(capture["state"] for capture in captures.values())
    say("  " + " · ".join(f"{count} {state}" for state, count in states.most_common()))
    refused: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for capture in captures.values():
        if capture["state"] not in ("stored", "pending", "processing"):
            refused[_gate(capture), capture["state"]].append(capture)
    heading("What the gates refused, and why")
    table(
        ("gate", "outcome", "how many", "mostly because", "for example"),
        [
            (gate, state, len(each), _usual_reason(each), f"«{shorten(each[0]['text'], EXAMPLE)}»")
            for (gate, state), each in sorted(refused.items(), key=lambda item: -len(item[1]))
        ],
        numbers=("how many",),
    )
    _show_secrets([capture for capture in captures.values() if capture["secrets_found"]])


def _gate(capture: Row) -> str:
    """Return the gate that had the last word."""
    for step in reversed(capture["trace"]):
        if step.get("verdict") not in ("pass", None):
            return str(step.get("gate", step["step"]))
    return "–"


def _usual_reason(captures: Sequence[Row]) -> str:
    reasons = Counter(str(capture["error"] or "–") for capture in captures)
    return reasons.most_common(1)[0][0]


def _show_secrets(captures: Sequence[Row]) -> None:
    if not captures:
        return
    kinds = Counter(found["kind"] for capture in captures for found in capture["secrets_found"])
    told = ", ".join(f"{kind} ({count})" for kind, count in kinds.most_common())
    heading(f"Secrets taken out of {len(captures)} captures before anything was written: {told}")
    say(f"  for example «{shorten(captures[0]['text'], 100)}»")


def ask(service: Service, fleet: Fleet, account: Account, captures: Mapping[str, Row]) -> list[str]:
    """Ask the demo's questions and print the answers; return what went wrong, in words."""
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for name, capture in captures.items():
        for memory in capture["memories"]:
            sources[memory].add(name)
    faults, verdicts = [], Counter[str]()
    for number, question in enumerate(fleet.questions, start=1):
        agent = question["agent"]
        heading(f"{number}. {question['q']}   (asked by {agent} on {question['now'][:10]})")
        answer = Api(service.address, account.agents[agent]).post("recall", _question(question))
        if not answer["results"] or answer["degraded"]:
            faults.append(f"question {number} has no full answer")
        marks = [fleet.judge(question, sources[result["id"]]) for result in answer["results"]]
        _show_answer(answer, marks, ZoneInfo(question["timezone"]))
        verdicts.update(_verdicts(marks))
    heading(
        f"Of {len(fleet.questions)} questions {verdicts['first']} have an expected memory first, "
        f"{verdicts['among']} among the first {PLACES}; {verdicts['refuted']} show something that no longer "
        "holds or never did."
    )
    return faults


def _question(question: Row) -> Row:
    told = {name: question[name] for name in ("now", "timezone", "project", "ceiling") if question.get(name)}
    return {"query": question["q"], "k": PLACES, "explain": True, "seed": SEED, **told}


def _show_answer(answer: Row, marks: Sequence[Mark], zone: ZoneInfo) -> None:
    for place, (result, mark) in enumerate(zip(answer["results"], marks, strict=True), start=1):
        print_result(place, result, mark, zone)
    for alert in answer["alerts"]:
        say(f"     ! {alert['type']}: {alert['text']}", "yellow")
    if Mark.EXPECTED not in marks:
        say("     the expected memory is not among these", "yellow")


def _verdicts(marks: Sequence[Mark]) -> set[str]:
    """Return which of «first», «among» and «refuted» hold for an answer."""
    found = {
        "first": Mark.EXPECTED in marks[:1],
        "among": Mark.EXPECTED in marks,
        "refuted": Mark.REFUTED in marks,
    }
    return {name for name, holds in found.items() if holds}
