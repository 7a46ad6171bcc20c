"""Reading: by id, in lists on every axis, links, history; what is not yours is not there."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memories.access.visibility import visible
from memories.models import Memory
from memories.storage.graph import list_links
from memories.storage.read import MemoryFilter, get_history, get_memory, list_memories
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_link, make_memory, make_project, make_tenant
from tests.integration.memories.writing import NOW, as_agent, person


def seen(viewer: Viewer, **wanted: Any) -> set[str]:
    with tenant_scope(viewer):
        return {memory.content for memory in list_memories(MemoryFilter(**wanted), most=100)}


def readable(viewer: Viewer, memory_id: UUID) -> bool:
    with tenant_scope(viewer):
        try:
            return get_memory(memory_id).id == memory_id
        except NotFound:
            return False


@pytest.mark.spec("T-05", "T-06", "T-07")
def test_an_agent_sees_its_own_the_tenants_and_what_is_shared_with_its_domains() -> None:
    ada = make_tenant("ada")
    me, other = make_agent(tenant=ada, domains=["backend"]), make_agent(tenant=ada)
    for content, columns in {
        "my own": {"agent": me},
        "another's": {"agent": other},
        "the tenant's": {},
        "shared": {"agent": other, "shared": True},
        "shared with backend": {"agent": other, "shared": True, "domain": "backend"},
        "shared with design": {"agent": other, "shared": True, "domain": "design"},
        "shared with all": {"agent": other, "shared": True, "domain": "*"},
        "of a domain, not shared": {"agent": other, "domain": "backend"},
    }.items():
        make_memory(tenant=ada, content=content, **columns)

    assert seen(as_agent(ada, me)) == {
        "my own", "the tenant's", "shared", "shared with backend", "shared with all",
    }  # fmt: skip
    assert len(seen(person(ada))) == 8


@pytest.mark.spec("T-04")
def test_who_is_bound_to_a_project_reads_nothing_of_another() -> None:
    ada = make_tenant("ada")
    mine, other = make_project(tenant=ada), make_project(tenant=ada)
    agent = make_agent(tenant=ada, project=mine)
    unbound = as_agent(ada, make_agent(tenant=ada))
    for content, project in {"mine": mine, "other": other, "none": None}.items():
        make_memory(tenant=ada, content=content, project=project)

    assert seen(as_agent(ada, agent)) == {"mine", "none"}
    for viewer in (unbound, person(ada)):
        assert seen(viewer) == {"mine", "other", "none"}
        assert seen(viewer, project_id=other.id) == {"other"}


@pytest.mark.spec("S-01", "T-01")
def test_what_is_above_the_clearance_or_another_tenants_is_not_there() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    secret = make_memory(tenant=ada, content="secret", classification=3)

    assert readable(person(ada), secret.id)
    assert not readable(person(ada, clearance=2), secret.id)
    assert not readable(person(bob), secret.id)
    assert not readable(person(ada), uuid4())
    assert seen(person(ada, clearance=2)) == seen(person(bob)) == set()


@pytest.mark.spec("T-08")
def test_visible_keeps_to_the_time_of_validity() -> None:
    ada = make_tenant("ada")
    make_memory(tenant=ada, content="not yet", valid_from=NOW + timedelta(seconds=1))
    make_memory(tenant=ada, content="from now", valid_from=NOW)
    make_memory(tenant=ada, content="over", valid_until=NOW)
    make_memory(tenant=ada, content="still", valid_until=NOW + timedelta(seconds=1))

    with tenant_scope(person(ada)) as viewer, unit_of_work():
        rows = visible(Memory.objects.all(), viewer, NOW)
        assert {row.content for row in rows} == {"from now", "still"}


@pytest.mark.spec("M-03")
@pytest.mark.parametrize(
    ("columns", "wanted", "unwanted"),
    [
        ({"kind": "decision"}, {"kinds": ("decision",)}, {"kinds": ("example",)}),
        ({"kind": "decision"}, {"cards": ("event",)}, {"cards": ("state",)}),
        ({"standing": 2}, {"standings": ("superseded",)}, {"standings": ("current",)}),
        ({"classification": 2}, {"classification": 2}, {"classification": 1}),
        ({"shared": True}, {"shared": True}, {"shared": False}),
        ({"domain": "design"}, {"domain": "design"}, {"domain": ""}),
        ({"layer": "social"}, {"layer": "social"}, {"layer": "work"}),
        ({"concept_key": "residence"}, {"concept_key": "residence"}, {"concept_key": "workplace"}),
        ({"entity_key": "ann"}, {"entity_key": "ann"}, {"entity_key": "bob"}),
        ({"value": "Bern"}, {"value": "Bern"}, {"value": "Basel"}),
        ({"cardinality": "single"}, {"cardinality": "single"}, {"cardinality": "multi"}),
        ({"tags": ["jwt"], "manual_tags": ["auth"]}, {"tags": ("#JWT", "auth")}, {"tags": ("jwt", "sso")}),
        ({"entities": ["Redis", "Ann"]}, {"entities": ("Ann",)}, {"entities": ("Bob",)}),
        ({"provenance": "measured"}, {"provenances": ("measured",)}, {"provenances": ("extracted",)}),
        ({"trust": 0.5}, {"trust_from": 0.5, "trust_to": 0.5}, {"trust_from": 0.51}),
        ({"importance": 4}, {"importance_from": 4}, {"importance_from": 5}),
        ({"session": "s1"}, {"session": "s1"}, {"session": ""}),
        ({"speaker": "Ann"}, {"speaker": "Ann"}, {"speaker": "Bob"}),
        (
            {"metadata": {"of": {"ticket": 7}, "team": "ops"}},
            {"metadata": {"of": {"ticket": 7}}},
            {"metadata": {"of": {"ticket": 8}}},
        ),
        ({"created_at": NOW}, {"created_from": NOW}, {"created_to": NOW}),
        ({"occurred_at": NOW}, {"occurred_from": NOW}, {"occurred_to": NOW}),
        ({"effective_at": NOW}, {"effective_from": NOW}, {"effective_to": NOW}),
        ({"last_verified_at": NOW}, {"verified_before": NOW + timedelta(1)}, {"verified_before": NOW}),
        ({"valid_until": NOW}, {"valid_at": NOW - timedelta(1)}, {"valid_at": NOW}),
        ({"archived_at": NOW}, {"archived": True}, {"archived": False}),
    ],
)
def test_a_list_is_filtered_on_every_axis(
    columns: dict[str, Any], wanted: dict[str, Any], unwanted: dict[str, Any]
) -> None:
    ada = make_tenant("ada")
    make_memory(tenant=ada, content="it", **columns)
    anywhere = {"standings": (), "archived": None}

    assert seen(person(ada), **anywhere | wanted) == {"it"}
    assert seen(person(ada), **anywhere | unwanted) == set()


def test_a_list_is_read_page_by_page_newest_first_without_gap_or_twin() -> None:
    ada = make_tenant("ada")
    for number in range(7):
        make_memory(tenant=ada, content=f"m{number}", created_at=NOW + timedelta(seconds=number // 3))
    pages: list[list[str]] = []
    after = None

    with tenant_scope(person(ada)):
        while page := list_memories(MemoryFilter(), after=after, most=3):
            pages.append([memory.content for memory in page])
            after = (page[-1].created_at, page[-1].id)

    assert pages == [["m6", "m5", "m4"], ["m3", "m2", "m1"], ["m0"]]


def test_links_are_shown_if_the_other_end_may_be_seen_heaviest_first() -> None:
    ada = make_tenant("ada")
    me, other = make_agent(tenant=ada), make_agent(tenant=ada)
    mine, near, far = (make_memory(tenant=ada, agent=me, content=name) for name in ("mine", "near", "far"))
    hidden = make_memory(tenant=ada, agent=other, content="hidden")
    for target, weight in ((far, 0.2), (near, 0.9), (hidden, 1.0)):
        make_link(tenant=ada, source=mine, target=target, type="related_to", weight=weight)

    with tenant_scope(as_agent(ada, me)):
        links = list_links(mine.id, most=9)
        assert [(link.target, link.weight) for link in links] == [(near.id, 0.9), (far.id, 0.2)]
        with pytest.raises(NotFound):
            list_links(hidden.id, most=9)
        with pytest.raises(NotFound):
            get_history(hidden.id)


@pytest.mark.spec("H-01", "M-06")
def test_history_is_the_whole_chain_from_any_of_its_rows() -> None:
    ada = make_tenant("ada")
    newest = make_memory(tenant=ada, content="Chur", effective_at=NOW)
    middle = make_memory(
        tenant=ada, content="Basel", effective_at=NOW - timedelta(1), standing=2, superseded_by=newest
    )
    oldest = make_memory(
        tenant=ada, content="Bern", effective_at=NOW - timedelta(2), standing=2, superseded_by=middle
    )

    for row in (oldest, middle, newest):
        with tenant_scope(person(ada)):
            assert [memory.content for memory in get_history(row.id).chain] == ["Bern", "Basel", "Chur"]
