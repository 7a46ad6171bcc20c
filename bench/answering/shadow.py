"""
`shadow`: are defects in a candidate found, is nothing found where there is none, and does nobody notice?

Defects are planted into copies of the source, which are run beside the same database; row security's tenant
policy is taken away for the one that could not do harm otherwise. False alarms are counted over runs of what
is in force against itself. The live p95 is that of one client who asks with pauses, in turns with and without
a run beside it. Last, a run is killed half-way and gone on with.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import psycopg

from bench.answering.shadow_defects import DEFECTS, Defect, copy_with
from bench.cost.recall import Bench, Tenant
from bench.cost.recall import Size as CrowdSize
from bench.cost.recall_asked import quantile
from bench.rig.client import Api, ApiError
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import PROJECT, Service


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is put in, asked and tried."""

    memories: int
    asked: int  #: questions that are really asked, over HTTP
    replayed: int  #: recalls on record, copies of these among them, as many asked again beside live traffic
    killed: int  #: questions of the run that is killed half-way
    defect_questions: int
    alarm_runs: int
    alarm_questions: int
    turn_seconds: float  #: of live traffic with a run beside it; a third as long without
    most_turns: int  #: after which it is told how many were replayed, and no more are


FULL: Final = Size(
    memories=2_000, asked=300, replayed=10_000, killed=2_000, defect_questions=300, alarm_runs=50,
    alarm_questions=200, turn_seconds=60.0, most_turns=60,
)  # fmt: skip
QUICK: Final = Size(
    memories=600, asked=60, replayed=300, killed=300, defect_questions=60, alarm_runs=3, alarm_questions=60,
    turn_seconds=15.0, most_turns=6,
)  # fmt: skip

PAUSE_SECONDS: Final = 0.2
"""Mean pause between two live questions; drawn anew each time, so that no beat arises between both."""

HIDE: Final = """
WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place FROM memory WHERE tenant_id = %(tenant)s
)
UPDATE memory m
SET archived_at = CASE WHEN n.place %% 20 = 1 THEN now() - interval '1 day' END,
    valid_until = CASE WHEN n.place %% 20 = 2 THEN now() - interval '1 day' END,
    valid_from = CASE WHEN n.place %% 20 = 3 THEN now() + interval '90 days' END,
    standing = CASE WHEN n.place %% 20 = 4 THEN 2 ELSE 0 END,
    superseded_at = CASE WHEN n.place %% 20 = 4 THEN now() - interval '1 day' END,
    classification = CASE WHEN n.place %% 20 = 5 THEN 2 ELSE 1 END,
    agent_id = CASE WHEN n.place %% 20 = 6 THEN %(other)s ELSE m.agent_id END,
    project_id = CASE WHEN n.place %% 20 = 7 THEN %(project)s END
FROM numbered n WHERE m.tenant_id = %(tenant)s AND m.id = n.id
"""
"""One memory of twenty for each way of being hidden; the triggers keep class and state beside it in step."""

LINK: Final = """
WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place FROM memory WHERE tenant_id = %(tenant)s
)
INSERT INTO link (id, tenant_id, source_id, target_id, type, weight, confidence, origin, created_at,
                  last_verified_at, classification)
SELECT gen_random_uuid(), %(tenant)s, a.id, b.id, 'related_to', 0.9, 0.9, 'auto', now(), now(), 1
FROM numbered a
JOIN numbered b ON b.place / 20 = a.place / 20 AND b.place %% 20 IN (2, 3) AND a.place %% 20 > 7
"""
"""Each shown memory leads to those of its twenty that do not hold now."""

COPY_EVENTS: Final = """
INSERT INTO recall_event (id, tenant_id, at, agent_id, project_id, api_key_id, session, query, asked_at, k,
                          policy, channels, degraded, draws, classification)
SELECT gen_random_uuid(), tenant_id, at, agent_id, project_id, api_key_id, session, query, asked_at, k,
       policy, channels, degraded, draws, classification
FROM recall_event CROSS JOIN generate_series(2, %(times)s) WHERE tenant_id = %(tenant)s
"""

OPENED: Final = ("memory", "usage", "embedding")
MINE: Final = "tenant_id = (SELECT (NULLIF(current_setting('candor.tenant', true), ''))::uuid)"


def measure(run: Run) -> dict[str, Any]:
    """Return {planted_caught, false_alarms, live_p95_ratio, …}."""
    size = QUICK if run.quick else FULL
    with _bench(size, run.seed) as bench, tempfile.TemporaryDirectory() as folder:
        tenant = _prepare(bench, size)
        found = {one.name: _find(bench, tenant, one, Path(folder), size) for one in DEFECTS}
        alarms = _count_alarms(bench, tenant, size)
        _copy_events(bench, tenant, size)
        live = _measure_live(bench, tenant, size, seed=run.seed)
        killed = _kill(bench, tenant, size)
    print_table(
        "Planted defects", ("", "caught", "leaks"), [(name, told[0], told[1]) for name, told in found.items()]
    )
    CONSOLE.print(f"false alarms in {size.alarm_runs} runs: {alarms}; a killed run: {killed}")
    return {
        "planted_caught": round(sum(caught for caught, _ in found.values()) / len(found), 3),
        "false_alarms": alarms,
        **live,
        "killed": killed,
        **asdict(size),
        "quick": run.quick,
    }


