"""
What does it cost to find which findings belong together, and is it right? (SPEC E-03)

Findings with keywords as they are drawn from talk: most words are rare, a few are everywhere (Zipf and
Mandelbrot), and among them clusters are planted whose findings share five words of seven. The service is
asked to rehearse the step, so that reading and clustering are measured and no writing; one small tenant is
consolidated in earnest and its patterns compared with what comparing each two findings says.
"""

import json
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any, Final
from uuid import UUID

import numpy as np
import psycopg

from bench.corpora.crowd import make_owner
from bench.rig.harness import CONSOLE, Run, print_table
from bench.rig.service import Service

FULL: Final = (10_000, 100_000)
QUICK: Final = (2_000, 20_000)
IN_EARNEST: Final = 600

PLANTED: Final = 0.2
"""Share of the findings that stand in clusters."""
SIZES: Final = (3, 9)  #: findings of a cluster, the last one excluded
CORE, OWN = 5, 2
"""Words that a cluster's findings share, and that each has beside them."""
ALONE: Final = (5, 9)  #: words of a finding in no cluster, the last one excluded
FLAT: Final = 20.0
"""Mandelbrot's constant: the most frequent words of texts are stop words, and those are no keywords."""

OVERLAP: Final = 0.4
FEWEST: Final = 3

Database = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Findings by their keywords, and which of them were planted together."""

    keywords: tuple[tuple[str, ...], ...]
    planted: tuple[tuple[int, ...], ...]


def measure_clusters(service: Service, admin: Database, run: Run) -> dict[str, Any]:
    """Return {cluster_ratio, cluster_cpu_s, …}; the CPU is that of the command less that of an idle one."""
    small, large = QUICK if run.quick else FULL
    idle = _rehearse(service, _fill(admin, "clusters-0", draw(0, seed=run.seed)))
    told: list[dict[str, Any]] = []
    for findings in (small, large):
        crowd = draw(findings, seed=run.seed)
        slug = _fill(admin, f"clusters-{findings}", crowd)
        told.append(_rehearse(service, slug) | {"findings": findings, "planted": len(crowd.planted)})
    for one in told:
        one["cpu"] = round(one["cpu"] - idle["cpu"], 2)
    rows = [(one["findings"], one["cpu"], one["seconds"], one["planted"], one["patterns"]) for one in told]
    print_table("Clusters", ("findings", "CPU s", "seconds", "planted", "found"), rows)
    return {
        "cluster_ratio": round(told[1]["cpu"] / told[0]["cpu"], 2),
        "cluster_cpu_s": told[1]["cpu"],
        "cluster_small_cpu_s": told[0]["cpu"],
        **_consolidate(service, admin, run.seed, idle=idle["cpu"]),
    }


def draw(findings: int, *, seed: int) -> Crowd:
    """Draw findings and plant clusters among them; the vocabulary grows as in texts (Heaps)."""
    rng = np.random.default_rng(seed)
    vocabulary = max(1_000, int(60 * findings**0.6))
    weights = 1.0 / (np.arange(1, vocabulary + 1) + FLAT)
    heights = np.cumsum(weights / weights.sum())
    keywords: list[tuple[str, ...]] = []
    planted: list[tuple[int, ...]] = []
    while len(keywords) < findings:
        if rng.random() < PLANTED / np.mean(SIZES):
            core = tuple(_word(f"{len(planted)}-{place}") for place in range(CORE))
            begin = len(keywords)
            keywords += [(*core, *_some(rng, heights, OWN)) for _ in range(rng.integers(*SIZES))]
            planted.append(tuple(range(begin, len(keywords))))
        else:
            keywords.append(_some(rng, heights, int(rng.integers(*ALONE))))
    return Crowd(keywords=tuple(keywords), planted=tuple(planted))


def find_by_pairs(keywords: Sequence[Sequence[str]]) -> list[tuple[int, ...]]:
    """Return the clusters by comparing each two findings: what the service is held to."""
    sets = [frozenset(words) for words in keywords]
    parent = list(range(len(sets)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for one, other in combinations(range(len(sets)), 2):
        shared = len(sets[one] & sets[other])
        if shared and shared >= OVERLAP * (len(sets[one]) + len(sets[other]) - shared):
            parent[root(one)] = root(other)
    found: dict[int, list[int]] = {}
    for at in range(len(sets)):
        found.setdefault(root(at), []).append(at)
    return sorted(tuple(cluster) for cluster in found.values() if len(cluster) >= FEWEST)


def _some(rng: np.random.Generator, heights: Any, count: int) -> tuple[str, ...]:
    return tuple({_word(str(rank)) for rank in np.searchsorted(heights, rng.random(count))})


def _word(name: str) -> str:
    """Return a word of four syllables that no stemmer and no list of aliases knows."""
    drawn = sha256(name.encode()).digest()[:4]
    return "".join("bdfgklmnprtvwxzj"[byte % 16] + "aiou"[byte // 64] for byte in drawn) + "x"


def _fill(admin: Database, slug: str, crowd: Crowd) -> str:
    owner = make_owner(admin, slug)
    CONSOLE.print(f"filling {len(crowd.keywords)} findings …")
    with admin.transaction(), admin.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        with cursor.copy(f"COPY memory ({', '.join(COLUMNS)}) FROM STDIN") as copy:
            for row in _rows(owner.tenant, owner.agent, crowd):
                copy.write_row(row)
        cursor.execute(USAGES, (owner.tenant,))
    admin.execute("VACUUM ANALYZE memory, usage")
    return slug


COLUMNS: Final = (
    "id", "tenant_id", "agent_id", "content", "kind", "card", "standing", "classification", "shared",
    "domain", "layer", "keywords", "tags", "manual_tags", "entities", "importance", "confidence",
    "provenance", "trust", "session", "speaker", "content_hash", "created_at", "occurred_at",
    "occurred_resolved", "effective_at", "last_verified_at", "updated_at", "version", "metadata",
)  # fmt: skip
MOMENT: Final = "2026-03-02T09:30:00Z"
USAGES: Final = """
INSERT INTO usage (memory_id, tenant_id, q_value, recalled, verified, last_accessed_at, tier, pinned,
                   classification)
