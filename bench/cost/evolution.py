"""
`evolution`: what do the night's steps cost that go through everything a tenant remembers? (SPEC E-02, E-06)

A tenant is filled by SQL with memories of every age, none of which a night has seen to: the first night moves
most of them, the second one none. Its cost is the service's own record of the two steps; what was written is
counted by PostgreSQL. Vectors and postings are left out, for neither step reads them.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import psycopg

from bench.corpora.clusters import measure_clusters
from bench.corpora.crowd import make_owner
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service

SLUG: Final = "crowd"
STEP: Final = "tiers"
"""The step that notes stages of forgetting and moves between tiers."""

FULL, QUICK = 1_000_000, 50_000

MEMORIES: Final = """
INSERT INTO memory (id, tenant_id, agent_id, content, kind, card, standing, classification, shared, domain,
                    layer, keywords, tags, manual_tags, entities, importance, confidence, provenance, trust,
                    session, turn, speaker, content_hash, created_at, occurred_at, occurred_resolved,
                    effective_at, last_verified_at, updated_at, version, metadata)
SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || lpad(to_hex(n %% 4096), 3, '0') || '8'
        || substr(md5(n::text || %(seed)s::text), 1, 15))::uuid,
       %(tenant)s, %(agent)s,
       'Root cause of incident ' || n || ': the disk of server ' || n %% 977 || ' was full at night.',
       'finding', 'knowledge', CASE WHEN n %% 50 = 0 THEN 2 ELSE 0 END, 1, false, '', 'work',
       ARRAY['disk', 'server'], ARRAY['disk', 'server'],
       CASE WHEN n %% 40 = 0 THEN ARRAY['kept'] ELSE '{}' END, '{}', 1 + n %% 5, 1.0,
       (ARRAY['user_stated', 'measured', 'extracted', 'agent_inferred'])[1 + n %% 4], 0.4,
       'talk ' || n / 20, n %% 20, '', decode(md5(n::text), 'hex'), made.at, made.at, false, made.at, made.at,
       made.at, 1, '{}'
FROM generate_series(1, %(memories)s) n
CROSS JOIN LATERAL (
    SELECT now() - make_interval(days => 400 - (n - 1) * 400 / %(memories)s, hours => -12) AS at) made
"""
"""
Findings of 400 days, the oldest first; one in fifty is superseded, one in forty has a manual tag.
Ages are half a day off a whole number of days.
"""

USAGES: Final = """
INSERT INTO usage (memory_id, tenant_id, q_value, recalled, verified, last_recalled_at, last_accessed_at,
                   tier, pinned, classification)
SELECT m.id, m.tenant_id, 0.5, u.recalled, 0, CASE WHEN u.recalled > 0 THEN u.at END, u.at, 'hot',
       u.luck %% 200 = 0, 1
FROM memory m
CROSS JOIN LATERAL (SELECT hashtext(m.id::text) & 65535 AS luck) l
CROSS JOIN LATERAL (
    SELECT l.luck, CASE WHEN l.luck %% 3 = 0 THEN l.luck %% 7 ELSE 0 END AS recalled,
           m.created_at + CASE WHEN l.luck %% 3 = 0
               THEN make_interval(days => l.luck %% (1 + extract(day FROM now() - m.created_at)::int))
               ELSE '0' END AS at) u
WHERE m.tenant_id = %(tenant)s
ORDER BY m.id
"""
"""A third was recalled up to six times, the last time some days after it was made; one in 200 is pinned."""

LINKS: Final = """
INSERT INTO link (id, tenant_id, source_id, target_id, type, weight, confidence, origin, created_at,
                  last_verified_at, classification)
SELECT gen_random_uuid(), %(tenant)s, p.id, p.other, 'related_to', 0.5, 0.8, 'auto', p.created_at,
       p.created_at, 1
FROM (SELECT m.id, m.created_at, lead(m.id, d.by) OVER (PARTITION BY d.by ORDER BY m.id) AS other, d.by
      FROM memory m CROSS JOIN (VALUES (1), (2)) AS d (by)
      WHERE m.tenant_id = %(tenant)s) p
