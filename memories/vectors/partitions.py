"""
Make and drop the shelves of big tenants, and the indexes of their vectors: the owner's work.

The service's login creates nothing, so this is asked of the owner's by `manage.py shelve`. A shelf is a leaf
of `embedding` that holds one tenant's vectors of one space, walled off like every table by the one maker of
policies; its comment says whose it is, so that a command which was killed finds what it had made.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from memories.vectors.vector_spaces import Home
from tenants.rls import EVERY, clearance_policy, isolate_table
from tenants.roles import OWNER_ALIAS

LINKS: Final = 48
BREADTH: Final = 512
"""
m and ef_construction of the index. A vector has twice as many links as m, and in a group of vectors that lie
close together all of them may stay within it: then the whole group is lost, however widely is searched. With
pgvector's defaults, 16 and 64, 13 % of the ten nearest were found of 100 000 vectors in 2 500 groups of 40;
in 2 000 groups of 50, searched 500 wide, 93.2 % with m = 32, all with 48 and with 64, which takes half as
long again to build. With 256 in place of 128 the index takes twice as long to build, once, and a search 150
wide finds what one of 250 found; with 512 a fifth longer again, and one 130 wide what one of 160 found.
"""

LOCK_TIMEOUT: Final = "2s"
"""How long attaching a leaf may wait for running statements, and others behind it; then it is tried again."""

_LEAF: Final = "embedding_shelf_{}"


def find_leaf(tenant_id: UUID, space: str) -> int | None:
    """Return the number of the shelf that was made for this tenant's vectors of this space, or None."""
    with _owner() as cursor:
        cursor.execute(
            "SELECT substring(c.relname FROM 'embedding_shelf_([0-9]+)$')::integer FROM pg_class c "
            "WHERE c.relnamespace = 'public'::regnamespace AND obj_description(c.oid, 'pg_class') = %s",
            [_label(tenant_id, space)],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else None


def make_leaf(tenant_id: UUID, space: str) -> int:
    """
    Return the tenant's shelf for this space, made if there is none: the leaf, its walls, its label at once.

    Attached and not created in place, which would keep everybody from reading for as long as it waits.
    """
    if (number := find_leaf(tenant_id, space)) is not None:
        return number
    with transaction.atomic(using=OWNER_ALIAS), _owner() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
        cursor.execute("SELECT nextval('embedding_shelf')")
        number = int(cursor.fetchone()[0])
        leaf = _LEAF.format(number)
        names = {"leaf": sql.Identifier(leaf), "number": sql.Literal(number)}
        for statement in (
            "CREATE TABLE {leaf} (LIKE embedding INCLUDING ALL) WITH "
            "(autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0)",
            "ALTER TABLE embedding ATTACH PARTITION {leaf} FOR VALUES IN ({number})",
        ):
            cursor.execute(sql.SQL(statement).format(**names))
        for wall in (*isolate_table(leaf, verbs=EVERY), clearance_policy(leaf)):
            cursor.execute(wall)
        cursor.execute(
            "SELECT candor_hide_statistics()"
        )  # a leaf takes no setting of a column from its table
        label = sql.Literal(_label(tenant_id, space))
        cursor.execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(sql.Identifier(leaf), label))
    return number


def has_index(home: Home) -> bool:
    """Tell whether the shelf's vectors have an index that is whole."""
    return _index_state(home) is True


def build_index(home: Home) -> None:
    """Build the index of a shelf while others read and write; one that was left half built goes first."""
    name = sql.Identifier(_index(home))
    state = _index_state(home)
    with _patient_owner() as cursor:
        if state is False:
            cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY {}").format(name))
        if state is not True:
            cursor.execute("SET maintenance_work_mem = '512MB'")  # 100 000 vectors need 150
            statement = (
                "CREATE INDEX CONCURRENTLY {name} ON {leaf} USING hnsw "
                "((vector::halfvec({dimensions})) halfvec_ip_ops) WITH (m = {m}, ef_construction = {breadth})"
            )
            cursor.execute(
                sql.SQL(statement).format(
                    name=name,
                    leaf=sql.Identifier(_LEAF.format(home.shelf)),
                    dimensions=sql.Literal(home.dimensions),
                    m=sql.Literal(LINKS),
                    breadth=sql.Literal(BREADTH),
                )
            )
            cursor.execute("RESET maintenance_work_mem")
            cursor.execute("SELECT candor_hide_statistics()")  # the index is of an expression: the vectors


def tidy_leaf(number: int) -> None:
    """Vacuum and analyse a shelf, so that its vectors are read from the index alone."""
    with _owner() as cursor:
        cursor.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(_LEAF.format(number))))


def drop_leaf(number: int) -> None:
    """Drop an empty shelf while others go on reading. Raises ValueError when it holds something."""
    leaf = sql.Identifier(_LEAF.format(number))
    with _owner() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [_LEAF.format(number)])
        if cursor.fetchone() == (None,):
            return
        cursor.execute(sql.SQL("VACUUM {}").format(leaf))
        cursor.execute("SELECT pg_relation_size(%s::regclass)", [_LEAF.format(number)])
        if cursor.fetchone() != (0,):  # the owner reads no rows, but sees that none is left
            raise ValueError(f"Shelf {number} still holds rows: nothing was dropped.")
    with _patient_owner() as cursor:
        cursor.execute(sql.SQL("ALTER TABLE embedding DETACH PARTITION {} CONCURRENTLY").format(leaf))
    with _owner() as cursor:
        cursor.execute(sql.SQL("DROP TABLE {}").format(leaf))


def _index_state(home: Home) -> bool | None:
    """Return whether the index is whole, None when there is none."""
    with _owner() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [_index(home)])
        row = cursor.fetchone()
    return bool(row[0]) if row else None


def _index(home: Home) -> str:
    return f"{_LEAF.format(home.shelf)}_nearest"


def _label(tenant_id: UUID, space: str) -> str:
    return f"{tenant_id} {space}"


@contextmanager
def _owner() -> Iterator[CursorWrapper]:
    with connections[OWNER_ALIAS].cursor() as cursor:
        yield cursor


@contextmanager
def _patient_owner() -> Iterator[CursorWrapper]:
    """Give a cursor for what is done CONCURRENTLY: it waits for all transactions and holds up none."""
    with _owner() as cursor:
        cursor.execute("SET lock_timeout = 0")
        try:
            yield cursor
        finally:
            cursor.execute("RESET lock_timeout")
