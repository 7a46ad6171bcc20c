"""
`night`: what does a whole night cost, all steps of it, and does it grow with the memory? (SPEC E-04)

Two tenants are filled past the service, the second one five times as large: notes with vectors, postings,
entities that the notes mention, links, and what was asked in 90 days. Of each a first night is run with the
dream, as the beat would, and a second one. CPU is the command's and its database's, by the kernel's count;
what an idle tenant's night costs is told beside it.
"""

import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from bench.corpora.crowd import Owner, fill, make_owner, spread
from bench.corpora.sentences import make_notes
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service
from bench.scoring.floors import embed_passages, load_model

FULL: Final = (20_000, 100_000)
QUICK: Final = (2_000, 10_000)
EMBEDDED: Final = 1_000
"""Notes that are embedded; the others lie near one of these."""

SETTINGS: Final = {"CANDOR_SLEEP_STEP_SECONDS": "900"}
"""A step is cut off later than by default: what it costs to its end is what is asked here."""

KINDS: Final = """
UPDATE memory m SET kind = k.kind, card = k.card
FROM (VALUES (1, 'finding', 'knowledge'), (2, 'decision', 'event')) AS k (fifth, kind, card)
WHERE m.tenant_id = %(tenant)s AND hashtext(m.id::text) & 7 = k.fifth
"""
"""One note in eight is a finding, one a decision, the others are turns."""

ENTITIES: Final = """
INSERT INTO entity (tenant_id, id, key, name, type, salience, created_at, last_seen_at, classification)
SELECT %(tenant)s, gen_random_uuid(), t.tag, t.tag, 'thing', 0.5, now(), now(), 1
FROM (SELECT DISTINCT unnest(tags) AS tag FROM memory WHERE tenant_id = %(tenant)s) t
"""
MENTIONS: Final = """
INSERT INTO mention (tenant_id, id, entity_id, memory_id, names, keys, type, created_at, classification)
SELECT m.tenant_id, gen_random_uuid(), e.id, m.id, ARRAY[e.name], ARRAY[e.key], 'thing', m.created_at, 1
FROM memory m CROSS JOIN LATERAL unnest(m.tags[1:3]) AS t (tag)
JOIN entity e ON e.tenant_id = m.tenant_id AND e.key = t.tag
WHERE m.tenant_id = %(tenant)s
"""
"""The first three tags of a note are what it mentions."""

LINKS: Final = """
INSERT INTO link (id, tenant_id, source_id, target_id, type, weight, confidence, origin, created_at,
                  last_verified_at, classification)
SELECT gen_random_uuid(), p.tenant_id, p.id, p.other, 'related_to', 0.5, 0.8, 'auto', p.created_at,
       p.created_at, 1
FROM (SELECT m.tenant_id, m.id, m.created_at, lead(m.id) OVER (ORDER BY m.id) AS other
      FROM memory m WHERE m.tenant_id = %(tenant)s) p
WHERE p.other IS NOT NULL AND hashtext(p.id::text) %% 3 <> 0
"""
RECALLS: Final = """
INSERT INTO recall_event (tenant_id, id, at, agent_id, session, query, asked_at, k, policy, channels,
                          degraded, draws, person, classification)
SELECT m.tenant_id, gen_random_uuid(), a.at, m.agent_id, m.session, m.content, a.at, 5, 'default@1', '{}',
       '[]', '{}', '', 1
FROM memory m
CROSS JOIN LATERAL (SELECT now() - make_interval(hours => hashtext(m.id::text) & 2047) AS at) a
WHERE m.tenant_id = %(tenant)s AND hashtext(m.id::text) %% 5 = 0
"""
"""One note in five was asked about once, within 85 days."""

TABLES: Final = "memory, usage, embedding, posting, entity, mention, link, recall_event"

Database = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightCost:
    """What one night took."""

    cpu: float  #: seconds, of the command and its database
    seconds: float
    steps: dict[str, int]  #: step → milliseconds by the service's own record


