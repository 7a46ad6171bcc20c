"""
Where a memory comes from cannot be claimed, and what rests on it is held to it (SPEC M-08).

Everything is tried as the service's own login, with plain SQL: what the database lets through here, no code
above could have kept back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from memories.domain.kinds import PROVENANCE_WEIGHT
from memories.migrations import __path__ as migrations_path
from memories.models import Memory
from tenants.roles import APP_ROLE
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_collection_stat, make_lineage, make_link, make_memory, make_tenant
from tests.isolation.doors import REFUSED, Outcome, ServiceDoor, Statement
from tests.isolation.witness import superuser

pytestmark = pytest.mark.spec("M-08")

CIRCLE = "23514"

FIXED = (
    "id", "tenant_id", "kind", "card", "provenance", "confidence", "assigned_by", "agent_id", "project_id",
    "capture_id", "document_id", "passage", "session", "turn", "speaker", "created_at", "entity_key",
    "concept_key", "corroborated", "voice", "annotations", "mode",
    "person",
)  # fmt: skip
GENERATED = ("wish", "instruction")
"""What PostgreSQL makes of the others."""


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant; the tests here leave rows behind, which are emptied."""
    return make_tenant("ada")


def attempt(tenant: Viewer, sql: str, /, **params: Any) -> Outcome:
    """Run a statement as the service and commit it."""
    return ServiceDoor().attempt(tenant, Statement(sql=sql, params=params))


def standing(tenant: Viewer, memory_id: UUID) -> tuple[float, int, str]:
    """Return trust, class and origin as they stand."""
    with tenant_scope(tenant), unit_of_work():
        row = Memory.objects.get(id=memory_id)
    return (row.trust, row.classification, row.provenance)


def test_the_tries_are_made_as_the_service(ada: Viewer) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (APP_ROLE,)


@pytest.mark.parametrize("column", FIXED)
def test_where_a_memory_comes_from_cannot_be_updated(ada: Viewer, column: str) -> None:
    memory = make_memory(tenant=ada)

    outcome = attempt(ada, f'UPDATE memory SET "{column}" = "{column}" WHERE id = %(id)s', id=memory.id)

    assert outcome.sqlstate == REFUSED, outcome


def test_every_column_is_either_fixed_or_may_change(ada: Viewer) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname, has_column_privilege('memory', attname, 'UPDATE') FROM pg_attribute "
            "WHERE attrelid = 'memory'::regclass AND attnum > 0 AND NOT attisdropped"
        )
        found = dict(cursor.fetchall())
    assert {name for name, may_change in found.items() if not may_change} == {*FIXED, *GENERATED}


@pytest.mark.spec("M-07")
def test_trust_only_falls_by_an_update(ada: Viewer) -> None:
    memory = make_memory(tenant=ada, trust=0.8)
    update = "UPDATE memory SET trust = %(trust)s WHERE id = %(id)s"

    assert attempt(ada, update, id=memory.id, trust=0.81).sqlstate == REFUSED
    assert attempt(ada, update, id=memory.id, trust=0.4).rows == 1
    assert attempt(ada, update, id=memory.id, trust=0.8).sqlstate == REFUSED
    assert standing(ada, memory.id)[0] == 0.4


@pytest.mark.spec("S-01")
def test_a_class_only_rises_by_an_update(ada: Viewer) -> None:
    memory = make_memory(tenant=ada, classification=1)
    make_collection_stat(tenant=ada)
    update = "UPDATE memory SET classification = %(class)s WHERE id = %(id)s"

    assert attempt(ada, update, id=memory.id, **{"class": 0}).sqlstate == REFUSED
    assert attempt(ada, update, id=memory.id, **{"class": 2}).rows == 1
    assert standing(ada, memory.id)[1] == 2


@pytest.mark.parametrize("provenance", PROVENANCE_WEIGHT)
def test_a_memory_is_trusted_no_more_than_its_origin(ada: Viewer, provenance: str) -> None:
    weight = PROVENANCE_WEIGHT[provenance]
    with connection.cursor() as cursor:
        cursor.execute("SELECT candor_weight(%s)", [provenance])
        assert cursor.fetchone() == (weight,)
    make_memory(tenant=ada, provenance=provenance, trust=weight)
    if weight < 1:
        with pytest.raises(DatabaseError, match=r"memory_(trust_within_origin|inferred_is_a_guess)"):
            make_memory(tenant=ada, provenance=provenance, trust=weight + 0.01)


