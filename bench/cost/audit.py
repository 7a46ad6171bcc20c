"""
`audit`: does the chain hold, is each tampering named, and what does it cost? (SPEC S-03)

Events are appended through the service's own login and function. The service verifies them in a process of
its own, whose peak of memory is told for a short and for a long chain. A superuser then tampers with the
short one. An append is compared with an insert of the same row into a table with the same indexes, unchained.
"""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any, Final
from uuid import UUID, uuid4

import psycopg

from bench.corpora.crowd import make_owner
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service

FULL, QUICK = 1_000_000, 20_000
SHORT: Final = 10_000
"""Events of the chain that is tampered with, and of the one that the long one's memory is compared with."""

BATCH: Final = 500
PAIRS_FULL, PAIRS_QUICK = 1_000, 200
BAD: Final = 777
"""The number at which is tampered."""

BIND: Final = (
    "SELECT set_config('candor.tenant', %s, true), set_config('candor.clearance', '3', true), "
    "set_config('candor.actor', 'system:bench', true)"
)

VERIFY: Final = """
import json, resource, time
from security.management.operator import operator_scope
from security.audit import verify
began = time.monotonic()
with operator_scope({slug!r}):
    report = verify()
print(json.dumps({{
    "seconds": time.monotonic() - began, "events": report.events, "broken": report.broken,
    "first": [[one.seq, one.kind] for one in report.breaks][:1],
    "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}}))
"""
"""Run by the service's own Python: what it tells of a chain, and how much memory that took."""

TWIN: Final = (
    "CREATE TABLE audit_plain (LIKE audit_event INCLUDING ALL)",
    "GRANT SELECT, INSERT ON audit_plain TO candor_app",
    "ALTER TABLE audit_plain ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
    "CREATE POLICY candor_tenant ON audit_plain TO candor_app "
    "USING (tenant_id = (SELECT nullif(current_setting('candor.tenant', true), '')::uuid)) "
    "WITH CHECK (tenant_id = (SELECT nullif(current_setting('candor.tenant', true), '')::uuid))",
)

PLAIN: Final = """
INSERT INTO audit_plain (tenant_id, id, at, actor_kind, actor_id, action, object_type, object_id, reason,
                         detail, classification)
VALUES (%(tenant)s, %(id)s, %(at)s, 'system', 'bench', %(action)s, %(object_type)s, %(object_id)s, %(reason)s,
        %(detail)s, %(classification)s)
"""

AT: Final = f"(SELECT id FROM audit_link WHERE tenant_id = %(tenant)s AND seq = {BAD})"
LATER: Final = f"(SELECT id FROM audit_link WHERE tenant_id = %(tenant)s AND seq = {BAD + 600})"
REWRITE: Final = f"""
DO $$ DECLARE e audit_event; gone uuid[];
BEGIN
    WITH cut AS (DELETE FROM audit_link l WHERE tenant_id = '{{tenant}}' AND seq >= {BAD} RETURNING id, seq)
    SELECT array_agg(id ORDER BY seq) INTO gone FROM cut;
    FOR n IN 1 .. cardinality(gone) LOOP
        SELECT * INTO e FROM audit_event a WHERE a.tenant_id = '{{tenant}}' AND a.id = gone[n];
        PERFORM candor_link_audit(e);
    END LOOP;
END $$
"""

TAMPERINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "a text changed": (f"UPDATE audit_event SET reason = 'other' WHERE id = {AT}",),
    "a moment changed": (f"UPDATE audit_event SET at = at + interval '1 microsecond' WHERE id = {AT}",),
    "an event deleted": (f"DELETE FROM audit_event WHERE id = {AT}",),
    "a link deleted": (f"DELETE FROM audit_link WHERE tenant_id = %(tenant)s AND seq = {BAD}",),
    "a hash changed": (f"UPDATE audit_link SET hash = sha256(hash) WHERE id = {AT}",),
    "two swapped": (
        f"UPDATE audit_link SET seq = -seq WHERE id IN ({AT}, {LATER})",
        f"UPDATE audit_link SET seq = {2 * BAD + 600} + seq WHERE tenant_id = %(tenant)s AND seq < 0",
    ),
    "the tail cut off": (
        f"DELETE FROM audit_event e USING audit_link l WHERE l.id = e.id AND l.tenant_id = %(tenant)s "
        f"AND e.tenant_id = l.tenant_id AND l.seq >= {BAD}",
        f"DELETE FROM audit_link WHERE tenant_id = %(tenant)s AND seq >= {BAD}",
    ),
    "a suffix rewritten": (f"UPDATE audit_event SET reason = 'other' WHERE id = {AT}", REWRITE),
}
"""What a superuser does, each to be named at BAD; the last two by the checkpoint alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A service with its database, as a superuser and as the service's own login."""

    service: Service
    admin: psycopg.Connection[Any]
    app: psycopg.Connection[Any]
    run: Run


