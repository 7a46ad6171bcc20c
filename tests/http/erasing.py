"""Look for a word in everything there is: every table by the catalogue, past every wall."""

from typing import Any

from tenants.scope import Viewer
from tests.isolation.catalogue import tenant_tables
from tests.isolation.witness import backup

_TABLES = """
SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
ORDER BY 1, 2
"""


def scan(word: str) -> dict[str, int]:
    """Return table → rows in which the word stands, in any case and any column, leaves of partitions too."""
    with backup() as witness, witness.cursor() as cursor:
        cursor.execute(_TABLES)
        tables = cursor.fetchall()
        found = {name: _count(cursor, f'"{schema}"."{name}"', word) for schema, name in tables}
    return {name: count for name, count in found.items() if count}


def _count(cursor: Any, table: str, word: str) -> int:
    """Count rows with the word as text, and with its bytes: a bytea column is printed in hexadecimal."""
    texts = [f"%{word}%", f"%{word.encode().hex()}%", f"%{word.lower().encode().hex()}%"]
    cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text ILIKE ANY (%(texts)s)", {"texts": texts})
    return int(cursor.fetchone()[0])


def rows_of(tenant: Viewer) -> dict[str, list[str]]:
    """Return every row of a tenant as text, by table."""
    found: dict[str, list[str]] = {}
    with backup() as witness, witness.cursor() as cursor:
        for table in tenant_tables(cursor):
            cursor.execute(
                f'SELECT t::text FROM "{table.name}" t WHERE t.{table.tenant} = %(tenant)s ORDER BY 1',
                {"tenant": tenant.tenant_id},
            )
            found[table.name] = [row[0] for row in cursor.fetchall()]
    return found