def test_what_is_derived_is_held_to_its_source_at_once(ada: Viewer) -> None:
    source = make_memory(tenant=ada, provenance="agent_inferred", trust=0.3, classification=2)
    derived = make_memory(tenant=ada, provenance="user_stated", trust=0.9, classification=1)
    make_collection_stat(tenant=ada)

    make_lineage(tenant=ada, child=derived, parent=source)

    assert standing(ada, derived.id) == (0.3, 2, "agent_inferred")
    better = "UPDATE memory SET trust = 0.9, classification = 0 WHERE id = %(id)s"
    assert attempt(ada, better, id=derived.id).sqlstate == REFUSED
    assert standing(ada, derived.id) == (0.3, 2, "agent_inferred")


def test_a_line_that_is_drawn_stays(ada: Viewer) -> None:
    line = make_lineage(tenant=ada)

    for sql in ("DELETE FROM lineage", "UPDATE lineage SET parent_id = child_id"):
        assert attempt(ada, f"{sql} WHERE child_id = %(id)s", id=line.child_id).sqlstate == REFUSED


def test_an_end_that_is_written_after_its_line_is_held_at_the_commit(ada: Viewer) -> None:
    child_id = uuid4()
    with tenant_scope(ada), unit_of_work():
        source = make_memory(tenant=ada, provenance="agent_inferred", trust=0.2)
        make_lineage(tenant=ada, child_id=child_id, child=None, parent=source)
        make_memory(tenant=ada, id=child_id, trust=0.9)

    assert standing(ada, child_id) == (0.2, 1, "agent_inferred")


def test_a_line_to_nothing_is_refused_however_early_it_is_asked(ada: Viewer) -> None:
    source = make_memory(tenant=ada)
    insert = (
        "INSERT INTO lineage (tenant_id, child_id, parent_id, created_at, classification) "
        "VALUES (%(tenant)s, %(child)s, %(parent)s, now(), 1)"
    )
    values = {"tenant": ada.tenant_id, "child": uuid4(), "parent": source.id}

    early = Statement(sql="SET CONSTRAINTS lineage_hold_late IMMEDIATE")
    outcome = ServiceDoor().attempt(ada, early, Statement(sql=insert, params=values))

    assert outcome.sqlstate == "23503"


@pytest.mark.spec("S-01")
def test_a_raised_class_reaches_all_that_stands_beside_what_rests_on_it(ada: Viewer) -> None:
    source, other = make_memory(tenant=ada), make_memory(tenant=ada)
    derived = make_memory(tenant=ada, terms={"frankfurt": 2, "build": 1})
    make_lineage(tenant=ada, child=derived, parent=source)
    make_link(tenant=ada, source=derived, target=other)
    make_collection_stat(tenant=ada, documents=3, total_length=23)

    attempt(ada, "UPDATE memory SET classification = 3 WHERE id = %(id)s", id=source.id)

    low = Viewer(tenant_id=ada.tenant_id, clearance=2)
    for table, column in {
        "memory": "id", "usage": "memory_id", "embedding": "memory_id", "posting": "memory_id",
        "link": "source_id", "lineage": "child_id",
    }.items():  # fmt: skip
        count = f'SELECT 1 FROM "{table}" WHERE "{column}" = %(id)s'
        assert attempt(low, count, id=derived.id).rows == 0, table
        assert attempt(ada, count, id=derived.id).rows > 0, table
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT classification, documents, total_length FROM collection_stat ORDER BY 1")
        length = len(source.content.split())
        assert cursor.fetchall() == [(1, 1, 20 - length), (3, 2, 3 + length)]


def test_a_state_that_rises_beside_a_current_truth_steps_back(ada: Viewer) -> None:
    keys = {"kind": "profile", "entity_key": "ada", "concept_key": "city", "cardinality": "single"}
    source = make_memory(tenant=ada)
    make_memory(tenant=ada, value="Bern", classification=2, **keys)
    derived = make_memory(tenant=ada, value="Basel", classification=1, **keys)
    make_lineage(tenant=ada, child=derived, parent=source)
    make_collection_stat(tenant=ada)

    assert attempt(ada, "UPDATE memory SET classification = 2 WHERE id = %(id)s", id=source.id).rows == 1

    with tenant_scope(ada), unit_of_work():
        assert Memory.objects.get(id=derived.id).standing == 1
        assert not Memory.objects.get(id=derived.id).posting_set.filter(live=True).exists()


