"""
What a memory's class reaches: all that stands beside it or was made of it (SPEC S-01).

Everything is tried as the service's own login, with plain SQL.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from memories.models import Capture, Document, Entity, EntityAlias, Memory, Mention, Triple
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_capture,
    make_collection_stat,
    make_contradiction,
    make_corroboration,
    make_document,
    make_downgrade,
    make_entity,
    make_entity_alias,
    make_lineage,
    make_link,
    make_memory,
    make_memory_version,
    make_mention,
    make_observation,
    make_recalled_memory,
    make_summary,
    make_tenant,
    make_triple,
    make_verification,
    make_watermark,
)
from tests.isolation.doors import Outcome, ServiceDoor, Statement
from tests.isolation.witness import superuser

pytestmark = pytest.mark.spec("S-01")

RAISE = "UPDATE memory SET classification = %(class)s WHERE id = %(id)s"

BESIDE: dict[str, tuple[str, Callable[[Viewer, Memory], Any]]] = {
    "contradiction": ("newer_id", lambda ada, one: make_contradiction(tenant=ada, newer=one)),
    "corroboration": ("memory_id", lambda ada, one: make_corroboration(tenant=ada, memory=one)),
    "downgrade": ("memory_id", lambda ada, one: make_downgrade(tenant=ada, memory=one)),
    "embedding": ("memory_id", lambda *_: None),
    "lineage": ("parent_id", lambda ada, one: make_lineage(tenant=ada, parent=one)),
    "link": ("target_id", lambda ada, one: make_link(tenant=ada, target=one)),
    "memory_version": ("memory_id", lambda ada, one: make_memory_version(tenant=ada, memory=one)),
    "mention": ("memory_id", lambda ada, one: make_mention(tenant=ada, memory=one)),
    "observation": ("memory_id", lambda ada, one: make_observation(tenant=ada, memory=one)),
    "posting": ("memory_id", lambda *_: None),
    "recalled_memory": ("memory_id", lambda ada, one: make_recalled_memory(tenant=ada, memory=one)),
    "summary": ("memory_id", lambda ada, one: make_summary(tenant=ada, memory=one)),
    "triple": ("memory_id", lambda ada, one: make_triple(tenant=ada, memory=one)),
    "usage": ("memory_id", lambda *_: None),
    "verification": ("memory_id", lambda ada, one: make_verification(tenant=ada, memory=one)),
    "watermark": ("memory_id", lambda ada, one: make_watermark(tenant=ada, memory=one)),
}
"""Table → the column that names a memory, and how a row beside one is made; None: with every memory."""

OF_THEIR_OWN = {"learnt_of_memory": "of the question's class; it holds kinds of questions, and numbers"}
"""Tables that name a memory and have a class that is not the memory's, with the reason."""


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant; the tests here leave rows behind, which are emptied."""
    tenant = make_tenant("ada")
    make_collection_stat(tenant=tenant, documents=9, total_length=99)
    return tenant


def attempt(tenant: Viewer, sql: str, /, **params: Any) -> Outcome:
    """Run a statement as the service and commit it."""
    return ServiceDoor().attempt(tenant, Statement(sql=sql, params=params))


def rank(tenant: Viewer, model: Any, row_id: UUID) -> int | None:
    """Return a row's class as it stands; None when it is gone."""
    with tenant_scope(tenant), unit_of_work():
        found: int | None = model.objects.filter(id=row_id).values_list("classification", flat=True).first()
        return found