def measure(run: Run) -> dict[str, Any]:
    """Return {night_cpu_s, night_ratio, …}: of the larger tenant, and its CPU over the smaller one's."""
    sizes = QUICK if run.quick else FULL
    CONSOLE.print(f"embedding {EMBEDDED} texts …")
    embedded = embed_passages(load_model(), [note.text for note in make_notes(EMBEDDED, seed=run.seed)])
    told: dict[int, list[NightCost]] = {}
    with own_service(SETTINGS) as service:
        address = service.database_addresses()["admin"]
        with psycopg.connect(address, dbname="candor", autocommit=True) as admin:
            make_owner(admin, "idle")
            idle = _night(service, admin, "idle")
            for memories in sizes:
                owner = make_owner(admin, f"night-{memories}")
                notes = list(make_notes(memories, seed=run.seed))
                CONSOLE.print(f"filling {memories} memories …")
                fill(admin, owner, notes, spread(embedded, memories, seed=run.seed))
                _connect(admin, owner)
                told[memories] = [_night(service, admin, f"night-{memories}") for _ in range(2)]
    small, large = (told[memories][0] for memories in sizes)
    names = list(large.steps)
    rows = [
        (name, small.steps.get(name, 0), large.steps[name], told[sizes[1]][1].steps.get(name, 0))
        for name in names
    ]
    print_table(
        f"Steps of a night, ms, at {sizes[0]} and {sizes[1]} memories",
        ("step", "first", "first", "second"),
        rows,
    )
    nights = [("idle", idle.cpu, idle.seconds)]
    nights += [
        (f"{memories}, night {1 + at}", one.cpu, one.seconds)
        for memories in sizes
        for at, one in enumerate(told[memories])
    ]
    print_table("Nights", ("memories", "CPU s", "seconds"), nights)
    return {
        "night_cpu_s": round(large.cpu, 1),
        "night_s": round(large.seconds, 1),
        "night_second_cpu_s": round(told[sizes[1]][1].cpu, 1),
        "night_small_cpu_s": round(small.cpu, 1),
        "night_idle_cpu_s": round(idle.cpu, 1),
        "night_ratio": round((large.cpu - idle.cpu) / max(small.cpu - idle.cpu, 0.1), 2),
        "memories": sizes[1],
        "quick": run.quick,
    }  # fmt: skip


def _connect(admin: Database, owner: Owner) -> None:
    """Give the notes kinds, entities, links and questions."""
    with admin.transaction():
        # No foreign key is looked up a million times; what is made refers to what is made.
        admin.execute("SET LOCAL session_replication_role = replica")
        for statement in (KINDS, ENTITIES, MENTIONS, LINKS, RECALLS):
            admin.execute(statement, {"tenant": owner.tenant})
    admin.execute(f"VACUUM ANALYZE {TABLES}")


def _night(service: Service, admin: Database, slug: str) -> NightCost:
    before, began = _cpu(admin), time.monotonic()
    night = service.manage_json("sleep", "--tenant", slug, "--dream")["run"]
    seconds, cpu = time.monotonic() - began, _cpu(admin) - before
    if night["state"] != "done":
        raise RuntimeError(f"The night came to {night['state']}: {night['steps']}")
    steps = {step["name"]: step["milliseconds"] for step in night["steps"]}
    return NightCost(cpu=cpu, seconds=seconds, steps=steps)


def _cpu(admin: Database) -> float:
    """Return the seconds of CPU of this bench's commands, and of the database's processes that have ended."""
    ours = resource.getrusage(resource.RUSAGE_CHILDREN)
    row = admin.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
    assert row is not None
    pid = int(row[0].split("\n")[0])
    # A process's line in proc(5): its children's time in user and kernel mode is the 16th and 17th field.
    spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    database = sum(map(int, spent[13:15])) / _TICKS
    return ours.ru_utime + ours.ru_stime + database


_TICKS: Final = 100
"""Clock ticks a second in proc(5), on every Linux that is supported (`getconf CLK_TCK`)."""