WHERE p.other IS NOT NULL AND hashtext(p.id::text || p.by) %% 3 = 0
"""
"""Two in three memories are linked with one of the next two, in one direction."""

WRITES: Final = (
    "SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables "
    "WHERE relname IN ('memory', 'usage', 'link', 'posting', 'embedding')"
)

Database = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A service, its database as a superuser, and the run that was asked for."""

    service: Service
    admin: Database
    run: Run


def measure(run: Run) -> dict[str, Any]:
    """Return {forget_s, forget_second_writes, …} and what the other parts measure."""
    figures: dict[str, Any] = {}
    with _bench(run) as bench:
        for part in PARTS:
            figures |= part(bench)
    return figures | {"quick": run.quick}


@contextmanager
def _bench(run: Run) -> Iterator[Bench]:
    with own_service() as service:
        address = service.database_addresses()["admin"]
        with psycopg.connect(address, dbname="candor", autocommit=True) as admin:
            yield Bench(service=service, admin=admin, run=run)


def measure_ageing(bench: Bench) -> dict[str, Any]:
    """Return what forgetting and tiers cost over all memories, and what a second night writes."""
    memories = QUICK if bench.run.quick else FULL
    began = time.monotonic()
    _fill(bench, memories)
    filled = time.monotonic() - began
    # Both nights act as of one moment: the second one is asked whether it repeats, not whether time goes on.
    at = datetime.now(UTC).isoformat()
    nights = [_night(bench, at) for _ in range(2)]
    first, second = nights
    rows = [(name, first[name], second[name]) for name in ("seconds", "changes", "written")]
    print_table(f"{memories} memories, filled in {filled:.0f} s", ("", "first", "second"), rows)
    return {
        "forget_s": round(first["seconds"], 2),
        "forget_second_s": round(second["seconds"], 2),
        "forget_writes": first["written"],
        "forget_changed": first["changed"],
        "forget_second_writes": second["written"],
        "memories": memories,
    }


def _fill(bench: Bench, memories: int) -> UUID:
    owner = make_owner(bench.admin, SLUG)
    CONSOLE.print(f"filling {memories} memories …")
    given = {"tenant": owner.tenant, "agent": owner.agent, "memories": memories, "seed": bench.run.seed}
    with bench.admin.transaction():
        # No foreign key is looked up three million times; what is made refers to what is made.
        bench.admin.execute("SET LOCAL session_replication_role = replica")
        for statement in (MEMORIES, USAGES, LINKS):
            bench.admin.execute(statement, given)
    bench.admin.execute("VACUUM ANALYZE memory, usage, link")
    return owner.tenant


def _night(bench: Bench, at: str) -> dict[str, Any]:
    """Run the step at the console; return its seconds and changes by its record, and all that was written."""
    before = _writes(bench.admin)
    night = bench.service.manage_json("sleep", "--tenant", SLUG, "--step", STEP, "--at", at)["run"]
    if night["state"] != "done":
        raise RuntimeError(f"The night came to {night['state']}: {night['steps']}")
    [step] = night["steps"]
    changed = step["counts"].pop("written", 0)
    return {
        "seconds": step["milliseconds"] / 1000,
        "changes": sum(step["counts"].values()),
        "changed": changed,
        "written": _writes(bench.admin) - before,
    }


def _writes(admin: Database) -> int:
    """Return how many rows were ever written; a process that has ended has told all of its own."""
    admin.execute("SELECT pg_stat_force_next_flush()")
    row = admin.execute(WRITES).fetchone()
    assert row is not None
    return int(row[0])


def measure_consolidation(bench: Bench) -> dict[str, Any]:
    """Return what finding clusters costs, and whether they are the right ones."""
    return measure_clusters(bench.service, bench.admin, bench.run)


PARTS: Final[tuple[Callable[[Bench], dict[str, Any]], ...]] = (measure_ageing, measure_consolidation)
"""What is measured, one after the other, in one service; each part makes a tenant of its own."""