@contextmanager
def _bench(size: Size, seed: int) -> Iterator[Bench]:
    crowd = CrowdSize(
        memories=size.memories, tenants=0, memories_each=0, big=0, small=0, embedded=min(size.memories, 600),
        questions=size.asked, recalls=0,
    )  # fmt: skip
    with own_service() as service:
        addresses = service.database_addresses()
        with (
            psycopg.connect(addresses["admin"], dbname="candor", autocommit=True) as admin,
            psycopg.connect(addresses["app"], autocommit=True) as app,
        ):
            yield Bench(service, admin, app, size=crowd, seed=seed)


def _prepare(bench: Bench, size: Size) -> Tenant:
    """Make the tenant, hide a part of it from its agent, and ask; a stranger has the same memories."""
    tenant = bench.make("watched", size.memories)
    bench.make("stranger", size.memories)
    bench.service.manage_json("create_agent", "brook", "--tenant", tenant.slug)
    bench.service.manage_json("create_project", "moon", "--tenant", tenant.slug)
    given = {"tenant": tenant.owner.tenant} | dict(
        bench.admin.execute(
            "SELECT 'other', id FROM agent WHERE tenant_id = %(t)s AND slug = 'brook' "
            "UNION ALL SELECT 'project', id FROM project WHERE tenant_id = %(t)s",
            {"t": tenant.owner.tenant},
        ).fetchall()
    )
    with bench.admin.transaction():
        bench.admin.execute("SELECT set_config('candor.tenant', %s, true)", [str(tenant.owner.tenant)])
        bench.admin.execute("SELECT set_config('candor.clearance', '3', true)")
        bench.admin.execute(HIDE, given)
        bench.admin.execute(LINK, given)
    bench.settle()
    CONSOLE.print(f"asking {size.asked} questions …")
    for place, question in enumerate(tenant.questions[: size.asked]):
        # One in three is mistyped, for the channel of near words.
        asked = _mistype(question) if place % 3 == 0 else question
        tenant.api.post("recall", {"query": asked, "k": 10})
    return tenant


def _mistype(question: str) -> str:
    """Turn two letters of the longest word round."""
    word = max(question.split(), key=len)
    middle = len(word) // 2
    return question.replace(word, word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :])