def test_a_source_above_the_writer_is_refused(ada: Viewer) -> None:
    child, source = make_memory(tenant=ada), make_memory(tenant=ada, classification=3)
    low = Viewer(tenant_id=ada.tenant_id, clearance=1)
    insert = (
        "INSERT INTO lineage (tenant_id, child_id, parent_id, created_at, classification) "
        "VALUES (%(tenant)s, %(child)s, %(parent)s, now(), 1)"
    )

    outcome = attempt(low, insert, tenant=ada.tenant_id, child=child.id, parent=source.id)

    assert outcome.sqlstate == REFUSED
    assert standing(ada, child.id) == (0.8, 1, "user_stated")


# Graphs that nobody thought of


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something done to a graph: a line from child to parent, or a lowered trust, or a raised class."""

    what: str
    node: int
    other: int = 0
    trust: float = 0.0
    rank: int = 0


@dataclass(slots=True, kw_only=True)
class Model:
    """What must come out, by brute force: each node is the worst of itself and all above it."""

    own: list[tuple[float, int, float]]  #: trust, class, weight of the origin
    parents: list[set[int]] = field(default_factory=list)

    def above(self, node: int) -> set[int]:
        """Return the node and all that it rests on."""
        seen, open_ = {node}, [node]
        while open_:
            fresh = self.parents[open_.pop()] - seen
            seen |= fresh
            open_ += fresh
        return seen

    def held(self, node: int) -> tuple[float, int, float]:
        """Return what the node must be."""
        trusts, ranks, weights = zip(*(self.own[one] for one in self.above(node)), strict=True)
        return (min(trusts), max(ranks), min(weights))


ORIGINS = st.sampled_from(sorted(PROVENANCE_WEIGHT))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[str, float, int]], list[Deed]]:
    """Draw nodes and deeds: a chain up to 60 deep, diamonds, circles tried, late parents, late labels."""
    size = draw(st.sampled_from([3, 8, 20, 61]))
    nodes = []
    for _ in range(size):
        origin = draw(ORIGINS)
        share = draw(st.floats(0.1, 1.0))
        nodes.append((origin, round(share * PROVENANCE_WEIGHT[origin], 3), draw(st.integers(0, 2))))
    place = st.integers(0, size - 1)
    chain = [Deed(what="line", node=below, other=below - 1) for below in range(1, size)]
    deeds = chain if draw(st.booleans()) else draw(st.permutations(chain))
    for _ in range(draw(st.integers(3, 12))):
        what = draw(st.sampled_from(["line", "line", "lower", "raise"]))
        deed = Deed(
            what=what,
            node=draw(place),
            other=draw(place),
            trust=draw(st.sampled_from([0.05, 0.2, 0.35])),
            rank=3,
        )
        deeds = [*deeds, deed]
    return nodes, deeds


@pytest.fixture
def graph_base(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for all examples of one test, emptied once."""
    from tests.conftest import empty_tables

    with django_db_blocker.unblock():
        yield
        connections["default"].close()
        empty_tables()
        connections["owner"].close()


@given(graph=graphs())
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_over_any_graph_nothing_is_better_than_what_it_rests_on(
    graph_base: None, graph: tuple[list[tuple[str, float, int]], list[Deed]]
) -> None:
    nodes, deeds = graph
    tenant = make_tenant(f"g{uuid4().hex[:12]}")
    ids = insert_nodes(tenant, nodes)
    model = Model(
        own=[(trust, rank, PROVENANCE_WEIGHT[origin]) for origin, trust, rank in nodes],
        parents=[set() for _ in nodes],
    )

    for deed in deeds:
        do(tenant, ids, model, deed)

    with tenant_scope(tenant), unit_of_work():
        rows = {row.id: row for row in Memory.objects.all()}
    found = [(rows[i].trust, rows[i].classification, PROVENANCE_WEIGHT[rows[i].provenance]) for i in ids]
    assert found == [model.held(node) for node in range(len(nodes))]


