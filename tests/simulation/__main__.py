"""
`make simulate SEEDS=n`: run seeds on a database of their own, and shrink what breaks something.

The last line of output is JSON: how many seeds and turns, and of each broken seed what does not hold and
the fewest steps that show it. Ends with 1 when anything is broken.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

DATABASE: Final = "candor_sim_{part}"
TOLD_SECONDS: Final = 10.0


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__.split("\n")[1])
    parser.add_argument("--seeds", type=int, default=200, help="how many, 200")
    parser.add_argument("--first", type=int, default=1, help="the first of them, 1")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with a database, 2")
    parser.add_argument(
        "--defects", nargs="?", const="", metavar="WORDS",
        help="plant each known defect whose name has these words, until it is found",
    )  # fmt: skip
    parser.add_argument("--log", action="store_true", help="print every turn of the seeds")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if min(wish.seeds, wish.jobs) < 1 or wish.first < 0:
        parser.error("--seeds and --jobs must be at least 1, and --first at least 0")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    importlib.import_module("tests.servers")  # they are there before Django reads its settings
    if wish.part is not None:
        return _work(wish)
    began = time.monotonic()
    found = list(_follow(wish))
    broken = [one for one in found if one.get("faults")]
    missed = [one for one in found if one.get("missed")]
    told = {
        "commit": _commit(), "seeds": sum(one.get("seeds", 0) for one in found),
        "turns": sum(one.get("turns", 0) for one in found),
        "answers": dict(sorted(sum((Counter(one.get("answers", {})) for one in found), Counter()).items())),
        "seconds": round(time.monotonic() - began, 1), "broken": broken,
        "defects": {one["defect"]: one["seed"] for one in found if "defect" in one},
    }  # fmt: skip
    print(json.dumps(told, ensure_ascii=False))
    return 1 if broken or missed else 0


def _follow(wish: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield what the processes tell, and print it for people."""
    command = [sys.executable, "-m", "tests.simulation", *sys.argv[1:]]
    parts = [
        subprocess.Popen(
            [*command, "--part", str(part)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "CANDOR_TEST_DATABASE": DATABASE.format(part=part)},
        )
        for part in range(wish.jobs)
    ]
    for process in parts:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                told = json.loads(line)
                yield told
                if "seeds" not in told:
                    print(json.dumps(told, ensure_ascii=False, indent=1), file=sys.stderr)
            else:
                print(line, end="", file=sys.stderr, flush=True)
        if process.wait() != 0:
            raise SystemExit(f"a process of the simulation ended with {process.returncode}")


def _work(wish: argparse.Namespace) -> int:
    """Run every jobs-th seed, or defect, and print what is found as lines of JSON."""
    with _database():
        from tests.simulation.defects import DEFECTS
        from tests.simulation.simulation import simulate

        simulate(0)  # what a process loads and remembers at its first use is no part of a seed
        if wish.defects is not None:
            chosen = [name for name in DEFECTS if wish.defects in name]
            for name in chosen[wish.part :: wish.jobs]:
                _tell(_find(name, wish))
            return 0
        _run(range(wish.first + wish.part, wish.first + wish.seeds, wish.jobs), wish)
    return 0


def _run(seeds: range, wish: argparse.Namespace) -> None:
    from tests.simulation.simulation import shrink, simulate

    turns, told_at, answers = 0, time.monotonic(), Counter[str]()
    for done, seed in enumerate(seeds, start=1):
        outcome = simulate(seed)
        turns += outcome.turns
        answers.update(outcome.answers)
        if wish.log:
            print(*outcome.log, sep="\n")
        if outcome.faults:
            fewest = shrink(outcome)
            steps = [step.told() for step in fewest.steps]
            _tell({"seed": seed, "faults": outcome.faults, "shrunk": fewest.faults, "steps": steps})
        if time.monotonic() > told_at + TOLD_SECONDS:
            told_at = time.monotonic()
            print(f"part {wish.part}: {done} of {len(seeds)} seeds, {turns} turns", flush=True)
    _tell({"seeds": len(seeds), "turns": turns, "answers": answers})


def _find(name: str, wish: argparse.Namespace) -> dict[str, Any]:
    from tests.simulation.defects import DEFECTS
    from tests.simulation.simulation import simulate

    with DEFECTS[name]():
        for seed in range(wish.first, wish.first + wish.seeds):
            if faults := simulate(seed).faults:
                return {"defect": name, "seed": seed, "told": faults[0]}
    return {"defect": name, "seed": None, "missed": True}


@contextmanager
def _database() -> Iterator[None]:
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    from tests.conftest import drop_database, empty_tables, make_database

    made = make_database()
    try:
        yield
        empty_tables()
    finally:
        drop_database(made)


def _tell(found: dict[str, Any]) -> None:
    print(json.dumps(found, ensure_ascii=False), flush=True)


def _commit() -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