def _run_in(tree: Path, service: Service, tenant: Tenant, questions: int, seed: int = 1) -> dict[str, Any]:
    """Run the source of this folder beside the service against itself; return the run."""
    done = subprocess.run(
        [
            sys.executable, "manage.py", "shadow", "--tenant", tenant.slug, "--candidate", "in_force",
            "--questions", str(questions), "--seed", str(seed), "--hurry", "--json",
        ],
        cwd=tree, env=service._env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line for line in done.stdout.split("\n") if line.startswith("{")]
    if not lines:
        raise RuntimeError(f"no run in {tree}: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(lines[-1])
    return told


def _find(bench: Bench, tenant: Tenant, defect: Defect, folder: Path, size: Size) -> tuple[bool, str]:
    """Return whether the run of a copy with the defect fails for a leak of its sort, and what it told."""
    CONSOLE.print(f"a copy with: {defect.name} …")
    tree = copy_with(defect, folder)
    with _open_wall(bench, needed=defect.opens_wall):
        told = _run_in(tree, bench.service, tenant, size.defect_questions)
    leaks = told["summary"].get("leaks", {})
    caught = told["verdict"] == "failed" and bool(defect.sorts & leaks.keys())
    return caught, ", ".join(f"{count} {sort}" for sort, count in leaks.items()) or "; ".join(told["reasons"])


@contextmanager
def _open_wall(bench: Bench, *, needed: bool) -> Iterator[None]:
    """Take the tenants' policy away from what a recall reads, as long as it lasts."""
    for table in OPENED if needed else ():
        bench.admin.execute(f"ALTER POLICY candor_tenant ON {table} USING (true)")
    try:
        yield
    finally:
        for table in OPENED if needed else ():
            bench.admin.execute(f"ALTER POLICY candor_tenant ON {table} USING ({MINE})")


def _count_alarms(bench: Bench, tenant: Tenant, size: Size) -> int:
    """Return how many runs of what is in force against itself find a leak, a difference or a failure."""
    CONSOLE.print(f"{size.alarm_runs} runs against itself …")
    alarms = 0
    for seed in range(size.alarm_runs):
        told = _run_in(PROJECT, bench.service, tenant, size.alarm_questions, seed=seed)
        is_clean = told["leaks"] == told["failures"] == 0 and told["planted"] == told["planted_caught"] > 0
        alarms += not (is_clean and told["summary"]["unchanged"] == told["total"])
    return alarms


def _copy_events(bench: Bench, tenant: Tenant, size: Size) -> None:
    times = -(-size.replayed // size.asked)
    bench.admin.execute(COPY_EVENTS, {"tenant": tenant.owner.tenant, "times": times})


def _measure_live(bench: Bench, tenant: Tenant, size: Size, *, seed: int) -> dict[str, Any]:
    """Ask in turns with a run beside it and without; return the ratio of the p95."""
    made = bench.service.manage_json("create_key", "--tenant", tenant.slug, "--scopes", "admin,audit")
    admin = Api(bench.service.address, made["key"])
    rng = Random(seed)
    _ask_for(tenant, size.turn_seconds / 3, rng)  # warm
    alone: list[float] = []
    beside: list[float] = []
    replayed = turns = 0
    while replayed < size.replayed and turns < size.most_turns:
        turns += 1
        wanted = {"kind": "engine", "engine": "exact"}
        run = admin.post("shadow-runs", {"candidate": wanted, "questions": size.replayed - replayed})
        beside += _ask_for(tenant, size.turn_seconds, rng)
        replayed += _end(admin, run["id"])
        time.sleep(1)
        alone += _ask_for(tenant, size.turn_seconds / 3, rng)
        told = f"p95 {quantile(beside, 95):.1f} beside, {quantile(alone, 95):.1f} alone"
        CONSOLE.print(f"turn {turns}: {replayed} replayed, {told}")
    rows = [
        (name, quantile(times, 50), quantile(times, 95))
        for name, times in (("alone", alone), ("beside a run", beside))
    ]
    print_table("One client, ms", ("", "p50", "p95"), rows)
    CONSOLE.print(f"{replayed} questions replayed beside {len(beside)} live ones")
    return {
        "live_p95_ratio": round(rows[1][2] / rows[0][2], 3),
        "live_p50_ratio": round(rows[1][1] / rows[0][1], 3),
        "live_p95_ms": round(rows[0][2], 1),
        "replayed_beside_live": replayed,
        "replayed_per_s": round(replayed / (turns * size.turn_seconds), 2),
        "turns": turns,
    }


def _end(admin: Api, run: str) -> int:
    """Cancel the run unless it is over; return how many questions it asked."""
    with suppress(ApiError):  # it is over already
        admin.post(f"shadow-runs/{run}/cancel", {})
    return int(admin.get(f"shadow-runs/{run}")["done"])


def _ask_for(tenant: Tenant, seconds: float, rng: Random) -> list[float]:
    """Ask with pauses for so long; return the milliseconds of each answer."""
    took: list[float] = []
    ends_at = time.monotonic() + seconds
    while time.monotonic() < ends_at:
        question: str = rng.choice(list(tenant.questions))
        began = time.perf_counter()
        tenant.api.post("recall", {"query": question})
        took.append((time.perf_counter() - began) * 1_000)
        time.sleep(rng.expovariate(1 / PAUSE_SECONDS))
    return took


def _kill(bench: Bench, tenant: Tenant, size: Size) -> dict[str, Any]:
    """Kill a run half-way, let its lease run out, go on with it; return what became of its questions."""
    arguments = ["shadow", "--tenant", tenant.slug, "--hurry", "--json"]
    command = [sys.executable, "manage.py", *arguments, "--candidate", "engine:exact"]
    asked = [*command, "--questions", str(size.killed)]
    began = time.monotonic()
    with subprocess.Popen(
        asked, cwd=PROJECT, env=bench.service._env, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        run = child.stderr.readline().split()[-1]
        half = next(line for line in child.stderr if int(line.split()[0]) >= size.killed // 2)
        child.send_signal(signal.SIGKILL)
    given = {"run": run}
    first = _done_at(bench, given)
    bench.admin.execute("UPDATE shadow_run SET leased_until = now() WHERE id = %(run)s", given)
    subprocess.run(
        [sys.executable, "manage.py", *arguments, "--resume", run], cwd=PROJECT, env=bench.service._env,
        capture_output=True, check=False,
    )  # fmt: skip
    last = _done_at(bench, given)
    [(total, done, state)] = bench.admin.execute(
        "SELECT total, done, state FROM shadow_run WHERE id = %(run)s", given
    )
    return {
        "killed_at": int(half.split()[0]),
        "kept": len(first),
        "asked_twice": sum(last.get(one) != at for one, at in first.items()),
        "done": done,
        "total": total,
        "state": state,
        "seconds": round(time.monotonic() - began),
    }


def _done_at(bench: Bench, given: dict[str, Any]) -> dict[Any, Any]:
    rows: Sequence[Any] = bench.admin.execute(
        "SELECT id, done_at FROM shadow_question WHERE run_id = %(run)s AND done_at IS NOT NULL", given
    ).fetchall()
    return dict(rows)
