"""
What one tenant can try on another's rows, and a narrow key on rows above it: generated for any table.

Each attempt must come to nothing: no row, or one of the refusals it names. What a tenant may do to its own
rows is tried as well, for a wall that lets nobody through would pass all the rest.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tenants.scope import Viewer
from tests.isolation.catalogue import Table, freshened
from tests.isolation.doors import COPY_UNSUPPORTED, REFUSED, Door, Outcome, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A table with one row of the one who tries and one of somebody else."""

    table: Table
    viewer: Viewer
    mine: dict[str, Any]
    theirs: dict[str, Any]
    their_line: bytes  #: their row as COPY writes it
    personal: dict[str, Any] | None = None  #: a row of the one who tries that is the end user VERA's own


VERA, WILLY = "vera", "willy"
"""Two end users of the one who tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Statements that must come to nothing: no row, or a refusal; `is_command`: a refusal alone will do."""

    name: str
    statements: tuple[Statement, ...]
    refusals: frozenset[str] = frozenset({REFUSED})
    is_command: bool = False  #: it answers no rows, so that success looks like nothing

    def comes_to_nothing(self, outcome: Outcome) -> bool:
        """Return whether the wall held."""
        return outcome.sqlstate in self.refusals or (outcome.is_nothing and not self.is_command)


def row_of(table: Table, which: str) -> str:
    """Return SQL for the row in the parameter `which`, with the table's own types."""
    return f'jsonb_populate_record(NULL::"{table.name}", %({which})s::jsonb)'


def inserting(table: Table, which: str) -> str:
    """Return SQL that inserts the row in the parameter `which`, but for what PostgreSQL makes itself."""
    columns = ", ".join(f'"{column}"' for column in table.columns)
    return f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {row_of(table, which)}'


def is_row(table: Table, which: str) -> str:
    """Return SQL that finds the row in the parameter `which` by its key."""
    return " AND ".join(f't."{column}" = ({row_of(table, which)})."{column}"' for column in table.key)


def parameters(target: Target) -> dict[str, Any]:
    """Return what the statements refer to."""
    table, mine, theirs = target.table, target.mine, target.theirs
    return {
        "me": mine[table.tenant],
        "them": theirs[table.tenant],
        "mine": json.dumps(mine),
        "theirs": json.dumps(theirs),
        "their_new": json.dumps({**freshened(table, theirs), table.tenant: theirs[table.tenant]}),
        "my_new": json.dumps({**freshened(table, mine), table.tenant: mine[table.tenant]}),
    }


def reading(table: Table) -> Iterator[tuple[str, str]]:
    """Yield ways to read somebody else's rows."""
    name, tenant, theirs = table.name, table.tenant, is_row(table, "theirs")
    yield "SELECT", f'SELECT * FROM "{name}" t WHERE {theirs}'
    yield "SELECT by tenant", f'SELECT 1 FROM "{name}" WHERE {tenant} = %(them)s'
    yield "SELECT of all others", f'SELECT 1 FROM ONLY "{name}" WHERE {tenant} <> %(me)s'
    yield "count", f'SELECT count(*) FROM "{name}" WHERE {tenant} = %(them)s HAVING count(*) > 0'
    yield (
        "error as an oracle",
        (f'SELECT 1 FROM "{name}" t WHERE 1 / (CASE WHEN {theirs} THEN 0 ELSE 1 END) > 1'),
    )
    yield "FOR UPDATE", f'SELECT 1 FROM "{name}" t WHERE {theirs} FOR UPDATE'
    yield "FOR KEY SHARE", f'SELECT 1 FROM "{name}" t WHERE {theirs} FOR KEY SHARE'
    yield "TABLESAMPLE", f'SELECT 1 FROM "{name}" TABLESAMPLE BERNOULLI (100) WHERE {tenant} = %(them)s'
    yield "COPY TO", f'COPY (SELECT * FROM "{name}" t WHERE {theirs}) TO STDOUT'
    yield "statistics", f"SELECT 1 FROM pg_stats WHERE tablename = '{name}'"


