"""Two tenants, ada and bo, each with at least one row in every table there is."""

from dataclasses import dataclass, replace
from typing import Any

import psycopg

from tenants.scope import Viewer
from tests.factories import FACTORIES, make_tenant
from tests.isolation.attempts import VERA, Target
from tests.isolation.catalogue import Table, tenant_tables
from tests.isolation.witness import backup, one_row


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The two tenants, and one row of each in each table; ada is the one who tries."""

    ada: Viewer
    bo: Viewer
    targets: list[Target]

    @property
    def tables(self) -> list[Table]:
        """Every table that holds rows of tenants."""
        return [target.table for target in self.targets]

    def target(self, name: str) -> Target:
        """Return the table of this name with its rows."""
        return next(target for target in self.targets if target.table.name == name)


def make_world() -> World:
    """Fill two tenants through the factories and read one row of each back, as the backup role."""
    ada, bo = make_tenant("ada"), make_tenant("bo")
    for viewer in (ada, bo):
        for make in FACTORIES.values():
            make(tenant=viewer)
    with backup() as witness, witness.cursor() as cursor:
        targets = [_target(witness, table, ada, bo) for table in tenant_tables(cursor)]
    return World(ada=ada, bo=bo, targets=targets)


def _target(witness: psycopg.Connection[Any], table: Table, ada: Viewer, bo: Viewer) -> Target:
    mine, theirs = (one_row(witness, table, viewer.tenant_id) for viewer in (ada, bo))
    if mine is None or theirs is None:
        raise AssertionError(f"«{table.name}» has no rows to try on: give it a factory in tests/factories.py")
    with witness.cursor() as cursor:
        where = f"t.{table.tenant} = %(them)s ORDER BY {', '.join(table.key)} LIMIT 1"
        with cursor.copy(
            f'COPY (SELECT * FROM "{table.name}" t WHERE {where}) TO STDOUT', {"them": bo.tenant_id}
        ) as copy:
            line = b"".join(bytes(block) for block in copy)
    personal = _personal(witness, table, ada)
    return Target(table=table, viewer=ada, mine=mine, theirs=theirs, their_line=line, personal=personal)


def _personal(witness: psycopg.Connection[Any], table: Table, ada: Viewer) -> dict[str, Any] | None:
    """Make a row of an end user's own in a table that tells whose its rows are, and read it back."""
    if not table.has_person:
        return None
    FACTORIES[table.name](tenant=replace(ada, every_person=True), person=VERA)
    with witness.cursor() as cursor:
        cursor.execute(
            f'SELECT to_jsonb(t) FROM "{table.name}" t WHERE tenant_id = %s AND person = %s LIMIT 1',
            [ada.tenant_id, VERA],
        )
        found = cursor.fetchone()
    assert found is not None
    return dict(found[0])
