"""A row cannot point at another tenant's, and nobody finds out by trying that it is there (SPEC T-03)."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tenants.rls.audit import READ_ONLY
from tests.isolation.attempts import Target, inserting, parameters
from tests.isolation.catalogue import Reference, freshened, references
from tests.isolation.doors import Outcome, ServiceDoor, Statement
from tests.isolation.witness import backup
from tests.isolation.world import World

pytestmark = pytest.mark.spec("T-03")

FOREIGN_KEY = "23503"


def pointing(world: World, one: Reference, pointed_at: Any) -> Outcome:
    """Insert a copy of ada's row that points there, with this one reference checked at once; undo it."""
    target, column = world.target(one.table), one.columns[1]
    row = {**freshened(target.table, target.mine), "tenant_id": target.mine["tenant_id"], column: pointed_at}
    return ServiceDoor().attempt(
        world.ada,
        Statement(sql=f'SET CONSTRAINTS "{one.name}" IMMEDIATE'),
        Statement(
            sql=inserting(target.table, "row"),
            params={"row": json.dumps(row)},
        ),
        undo=True,
    )


def key_of(target: Target, one: Reference, whose: str) -> str:
    """Return the id in the referred table that belongs to ada (mine) or bo (theirs)."""
    return str(getattr(target, whose)[one.target_columns[1]])


def all_references() -> list[Reference]:
    """Return the references between tenants' rows that the service may write, from the catalogue."""
    with backup() as witness, witness.cursor() as cursor:
        return [one for one in references(cursor) if one.table not in READ_ONLY]


def test_a_reference_to_ones_own_row_is_taken(world: World) -> None:
    outcomes = {
        one.name: pointing(world, one, key_of(world.target(one.target), one, "mine"))
        for one in all_references()
    }
    assert outcomes == dict.fromkeys(outcomes, Outcome(rows=1))


def test_a_reference_to_another_tenants_row_is_refused_like_one_to_nothing(world: World) -> None:
    found = {}
    for one in all_references():
        theirs, nothing = key_of(world.target(one.target), one, "theirs"), str(uuid4())
        across, astray = pointing(world, one, theirs), pointing(world, one, nothing)
        assert (across.sqlstate, across.constraint) == (FOREIGN_KEY, one.name)
        found[one.name] = (across == astray, across.message.replace(theirs, nothing) == astray.message)
    assert found == dict.fromkeys(found, (True, True))
    assert len(found) > 20


def test_an_id_that_another_tenant_uses_is_as_free_as_any(world: World) -> None:
    for target in world.targets:
        table = target.table
        if "id" not in table.columns or table.name == "tenant" or "INSERT" not in table.verbs:
            continue
        values = parameters(target)
        row = {**json.loads(values["my_new"]), "id": target.theirs["id"]}
        outcome = ServiceDoor().attempt(
            world.ada,
            Statement(
                sql=inserting(target.table, "row"),
                params={"row": json.dumps(row)},
            ),
            undo=True,
        )
        assert (target.table.name, outcome) == (target.table.name, Outcome(rows=1))
