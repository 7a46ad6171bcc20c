"""What a viewer may not see is kept while nothing moves, and not a commit longer (docs/decisions/0062)."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection

from memories.models import CollectionStat, Memory
from recall.answering.answer import recall
from recall.channels.registry import CHANNELS, SQL
from recall.policies.policy import get_policy
from recall.questions.question import Question, prepare
from recall.retrieval import visibility_cache
from recall.retrieval.candidate_query import Search, parameters, statement_of
from recall.retrieval.visibility_cache import Kept, kept_gate
from recall.retrieval.visibility_filter import sight_of
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project, make_tenant
from tests.integration.recall.conftest import NOW, ask, contents, remember
from tests.integration.recall.test_hidden import lay_all, told
from tests.integration.recall.test_plans import walk

QUERY = "When does the harbour relay restart?"


def note(viewer: Viewer) -> tuple[int, ...]:
    """Return what recall is told of when something last moved."""
    with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(f"SELECT {SQL['moved']}", {"tenant": viewer.tenant_id})
        return tuple(cursor.fetchone()[0] or ())


def kept_for(viewer: Viewer) -> Kept | None:
    """Return what is kept of what the viewer may not see at NOW, as the next recall would use it."""
    moved = note(viewer)
    with tenant_scope(viewer), unit_of_work():
        return kept_gate(viewer, sight_of(Question(query=QUERY), viewer, asked_at=NOW).parameters, moved)


def change(viewer: Viewer, memory: Memory, **columns: Any) -> None:
    """Change a row as an operator's hand would, past every wall and grant: the note moves all the same."""
    names = ", ".join(f"{name} = %({name})s" for name in columns)
    name = connection.settings_dict["NAME"]
    with psycopg.connect(os.environ["CANDOR_TEST_ADMIN_URL"], dbname=name, autocommit=True) as admin:
        admin.execute(
            f"UPDATE memory SET {names} WHERE tenant_id = %(tenant)s AND id = %(id)s",
            {**columns, "tenant": viewer.tenant_id, "id": memory.id},
        )


@pytest.mark.spec("R-07", "T-07")
@pytest.mark.parametrize("who", ["tenant", "bea", "cal", "nobody's"])
def test_what_is_kept_answers_as_what_is_read(who: str) -> None:
    viewer = lay_all(make_tenant("ada"))[who]

    first = ask(viewer, QUERY, k=20, leave_out=("usefulness", "recency", "exploration"))
    later = [ask(viewer, QUERY, k=20, leave_out=("usefulness", "recency", "exploration")) for _ in range(3)]

    assert isinstance(kept_for(viewer), Kept)
    assert [told(answer) for answer in later] == [told(first)] * 3
    assert 2 <= len(first.results) < 12


def test_a_kept_answer_reads_no_memories_to_learn_what_is_hidden() -> None:
    ada = make_tenant("ada")
    remember(ada, "The harbour relay restarts at night")
    for _ in range(2):
        ask(ada, QUERY)
    kept = kept_for(ada)
    assert kept is not None

    passes = []
    for told_of in (None, kept, replace(kept, moved=(1, 2))):
        with tenant_scope(ada):
            question = Question(query=QUERY)
            sight = sight_of(question, ada, asked_at=NOW)
            search = Search(
                question=question, prepared=prepare(question, now=NOW), policy=get_policy("default"),
                viewer=ada, visible=sight.parameters, kept=told_of,
            )  # fmt: skip
            with unit_of_work(), connection.cursor() as cursor:
                sql = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement_of(search, tuple(CHANNELS))}"
                cursor.execute(sql, parameters(search))
                [gate] = [
                    node
                    for node in walk(cursor.fetchone()[0][0]["Plan"])
                    if node.get("Subplan Name") == "CTE gate"
                ]
        passes.append([one["Actual Loops"] for one in walk(gate) if one.get("Relation Name") == "memory"])

    assert passes == [[1], [0], [1]]


CHANGES: Mapping[str, Callable[[Viewer], dict[str, Any]]] = {
    "superseded": lambda _: {"standing": 2},
    "a contender": lambda _: {"standing": 1},
    "put away": lambda _: {"archived_at": NOW},
    "in another project": lambda ada: {"project_id": make_project(tenant=ada, slug="tide").id},
    "another's": lambda ada: {"agent_id": make_agent(tenant=ada, slug="cal").id, "shared": False},
    "of a domain": lambda ada: {"agent_id": make_agent(tenant=ada, slug="cal").id, "domain": "law"},
    "over": lambda _: {"valid_until": NOW - timedelta(hours=1)},
    "to come": lambda _: {"valid_from": NOW + timedelta(hours=1)},
}


