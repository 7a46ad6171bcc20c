"""
Each wall broken in turn: the catalogue's audit must say so, and the tries of bar 3 must get through.

A role's powers and a table's policies are changed in a superuser's transaction that is rolled back, one
savepoint for each, and the tries are made there in the service's role (SET LOCAL ROLE): PostgreSQL judges
row security by the current role, and a change to the login itself must not be seen by anybody else on the
server. That the disguise tries the same as the login is tested first, on whole walls.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tenants.rls import audit
from tenants.roles import APP_ROLE, faults_of_login
from tests.isolation.attempts import holes
from tests.isolation.doors import DisguisedDoor
from tests.isolation.mutations import Mutation, of_functions, of_login, of_table
from tests.isolation.witness import superuser
from tests.isolation.world import World

pytestmark = pytest.mark.spec("T-02", "S-01")


@pytest.fixture
def breaker(world: World) -> Iterator[psycopg.Connection[Any]]:
    """A superuser's transaction, rolled back afterwards."""
    with superuser() as connection:
        yield connection


def test_whole_walls_stand_for_the_disguised_as_for_the_login(
    world: World, breaker: psycopg.Connection[Any]
) -> None:
    door = DisguisedDoor(breaker)
    assert seen_by_catalogue(breaker) == []
    assert [hole for target in world.targets for hole in holes(door, target)] == []


def test_every_broken_wall_is_noticed(
    world: World, breaker: psycopg.Connection[Any], record_property: Any
) -> None:
    mutations = [*(m for table in world.tables for m in of_table(table)), *of_login(), *of_functions()]
    survivors = [name for mutation in mutations for name in survives(world, breaker, mutation)]
    record_property("mutations", len(mutations))
    told = f"{len(mutations) - len(survivors)} of {len(mutations)} broken walls noticed"
    print(told, *survivors, sep="\n")
    assert survivors == [], told
    assert seen_by_catalogue(breaker) == [], "a wall stayed broken"


def survives(world: World, breaker: psycopg.Connection[Any], mutation: Mutation) -> list[str]:
    """Break the wall, look, mend it; return by whom it went unnoticed."""
    targets = [world.target(mutation.table)] if mutation.table else world.targets
    door = DisguisedDoor(breaker)
    breaker.execute("SAVEPOINT mutation")
    breaker.execute(mutation.sql)
    unnoticed = [] if seen_by_catalogue(breaker) else [f"{mutation.name}: by the catalogue's audit"]
    if mutation.shows and not any(hole for target in targets for hole in holes(door, target)):
        unnoticed.append(f"{mutation.name}: by the tries")
    breaker.execute("ROLLBACK TO SAVEPOINT mutation")
    return unnoticed


def seen_by_catalogue(connection: psycopg.Connection[Any]) -> list[Any]:
    """Return what bars 1 and 2 report: the login's powers and the tables' walls."""
    with connection.cursor() as cursor:
        return [*faults_of_login(cursor, APP_ROLE, serves=True), *audit(cursor)]
