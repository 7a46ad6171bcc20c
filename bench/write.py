"""
`write`: how fast captures become memory, what each step takes, and a race of eight writers.

The sample fleet is posted at once by its agents; each step's time stands in the captures' traces, that of
what is built beside the memories too. Then eight processes write the same notes at once, half of them as
captures and half directly: one row each.
"""

import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.accounts import Account, KeyFile, TenantPlan, open_account
from bench.client import Api, ApiError
from bench.harness import Run, own_service, print_table
from bench.intake import Stuck, wait_until_settled
from bench.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.service import Service

WRITERS: Final = 8
NOTES: Final = 200
BESIDE_SECONDS: Final = 20.0
PAUSE_SECONDS: Final = 0.5
OUTSIDE: Final = ("embed",)
"""Steps that are not the pipeline's own. The built-in rules are: no language model is asked here."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """What eight writers of the same notes left behind."""

    notes: int
    rows: int
    errors: int  #: refused or failed requests, and captures that did not become memory
    seconds: float


def measure(run: Run) -> dict[str, Any]:
    """Return {captures_per_s, overhead_ratio, race_rows, race_errors} and what they are made of."""
    with own_service() as service:
        keys = KeyFile(service.home / "write-keys.json")
        account = open_account(service, read_plan(FLEET), keys)
        said = read_lines(FLEET / "captures.jsonl")[: 60 if run.quick else None]
        began = time.perf_counter()
        write_fleet(service, account, said)
        seconds = time.perf_counter() - began
        captures = wait_until_built(Api(service.address, account.admin))
        racers = open_account(service, _racers(), keys)
        race = _race(service, racers, notes=20 if run.quick else NOTES, seed=run.seed)
    steps = sum_steps(captures)
    _show(steps, len(captures), seconds, race)
    return _figures(steps, captures, seconds, race) | {"quick": run.quick}


def wait_until_built(admin: Api) -> Sequence[Row]:
    """Return the captures once the last step stands on each trace: it is taken after a capture is stored."""
    until = time.monotonic() + BESIDE_SECONDS
    while True:
        captures = list(admin.rows("captures"))
        waiting = sum(row["state"] == "stored" and not _is_built(row) for row in captures)
        if not waiting:
            return captures
        if time.monotonic() > until:
            raise Stuck(f"Beside {waiting} stored captures nothing was built in {BESIDE_SECONDS:.0f} s.")
        time.sleep(PAUSE_SECONDS)


def _is_built(capture: Row) -> bool:
    return any(entry["step"] == "beside" for entry in capture["trace"])


def sum_steps(captures: Iterable[Row]) -> dict[str, float]:
    """Return the milliseconds of each step, over all captures, the slowest first."""
    total: defaultdict[str, float] = defaultdict(float)
    for capture in captures:
        for entry in capture["trace"]:
            total[entry["step"]] += entry.get("ms", 0.0)
    return dict(sorted(total.items(), key=lambda pair: -pair[1]))


def overhead(steps: Mapping[str, float]) -> float:
    """Return the time of all steps but the embedder's, over the embedder's."""
    outside = sum(steps.get(step, 0.0) for step in OUTSIDE)
    return (sum(steps.values()) - outside) / outside


def _figures(
    steps: Mapping[str, float], captures: Sequence[Row], seconds: float, race: Race
) -> dict[str, Any]:
    whole = sum(steps.values())
    return {
        "captures_per_s": round(len(captures) / seconds, 2),
        "overhead_ratio": round(overhead(steps), 3),
        "race_rows": race.rows,
        "race_errors": race.errors,
        "race_notes": race.notes,
        "race_writes_per_s": round(WRITERS * race.notes / race.seconds, 2),
        "share": {step: round(ms / whole, 3) for step, ms in steps.items()},
        "ms_each": {step: round(ms / len(captures), 2) for step, ms in steps.items()},
        "captures": len(captures),
    }


def _racers() -> TenantPlan:
    return TenantPlan(slug="racers", name="Racers", projects={}, agents=())


def make_note(number: int) -> str:
    """Return one of the notes that are raced with: each of another service and disk."""
    return f"Root cause: service-{number} failed because its disk /var/data-{number} was full at night."


def _race(service: Service, account: Account, *, notes: int, seed: int) -> Race:
    """Let eight processes write the same notes at once, each in an order of its own."""
    context = multiprocessing.get_context("spawn")
    told: multiprocessing.Queue[tuple[int, int]] = context.Queue()
    jobs = [
        (service.address, account.admin, notes, seed + number, number % 2 == 0, told)
        for number in range(WRITERS)
    ]
    writers = [context.Process(target=_write_all, args=job) for job in jobs]
    began = time.perf_counter()
    for writer in writers:
        writer.start()
    counts = [told.get() for _writer in writers]
    for writer in writers:
        writer.join()
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, WRITERS // 2 * notes)
    seconds = time.perf_counter() - began
    captures = list(admin.rows("captures"))
    lost = sum(capture["state"] != "stored" or not capture["memories"] for capture in captures)
    errors = sum(failed for _sent, failed in counts) + lost + WRITERS // 2 * notes - len(captures)
    return Race(notes=notes, rows=sum(1 for _row in admin.rows("memories")), errors=errors, seconds=seconds)


def _write_all(
    address: str, key: str, notes: int, seed: int, as_captures: bool, told: "multiprocessing.Queue[Any]"
) -> None:
    """Write every note once, in a process of its own; tell how many were sent and how many failed."""
    api, failed = Api(address, key), 0
    order = list(range(notes))
    random.Random(seed).shuffle(order)
    for number in order:
        try:
            if as_captures:
                api.post("captures", {"text": make_note(number), "role": "user", "speaker": "Ann"})
            else:
                api.post("memories", {"content": make_note(number), "kind": "finding"})
        except ApiError:
            failed += 1
    told.put((notes, failed))


def _show(steps: Mapping[str, float], captures: int, seconds: float, race: Race) -> None:
    whole = sum(steps.values())
    rows: Sequence[Sequence[object]] = [(step, ms / captures, ms / whole) for step, ms in steps.items()]
    print_table(f"{captures} captures in {seconds:.1f} s, by step", ("step", "ms each", "share"), rows)
    print_table(
        f"{WRITERS} processes write the same {race.notes} notes at once",
        ("rows", "errors", "seconds"),
        [(race.rows, race.errors, race.seconds)],
    )
