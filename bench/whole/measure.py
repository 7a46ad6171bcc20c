"""
`all`: every measurement of the plan, each in a process of its own, with what it ran on.

A part that fails is told as failed, and the others go on. What was measured is written after each part, so
that a run that is stopped leaves what it has.
"""

import json
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.rig.harness import CONSOLE, OUT, Run
from bench.rig.service import PROJECT
from bench.whole.page import as_page
from bench.whole.plan import PlannedPart, read_plan

LONGEST_SECONDS: Final = 3_600.0
"""After which a part is stopped, and told as failed."""

JSON, PAGE = OUT / "benchmarks.json", OUT / "benchmarks.md"


def measure(run: Run) -> dict[str, Any]:
    """Run every part; return {minutes, parts, failed, missed}, and write what they told and a page of it."""
    began, told, plan = time.monotonic(), _told_of(run), read_plan()
    OUT.mkdir(parents=True, exist_ok=True)
    for part in plan:
        CONSOLE.print(f"{part.name}: {part.says}", style="bold")
        told["parts"].append(run_part(part, run))
        told["minutes"] = round((time.monotonic() - began) / 60, 1)
        JSON.write_text(json.dumps(told, indent=1) + "\n")
        PAGE.write_text(as_page(told, plan))
    CONSOLE.print(f"{PAGE.relative_to(PROJECT)} is the page, of {JSON.relative_to(PROJECT)}.")
    figures = {one["name"]: one["figures"] for one in told["parts"]}
    missed = [
        f"{part.name}.{figure.path}"
        for part in plan
        for figure in part.figures
        if figure.misses(figures[part.name])
    ]
    failed = [one["name"] for one in told["parts"] if one["failed"]]
    return {"minutes": told["minutes"], "parts": len(told["parts"]), "failed": failed, "missed": missed}


def run_part(part: PlannedPart, run: Run) -> dict[str, Any]:
    """Return what a part told, in a process of its own, with its command and its seconds."""
    command = command_of(part, run)
    began = time.monotonic()
    figures, failed = _figures([sys.executable, *command[1:], "--data", str(run.data)])
    seconds = round(time.monotonic() - began)
    CONSOLE.print(f"  {failed or 'done'}, {seconds} s")
    return {
        "name": part.name, "command": " ".join(command), "seconds": seconds,
        "quick": part.quick or run.quick, "failed": failed, "figures": figures,
    }  # fmt: skip


def _figures(command: Sequence[str]) -> tuple[Mapping[str, Any], str]:
    """Return the figures of a measurement, and why there are none."""
    try:
        done = subprocess.run(
            command, cwd=PROJECT, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return {}, f"took more than {LONGEST_SECONDS / 60:.0f} minutes"
    if done.returncode:
        return {}, (done.stderr or done.stdout).strip().split("\n")[-1]
    figures: Mapping[str, Any] = json.loads(done.stdout.strip().split("\n")[-1])
    return figures, ""


def command_of(part: PlannedPart, run: Run) -> Sequence[str]:
    """Return the command that measures a part again."""
    quick = ("--quick",) if part.quick or run.quick else ()
    return ("python", "-m", "bench.run", part.name, "--seed", str(run.seed), *quick)


def _told_of(run: Run) -> dict[str, Any]:
    """Return what the run is made on and with."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    return {
        "at": datetime.now(UTC).isoformat(timespec="minutes"), "commit": commit.stdout.strip(),
        "seed": run.seed, "quick": run.quick, "machine": machine(), "minutes": 0.0, "parts": [],
    }  # fmt: skip


def machine() -> dict[str, str]:
    """Return the processor, its cores, the memory, the system and Python of this machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    memory = Path("/proc/meminfo").read_text().split()[1] if Path("/proc/meminfo").exists() else "0"
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": str(len(models) or 1), "memory": f"{int(memory) / 1024**2:.0f} GB",
        "system": f"{platform.system()} {platform.release()}", "python": platform.python_version(),
    }  # fmt: skip
