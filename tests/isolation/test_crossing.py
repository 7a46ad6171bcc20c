"""One tenant tries every verb on another's rows, in every table the catalogue knows (SPEC T-01, T-02)."""

from collections.abc import Iterator

import pytest

from tests.factories import FACTORIES
from tests.isolation.attempts import holes
from tests.isolation.doors import ServiceDoor
from tests.isolation.witness import backup, digest
from tests.isolation.world import World

pytestmark = pytest.mark.spec("T-01", "T-02")


@pytest.fixture
def bos_bytes(world: World) -> Iterator[dict[str, str]]:
    """What bo has, before the test; after it, bo must have the very same."""
    with backup() as witness:
        before = digest(witness, world.tables, world.bo.tenant_id)
        yield before
        assert digest(witness, world.tables, world.bo.tenant_id) == before


def test_every_table_of_tenants_has_a_factory(world: World) -> None:
    rooted = {table.parent or table.name for table in world.tables} - {"tenant"}
    assert rooted == FACTORIES.keys()


def test_nothing_gets_across_and_all_of_ones_own_is_at_hand(world: World, bos_bytes: dict[str, str]) -> None:
    assert all(not text.startswith("0 rows") for text in bos_bytes.values())
    door = ServiceDoor()
    assert [hole for target in world.targets for hole in holes(door, target)] == []


def test_the_leaves_of_partitions_are_tried_as_well(world: World) -> None:
    leaves = {table.name: table.parent for table in world.tables if table.parent}
    assert leaves == {"embedding_shelf_0": "embedding"}
