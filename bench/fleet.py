"""
`fleet`: a fleet of agents with labelled truth, written through the API, and what is kept of it.

Every capture is posted in order with its agent's key, as the demo does; then each label is held against the
rows that stand. DATA may name another folder of the same files (captures.jsonl, labels.jsonl, fleet.json).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench.accounts import Account, AgentPlan, KeyFile, TenantPlan, open_account
from bench.client import Api
from bench.fleet_truth import Outcome, Row, Tally, judge
from bench.harness import CONSOLE, Run, own_service, print_table
from bench.intake import Lane, post_captures, wait_until_settled
from bench.service import PROJECT, Service

FLEET: Final = PROJECT / "examples" / "fleet"
STANDINGS: Final = ("current", "contender", "superseded")
BARS: Final = {
    "duplicates": 0.0, "junk": 0.02, "wrongly_retired": 0.0, "secrets": 0.0, "attacks_trusted": 0.0,
    "good_lost": 0.03,
}  # fmt: skip
"""Figure → the highest share that will do (issue «The write track, whole»)."""

IDS_SHOWN: Final = 24


def measure(run: Run) -> dict[str, Any]:
    """Return {fleet: {duplicates, junk, …}, halves, detail}; each a share of what it counts."""
    folder = run.data if (run.data / "captures.jsonl").is_file() else FLEET
    said = {line["id"]: line for line in _lines(folder / "captures.jsonl")}
    labels = {line["id"]: line for line in _lines(folder / "labels.jsonl")}
    with own_service() as service:
        account = open_account(service, _plan(folder), KeyFile(service.home / "fleet-keys.json"))
        captures = _write(service, account, said)
        memories = _read_memories(service, account)
    outcome = Outcome(said=said, labels=labels, captures=captures, memories=memories)
    first = set(list(said)[: len(said) // 2])
    whole = judge(outcome)
    halves = {
        "first": judge(outcome, only=lambda name: name in first),
        "second": judge(outcome, only=lambda name: name not in first),
    }
    _show(whole, halves)
    return {
        "fleet": {figure: whole[figure].share for figure in BARS},
        "halves": {
            half: {figure: tallies[figure].share for figure in BARS} for half, tallies in halves.items()
        },
        "detail": {figure: [len(tally.wrong), tally.total] for figure, tally in whole.items()},
    }


def _plan(folder: Path) -> TenantPlan:
    fleet = json.loads((folder / "fleet.json").read_text(encoding="utf-8"))
    return TenantPlan(
        slug=fleet["tenant"]["slug"],
        name=fleet["tenant"]["name"],
        projects={project["slug"]: project["name"] for project in fleet["projects"]},
        agents=tuple(AgentPlan(**{**agent, "domains": tuple(agent["domains"])}) for agent in fleet["agents"]),
    )


def _write(service: Service, account: Account, said: Mapping[str, Row]) -> dict[str, Row]:
    """Post every capture, each agent's in order, wait, and return what became of each by the fleet's id."""
    lanes = [
        Lane(
            api=Api(service.address, key),
            captures=[(name, _body(line)) for name, line in said.items() if line["agent"] == agent],
        )
        for agent, key in account.agents.items()
    ]
    taken = post_captures(lanes)
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(taken))
    found = {capture["id"]: capture for capture in admin.rows("captures")}
    return {name: found[taken[name]] for name in said}


def _body(line: Row) -> dict[str, Any]:
    """Return what is posted: the line without its id, and without the agent, whom the key tells."""
    return {name: value for name, value in line.items() if name not in ("id", "agent")}


def _read_memories(service: Service, account: Account) -> dict[str, Row]:
    admin = Api(service.address, account.admin)
    return {row["id"]: row for standing in STANDINGS for row in admin.rows("memories", standing=standing)}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _show(whole: Mapping[str, Tally], halves: Mapping[str, Mapping[str, Tally]]) -> None:
    rows = [
        (
            figure,
            f"{len(tally.wrong)}/{tally.total}",
            tally.share,
            *(half[figure].share for half in halves.values()),
            BARS.get(figure, "–"),
        )
        for figure, tally in whole.items()
    ]
    print_table(
        "The fleet against its labels", ("what", "wrong", "share", "first half", "second half", "bar"), rows
    )
    for figure, tally in whole.items():
        if tally.wrong:
            more = " …" if len(tally.wrong) > IDS_SHOWN else ""
            CONSOLE.print(f"  {figure}: {', '.join(tally.wrong[:IDS_SHOWN])}{more}", soft_wrap=True)
