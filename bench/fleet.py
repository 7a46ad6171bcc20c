"""
`fleet`: a fleet of agents with labelled truth, written through the API, and what is kept of it.

Every capture is posted in order with its agent's key, as the demo does; then each label is held against the
rows that stand. DATA may name another folder of the same files (captures.jsonl, labels.jsonl, fleet.json).
"""

from collections.abc import Mapping
from typing import Any, Final

from bench.accounts import Account, KeyFile, open_account
from bench.client import Api
from bench.fleet_truth import Outcome, Row, Tally, judge
from bench.harness import CONSOLE, Run, own_service, print_table
from bench.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.service import Service

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
    said = {line["id"]: line for line in read_lines(folder / "captures.jsonl")}
    labels = {line["id"]: line for line in read_lines(folder / "labels.jsonl")}
    with own_service() as service:
        account = open_account(service, read_plan(folder), KeyFile(service.home / "fleet-keys.json"))
        written = write_fleet(service, account, list(said.values()))
        memories = _read_memories(service, account)
    captures = {name: written[name] for name in said}
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


def _read_memories(service: Service, account: Account) -> dict[str, Row]:
    admin = Api(service.address, account.admin)
    return {row["id"]: row for standing in STANDINGS for row in admin.rows("memories", standing=standing)}


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