SELECT id, tenant_id, 0.5, 0, 0, created_at, 'hot', false, 1 FROM memory WHERE tenant_id = %s
"""


def _rows(tenant: UUID, agent: UUID, crowd: Crowd) -> Iterator[tuple[Any, ...]]:
    for number, words in enumerate(crowd.keywords):
        content = f"Finding {number} of {' and '.join(words)}."
        yield (
            UUID(int=(1_700_000_000_000 + number) << 80 | 0x7000 << 64 | 0x8000 << 48), tenant, agent,
            content, "finding", "knowledge", 0, 1, False, "", "work", list(words), [], [], [], 3, 1.0,
            "user_stated", 0.95, f"talk {number % 97}", "", sha256(content.encode()).digest(), MOMENT, MOMENT,
            False, MOMENT, MOMENT, MOMENT, 1, json.dumps({}),
        )  # fmt: skip


def _rehearse(service: Service, slug: str) -> dict[str, Any]:
    """Let the step count what it would do; return its counts, the command's CPU and its seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    told = service.manage_json("sleep", "--tenant", slug, "--step", "consolidation", "--dry-run")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "seconds": round(time.monotonic() - began, 2)} | _counts(told)


def _consolidate(service: Service, admin: Database, seed: int, *, idle: float) -> dict[str, Any]:
    """Consolidate a small tenant in earnest; return whether it is right, and what writing costs."""
    crowd = draw(IN_EARNEST, seed=seed + 1)
    slug = _fill(admin, "clusters-in-earnest", crowd)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    service.manage_json("sleep", "--tenant", slug, "--step", "consolidation")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = sorted(tuple(row[0]) for row in admin.execute(BY_PATTERN, (slug,)))
    wanted = find_by_pairs(crowd.keywords)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - idle
    return {
        "clusters_right": found == wanted,
        "clusters_planted_whole": set(crowd.planted) <= set(found),
        "pattern_write_cpu_ms": round(1_000 * cpu / max(len(found), 1), 1),
    }


BY_PATTERN: Final = """
SELECT array_agg(substring(m.content FROM 'Finding ([0-9]+)')::int ORDER BY m.id)
FROM consolidation c
JOIN tenant t ON t.id = c.tenant_id
JOIN lineage l ON l.tenant_id = c.tenant_id AND l.child_id = c.pattern_id
JOIN memory m ON m.tenant_id = c.tenant_id AND m.id = l.parent_id
WHERE t.slug = %s
GROUP BY c.pattern_id
"""


def _counts(told: Any) -> dict[str, int]:
    """Return the step's counts out of what the command says, wherever they stand."""
    if isinstance(told, dict) and "patterns" in told:
        return dict(told)
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    return next((found for part in parts if (found := _counts(part))), {})
