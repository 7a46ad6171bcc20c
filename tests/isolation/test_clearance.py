"""A key below a row's class neither reads nor writes it, on any path to the table (SPEC S-01)."""

from uuid import UUID

import pytest

from tenants.scope import Viewer
from tests.isolation.attempts import climbing
from tests.isolation.doors import ServiceDoor, Statement
from tests.isolation.witness import backup, digest
from tests.isolation.world import World

pytestmark = pytest.mark.spec("S-01")

WITHOUT_CLASS = {
    "access_gate": "a state, a digest and who moved it",
    "agent": "names and ceilings, no content",
    "api_key": "a hash, scopes, a ceiling",
    "audit_link": "ids, numbers and salted hashes",
    "consolidation": "ids of memories and the name of a model",
    "done_request": "keyed digests, ids and counts",
    "feedback": "a verdict and numbers",
    "membership": "a person's role",
    "project": "a name",
    "project_grant": "a person and the name of a right",
    "recall_policy": "numbers by which recalls are ranked, and an operator's note on them",
    "shadow_run": "names of policies, numbers and verdicts",
    "sleep_run": "names of steps and numbers",
    "sleep_state": "names of steps and ids",
    "sleep_step": "names and numbers",
    "tenant": "a name",
    "tenant_grant": "a person and the name of a right",
    "webhook": "an address, kinds of events, numbers",
    "vector_home": "names of embedding spaces and numbers",
}
"""Tables of tenants that carry no content, and what they carry. Content without a class is reported."""


def test_every_table_with_content_has_a_class(world: World) -> None:
    assert {table.name for table in world.tables if not table.has_class} == WITHOUT_CLASS.keys()


def test_nobody_reads_or_writes_above_their_clearance(world: World) -> None:
    door = ServiceDoor()
    with backup() as witness:
        before = digest(witness, world.tables, world.ada.tenant_id)
        climbed = [
            f"{target.table.name}: {attempt.name} → {outcome}"
            for target in world.targets
            for viewer, attempt in climbing(target)
            if not attempt.comes_to_nothing(outcome := door.attempt(viewer, *attempt.statements))
        ]
        assert climbed == []
        assert digest(witness, world.tables, world.ada.tenant_id) == before


@pytest.mark.parametrize(("clearance", "classes"), [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (3, [0, 1, 2, 3])])
def test_each_clearance_reads_its_own_class_and_those_below(
    world: World, clearance: int, classes: list[int]
) -> None:
    """Checked on the collection's sizes, whose key is the class, with a row of each class."""
    door, ada = ServiceDoor(), world.ada
    for rank in range(4):
        sql = (
            "INSERT INTO collection_stat (tenant_id, classification) VALUES (%(me)s, %(rank)s) "
            "ON CONFLICT DO NOTHING"
        )
        assert (
            door.attempt(ada, Statement(sql=sql, params={"me": ada.tenant_id, "rank": rank})).sqlstate is None
        )
    seen = [
        rank
        for rank in range(4)
        if door.attempt(
            ada.capped(clearance),
            Statement(
                sql="SELECT 1 FROM collection_stat WHERE classification = %(rank)s", params={"rank": rank}
            ),
        ).rows
    ]
    assert seen == classes


def test_the_lower_ceiling_counts() -> None:
    assert [ada_with(key).clearance for key in (None, 0, 2, 3)] == [2, 0, 2, 2]


def ada_with(ceiling: int | None) -> Viewer:
    """Return a viewer cleared for restricted rows under a further ceiling."""
    return Viewer(tenant_id=UUID(int=1), clearance=2).capped(ceiling)
