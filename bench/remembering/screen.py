"""
`screen`: is what attacks found, and what only looks like it left alone? (SPEC W-05, W-06, W-07)

Each source by itself. Of attacks the share that some detector would quarantine; of benign texts the share
that would be quarantined (a false alarm: a person has to look) and the number that would be lost (discarded
as noise although longer than courtesy is). Whether what is found or missed does harm is not asked here:
`poison` asks that.
"""

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.rig.harness import Run, print_table
from bench.rig.jsonl import parse_jsonl, read_jsonl
from bench.rig.service import PROJECT

FLEET: Final = PROJECT / "examples" / "fleet"
FLEET_LABELS: Final = {"attack": "attack", "benign_lookalike": "benign"}
QUICK_STEP: Final = 10

MOST_COURTESY: Final = 12
"""
Words of the longest text that may be discarded and was not lost: «Bye, take care! Talk to you soon, have a
great week!». Anything longer that is discarded counts as lost, whatever it says.
"""
_WORDS: Final = re.compile(r"[A-Za-z0-9']+|[\u4e00-\u9fff]")

TURN: Final = (200, 400)
"""Characters of the texts whose time is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A text of which it is known whether it attacks."""

    source: str
    attacks: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the screen said of a text."""

    outcomes: frozenset[str]
    detectors: tuple[str, ...]
    secrets: tuple[str, ...]
    ms: float


def measure(run: Run) -> dict[str, Any]:
    """Return {screen: {source: rate}, right, lost, redacted, by_detector, p50_ms}. Raises NoData."""
    cases = list(read_cases(run.file("write_gate_security.jsonl")))
    cases += read_turns(run.file("locomo_turns.jsonl"), "all LoCoMo turns")
    cases += read_turns(run.file("beam_user_messages.jsonl"), "all BEAM messages")
    if run.quick:
        cases = cases[::QUICK_STEP]
    cases += read_fleet(FLEET)
    told = ask_screen([case.text for case in cases])
    figures = weigh(cases, told)
    print_figures(cases, figures)
    return figures | {"quick": run.quick}


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the labelled texts."""
    for row in read_jsonl(path):
        yield Case(source=row["source"], attacks=row["label"] == "attack", text=row["text"])


def read_turns(path: Path, source: str) -> list[Case]:
    """Return what people said in whole conversations: none of it attacks."""
    stores = read_jsonl(path)
    return [Case(source=source, attacks=False, text=doc["text"]) for store in stores for doc in store["docs"]]


def read_fleet(folder: Path) -> list[Case]:
    """Return the sample fleet's attacks and what looks like one."""
    texts = {row["id"]: row["text"] for row in _rows(folder / "captures.jsonl")}
    return [
        Case(source=f"fleet {row['expect']}", attacks=row["expect"] == "attack", text=texts[row["id"]])
        for row in _rows(folder / "labels.jsonl")
        if row["expect"] in FLEET_LABELS
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    return read_jsonl(path)


def ask_screen(texts: Sequence[str]) -> list[Told]:
    """Have the service's screen judge the texts, in a process of its own."""
    asked = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    command = (sys.executable, "-m", "security.screening")
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, cwd=PROJECT)
    return [_read_told(row) for row in parse_jsonl(done.stdout)]


def _read_told(told: dict[str, Any]) -> Told:
    return Told(
        outcomes=frozenset(verdict["outcome"] for verdict in told["verdicts"]),
        detectors=tuple(verdict["detector"] for verdict in told["verdicts"]),
        secrets=tuple(told["secrets"]),
        ms=told["ms"],
    )


def weigh(cases: Sequence[Case], told: Sequence[Told]) -> dict[str, Any]:
    """Return the figures, each source apart."""
    both = list(zip(cases, told, strict=True))
    rates, redacted = {}, {}
    attacking = {case.source for case in cases if case.attacks}
    mixed = attacking & {case.source for case in cases if not case.attacks}
    for source in dict.fromkeys(case.source for case in cases):
        for attacks, label in ((True, "attack"), (False, "benign")):
            chosen = [answer for case, answer in both if (case.source, case.attacks) == (source, attacks)]
            if chosen:
                name = f"{source} ({label})" if source in mixed else source
                rates[name] = _share("quarantine" in answer.outcomes for answer in chosen)
                redacted[name] = sum(bool(answer.secrets) for answer in chosen)
    lost = [case for case, answer in both if not case.attacks and is_lost(case.text, answer)]
    turns = [answer.ms for case, answer in both if TURN[0] <= len(case.text) <= TURN[1]]
    return {
        "screen": rates,
        "right": {name: 1 - rate for name, rate in rates.items() if name.startswith("NotInject")},
        "lost": len(lost),
        "redacted": {name: count for name, count in redacted.items() if count},
        "by_detector": _by_detector(both),
        "p50_ms": statistics.median(turns) if turns else None,
    }


def is_lost(text: str, told: Told) -> bool:
    """Tell whether a benign text would be discarded although it is longer than courtesy is."""
    return "discard" in told.outcomes and len(_WORDS.findall(text)) > MOST_COURTESY


def _by_detector(both: Iterable[tuple[Case, Told]]) -> dict[str, int]:
    """Return how many attacks each detector spoke against."""
    found = [name for case, answer in both if case.attacks for name in set(answer.detectors)]
    return {name: found.count(name) for name in sorted(set(found))}


def _share(holds: Iterable[bool]) -> float:
    every = list(holds)
    return sum(every) / len(every)


def print_figures(cases: Sequence[Case], figures: dict[str, Any]) -> None:
    """Print a line for each source, then what is lost."""
    rows = [(name, rate) for name, rate in figures["screen"].items()]
    print_table(f"Quarantined, {len(cases)} texts", ("source", "share"), rows)
    others = [("benign texts lost", figures["lost"]), ("median ms of a turn", figures["p50_ms"])]
    others += [(f"right, {name}", right) for name, right in figures["right"].items()]
    others += [(f"attacks found by {name}", count) for name, count in figures["by_detector"].items()]
    print_table("Beside", ("what", "figure"), others)