def measure(run: Run) -> dict[str, Any]:
    """Return {verify_ok, tamper_named, …}."""
    with _bench(run) as bench:
        count = QUICK if run.quick else FULL
        short, long = (_append(bench, slug, many) for slug, many in (("short", SHORT), ("long", count)))
        small, whole = (_verify(bench, slug) for slug in ("short", "long"))
        named = _tamper(bench, short.tenant)
        ratio, chained, plain = _compare(bench)
    rows = [
        ("events", SHORT, count),
        ("appended, µs each in batches", short.microseconds, long.microseconds),
        ("verified, s", small["seconds"], whole["seconds"]),
        ("peak of memory, MB", small["rss_mb"], whole["rss_mb"]),
    ]
    print_table("Chains", ("", "short", "long"), rows)
    print_table("What was done at 777", ("", "named"), list(named.items()))
    CONSOLE.print(f"one append in a transaction of its own: {chained:.0f} µs, a plain insert {plain:.0f} µs")
    return {
        "verify_ok": whole["broken"] == small["broken"] == 0 and whole["events"] == count,
        "tamper_named": round(sum(place == BAD for place in named.values()) / len(named), 3),
        "append_ratio": round(ratio, 2),
        "append_us": round(chained),
        "verify_s": round(whole["seconds"], 1),
        "verify_rss_mb": round(whole["rss_mb"]),
        "verify_rss_short_mb": round(small["rss_mb"]),
        "events": count,
        "quick": run.quick,
    }


@contextmanager
def _bench(run: Run) -> Iterator[Bench]:
    with own_service() as service:
        addresses = service.database_addresses()
        with (
            psycopg.connect(addresses["admin"], dbname="candor", autocommit=True) as admin,
            psycopg.connect(addresses["app"], autocommit=True) as app,
        ):
            yield Bench(service=service, admin=admin, app=app, run=run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """A tenant with a chain, and what an event of it took."""

    tenant: UUID
    microseconds: float


def _append(bench: Bench, slug: str, count: int) -> Appended:
    tenant = make_owner(bench.admin, slug).tenant
    CONSOLE.print(f"appending {count} events …")
    began = time.monotonic()
    for start in range(0, count, BATCH):
        events = [_event(number) for number in range(start, min(start + BATCH, count))]
        with bench.app.transaction():
            bench.app.execute(BIND, [str(tenant)])
            bench.app.execute("SELECT candor_append_audit(%s::jsonb)", [json.dumps(events)])
    seconds = time.monotonic() - began
    bench.admin.execute("VACUUM ANALYZE audit_event, audit_link")
    return Appended(tenant=tenant, microseconds=seconds / count * 1e6)


def _event(number: int) -> dict[str, Any]:
    return {
        "id": str(uuid4()),
        "at": f"2026-03-02T09:30:{number % 60:02}.{number % 1_000_000:06}+00:00",
        "action": "memory.create",
        "object_type": "memory",
        "object_id": str(uuid4()),
        "reason": "new",
        "detail": {"decision": "create", "kind": "finding", "provenance": "measured", "n": number},
        "classification": number % 4,
    }


def _verify(bench: Bench, slug: str) -> dict[str, Any]:
    told = bench.service.manage("shell", "--no-imports", "-v", "0", "-c", VERIFY.format(slug=slug))
    facts: dict[str, Any] = json.loads(told.strip().split("\n")[-1])
    return facts


def _tamper(bench: Bench, tenant: UUID) -> dict[str, int | str]:
    """Tamper in each way and put it right again; return by way at which number it was named."""
    bench.service.manage("audit", "checkpoint", "--tenant", "short")
    found: dict[str, int | str] = {}
    admin = bench.admin
    admin.execute("SET session_replication_role = replica")
    for table in ("audit_event", "audit_link"):
        admin.execute(f"CREATE TABLE kept_{table} AS SELECT * FROM {table} WHERE tenant_id = %s", [tenant])
    for name, statements in TAMPERINGS.items():
        for statement in statements:
            if statement is REWRITE:
                admin.execute(statement.format(tenant=tenant))
            else:
                admin.execute(statement, {"tenant": tenant})
        first = _verify(bench, "short")["first"]
        found[name] = first[0][0] if first else "no"
        for table in ("audit_event", "audit_link"):
            admin.execute(f"DELETE FROM {table} WHERE tenant_id = %s", [tenant])
            admin.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")
    admin.execute("SET session_replication_role = origin")
    return found


def _compare(bench: Bench) -> tuple[float, float, float]:
    """Return the ratio of an append to a plain insert, and the medians of both in microseconds."""
    tenant = make_owner(bench.admin, "pairs").tenant
    for statement in TWIN:
        bench.admin.execute(statement)
    bench.app.execute("SET synchronous_commit = off")  # the disk's time is the same for both
    pairs = PAIRS_QUICK if bench.run.quick else PAIRS_FULL
    chained, plain = [], []
    for number in range(pairs):
        event = _event(number)
        chained.append(_once(bench.app, tenant, "SELECT candor_append_audit(%(events)s::jsonb)",
                             {"events": json.dumps([event])}))  # fmt: skip
        given = {**event, "tenant": tenant, "detail": json.dumps(event["detail"])}
        plain.append(_once(bench.app, tenant, PLAIN, given))
    return median(chained) / median(plain), median(chained) * 1e6, median(plain) * 1e6


def _once(app: psycopg.Connection[Any], tenant: UUID, statement: str, given: Mapping[str, Any]) -> float:
    """Return the seconds of a transaction that binds, runs the statement and commits."""
    began = time.perf_counter()
    with app.transaction():
        app.execute(BIND, [str(tenant)])
        app.execute(statement, given)
    return time.perf_counter() - began