def writing(table: Table) -> Iterator[tuple[str, str]]:
    """Yield ways to write as somebody else, or into somebody else's rows."""
    name, tenant, key = table.name, table.tenant, ", ".join(table.key)
    theirs, columns = is_row(table, "theirs"), ", ".join(f'"{column}"' for column in table.columns)
    insert, again = inserting(table, "their_new"), inserting(table, "theirs")
    yield "INSERT", insert
    yield "INSERT RETURNING", f"{insert} RETURNING 1"
    yield "INSERT of their row", again
    yield "ON CONFLICT DO NOTHING", f"{again} ON CONFLICT DO NOTHING"
    yield "ON CONFLICT DO UPDATE", f"{again} ON CONFLICT ({key}) DO UPDATE SET {tenant} = EXCLUDED.{tenant}"
    yield "UPDATE", f'UPDATE "{name}" t SET {tenant} = {tenant} WHERE {theirs}'
    yield "UPDATE RETURNING", f'UPDATE "{name}" t SET {tenant} = {tenant} WHERE {theirs} RETURNING *'
    yield "UPDATE that takes it", f'UPDATE "{name}" t SET {tenant} = %(me)s WHERE {theirs}'
    yield "UPDATE that gives it", f'UPDATE "{name}" t SET {tenant} = %(them)s WHERE {is_row(table, "mine")}'
    yield "DELETE", f'DELETE FROM "{name}" t WHERE {theirs}'
    yield "DELETE RETURNING", f'DELETE FROM "{name}" t WHERE {theirs} RETURNING *'
    merge = f'MERGE INTO "{name}" t USING (SELECT 1) s ON {theirs} WHEN MATCHED THEN'
    yield "MERGE UPDATE", f"{merge} UPDATE SET {tenant} = t.{tenant}"
    yield "MERGE DELETE", f"{merge} DELETE"
    yield (
        "MERGE INSERT",
        (
            f'MERGE INTO "{name}" t USING (SELECT ({row_of(table, "their_new")}).*) s ON false '
            f"WHEN NOT MATCHED THEN INSERT ({columns}) VALUES ({columns})"
        ),
    )


def commanding(table: Table) -> Iterator[tuple[str, str]]:
    """Yield ways to take the wall down first, or everything behind it."""
    name = f'"{table.name}"'
    yield "TRUNCATE", f"TRUNCATE {name}"
    yield "DISABLE", f"ALTER TABLE {name} DISABLE ROW LEVEL SECURITY"
    yield "NO FORCE", f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY"
    yield "DROP POLICY", f"DROP POLICY candor_tenant ON {name}"
    yield "CREATE POLICY", f"CREATE POLICY open ON {name} USING (true)"
    yield "DISABLE TRIGGER", f"ALTER TABLE {name} DISABLE TRIGGER ALL"
    yield "DROP TABLE", f"DROP TABLE {name}"


def crossing(target: Target) -> Iterator[Attempt]:
    """Yield everything that one tenant can try on another's row in the table."""
    table, values = target.table, parameters(target)
    for name, sql in (*reading(table), *writing(table)):
        yield Attempt(name=name, statements=(Statement(sql=sql, params=values),))
    for name, sql in commanding(table):
        yield Attempt(name=name, statements=(Statement(sql=sql),), is_command=True)
    yield Attempt(
        name="row_security off",
        statements=(
            Statement(sql="SET LOCAL row_security = off"),
            Statement(sql=f'SELECT 1 FROM "{table.name}" WHERE {table.tenant} = %(them)s', params=values),
        ),
    )
    yield Attempt(
        name="COPY FROM",
        statements=(Statement(sql=f'COPY "{table.name}" FROM STDIN', data=target.their_line),),
        refusals=frozenset({REFUSED, COPY_UNSUPPORTED}),
    )


def climbing(target: Target) -> Iterator[tuple[Viewer, Attempt]]:
    """Yield everything that a key can try on a row of its own tenant above its clearance (SPEC S-01)."""
    table = target.table
    if not table.has_class:
        return
    rank = target.mine["classification"]
    below = replace(target.viewer, clearance=rank - 1)
    level = replace(target.viewer, clearance=rank)
    above = {**target.mine, "classification": rank + 1}
    values = parameters(target) | {
        "above": rank + 1,
        "above_new": json.dumps(
            {**freshened(table, above), "classification": rank + 1, "tenant_id": target.mine["tenant_id"]}
        ),
    }
    name, mine = f'"{table.name}"', is_row(table, "mine")
    tries: Sequence[tuple[Viewer, str, str]] = (
        (below, "read up", f"SELECT 1 FROM {name} t WHERE {mine}"),
        (below, "count up", f"SELECT count(*) FROM {name} t WHERE {mine} HAVING count(*) > 0"),
        (
            below,
            "error as an oracle, up",
            f"SELECT 1 FROM {name} t WHERE 1 / (CASE WHEN {mine} THEN 0 ELSE 1 END) > 1",
        ),
        (below, "lower it", f"UPDATE {name} t SET classification = 0 WHERE {mine}"),
        (below, "delete up", f"DELETE FROM {name} t WHERE {mine}"),
        (level, "write up", inserting(table, "above_new")),
        (level, "raise it", f"UPDATE {name} t SET classification = %(above)s WHERE {mine}"),
    )
    for viewer, label, sql in tries:
        yield viewer, Attempt(name=label, statements=(Statement(sql=sql, params=values),))