def do(tenant: Viewer, ids: list[UUID], model: Model, deed: Deed) -> None:
    """Do a deed in the database, and in the model if it was let through."""
    if deed.what == "line":
        would_circle = deed.node in model.above(deed.other)
        outcome = attempt(
            tenant,
            "INSERT INTO lineage (tenant_id, child_id, parent_id, created_at, classification) "
            "VALUES (%(tenant)s, %(child)s, %(parent)s, now(), 0) ON CONFLICT DO NOTHING",
            tenant=tenant.tenant_id, child=ids[deed.node], parent=ids[deed.other],
        )  # fmt: skip
        assert outcome.sqlstate == (CIRCLE if would_circle else None), outcome
        if not would_circle:
            model.parents[deed.node].add(deed.other)
        return
    trust, rank, weight = model.held(deed.node)
    trust = min(trust, deed.trust) if deed.what == "lower" else trust
    rank = max(rank, deed.rank) if deed.what == "raise" else rank
    changed = attempt(
        tenant, "UPDATE memory SET trust = %(trust)s, classification = %(rank)s WHERE id = %(id)s",
        trust=trust, rank=rank, id=ids[deed.node],
    )  # fmt: skip
    assert changed.rows == 1, changed
    model.own[deed.node] = (trust, rank, weight)


INSERT_NODE = """
INSERT INTO memory (id, tenant_id, content, kind, card, standing, classification, shared, domain, layer,
    keywords, tags, manual_tags, entities, importance, confidence, provenance, trust, session, speaker,
    content_hash, created_at, occurred_at, occurred_resolved, effective_at, last_verified_at, updated_at,
    version, metadata)
SELECT n.id, %(tenant)s, 'A node.', 'finding', 'knowledge', 0, n.rank, false, '', 'work', '{}', '{}', '{}',
    '{}', 3, 1, n.origin, n.trust, '', '', '', now(), now(), false, now(), now(), now(), 1, '{}'
FROM unnest(%(ids)s::uuid[], %(origins)s::text[], %(trusts)s::float8[], %(ranks)s::smallint[])
     AS n (id, origin, trust, rank)
"""


def insert_nodes(tenant: Viewer, nodes: list[tuple[str, float, int]]) -> list[UUID]:
    """Write the nodes and return their ids, in order."""
    ids = [uuid4() for _ in nodes]
    origins, trusts, ranks = zip(*nodes, strict=True)
    outcome = attempt(
        tenant, INSERT_NODE, tenant=tenant.tenant_id, ids=ids, origins=list(origins), trusts=list(trusts),
        ranks=list(ranks),
    )  # fmt: skip
    assert outcome.rows == len(nodes), outcome
    return ids


def test_a_depth_limit_in_the_function_would_be_noticed(ada: Viewer) -> None:
    """The control: with the walk cut at ten levels, the end of a chain of 61 keeps its class."""
    from pathlib import Path

    text = (Path(next(iter(migrations_path))) / "sql" / "0004_hold_descendants.sql").read_text()
    whole = text.split("REVOKE ALL")[0].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    cut = whole.replace("WHILE cardinality(frontier) > 0", "FOR level IN 1..10")
    assert cut != whole

    ends = []
    with superuser() as breaker:
        for function in (whole, cut):
            breaker.execute("SAVEPOINT control")
            breaker.execute(function)
            ends.append(end_of_chain(breaker, ada.tenant_id, 61))
            breaker.execute("ROLLBACK TO SAVEPOINT control")
    assert ends == [3, 1]


def end_of_chain(breaker: Any, tenant_id: UUID, length: int) -> int:
    """Raise the head of a chain, in the service's role, and return the class of its end."""
    ids = [uuid4() for _ in range(length)]
    values = {
        "tenant": tenant_id, "ids": ids, "origins": ["user_stated"] * length, "trusts": [0.9] * length,
        "ranks": [1] * length, "children": ids[1:], "parents": ids[:-1], "head": ids[0], "end": ids[-1],
    }  # fmt: skip
    breaker.execute(f"SET LOCAL ROLE {APP_ROLE}")
    breaker.execute(
        "SELECT set_config('candor.tenant', %s, true), set_config('candor.clearance', '3', true)",
        [str(tenant_id)],
    )
    breaker.execute(INSERT_NODE, values)
    breaker.execute(
        "INSERT INTO lineage (tenant_id, child_id, parent_id, created_at, classification) "
        "SELECT %(tenant)s, l.child, l.parent, now(), 1 "
        "FROM unnest(%(children)s::uuid[], %(parents)s::uuid[]) AS l (child, parent)",
        values,
    )
    breaker.execute("UPDATE memory SET classification = 3 WHERE id = %(head)s", values)
    row = breaker.execute("SELECT classification FROM memory WHERE id = %(end)s", values).fetchone()
    breaker.execute("RESET ROLE")
    return int(row[0])
