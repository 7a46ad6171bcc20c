"""
What a tenant owns, by PostgreSQL's catalogue: a table that is added tomorrow is in it.

# Note [What belongs to the place and not to the tenant]
A number is left out when it says where in one database something lies: the tenant's lock number and the shelf
of its vectors. Of vectors, only those that recall reads are taken: another space is filled anew by
`switch_space`. People and permissions have numbers of the database's own; a file names them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg import sql

Connection = psycopg.Connection[Any]

AT_ONCE: Final = 500
"""Rows that are fetched or written in one statement."""

_PLACES: Final = {("tenant", "lock_number"): None, ("embedding", "shelf"): 0, ("vector_home", "shelf"): 0}
"""What is left out, and what it becomes; None: what the database gives. See Note."""

_NAMED: Final = {
    "auth_user": sql.SQL("(SELECT u.username FROM auth_user u WHERE u.id = t.{})"),
    "auth_permission": sql.SQL(
        "(SELECT c.app_label || '.' || c.model || '.' || p.codename FROM auth_permission p"
        " JOIN django_content_type c ON c.id = p.content_type_id WHERE p.id = t.{})"
    ),
}
"""Tables of the database's own → the name by which a file knows a row of it."""

_ONLY: Final = {
    "vector_home": sql.SQL(" AND t.state = 'active'"),
    "embedding": sql.SQL(
        " AND NOT EXISTS (SELECT FROM vector_home h WHERE h.tenant_id = t.tenant_id"
        " AND h.state = 'active' AND (h.space, h.shelf) <> (t.space, t.shelf))"
    ),
}

_TABLES: Final = """
SELECT c.relname,
       array_agg(a.attname::text ORDER BY a.attnum),
       array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum),
       (SELECT array_agg(k.attname::text ORDER BY x.place)
        FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY x (number, place)
        JOIN pg_attribute k ON k.attnum = x.number
        WHERE i.indrelid = c.oid AND i.indisprimary AND k.attrelid = c.oid AND x.place <= i.indnkeyatts),
       (SELECT coalesce(array_agg(ARRAY[k.attname::text, f.confrelid::regclass::text]), '{}')
        FROM pg_constraint f JOIN pg_attribute k ON k.attrelid = f.conrelid AND k.attnum = f.conkey[1]
        WHERE f.conrelid = c.oid AND f.contype = 'f'
          AND f.confrelid::regclass::text IN ('auth_user', 'auth_permission'))
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND (c.relname = 'tenant' OR EXISTS (
       SELECT FROM pg_attribute o
       WHERE o.attrelid = c.oid AND o.attname = 'tenant_id' AND NOT o.attisdropped))
GROUP BY c.oid, c.relname
ORDER BY c.relname <> 'tenant', c.relname COLLATE "C"
"""

_REFERENCES: Final = """
SELECT f.conname, f.conrelid::regclass::text, f.confrelid::regclass::text,
       (SELECT array_agg(a.attname::text ORDER BY x.place)
        FROM unnest(f.conkey) WITH ORDINALITY x (number, place)
        JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = x.number),
       (SELECT array_agg(a.attname::text ORDER BY x.place)
        FROM unnest(f.confkey) WITH ORDINALITY x (number, place)
        JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = x.number)
FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid
WHERE f.contype = 'f' AND f.connamespace = 'public'::regnamespace AND NOT c.relispartition
  AND f.confrelid NOT IN ('auth_user'::regclass, 'auth_permission'::regclass)
ORDER BY f.conname
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantTable:
    """A table with rows of tenants."""

    name: str
    columns: tuple[str, ...]  #: those that travel
    types: tuple[str, ...]  #: theirs
    key: tuple[str, ...]  #: columns of the primary key, which rows are ordered by
    named: dict[str, str]  #: columns that refer to a table of the database's own → that table

    @property
    def whose(self) -> str:
        """The column that names the tenant."""
        return "id" if self.name == "tenant" else "tenant_id"

    @property
    def placed(self) -> dict[str, int]:
        """Columns that are left out, and what they become; see Note."""
        return {
            column: value
            for (table, column), value in _PLACES.items()
            if table == self.name and value is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A foreign key between rows of a tenant."""

    name: str
    table: str
    to: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]


def read_tables(connection: Connection) -> list[TenantTable]:
    """Return the tables with rows of tenants, `tenant` first."""
    found = []
    for name, columns, types, key, named in connection.execute(_TABLES).fetchall():
        kept = [
            (column, kind)
            for column, kind in zip(columns, types, strict=True)
            if (name, column) not in _PLACES
        ]
        found.append(
            TenantTable(
                name=name, columns=tuple(column for column, _ in kept), types=tuple(kind for _, kind in kept),
                key=tuple(column for column in key if (name, column) not in _PLACES), named=dict(named),
            )
        )  # fmt: skip
    return found


def read_references(connection: Connection, tables: Sequence[TenantTable]) -> list[Reference]:
    """Return the foreign keys of these tables."""
    names = {table.name for table in tables}
    return [
        Reference(name=name, table=table, to=to, columns=tuple(columns), keys=tuple(keys))
        for name, table, to, columns, keys in connection.execute(_REFERENCES).fetchall()
        if table in names
    ]


def schema_digest(tables: Sequence[TenantTable]) -> str:
    """Return what tells one set of tables and columns from another. Pure."""
    told = "\n".join(
        " ".join((table.name, column, kind))
        for table in tables
        for column, kind in sorted(zip(table.columns, table.types, strict=True))
    )
    return sha256(told.encode()).hexdigest()


def read_rows(connection: Connection, table: TenantTable, tenant: UUID) -> Iterator[str]:
    """Yield a table's rows of the tenant as JSON, by primary key. To be read in a transaction."""
    with connection.cursor(name="transfer") as cursor:
        cursor.itersize = AT_ONCE if "bytea" not in table.types else AT_ONCE // 50  # a file may wait in one
        cursor.execute(_select(table), [tenant])
        for (row,) in cursor:
            yield row


def plain_values(connection: Connection) -> None:
    """Let this transaction write every value in one way, for as long as that takes."""
    for setting, value in (
        ("timezone", "UTC"), ("bytea_output", "hex"), ("intervalstyle", "iso_8601"), ("datestyle", "ISO"),
        ("extra_float_digits", "1"), ("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0"),
    ):  # fmt: skip
        connection.execute("SELECT set_config(%s, %s, true)", [setting, value])


def _select(table: TenantTable) -> sql.Composed:
    """Return the statement that reads a table's rows. Text is ordered by its bytes: locales differ."""
    types = dict(zip(table.columns, table.types, strict=True))
    order = [
        sql.SQL('t.{} COLLATE "C"' if types[column] == "text" else "t.{}").format(sql.Identifier(column))
        for column in table.key
    ]
    return sql.SQL(
        "SELECT row_to_json(x)::text FROM"
        " (SELECT {columns} FROM {table} t WHERE t.{whose} = %s{only} ORDER BY {order}) x"
    ).format(
        columns=sql.SQL(", ").join(_read_as(table, column) for column in table.columns),
        table=sql.Identifier(table.name), whose=sql.Identifier(table.whose),
        only=_ONLY.get(table.name, sql.SQL("")), order=sql.SQL(", ").join(order),
    )  # fmt: skip


def _read_as(table: TenantTable, column: str) -> sql.Composable:
    name = sql.Identifier(column)
    if column not in table.named:
        return sql.SQL("t.{}").format(name)
    return sql.SQL("{} AS {}").format(_NAMED[table.named[column]].format(name), name)
