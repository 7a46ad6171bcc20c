"""Links that a person makes between memories, over HTTP (SPEC M-09)."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from memories.models import Link
from memories.models.link import LINK_TYPES
from memories.storage.relate import NewLink, write_links
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_agent, make_link, make_memory, make_project
from tests.http.conftest import Caller, caller, errors


def link(one: Caller, source: Any, target: Any, type_: str = "because", **given: Any) -> Any:
    return one.post(f"memories/{source}/links", {"target": str(target), "type": type_, **given})


def links(tenant: Viewer) -> list[tuple[Any, ...]]:
    with tenant_scope(tenant), unit_of_work():
        rows = Link.objects.order_by("type").values_list("source_id", "target_id", "type", "weight", "origin")
        return list(rows)


@pytest.mark.spec("M-09")
@pytest.mark.parametrize("type_", LINK_TYPES)
def test_a_person_links_memories_in_every_way_there_is(ada: Viewer, type_: str) -> None:
    decision, reason = make_memory(tenant=ada), make_memory(tenant=ada)
    one = caller(ada)

    made = link(one, decision.id, reason.id, type_, weight=0.7)

    assert made.status_code == 201
    told = made.json()
    assert datetime.fromisoformat(told.pop("created_at")) == datetime.fromisoformat(
        told.pop("last_verified_at")
    )
    assert UUID(told.pop("id"))
    assert told == {
        "source": str(decision.id), "target": str(reason.id), "type": type_, "weight": 0.7, "confidence": 1.0,
        "origin": "manual", "classification": "internal",
    }  # fmt: skip
    assert [one["type"] for one in one.get(f"memories/{reason.id}/links").json()["results"]] == [type_]


@pytest.mark.spec("M-09", "S-03")
def test_a_manual_link_is_taken_back_and_both_deeds_are_on_record(ada: Viewer) -> None:
    decision, reason = make_memory(tenant=ada), make_memory(tenant=ada)
    one = caller(ada)
    made = link(one, decision.id, reason.id).json()["id"]

    gone = one.delete(f"memories/{decision.id}/links/{made}")
    again = one.delete(f"memories/{decision.id}/links/{made}")

    assert (gone.status_code, again.status_code, links(ada)) == (204, 404, [])
    with tenant_scope(ada), unit_of_work():
        deeds = AuditEvent.objects.filter(object_id=made).order_by("at", "id")
        assert [(deed.action, deed.actor_kind, deed.detail["type"]) for deed in deeds] == [
            ("link.create", "person", "because"),
            ("link.delete", "person", "because"),
        ]


@pytest.mark.spec("M-09")
def test_a_found_link_that_a_person_makes_too_is_manual_and_one_only_found_is_not_taken_back(
    ada: Viewer,
) -> None:
    here, near, far = (make_memory(tenant=ada) for _ in range(3))
    make_link(tenant=ada, source=here, target=near, weight=0.4)
    found = make_link(tenant=ada, source=here, target=far, weight=0.4)
    one = caller(ada)

    assert link(one, here.id, near.id, "related_to").status_code == 201
    assert one.delete(f"memories/{here.id}/links/{found.id}").status_code == 409
    assert sorted(links(ada), key=lambda row: row[3]) == [
        (here.id, far.id, "related_to", 0.4, "auto"),
        (here.id, near.id, "related_to", 1.0, "manual"),
    ]


@pytest.mark.spec("M-09")
def test_manual_links_are_not_among_the_twenty(ada: Viewer) -> None:
    here = make_memory(tenant=ada)
    one = caller(ada)
    for _ in range(21):
        assert link(one, here.id, make_memory(tenant=ada).id, "related_to", weight=0.1).status_code == 201
    near = make_memory(tenant=ada)
    with tenant_scope(ada), unit_of_work():
        found = NewLink(
            source=here.id, target=near.id, type="related_to", weight=0.05, confidence=1.0, classification=1
        )
        write_links([found], now=NOW)

    assert len(links(ada)) == 22


@pytest.mark.spec("M-09", "T-01", "S-01")
def test_what_may_not_be_seen_cannot_be_linked_and_is_answered_like_none(ada: Viewer, grace: Viewer) -> None:
    bert = make_agent(tenant=ada, slug="bert")
    moon_bound = caller(ada, ceiling=1)
    here = make_memory(tenant=ada)
    hidden = [make_memory(tenant=grace), make_memory(tenant=ada, classification=2)]
    nowhere = link(moon_bound, here.id, uuid4())

    assert nowhere.status_code == 404
    for memory in hidden:
        for ends in ((here.id, memory.id), (memory.id, here.id), (memory.id, memory.id)):
            refused = link(moon_bound, *ends)
            assert (refused.status_code, refused.content) == (404, nowhere.content)
    assert link(caller(ada, agent=bert.id), here.id, make_memory(tenant=ada).id).status_code == 403
    assert links(ada) == links(grace) == []


@pytest.mark.spec("M-09", "S-01", "T-07")
def test_a_link_to_what_may_not_be_seen_cannot_be_taken_back_either(ada: Viewer) -> None:
    moon, mars = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    here = make_memory(tenant=ada)
    hidden = [make_memory(tenant=ada, classification=2), make_memory(tenant=ada, project=mars)]
    made = [link(caller(ada), here.id, memory.id).json()["id"] for memory in hidden]
    below = caller(ada, ceiling=1, project=moon.id)

    assert [below.delete(f"memories/{here.id}/links/{one}").status_code for one in made] == [404, 404]
    assert below.get(f"memories/{here.id}/links").json() == {"results": [], "next": None}
    assert len(links(ada)) == 2


@pytest.mark.spec("M-09", "S-07")
def test_a_link_to_itself_or_of_no_known_sort_is_refused(ada: Viewer) -> None:
    here, near = make_memory(tenant=ada), make_memory(tenant=ada)
    one = caller(ada)

    assert set(errors(link(one, here.id, here.id))) == {"target"}
    assert set(errors(link(one, here.id, near.id, "likes"))) == {"type"}
    for weight in (1.1, -0.1, "0.5", True, None):
        assert set(errors(link(one, here.id, near.id, weight=weight))) == {"weight"}
    assert links(ada) == []
