"""
Delete a tenant with all that it has, in every table by the catalogue.

# Note [Deleting past the walls]
Row security is forced on the owner too, who therefore sees no row. Each batch is one transaction in which
the owner gives itself a policy for this tenant's rows, deletes, and takes the policy back: whatever kills
it, no policy is left behind, and no batch is half done. The policy needs the table for itself for as long
as its batch takes; batches are small for that. Interrupted, the same command goes on where it stopped.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from psycopg import sql

from tenants.roles import OWNER_ALIAS
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work

BATCH: Final = 2_000
"""Rows of one transaction. Ours: a batch of the widest rows holds its table for some tenths of a second."""

LOCK_SECONDS: Final = 30
"""How long a batch waits for its table before it gives up; the command may then be run again."""

_SALT: Final = "candor.offboard"

_TABLES: Final = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r'
  AND EXISTS (SELECT FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
ORDER BY c.relname
"""

_REFERENCES: Final = """
SELECT k.conrelid::regclass::text, k.confrelid::regclass::text, array_agg(a.attname::text)
FROM pg_constraint k
JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) AND a.attname <> 'tenant_id'
WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace
GROUP BY 1, 2
"""

Progress = Callable[[str, int], None]
"""Is told which table is emptied, and how many rows went so far."""


class Entangled(RuntimeError):
    """Tables of tenants refer to each other in a circle, so none can be emptied first. Report this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What was deleted, and that nothing is left; signed with the service's secret key."""

    tenant: str
    slug: str
    started_at: str
    finished_at: str
    rows: Mapping[str, int]
    left: int
    signature: str = ""


def count_rows(tenant_id: UUID) -> dict[str, int]:
    """Return how many rows the tenant has, by table that the service reads; those without are left out."""
    counts = {}
    with _as_the_service(tenant_id) as cursor:
        for name in (*_tables(cursor), "tenant"):
            cursor.execute("SELECT has_table_privilege(%s, 'SELECT')", [f'public."{name}"'])
            if not cursor.fetchone()[0]:
                continue
            cursor.execute(_count(name), [tenant_id])
            counts[name] = int(cursor.fetchone()[0])
    return {name: count for name, count in counts.items() if count}


def _count(name: str) -> sql.Composed:
    return sql.SQL("SELECT count(*) FROM {} WHERE {} = %s").format(sql.Identifier(name), _whose(name))


def _whose(name: str) -> sql.Identifier:
    return sql.Identifier("id" if name == "tenant" else "tenant_id")


def offboard(
    tenant_id: UUID,
    *,
    slug: str,
    clock: Callable[[], datetime],
    progress: Progress = lambda _name, _done: None,
) -> Certificate:
    """
    Delete the tenant; its keys are revoked first. Return the certificate.

    To be called outside of any transaction, with the owner's login at hand. Raises Entangled.
    """
    started, rows = clock(), {}
    _close_doors(tenant_id, started)
    with connections[OWNER_ALIAS].cursor() as cursor:
        tables = _tables(cursor)
        cursor.execute(_REFERENCES)
        references = cursor.fetchall()
    for name in order_tables(tables, [(one, other) for one, other, _ in references]):
        own = [column for one, other, columns in references if one == other == name for column in columns]
        rows[name] = _empty(name, own, tenant_id, progress)
    rows["tenant"] = _empty("tenant", [], tenant_id, progress)
    done = Certificate(
        tenant=str(tenant_id), slug=slug, started_at=started.isoformat(), finished_at=clock().isoformat(),
        rows={name: count for name, count in rows.items() if count}, left=sum(count_rows(tenant_id).values()),
    )  # fmt: skip
    return replace(done, signature=_sign(asdict(done)))


def order_tables(tables: Sequence[str], references: Sequence[tuple[str, str]]) -> list[str]:
    """Return the tables so that each comes before those that it refers to. Pure. Raises Entangled."""
    left, ordered = set(tables), []
    while left:
        referred = {other for one, other in references if one != other and one in left}
        free = sorted(left - referred)
        if not free:
            raise Entangled(Entangled.__doc__)
        ordered += free
        left -= set(free)
    return ordered


def is_genuine(certificate: Mapping[str, Any]) -> bool:
    """Tell whether a certificate is as it was signed, under the secret key or one of its fallbacks."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    given = str(certificate.get("signature", ""))
    return any(constant_time_compare(given, _sign(certificate, key=str(key))) for key in keys)


def _sign(certificate: Mapping[str, Any], *, key: str | None = None) -> str:
    told = {name: value for name, value in certificate.items() if name != "signature"}
    plain = json.dumps(told, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(plain.encode()).hexdigest()
    return str(salted_hmac(_SALT, digest, secret=key or settings.SECRET_KEY, algorithm="sha256").hexdigest())


def _tables(cursor: Any) -> list[str]:
    """Return every table that has a tenant's rows, leaves of partitions for their parents."""
    cursor.execute(_TABLES)
    return [name for (name,) in cursor.fetchall()]


def _close_doors(tenant_id: UUID, now: datetime) -> None:
    """Revoke the tenant's keys, so that nothing comes in while it is emptied."""
    with _as_the_service(tenant_id) as cursor:
        cursor.execute(
            "UPDATE api_key SET revoked_at = %s WHERE tenant_id = %s AND revoked_at IS NULL", [now, tenant_id]
        )


@contextmanager
def _as_the_service(tenant_id: UUID) -> Iterator[Any]:
    """Yield a cursor of the service's login, bound to the tenant at full clearance."""
    with (
        tenant_scope(pipeline_viewer(tenant_id)),
        unit_of_work(),
        connections[DEFAULT_DB_ALIAS].cursor() as cursor,
    ):
        yield cursor


def _empty(name: str, own: Sequence[str], tenant_id: UUID, progress: Progress) -> int:
    """Delete the tenant's rows from a table, batch by batch; return how many there were."""
    done = 0
    while gone := _delete_batch(name, own, tenant_id):
        done += gone
        progress(name, done)
    return done


def _delete_batch(name: str, own: Sequence[str], tenant_id: UUID) -> int:
    """Delete some of the tenant's rows. own: columns by which they refer to each other, emptied first."""
    table, whose = sql.Identifier(name), _whose(name)
    mine = sql.SQL("{} = {}").format(whose, sql.Literal(str(tenant_id)))
    policy = sql.SQL("CREATE POLICY candor_offboard ON {} FOR ALL TO CURRENT_USER USING ({}) WITH CHECK ({})")
    with transaction.atomic(using=OWNER_ALIAS), connections[OWNER_ALIAS].cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_SECONDS}s"])
        cursor.execute(policy.format(table, mine, mine))
        for column in own:
            let_go = sql.SQL("UPDATE {0} SET {1} = NULL WHERE {2} AND {1} IS NOT NULL")
            cursor.execute(let_go.format(table, sql.Identifier(column), mine))
        cursor.execute(
            sql.SQL(
                "DELETE FROM {0} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {0} WHERE {1} LIMIT %s))"
            ).format(table, mine),
            [BATCH],
        )
        gone = int(cursor.rowcount)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(sql.SQL("DROP POLICY candor_offboard ON {}").format(table))
    return gone
