"""What is built beside stored memories: entities, triples, links to what discussed them (SPEC W-16)."""

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memories.entity_resolution import enrichment
from memories.entity_resolution.enrichment import build_beside, build_beside_memories, find_unrelated
from memories.models import Capture, Mention
from memories.pipeline import MemoryRequest, write_memory
from memories.queries import run_entities
from memories.storage.enrichment_input import Told, read_told
from memories.storage.tag_aliases import spellings_of
from tenants.models import new_id
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, load_queries, lock_tenant
from tests.factories import make_agent, make_capture, make_memory, make_tenant
from tests.integration.memories.test_concurrency import write_at_once
from tests.integration.memories.writing import NOW, as_agent, ask, person, say, write
from tests.statements import statements_run

pytestmark = pytest.mark.usefixtures("fake_embedder")

TABLES = ("entity", "entity_alias", "mention", "triple", "link")


def entities(tenant: Viewer) -> dict[str, list[tuple[Any, ...]]]:
    """Return by entity's key the names and types that memories give it."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    sql = """SELECT e.key, n.names, n.type FROM mention n
             JOIN entity e ON e.tenant_id = n.tenant_id AND e.id = n.entity_id
             WHERE n.tenant_id = %(tenant)s ORDER BY e.key, n.names"""
    for key, names, type_ in ask(tenant, sql):
        found.setdefault(key, []).append((*names, type_))
    return found


def everything(tenant: Viewer) -> list[Any]:
    return [
        sorted(map(repr, ask(tenant, f'SELECT * FROM "{table}" WHERE tenant_id = %(tenant)s')))
        for table in TABLES
    ]


@pytest.mark.spec("W-16", "M-10")
def test_a_capture_leaves_entities_triples_and_a_mark_behind() -> None:
    ada = make_tenant("ada")

    taken = say(person(ada), "John Smith lives in Lisbon. J. Smith works at Acme Corp.")

    assert taken.state == "stored"
    assert entities(ada) == {
        "acme corp": [("Acme Corp", "organisation")],
        "john smith": [("J. Smith", "person"), ("John Smith", "person")],
        "lisbon": [("Lisbon", "place")],
    }
    triples = ask(
        ada,
        """SELECT s.key, t.predicate, o.key, t.provenance FROM triple t
           JOIN entity s ON s.tenant_id = t.tenant_id AND s.id = t.subject_id
           JOIN entity o ON o.tenant_id = t.tenant_id AND o.id = t.object_id
           WHERE t.tenant_id = %(tenant)s ORDER BY 2""",
    )
    assert triples == [
        ("john smith", "employer", "acme corp", "user_stated"),
        ("john smith", "residence", "lisbon", "user_stated"),
    ]
    assert ask(ada, "SELECT related_at FROM capture WHERE tenant_id = %(tenant)s") == [(NOW,)]


@pytest.mark.spec("M-10")
def test_a_relation_in_knowledge_becomes_a_triple_too() -> None:
    ada = make_tenant("ada")
    make = {
        "kind": "finding",
        "content": "Acme Corp was founded by John Smith.",
        "entities": ["Acme Corp", "John Smith"],
    }
    memory = make_memory(tenant=ada, **make)

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert build_beside_memories([memory.id], now=NOW)

    assert ask(ada, "SELECT predicate, object_text FROM triple WHERE tenant_id = %(tenant)s") == [
        ("founder", "John Smith")
    ]


@pytest.mark.spec("W-16")
def test_building_again_changes_nothing() -> None:
    ada = make_tenant("ada")
    taken = say(
        person(ada), "John Smith lives in Lisbon. We sign with a JSON Web Token (JWT).", session="monday"
    )
    before = everything(ada)

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert build_beside(taken.id, now=NOW)

    assert everything(ada) == before
    assert before[0]


def unrelated(tenant: Viewer, monkeypatch: pytest.MonkeyPatch) -> tuple[UUID, Told]:
    """Return a stored capture beside whose one memory nothing was built, and what that memory tells."""
    with monkeypatch.context() as broken:
        broken.setattr(enrichment, "BUILDERS", (lambda *_: 1 / 0,))
        taken = say(person(tenant), "John Smith lives in Lisbon.")
    with tenant_scope(pipeline_viewer(tenant.tenant_id)), unit_of_work():
        [told] = read_told(run_entities("find_told", capture=taken.id, memories=[]))
    assert entities(tenant) == {}
    return taken.id, told


BARE: dict[str, Any] = {"card": "event", "entities": (), "entity_key": None, "value": None, "speaker": ""}

FORESEEN: dict[str, Callable[[Told], list[Told]]] = {
    "nothing": lambda _: [],
    "as it is": lambda told: [told],
    "with more": lambda told: [told, replace(told, id=new_id(), content="Mary Jones works at Acme Corp.")],
    "other names": lambda told: [replace(told, **BARE | {"entities": ("Mary Jones",)})],
    "no name": lambda told: [replace(told, content="it rains", **BARE)],
}


@pytest.mark.spec("W-16")
@pytest.mark.parametrize("foresee", FORESEEN.values(), ids=FORESEEN.keys())
def test_what_is_built_is_read_from_the_stored_row_whatever_was_foreseen(
    foresee: Callable[[Told], list[Told]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = make_tenant("ada")
    say(person(ada), "John Smith works at Acme Corp.")
    known = entities(ada)
    with tenant_scope(pipeline_viewer(ada.tenant_id)), unit_of_work():
        Mention.objects.all().delete()
    capture, told = unrelated(ada, monkeypatch)

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert build_beside(capture, now=NOW, stored=foresee(told))

    assert entities(ada) == {"john smith": [("John Smith", "person")], "lisbon": [("Lisbon", "place")]}
    assert known.keys() == {"john smith", "acme corp"}


def test_whom_a_new_memory_names_is_asked_for_once_and_before_it_is_read_back() -> None:
    ada = make_tenant("ada")

    with statements_run() as seen:
        say(person(ada), "John Smith lives in Lisbon.")

    first_words = [text.split("FROM")[0] for text in seen]
    texts = load_queries(Path(enrichment.__file__).parents[1] / "sql" / "entities.sql")
    names, told = (texts[name].split("FROM")[0] for name in ("find_names", "find_told"))
    assert [text for text in first_words if text in (names, told)] == [names, told]


@pytest.mark.spec("W-20")
def test_what_is_built_beside_is_one_step_of_the_trace_however_often_it_is_built() -> None:
    ada = make_tenant("ada")
    taken = say(person(ada), "John Smith lives in Lisbon.")

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert build_beside(taken.id, now=NOW)
        with unit_of_work():
            trace = Capture.objects.get(id=taken.id).trace

    assert [(one["step"], one["memories"], one["ms"] > 0) for one in trace[-1:]] == [("beside", 1, True)]
    assert [one["step"] for one in trace].count("beside") == 1
    assert [one["step"] for one in trace[:-1]] == [one["step"] for one in taken.trace[:-1]]


@pytest.mark.spec("M-10")
def test_a_fact_told_under_two_names_of_one_person_is_one_triple() -> None:
    ada = make_tenant("ada")
    text = "John Smith works at Acme Corp. J. Smith works at Acme Corp."
    memory = make_memory(
        tenant=ada, kind="finding", content=text, entities=["John Smith", "J. Smith", "Acme Corp"]
    )

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        assert build_beside_memories([memory.id], now=NOW)

    assert ask(ada, "SELECT predicate, object_text FROM triple WHERE tenant_id = %(tenant)s") == [
        ("employer", "Acme Corp")
    ]


@pytest.mark.spec("W-16")
def test_an_error_beside_leaves_the_capture_stored_and_to_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = make_tenant("ada")

    def break_down(*_: Any) -> None:
        raise ValueError("no entities today")

    with monkeypatch.context() as broken:
        broken.setattr(enrichment, "BUILDERS", (*enrichment.BUILDERS, break_down))
        taken = say(person(ada), "John Smith lives in Lisbon.")
        written = write(person(ada), "Root cause: Acme Corp's disk was full, because nobody looked at it.")

    assert (taken.state, written.decision, entities(ada)) == ("stored", "create", {})
    with tenant_scope(ada):
        assert find_unrelated() == [taken.id]
    told = io.StringIO()
    call_command("relate_captures", tenant="ada", dry_run=True, stdout=told)
    assert told.getvalue() == "ada: 1 captures and 1 memories written directly would be related.\n"
    assert entities(ada) == {}

    call_command("relate_captures", stdout=told, stderr=io.StringIO())

    assert told.getvalue().endswith("ada: 2 related, 0 failed.\n")
    assert set(entities(ada)) == {"acme corp", "john smith", "lisbon"}
    with tenant_scope(ada):
        assert find_unrelated() == []


@pytest.mark.spec("W-16")
def test_relating_a_tenant_that_is_not_there_is_an_error_and_a_failure_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = make_tenant("ada")
    make_memory(tenant=ada)
    make_capture(tenant=ada, state="stored", memory_ids=["no id"])

    with pytest.raises(CommandError, match="There is no tenant «bo»"):
        call_command("relate_captures", tenant="bo")
    with pytest.raises(CommandError, match="1 could not be built"):
        call_command("relate_captures", stdout=io.StringIO(), stderr=io.StringIO())


@pytest.mark.spec("M-10")
def test_a_rewritten_state_says_what_it_says_now_and_keeps_what_it_said() -> None:
    ada = make_tenant("ada")
    lives = {"entity_key": "ann", "concept_key": "residence"}
    memory = make_memory(
        tenant=ada,
        kind="profile",
        content="Ann lives in Bern.",
        entities=["Ann", "Bern"],
        value="bern",
        **lives,
    )
    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        build_beside_memories([memory.id], now=NOW)
        with unit_of_work():
            memory.__class__.objects.filter(id=memory.id).update(
                content="Ann lives in Basel.", entities=["Ann", "Basel"], value="basel", version=2
            )
        build_beside_memories([memory.id], now=NOW + timedelta(days=1))

    assert set(entities(ada)) == {"ann", "basel"}
    said = ask(ada, "SELECT object_text, superseded_at FROM triple WHERE tenant_id = %(tenant)s ORDER BY 1")
    assert said == [("basel", None), ("bern", NOW + timedelta(days=1))]


@pytest.mark.spec("S-01", "M-10")
def test_a_name_of_restricted_memories_is_a_row_of_its_own_until_it_is_known_below() -> None:
    ada = make_tenant("ada")

    def build(rank: int) -> set[tuple[int, int]]:
        memory = make_memory(tenant=ada, content="Apollo begins.", entities=["Apollo"], classification=rank)
        with tenant_scope(pipeline_viewer(ada.tenant_id)):
            assert build_beside_memories([memory.id], now=NOW)
        sql = """SELECT e.classification, n.classification FROM mention n
                 JOIN entity e ON e.tenant_id = n.tenant_id AND e.id = n.entity_id
                 WHERE n.tenant_id = %(tenant)s"""
        return set(ask(ada, sql))

    assert build(3) == {(3, 3)}
    assert build(1) == {(1, 1), (1, 3)}
    assert build(2) == {(1, 1), (1, 2), (1, 3)}
    weights = "SELECT classification, salience FROM entity WHERE tenant_id = %(tenant)s ORDER BY 1"
    assert ask(ada, weights) == [(1, pytest.approx(0.2)), (3, 0.0)]


@pytest.mark.spec("W-16", "M-09")
def test_knowledge_is_linked_with_the_talk_of_its_session_that_shares_two_entities() -> None:
    ada = make_tenant("ada")
    talk = [
        make_memory(
            tenant=ada, kind="episode", session="monday", turn=n, content=f"Talk {n}.", entities=names
        )
        for n, names in enumerate([["Acme Corp", "Lisbon"], ["Acme Corp"], ["Acme Corp", "Lisbon", "Ann"]])
    ]
    away = make_memory(
        tenant=ada,
        kind="episode",
        session="tuesday",
        turn=0,
        content="Talk.",
        entities=["Acme Corp", "Lisbon"],
    )
    known = make_memory(
        tenant=ada,
        kind="finding",
        session="monday",
        content="Acme moved.",
        entities=["Acme Corp", "Lisbon", "Ann", "Bern"],
    )

    def links() -> set[tuple[UUID, UUID, str, float]]:
        sql = """SELECT source_id, target_id, origin, weight FROM link
                 WHERE type = 'references' AND tenant_id = %(tenant)s"""
        return set(ask(ada, sql))

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        build_beside_memories([known.id, away.id, *(one.id for one in talk[:2])], now=NOW)
        assert links() == {(known.id, talk[0].id, "auto", 0.5)}
        build_beside_memories([talk[2].id], now=NOW)

    assert links() == {(known.id, talk[0].id, "auto", 0.5), (known.id, talk[2].id, "auto", 0.75)}


@pytest.mark.spec("M-09")
def test_a_stronger_discussion_evicts_the_weakest_of_twenty_and_no_manual_link() -> None:
    ada = make_tenant("ada")
    known = make_memory(
        tenant=ada, kind="finding", session="s", content="Known.", entities=["Acme", "Bern", "Caro"]
    )
    talk = [
        make_memory(
            tenant=ada, kind="episode", session="s", turn=n, content=f"Talk {n}.", entities=["Acme", "Bern"]
        )
        for n in range(21)
    ]
    best = make_memory(
        tenant=ada, kind="episode", session="s", turn=30, content="Best.", entities=["Acme", "Bern", "Caro"]
    )
    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        build_beside_memories([known.id, *(one.id for one in talk)], now=NOW)
        kept = {row[0] for row in ask(ada, "SELECT target_id FROM link WHERE tenant_id = %(tenant)s")}
        manual = next(iter(kept))
        mend = "UPDATE link SET origin = 'manual' WHERE target_id = %(one)s AND tenant_id = %(tenant)s"
        ask(ada, mend, one=manual)
        build_beside_memories([best.id], now=NOW)

    now_kept = {row[0] for row in ask(ada, "SELECT target_id FROM link WHERE tenant_id = %(tenant)s")}
    assert len(kept) == 20
    assert now_kept == kept | {best.id}  # one of twenty is manual: the new one is the twentieth automatic one


@pytest.mark.spec("W-16", "W-15")
def test_eight_processes_that_name_the_same_leave_one_row_each() -> None:
    ada = make_tenant("ada")
    notes = [
        MemoryRequest(
            content=f"Root cause: gate-{n} took a stale JSON Web Token (JWT), said John Smith to Acme Corp.",
            kind="finding",
        )
        for n in range(4)
    ]

    errors = write_at_once(person(ada), notes)

    assert errors == []
    keys = [row[0] for row in ask(ada, "SELECT key FROM entity WHERE tenant_id = %(tenant)s")]
    assert len(keys) == len(set(keys))
    assert {"john smith", "acme corp", "json web token"} <= set(keys)
    assert "jwt" not in keys
    with tenant_scope(ada), unit_of_work():
        assert Mention.objects.filter(entity__key="john smith").count() == 4
    weight = ask(ada, "SELECT salience FROM entity WHERE tenant_id = %(tenant)s AND key = 'john smith'")
    assert weight == [(pytest.approx(0.5),)]


@pytest.mark.spec("W-15", "W-16")
def test_who_builds_waits_for_whoever_decides_on_the_tenants_names() -> None:
    ada = make_tenant("ada")
    memory = make_memory(tenant=ada, content="Apollo begins.", entities=["Apollo"])

    def build() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        try:
            with tenant_scope(pipeline_viewer(ada.tenant_id)):
                return build_beside_memories([memory.id], now=NOW)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with tenant_scope(ada), unit_of_work():
            lock_tenant(LockNamespace.ENTITIES)
            assert other.submit(build).result() is False
        assert other.submit(build).result() is True


@pytest.mark.spec("M-10")
def test_no_entity_is_made_of_noise_that_a_caller_or_a_model_brings() -> None:
    ada = make_tenant("ada")
    names = ["a", "42", "the", "user", "Speaker 1", "2026-03-04", "x\ufffdy", "foo()", "用户", "三月", "Ann"]
    memory = make_memory(tenant=ada, content="Ann.", entities=names, entity_key="assistant")

    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        build_beside_memories([memory.id], now=NOW)

    assert set(entities(ada)) == {"ann"}


@pytest.mark.spec("M-10", "M-08")
def test_an_agents_own_inference_makes_no_two_names_one() -> None:
    ada = make_tenant("ada")
    atlas = as_agent(ada, make_agent(tenant=ada, slug="atlas"))

    with tenant_scope(atlas):
        write_memory(
            MemoryRequest(
                content="Root cause: the Payment Exchange (PX) failed, because its disk was full.",
                kind="finding",
            ),
            now=NOW,
        )

    assert ask(ada, "SELECT key FROM entity_alias WHERE tenant_id = %(tenant)s") == []
    assert entities(ada)["payment exchange"] == [("Payment Exchange", "PX", "thing")]
    with tenant_scope(ada), unit_of_work():
        assert Capture.objects.count() == 0


@pytest.mark.spec("M-12")
def test_names_that_are_one_entity_are_one_tag_to_their_tenant_alone() -> None:
    ada, bo = make_tenant("ada"), make_tenant("bo")
    memory = make_memory(
        tenant=ada, content="The Knowledge Gateway (KG) is up.", entities=["Knowledge Gateway"]
    )
    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        build_beside_memories([memory.id], now=NOW)

    def spelled(tenant: Viewer, tag: str, clearance: int = 3) -> tuple[str, ...]:
        with tenant_scope(replace(tenant, clearance=clearance)), unit_of_work():
            return spellings_of(tag)

    assert set(spelled(ada, "KG")) == set(spelled(ada, "Knowledge Gateway")) == {"kg", "knowledge gateway"}
    assert spelled(ada, "KG", clearance=0) == spelled(bo, "KG") == ("kg",)
    assert spelled(ada, "JSON Web Token") == ("jwt",)
