"""
`fleet`: a fleet of agents with labelled truth, written through the API, and what is kept of it.

Every capture is posted in order with its agent's key, as the demo does. Each is then searched by its own
words as its agent, after the last of them. What that does not find is searched once more as of the capture's
own time, since a recall of now leaves out what was replaced. Labels are compared with rows and with results.
DATA may name another folder of the same files (captures.jsonl, labels.jsonl, fleet.json).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from bench.accounts import Account, KeyFile, open_account
from bench.client import Api, Poster
from bench.fleet_truth import Outcome, Tally, judge
from bench.harness import CONSOLE, Run, own_service, print_table
from bench.own_words import DEPTH, LONGEST_QUESTION, Row, is_kept
from bench.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.service import Service

STANDINGS: Final = ("current", "contender", "superseded")
BARS: Final = {
    "duplicates": 0.0, "junk": 0.02, "wrongly_retired": 0.0, "secrets": 0.0, "attacks_trusted": 0.0,
    "good_lost": 0.0,
}  # fmt: skip
"""Figure → the highest share that will do."""

BY_ROWS: Final = ("duplicate_rows", "good_lost_rows")
"""Figures as they were counted before: by rows, whatever recall shows of them."""

SHORTLY: Final = timedelta(minutes=1)
"""How long after a capture «its own time» is."""

IDS_SHOWN: Final = 24


def measure(run: Run) -> dict[str, Any]:
    """Return {fleet: {duplicates, junk, …}, rows, halves, detail}; each a share of what it counts."""
    folder = run.data if (run.data / "captures.jsonl").is_file() else FLEET
    said = {line["id"]: line for line in read_lines(folder / "captures.jsonl")}
    labels = {line["id"]: line for line in read_lines(folder / "labels.jsonl")}
    with own_service() as service:
        account = open_account(service, read_plan(folder), KeyFile(service.home / "fleet-keys.json"))
        written = write_fleet(service, account, list(said.values()))
        memories = _read_memories(service, account)
        apis = {agent: Api(service.address, key) for agent, key in account.agents.items()}
        captures = {name: written[name] for name in said}
        answers = ask_own_words(apis, said, captures, seed=run.seed)
    outcome = Outcome(said=said, labels=labels, captures=captures, memories=memories, answers=answers)
    first = set(list(said)[: len(said) // 2])
    whole = judge(outcome)
    halves = {
        "first": judge(outcome, only=lambda name: name in first),
        "second": judge(outcome, only=lambda name: name not in first),
    }
    _show(whole, halves)
    return {
        "fleet": {figure: whole[figure].share for figure in BARS},
        "rows": {figure: whole[figure].share for figure in BY_ROWS},
        "halves": {
            half: {figure: tallies[figure].share for figure in BARS} for half, tallies in halves.items()
        },
        "detail": {figure: [len(tally.wrong), tally.total] for figure, tally in whole.items()},
    }


def _read_memories(service: Service, account: Account) -> dict[str, Row]:
    admin = Api(service.address, account.admin)
    return {row["id"]: row for standing in STANDINGS for row in admin.rows("memories", standing=standing)}


def ask_own_words(
    apis: Mapping[str, Poster], said: Mapping[str, Row], captures: Mapping[str, Row], *, seed: int
) -> dict[str, list[Sequence[Row]]]:
    """Search each capture by its own words as its agent; return each recall's results. Raises ApiError."""
    clocks = {name: datetime.fromisoformat(line["clock"]) for name, line in said.items()}
    now = max(clocks.values()) + SHORTLY
    answers: dict[str, list[Sequence[Row]]] = {}
    for name, line in said.items():
        # As it was kept: a question is recorded, too, and must not bring the secret back.
        question = {
            "query": captures[name]["text"][:LONGEST_QUESTION],
            "k": DEPTH,
            "now": now.isoformat(),
            "timezone": line["timezone"],
            "seed": seed,
            **({"project": line["project"]} if line["project"] else {}),
        }
        results = apis[line["agent"]].post("recall", question)["results"]
        answers[name] = [results]
        if not is_kept(line["text"], results):
            then = {"valid_at": (clocks[name] + SHORTLY).isoformat()}
            answers[name].append(apis[line["agent"]].post("recall", question | then)["results"])
    return answers


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
