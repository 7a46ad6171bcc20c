"""Run one measurement: `python -m bench.run NAME [--data DIR] [--seed N] [--quick] [--model M]`."""

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

from bench import whole
from bench.answering import ageing, context_bytes, dialogue, learning, nothing_known, retrieval, shadow
from bench.cost import audit, backup, console, evolution, importing, night, overhead, recall, walls, write
from bench.remembering import (
    chains,
    document_facts,
    entities,
    facts,
    fleet,
    incident,
    normalise,
    pairs,
    poison,
    relations,
    screen,
    teams,
    themes,
)
from bench.rig.harness import DEFAULT_DATA, DEFAULT_SEED, NoData, Run, report

BENCHES: Final[dict[str, Callable[[Run], dict[str, Any]]]] = {
    "ageing": ageing.measure,
    "all": whole.measure,
    "audit": audit.measure,
    "backup": backup.measure,
    "chains": chains.measure,
    "console": console.measure,
    "context-bytes": context_bytes.measure,
    "dialogue": dialogue.measure,
    "document-facts": document_facts.measure,
    "entities": entities.measure,
    "evolution": evolution.measure,
    "facts": facts.measure,
    "fleet": fleet.measure,
    "import": importing.measure,
    "incident": incident.measure,
    "learning": learning.measure,
    "normalise": normalise.measure,
    "night": night.measure,
    "nothing-known": nothing_known.measure,
    "overhead": overhead.measure,
    "pairs": pairs.measure,
    "poison": poison.measure,
    "recall": recall.measure,
    "relations": relations.measure,
    "retrieval": retrieval.measure,
    "screen": screen.measure,
    "shadow": shadow.measure,
    "teams": teams.measure,
    "themes": themes.measure,
    "walls": walls.measure,
    "write": write.measure,
}
"""Name to what measures it, prints its tables and returns its figures."""


def main(argv: list[str] | None = None) -> int:
    """Measure, report, and return the exit code; data that is not there is no failure."""
    arguments = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, _end)
    run = Run(
        data=arguments.data, seed=arguments.seed, quick=arguments.quick, model=arguments.model
    )  # fmt: skip
    try:
        figures = BENCHES[arguments.name](run)
    except NoData as missing:
        print(f"skipped: {missing}")
        figures = {"skipped": str(missing)}
    report(arguments.name, figures)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("name", choices=sorted(BENCHES))
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder of the data files")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="less of everything, not to be quoted")
    parser.add_argument("--model", default="", help="fleet: which model reads and judges, e.g. labels")
    return parser


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit("ended by SIGTERM")  # so that what was started is stopped on the way out


if __name__ == "__main__":
    sys.exit(main())