def trespassing(target: Target) -> Iterator[tuple[Viewer, Attempt]]:
    """Yield everything that can be tried on one end user's row for another, or for none (SPEC K-09)."""
    table = target.table
    if target.personal is None:
        return
    values = parameters(target) | {
        "hers": json.dumps(target.personal),
        "her_new": json.dumps({**freshened(table, target.personal), "tenant_id": target.mine["tenant_id"]}),
    }
    name, hers = f'"{table.name}"', is_row(table, "hers")
    tries = {
        "read": f"SELECT 1 FROM {name} t WHERE {hers}",
        "count": f"SELECT count(*) FROM {name} t WHERE {hers} HAVING count(*) > 0",
        "error as an oracle": f"SELECT 1 FROM {name} t WHERE 1 / (CASE WHEN {hers} THEN 0 ELSE 1 END) > 1",
        "change": f"UPDATE {name} t SET tenant_id = tenant_id WHERE {hers}",
        "make common": f"UPDATE {name} t SET person = '' WHERE {hers}",
        "delete": f"DELETE FROM {name} t WHERE {hers}",
        "write as her": inserting(table, "her_new"),
    }
    for viewer in (target.viewer.naming(WILLY), target.viewer.naming("")):
        for label, sql in tries.items():
            whom = f"{label}, for {viewer.person or 'nobody'}"
            yield viewer, Attempt(name=whom, statements=(Statement(sql=sql, params=values),))
    taking = f"UPDATE {name} t SET person = '{WILLY}' WHERE {hers}"
    for viewer in (target.viewer.naming(VERA), replace(target.viewer, every_person=True)):
        yield viewer, Attempt(name="give her row away", statements=(Statement(sql=taking, params=values),))


def own_persons(target: Target) -> Iterator[tuple[Viewer, Statement]]:
    """Yield who must be able to read one end user's row: who asks for her, and who looks from above."""
    if target.personal is not None:
        sql = f'SELECT 1 FROM "{target.table.name}" t WHERE {is_row(target.table, "hers")}'
        values = {"hers": json.dumps(target.personal)}
        for viewer in (target.viewer.naming(VERA), replace(target.viewer, every_person=True)):
            yield viewer, Statement(sql=sql, params=values)


def own_rights(target: Target) -> Iterator[tuple[str, Statement]]:
    """Yield what the tenant itself must be able to do, by the grants that the table has."""
    table, values = target.table, parameters(target)
    name, mine = f'"{table.name}"', is_row(table, "mine")
    can: dict[str, str] = {
        "SELECT": f"SELECT 1 FROM {name} t WHERE {mine}",
        "INSERT": inserting(table, "my_new"),
        "UPDATE": f"UPDATE {name} t SET {table.tenant} = {table.tenant} WHERE {mine}",
        "DELETE": f"DELETE FROM {name} t WHERE {mine}",
    }
    if table.name == "tenant":  # a tenant's row is made once, by its own id
        del can["INSERT"]
    for verb in sorted(table.verbs & can.keys()):
        yield verb, Statement(sql=can[verb], params=values)


def holes(door: Door, target: Target) -> Iterator[str]:
    """Try everything on the table and yield what got through, and what of one's own did not."""
    where = target.table.name
    tries = [*((target.viewer, attempt) for attempt in crossing(target)), *climbing(target)]
    tries += trespassing(target)
    for viewer, attempt in tries:
        outcome = door.attempt(viewer, *attempt.statements)
        if not attempt.comes_to_nothing(outcome):
            yield f"{where}: {attempt.name} → {outcome}"
    for viewer, statement in own_persons(target):
        if (outcome := door.attempt(viewer, statement, undo=True)).rows != 1:
            yield f"{where}: reading for {viewer.person or 'all'} → {outcome}"
    for verb, statement in own_rights(target):
        outcome = door.attempt(target.viewer, statement, undo=True)
        if outcome.rows != 1:
            yield f"{where}: its own {verb} → {outcome}"
