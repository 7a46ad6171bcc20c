"""
`write`: how fast captures become memory, what each step takes, and a race of eight writers.

The sample fleet is posted at once by its agents, and its first captures one after the other in a tenant of
their own; each step's time stands in the captures' traces, that of what is built beside the memories too. The
overhead is that of the captures one after the other: a flood makes more processes than there are cores wait
for each other, and a step that asks the database ten times waits ten times. Theirs is `overhead_in_flood`.
Then eight processes write the same notes at once, half of them as captures and half directly: one row each.
"""

import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bench.corpora.sample_fleet import FLEET, post_line, read_lines, read_plan, write_fleet
from bench.rig.accounts import Account, KeyFile, TenantPlan, open_account
from bench.rig.client import Api, ApiError
from bench.rig.harness import Run, own_service, print_table
from bench.rig.intake import OPEN, Stuck, wait_until_settled
from bench.rig.service import Service

WRITERS: Final = 8
NOTES: Final = 200
BESIDE_SECONDS: Final = 20.0
PAUSE_SECONDS: Final = 0.5
CALM: Final = 200
"""Captures that are posted one after the other."""

CALM_PAUSE_SECONDS: Final = 0.25
"""Pause between two looks whether a capture is done. Each look takes some 10 ms of the cores on which the
pipeline is measured: fifty a second were most of a core, and what waited for it was counted as its own."""

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
        calm = _one_by_one(service, keys, said[: 30 if run.quick else CALM])
        racers = open_account(service, _racers(), keys)
        race = _race(service, racers, notes=20 if run.quick else NOTES, seed=run.seed)
    _show_steps(f"{len(captures)} captures in {seconds:.1f} s, by step", captures)
    _show_steps(f"{len(calm)} captures one after the other", calm)
    _show_race(race)
    return _figures(captures, calm, seconds, race) | {"quick": run.quick}


def _one_by_one(service: Service, keys: KeyFile, said: Sequence[Row]) -> list[Row]:
    """Post each line when all of the former has been done; return the captures. Raises ApiError, Stuck."""
    account = open_account(service, replace(read_plan(FLEET), slug="calm"), keys)
    admin = Api(service.address, account.admin)
    done = []
    for line in said:
        taken = post_line(Api(service.address, account.agents[line["agent"]]), line)
        done.append(_wait_for(admin, str(taken["id"])))
    return done


def _wait_for(admin: Api, capture: str) -> Row:
    until = time.monotonic() + BESIDE_SECONDS
    while time.monotonic() < until:
        row = admin.get(f"captures/{capture}")
        if row["state"] not in OPEN and (row["state"] != "stored" or _is_built(row)):
            return row
        time.sleep(CALM_PAUSE_SECONDS)
    raise Stuck(f"Capture {capture} was not done in {BESIDE_SECONDS:.0f} s.")


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


def _figures(captures: Sequence[Row], calm: Sequence[Row], seconds: float, race: Race) -> dict[str, Any]:
    steps = sum_steps(calm)
    whole = sum(steps.values())
    return {
        "captures_per_s": round(len(captures) / seconds, 2),
        "overhead_ratio": round(overhead(steps), 3),
        "overhead_in_flood": round(overhead(sum_steps(captures)), 3),
        "race_rows": race.rows,
        "race_errors": race.errors,
        "race_notes": race.notes,
        "race_writes_per_s": round(WRITERS * race.notes / race.seconds, 2),
        "share": {step: round(ms / whole, 3) for step, ms in steps.items()},
        "ms_each": {step: round(ms / len(calm), 2) for step, ms in steps.items()},
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


def _show_steps(title: str, captures: Sequence[Row]) -> None:
    steps = sum_steps(captures)
    whole = sum(steps.values())
    rows = [(step, ms / len(captures), ms / whole) for step, ms in steps.items()]
    print_table(title, ("step", "ms each", "share"), rows)


def _show_race(race: Race) -> None:
    title = f"{WRITERS} processes write the same {race.notes} notes at once"
    print_table(title, ("rows", "errors", "seconds"), [(race.rows, race.errors, race.seconds)])
