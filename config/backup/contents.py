"""What a database holds, in numbers that are equal after a restore: rows by tenant, and schema with walls."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql

from config.backup.manifest import Progress, Rows
from config.backup.programs import output

Connection = psycopg.Connection[tuple[Any, ...]]

_TABLES: Final = """
SELECT c.relname, EXISTS (SELECT FROM pg_attribute a
                          WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname
"""

_COUNT: Final = """
SELECT {whose}, count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text
FROM ONLY {table} t GROUP BY 1
"""
"""The sum of the rows' hashes is the same in whatever order they lie."""


def count_rows(connection: Connection, *, progress: Progress) -> dict[str, dict[str, tuple[int, str]]]:
    """
    Return table → tenant → (rows, digest), of the whole database as the connection's snapshot has it.

    The login has to read past row security. Partitions are counted one by one.
    """
    connection.execute("SET LOCAL timezone = 'UTC'")
    counted = {}
    for table, has_tenant in connection.execute(_TABLES).fetchall():
        whose = sql.SQL("t.tenant_id::text" if has_tenant else "''")
        found = connection.execute(
            sql.SQL(_COUNT).format(whose=whose, table=sql.Identifier(table))
        ).fetchall()
        counted[table] = {str(tenant): (int(rows), str(digest)) for tenant, rows, digest in found}
    total = sum(rows for by_tenant in counted.values() for rows, _ in by_tenant.values())
    progress(f"{total} rows of {len(counted)} tables counted")
    return counted


def differing_rows(then: Rows, now: Rows) -> Iterator[str]:
    """Yield a line for each table and tenant whose rows are not those of then."""
    for table in sorted(then.keys() | now.keys()):
        before, after = then.get(table, {}), now.get(table, {})
        for tenant in sorted(before.keys() | after.keys()):
            (had, one), (has, other) = before.get(tenant, (0, "")), after.get(tenant, (0, ""))
            if (had, one) != (has, other):
                other_rows = ", others" if had == has else ""
                yield f"{table}, tenant {tenant or '—'}: {had} rows then, {has} now{other_rows}"


def schema_digest(programs: Path, address: str) -> str:
    """
    Return the digest of all that is no row: tables, policies, grants, functions, triggers, indexes.

    Parentheses do not count: «(a OR b) OR c» comes back as «a OR b OR c».
    """
    told = output(programs / "pg_dump", ["--schema-only", "--no-comments"], address)
    lines = [line for line in told.split("\n") if not line.startswith(("--", "\\restrict", "\\unrestrict"))]
    return sha256("\n".join(lines).translate({ord(one): None for one in "()"}).encode()).hexdigest()


def migrations(connection: Connection) -> tuple[str, ...]:
    """Return the migrations that have run, as «app.name»; none where there is no such table."""
    if connection.execute("SELECT to_regclass('public.django_migrations')").fetchone() == (None,):
        return ()
    rows = connection.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1").fetchall()
    return tuple(str(name) for (name,) in rows)
