"""
`import`: does `candor import` keep pace with the pipeline, and is a kill in the middle made good?

Notes of one company are posted by a hundred a request, and timed until memory has formed of all: what the
pipeline takes. Other notes, as many, go in by the command, from a file of lines, which is killed (SIGKILL)
when a good third has been taken, and run again. `ratio` is the import's rate by the pipeline's, the kill and
the new start counted in; `doubles` are captures above the number of lines, `lost` lines without one.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.corpora.sentences import make_notes
from bench.rig.accounts import Account, AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import Run, own_service, print_table
from bench.rig.intake import Stuck, wait_until_settled
from bench.rig.service import PROJECT, Service

ROWS: Final = 10_000
QUICK_ROWS: Final = 400
PORTION: Final = 100
"""Captures of one request: what the service takes, and the command sends."""

KILLED_AT: Final = 0.35
"""Share of the lines that are noted as taken when the command is killed."""

BUSY_SECONDS: Final = 0.5
LONGEST_IMPORT: Final = 3_600.0

AGENT: Final = "reader"


def measure(run: Run) -> dict[str, Any]:
    """Return {rows, pipeline_per_s, import_per_s, ratio, doubles, lost}."""
    count = QUICK_ROWS if run.quick else ROWS
    with own_service() as service:
        keys = KeyFile(service.home / "import-keys.json")
        first = open_account(service, _plan("posted"), keys)
        told = _lines(count, seed=run.seed)
        posted = _timed(service, first, count, lambda: _post(service, first, told))
        second = open_account(service, _plan("imported"), keys)
        file = service.home / "notes.jsonl"
        lines = _lines(count, seed=run.seed + 1)
        file.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
        imported = _timed(service, second, count, lambda: _import(service, second, file, count))
        texts = [row["text"] for row in Api(service.address, second.admin).rows("captures")]
    figures = {
        "rows": count,
        "pipeline_per_s": round(count / posted, 2),
        "import_per_s": round(count / imported, 2),
        "ratio": round(posted / imported, 3),
        "doubles": len(texts) - count,
        "lost": len({one["text"] for one in lines} - set(texts)),
    }
    print_table("import against pipeline", ["what", "figure"], list(figures.items()))
    return figures | {"quick": run.quick}


def _plan(slug: str) -> TenantPlan:
    agent = AgentPlan(slug=AGENT, name="Reader")
    return TenantPlan(slug=slug, name=slug.capitalize(), projects={}, agents=(agent,))


def _lines(count: int, *, seed: int) -> list[dict[str, Any]]:
    return [
        {
            "text": f"{one.text} ({place})", "role": "user", "speaker": one.speaker,
            "session": one.session, "clock": one.clock.isoformat(),
        }
        for place, one in enumerate(make_notes(count, seed=seed))
    ]  # fmt: skip


def _timed(service: Service, account: Account, count: int, send: Callable[[], None]) -> float:
    """Return the seconds from the first line sent until memory has formed of all."""
    began = time.perf_counter()
    send()
    wait_until_settled(Api(service.address, account.admin), count)
    return time.perf_counter() - began


def _post(service: Service, account: Account, lines: Sequence[Mapping[str, Any]]) -> None:
    """Post the lines in their order, a portion at a time; what the service is too busy for, again."""
    api = Api(service.address, account.agents[AGENT])
    for start in range(0, len(lines), PORTION):
        waiting = list(lines[start : start + PORTION])
        while waiting:
            results = api.post("captures/batch", {"captures": waiting})["results"]
            waiting = [one for one, result in zip(waiting, results, strict=True) if result["status"] != 202]
            if waiting:
                time.sleep(BUSY_SECONDS)


def _import(service: Service, account: Account, file: Path, count: int) -> None:
    """Run the command, kill it on its way, and run it again. Raises Stuck, CalledProcessError."""
    env = {
        **os.environ, "CANDOR_URL": service.address, "CANDOR_KEY": account.agents[AGENT],
        "PYTHONPATH": str(PROJECT),
    }  # fmt: skip
    command = [sys.executable, "-m", "candor", "import", str(file), "--json"]
    ledger = file.with_name(f"{file.name}.imported")
    until = time.monotonic() + LONGEST_IMPORT
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as running:
        while _noted(ledger) < KILLED_AT * count:
            if running.poll() is not None or time.monotonic() > until:
                raise Stuck("The import ended before it could be killed.")
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True, timeout=LONGEST_IMPORT)


def _noted(ledger: Path) -> int:
    return ledger.read_bytes().count(b"\n") if ledger.exists() else 0
