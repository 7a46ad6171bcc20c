"""What PostgreSQL's catalogue says of the tenants' tables: nothing here is a list kept by hand."""

import random
from dataclasses import dataclass
from typing import Any
from uuid import uuid4


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table, or a partition's leaf, that holds rows of tenants."""

    name: str
    parent: str | None  #: the partitioned table it is a leaf of
    columns: tuple[str, ...]
    key: tuple[str, ...]  #: the primary key's columns
    unique: tuple[
        tuple[str, str], ...
    ]  #: of each unique index the first column after the tenant, with its type
    verbs: frozenset[str]  #: what the service is granted
    has_class: bool

    @property
    def has_person(self) -> bool:
        """Whether it tells which end user's a row is."""
        return "person" in self.columns

    @property
    def tenant(self) -> str:
        """The column that names the tenant."""
        return "id" if self.name == "tenant" else "tenant_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A foreign key between two tenants' tables."""

    name: str
    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    is_deferrable: bool


_TABLES = """
SELECT c.relname,
       (SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid),
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
               AND a.attgenerated = '' ORDER BY a.attnum),
       ARRAY(SELECT a.attname::text FROM pg_index x, generate_series(0, x.indnkeyatts - 1) n
             JOIN pg_attribute a ON a.attrelid = c.oid
             WHERE x.indrelid = c.oid AND x.indisprimary AND a.attnum = x.indkey[n] ORDER BY n),
       ARRAY(SELECT DISTINCT a.attname || ' ' || a.atttypid::regtype::text FROM pg_index x
             JOIN pg_attribute a ON a.attrelid = c.oid
             WHERE x.indrelid = c.oid AND x.indisunique
               AND a.attnum = CASE WHEN x.indnkeyatts > 1 THEN x.indkey[1] ELSE x.indkey[0] END ORDER BY 1),
       ARRAY(SELECT a.privilege_type::text FROM aclexplode(c.relacl) a
             WHERE a.grantee = 'candor_app'::regrole)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
  AND (c.relname = 'tenant' OR EXISTS (SELECT FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped))
ORDER BY c.relname
"""

_REFERENCES = """
SELECT k.conname, k.conrelid::regclass::text, k.confrelid::regclass::text, k.condeferrable,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u (n, place)
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.place),
       ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u (n, place)
             JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.place)
FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace
ORDER BY k.conname
"""

_UNIQUE = """
SELECT x.indrelid::regclass::text, x.indexrelid::regclass::text, a.attname
FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
WHERE x.indisunique AND x.indrelid::regclass::text = ANY (%(tables)s)
ORDER BY 1, 2
"""


def tenant_tables(cursor: Any) -> list[Table]:
    """Return every table of the schema that holds tenants' rows, leaves included, by name."""
    cursor.execute(_TABLES)
    return [
        Table(
            name=name,
            parent=parent,
            columns=tuple(columns),
            key=tuple(key),
            unique=tuple((text.split(" ")[0], text.split(" ", 1)[1]) for text in unique),
            verbs=frozenset(verbs),
            has_class="classification" in columns,
        )
        for name, parent, columns, key, unique, verbs in cursor.fetchall()
    ]


def references(cursor: Any) -> list[Reference]:
    """Return every foreign key whose two ends hold tenants' rows, but the plain one to the tenant itself."""
    names = {table.name for table in tenant_tables(cursor)}
    cursor.execute(_REFERENCES)
    return [
        Reference(
            name=name,
            table=table,
            columns=tuple(columns),
            target=target,
            target_columns=tuple(target_columns),
            is_deferrable=is_deferrable,
        )
        for name, table, target, is_deferrable, columns, target_columns in cursor.fetchall()
        if {table, target} <= names and target != "tenant"
    ]


GLOBALLY_UNIQUE = {
    "tenant_pkey": "the tenant's own id is what everything else begins with",
    "tenant_slug_key": "operators name a tenant by it; only operators make tenants",
    "tenant_lock_number_key": "a number from a sequence, for advisory locks",
}
"""Unique indexes of tenants' tables that do not begin with the tenant, each with its reason."""


def unique_faults(cursor: Any) -> list[str]:
    """Return the unique indexes through which one tenant could learn what another has."""
    tables = tenant_tables(cursor)
    cursor.execute(_UNIQUE, {"tables": [table.name for table in tables]})
    return [
        f"{index} on {table} begins with {first}"
        for table, index, first in cursor.fetchall()
        if first != "tenant_id" and index not in GLOBALLY_UNIQUE
    ]


def reference_faults(cursor: Any) -> list[str]:
    """Return the foreign keys that could point into another tenant, or that stop a bulk write halfway."""
    faults = []
    for one in references(cursor):
        if one.columns[0] != "tenant_id" or one.target_columns[0] != "tenant_id":
            faults.append(f"{one.name} on {one.table} does not carry the tenant")
        if not one.is_deferrable:
            faults.append(f"{one.name} on {one.table} is not deferrable")
    return faults


def freshened(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with other values wherever a unique index would refuse a copy of it."""
    makers = {
        "uuid": lambda _: str(uuid4()),
        "text": lambda _: uuid4().hex,
        "bytea": lambda _: "\\x" + uuid4().hex,
        "bigint": lambda _: random.randrange(2**30),
        "smallint": lambda value: (value + 1) % 4,
        "integer": lambda _: random.randrange(2**30),
    }
    changed = {name: makers[kind](row[name]) for name, kind in table.unique if name != table.tenant}
    return {**row, **changed}
