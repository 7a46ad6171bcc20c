"""
`fleet`: a fleet of agents with labelled truth, written through the API, and what is kept of it.

Every capture is posted in order with its agent's key, as the demo does. Each is then searched by its own
words as its agent, after the last of them. What that does not find is searched once more as of the capture's
own time, since a recall of now leaves out what was replaced. Labels are compared with rows and with results.
DATA may name another folder of the same files (captures.jsonl, labels.jsonl, fleet.json; questions.jsonl).
MODEL=labels lets a model read and judge that knows the labels: what is wrong then is not the reading.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.corpora.labels import Labels
from bench.corpora.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.models.stand_in import PROVIDERS, StandIn
from bench.rig.accounts import Account, KeyFile, open_account
from bench.rig.client import Api, Poster
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service
from bench.scoring.fleet_truth import QUESTION, Bond, Outcome, Tally, judge
from bench.scoring.own_words import DEPTH, LONGEST_QUESTION, Row, is_kept

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
    with _model(run.model, folder) as settings, own_service(settings) as service:
        account = open_account(service, read_plan(folder), KeyFile(service.home / "fleet-keys.json"))
        written = write_fleet(service, account, list(said.values()))
        memories = _read_memories(service, account)
        apis = {agent: Api(service.address, key) for agent, key in account.agents.items()}
        captures = {name: written[name] for name in said}
        heard: dict[str, Sequence[Row]] = {}
        answers = ask_own_words(apis, said, captures, seed=run.seed, heard=heard)
        outcome = Outcome(
            said=said, labels=labels, captures=captures, memories=memories, answers=answers, alerts=heard,
            questions=_ask_questions(apis, folder / "questions.jsonl", seed=run.seed),
        )  # fmt: skip
        outcome = replace(outcome, bonds=_read_bonds(Api(service.address, account.admin), outcome))
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


@contextmanager
def _model(name: str, folder: Path) -> Iterator[dict[str, str]]:
    """Start what stands for a model, and give the settings by which the service asks it."""
    if not name:
        yield {}
        return
    if name not in PROVIDERS:
        raise SystemExit(f"MODEL is one of {', '.join(PROVIDERS)}; it is {name!r}")
    with StandIn(Labels.read(folder)) as server:
        yield PROVIDERS[name](server.address)
        asked = ", ".join(f"{path} {times} times" for path, times in sorted(server.asked.items()))
        CONSOLE.print(
            f"The model was asked {asked or 'nothing'}; it understood all but {len(server.refused)}."
        )


def _ask_questions(apis: Mapping[str, Poster], path: Path, *, seed: int) -> list[tuple[Row, Sequence[Row]]]:
    """Ask the fleet's questions as their agents; return each with its results. Raises ApiError."""
    asked: list[tuple[Row, Sequence[Row]]] = []
    for line in read_lines(path) if path.is_file() else ():
        question = {
            "query": line["q"],
            "k": DEPTH,
            "now": line["now"],
            "timezone": line["timezone"],
            "seed": seed,
        }
        question |= {name: line[name] for name in ("project", "ceiling") if line.get(name)}
        asked.append((line, apis[line["agent"]].post("recall", question)["results"]))
    return asked


def _read_bonds(admin: Api, outcome: Outcome) -> frozenset[Bond]:
    """Return what is told of rows that bear on each other: links, and contradictions on record."""
    rows = [row for name in outcome.bound() for row in outcome.made_by().get(name, ())]
    links = (link for row in rows for link in admin.get(f"memories/{row['id']}/links")["results"])
    asked = admin.rows("contradictions", state=["open", "resolved"])
    return frozenset(
        {(link["source"], link["target"], link["type"]) for link in links}
        | {(one["newer"]["id"], one["older"]["id"], QUESTION) for one in asked}
    )


def ask_own_words(
    apis: Mapping[str, Poster],
    said: Mapping[str, Row],
    captures: Mapping[str, Row],
    *,
    seed: int,
    heard: dict[str, Sequence[Row]] | None = None,
) -> dict[str, list[Sequence[Row]]]:
    """
    Search each capture by its own words as its agent; return each recall's results. Raises ApiError.

    heard: is given the alerts of each recall of now.
    """
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
        answer = apis[line["agent"]].post("recall", question)
        results = answer["results"]
        answers[name] = [results]
        if heard is not None:
            heard[name] = answer["alerts"]
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