@pytest.mark.spec("R-07", "T-07", "T-08")
@pytest.mark.parametrize("why", CHANGES)
def test_what_is_hidden_from_now_on_is_hidden_from_the_next_question(why: str) -> None:
    ada = make_tenant("ada")
    bea = make_agent(tenant=ada, slug="bea")
    viewer = replace(ada, actor_kind="agent", agent_id=bea.id)
    stays = remember(ada, "The harbour relay restarts at noon", shared=True)
    leaves = remember(ada, "The harbour relay restarts at night", shared=True)
    for _ in range(3):
        assert set(contents(ask(viewer, QUERY))) == {stays.content, leaves.content}
    assert kept_for(viewer) is not None

    change(ada, leaves, **CHANGES[why](ada))

    assert contents(ask(viewer, QUERY)) == [stays.content]
    change(ada, leaves, standing=0, archived_at=None, project_id=None, agent_id=None, valid_from=None,
           valid_until=None, domain="", shared=True)  # fmt: skip
    assert set(contents(ask(viewer, QUERY))) == {stays.content, leaves.content}


def test_a_validity_that_ends_is_not_kept_past_its_end() -> None:
    ada = make_tenant("ada")
    remember(ada, "The harbour relay restarts at noon")
    remember(ada, "The harbour relay restarts at night", valid_until=NOW + timedelta(hours=1))
    remember(ada, "The harbour relay restarts at dawn", valid_from=NOW + timedelta(hours=2))

    def asked_at(hours: float) -> int:
        with tenant_scope(ada):
            return len(recall(Question(query=QUERY, now=NOW + timedelta(hours=hours)), now=NOW).results)

    assert [asked_at(hours) for hours in (0, 0, 0, 0.99, 1, 1, 1, 1.5, 2, 2, 2, 0)] == [
        2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2,
    ]  # fmt: skip


def test_the_note_moves_with_every_column_that_visibility_is_read_from() -> None:
    """Walks the index that the pass reads, so that a column of tomorrow is not forgotten by the trigger."""
    ada = make_tenant("ada")
    memory = remember(ada, "The harbour relay restarts at night")
    values = {
        "standing": 2, "classification": 2, "project_id": make_project(tenant=ada, slug="tide").id,
        "agent_id": make_agent(tenant=ada, slug="cal").id, "shared": True, "domain": "law", "person": "p",
        "valid_from": NOW, "valid_until": NOW, "archived_at": NOW, "kind": "decision",
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indexrelid "
            "WHERE i.indexrelid = 'memory_gate'::regclass AND a.attname NOT IN ('tenant_id', 'id')"
        )
        columns = {name for (name,) in cursor.fetchall()}
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = 'memory_is_seen_otherwise'"
        )
        [(trigger,)] = cursor.fetchall()

    assert columns == values.keys()
    assert {name for name in columns if f"old.{name}" not in trigger or f"new.{name}" not in trigger} == set()
    for name in ("standing", "project_id", "shared", "valid_until", "archived_at"):
        before = note(ada)
        change(ada, memory, **{name: values[name]})
        assert (name, note(ada) != before) == (name, True)
    before = note(ada)
    change(ada, memory, importance=5)
    assert note(ada) == before


def test_each_class_has_a_note_and_what_lies_above_a_viewer_moves_none_of_theirs() -> None:
    ada = make_tenant("ada")
    plain = remember(ada, "The harbour relay restarts at night", classification=1)
    below = replace(ada, clearance=1)
    before = note(below)

    remember(ada, "The vault code of the harbour relay", classification=3)
    assert note(below) == before

    change(ada, plain, classification=2)
    assert note(below) != before


def test_what_a_transaction_wrote_is_seen_in_it_though_no_note_tells_of_it_yet() -> None:
    ada = make_tenant("ada")
    memory = remember(ada, "The harbour relay restarts at night")
    for _ in range(3):
        ask(ada, QUERY)
    assert kept_for(ada) is not None

    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory.id).update(archived_at=NOW)
        seen = recall(Question(query=QUERY), now=NOW)

    assert seen.results == ()


def test_from_whom_too_much_is_hidden_each_question_looks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visibility_cache, "MOST_HIDDEN", 1)
    ada = make_tenant("ada")
    for name in ("noon", "night"):
        remember(ada, f"The harbour relay restarted at {name}", standing=2)
    stays = remember(ada, "The harbour relay restarts at dawn")

    answers = [contents(ask(ada, QUERY)) for _ in range(4)]

    assert answers == [[stays.content]] * 4
    assert kept_for(ada) is None


def test_a_process_keeps_something_of_so_many_viewers_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visibility_cache, "MOST_VIEWERS", 2)
    ada = make_tenant("ada")
    remember(ada, "The harbour relay restarts at night", shared=True)
    viewers = [
        replace(ada, actor_kind="agent", agent_id=make_agent(tenant=ada, slug=slug).id)
        for slug in ("bea", "cal", "dot")
    ]
    for viewer in viewers:
        for _ in range(2):
            ask(viewer, QUERY)

    assert len(visibility_cache._kept) == 2


def test_a_tenant_that_stores_nothing_yet_has_no_note() -> None:
    ada = make_tenant("ada")

    assert note(ada) == ()
    assert kept_for(ada) is None
    remember(ada, "The harbour relay restarts at night")
    with tenant_scope(ada), unit_of_work():
        assert [one.documents for one in CollectionStat.objects.all()] == [0]