def tables_naming_memories() -> set[str]:
    """Return the tables with a class that refer to memories, from the catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT r.relname FROM pg_constraint k JOIN pg_class r ON r.oid = k.conrelid "
            "JOIN pg_attribute a ON a.attrelid = r.oid AND a.attname = 'classification' "
            "WHERE k.contype = 'f' AND k.confrelid = 'memory'::regclass AND k.conparentid = 0 "
            "AND k.conrelid <> k.confrelid"
        )
        return {name for (name,) in cursor.fetchall()}


def test_every_table_that_names_a_memory_is_known_here(ada: Viewer) -> None:
    assert tables_naming_memories() == BESIDE.keys() | OF_THEIR_OWN.keys()


def test_what_stands_beside_a_memory_follows_its_class_at_once(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    for _, make in BESIDE.values():
        make(ada, memory)
    count = {
        name: f'SELECT 1 FROM "{name}" WHERE "{column}" = %(id)s' for name, (column, _) in BESIDE.items()
    }
    low = ada.capped(2)
    assert [name for name, sql in count.items() if attempt(low, sql, id=memory.id).rows == 0] == []

    assert attempt(ada, RAISE, id=memory.id, **{"class": 3}).rows == 1

    assert [name for name, sql in count.items() if attempt(low, sql, id=memory.id).rows > 0] == []
    assert [name for name, sql in count.items() if attempt(ada, sql, id=memory.id).rows == 0] == []


def test_the_captures_that_hold_its_words_follow_a_memory(ada: Viewer) -> None:
    made, again, other = make_capture(tenant=ada), make_capture(tenant=ada), make_capture(tenant=ada)
    memory = make_memory(tenant=ada, capture=made)
    told = "UPDATE capture SET memory_ids = jsonb_build_array(%(memory)s::uuid) WHERE id = %(id)s"
    attempt(ada, told, id=again.id, memory=memory.id)
    attempt(ada, told, id=other.id, memory=uuid4())

    attempt(ada, RAISE, id=memory.id, **{"class": 2})

    assert [rank(ada, Capture, one.id) for one in (made, again, other)] == [2, 2, 1]


def test_the_capture_of_what_rests_on_it_follows_too(ada: Viewer) -> None:
    capture = make_capture(tenant=ada)
    source, derived = make_memory(tenant=ada), make_memory(tenant=ada, capture=capture)
    make_lineage(tenant=ada, parent=source, child=derived)

    attempt(ada, RAISE, id=source.id, **{"class": 3})

    assert rank(ada, Memory, derived.id) == rank(ada, Capture, capture.id) == 3


def test_a_document_follows_its_passages(ada: Viewer) -> None:
    document = make_document(tenant=ada)
    memory = make_memory(tenant=ada, kind="passage", document=document, passage=0)
    beside = make_memory(tenant=ada, kind="passage", document=document, passage=1)

    attempt(ada, RAISE, id=memory.id, **{"class": 2})

    assert (rank(ada, Document, document.id), rank(ada, Memory, beside.id)) == (2, 1)


def test_a_name_that_nobody_else_speaks_of_follows(ada: Viewer) -> None:
    memory, other = make_memory(tenant=ada), make_memory(tenant=ada)
    secret, known = make_entity(tenant=ada), make_entity(tenant=ada)
    alias = make_entity_alias(tenant=ada, entity=secret)
    for entity in (secret, known):
        make_mention(tenant=ada, entity=entity, memory=memory)
    make_mention(tenant=ada, entity=known, memory=other)

    attempt(ada, RAISE, id=memory.id, **{"class": 3})

    assert (rank(ada, Entity, secret.id), rank(ada, EntityAlias, alias.id)) == (3, 3)
    assert rank(ada, Entity, known.id) == 1


def test_a_name_that_the_higher_class_knows_already_becomes_that_one(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    low = make_entity(tenant=ada, name="Apollo")
    high = make_entity(tenant=ada, name="Apollo", classification=3)
    alias = make_entity_alias(tenant=ada, entity=low)
    mention = make_mention(tenant=ada, entity=low, memory=memory)
    triple = make_triple(tenant=ada, memory=memory, subject=low, object=low)

    attempt(ada, RAISE, id=memory.id, **{"class": 3})

    assert rank(ada, Entity, low.id) is None
    with tenant_scope(ada), unit_of_work():
        assert Mention.objects.get(id=mention.id).entity_id == high.id
        said = Triple.objects.get(id=triple.id)
        assert (said.subject_id, said.object_id) == (high.id, high.id)
        assert EntityAlias.objects.get(id=alias.id).entity_id == high.id
        assert Entity.objects.get(id=high.id).salience == 1 / 5
    assert rank(ada, EntityAlias, alias.id) == 3


def test_without_the_function_a_capture_would_keep_its_class(ada: Viewer) -> None:
    """The control: with the former function in its place, the capture stays readable below."""
    capture = make_capture(tenant=ada)
    memory = make_memory(tenant=ada, capture=capture)
    with superuser() as breaker:
        breaker.execute("DROP FUNCTION candor_raise_beside(uuid, uuid[])")
        breaker.execute("ALTER FUNCTION candor_raise_beside_v1(uuid, uuid[]) RENAME TO candor_raise_beside")
        breaker.execute(
            "SELECT set_config('candor.tenant', %s, true), set_config('candor.clearance', '3', true)",
            [str(ada.tenant_id)],
        )
        breaker.execute("SET LOCAL ROLE candor_app")
        breaker.execute(RAISE, {"id": memory.id, "class": 3})
        row = breaker.execute("SELECT classification FROM capture WHERE id = %s", [capture.id]).fetchone()
        assert row == (1,)
