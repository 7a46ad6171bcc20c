"""What a memory is linked with, by pages, and what lies around it (SPEC M-09, S-01)."""

from typing import Any
from uuid import UUID

import pytest

from memories.storage import graph
from tenants.scope import Viewer
from tests.factories import make_agent, make_lineage, make_link, make_memory
from tests.http.conftest import Caller, caller, errors

pytestmark = pytest.mark.spec("M-09", "S-01")


def linked(tenant: Viewer, source: Any, target: Any, weight: float, **given: Any) -> Any:
    rank = max(source.classification, target.classification)
    return make_link(
        tenant=tenant, source=source, target=target, weight=weight, classification=rank,
        **{"type": "because", **given},
    )  # fmt: skip


def around(one: Caller, memory: Any, query: str = "") -> tuple[list[tuple[str, int]], list[str], bool]:
    """Return (id, distance) of each node, the ids of the edges, and whether there is more."""
    answer = one.get(f"memories/{memory.id}/graph{query}")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    nodes = [(node["id"], node["distance"]) for node in body["nodes"]]
    return nodes, [edge["id"] for edge in body["edges"]], body["truncated"]


@pytest.mark.spec("I-01")
def test_links_come_by_pages_heaviest_first_and_hidden_ones_take_no_place(ada: Viewer) -> None:
    rui = make_agent(tenant=ada, slug="rui")
    here = make_memory(tenant=ada, agent=rui)
    seen = [linked(ada, here, make_memory(tenant=ada, agent=rui), weight) for weight in (0.9, 0.5, 0.5, 0.1)]
    seen.append(linked(ada, make_memory(tenant=ada, agent=rui), here, 0.7))
    for number in range(6):
        hides = {"classification": 2} if number % 2 else {"person": "vera"}
        linked(ada, here, make_memory(tenant=ada, agent=rui, **hides), 0.8)
    one, got, cursor = caller(ada, agent=rui.id, ceiling=1), [], ""

    while cursor is not None:
        more = f"&cursor={cursor}" if cursor else ""
        page = one.get(f"memories/{here.id}/links?limit=2{more}").json()
        assert len(page["results"]) == (2 if page["next"] else 1)
        got += [row["id"] for row in page["results"]]
        cursor = page["next"]

    wanted = sorted(seen, key=lambda link: (link.weight, link.id), reverse=True)
    assert got == [str(link.id) for link in wanted]
    for bad in ("x", "f" * 32, "__8AAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "f_gAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
        assert one.get(f"memories/{here.id}/links?cursor={bad}").status_code in (200, 400)
    assert errors(one.get(f"memories/{here.id}/links?cursor=x")).keys() == {"cursor"}


def test_what_lies_around_is_told_to_the_depth_asked_for(ada: Viewer) -> None:
    here, near, other, far, further = (make_memory(tenant=ada) for _ in range(5))
    edges = [
        linked(ada, here, near, 0.9),
        linked(ada, other, here, 0.8),
        linked(ada, near, other, 0.7),
        linked(ada, far, near, 0.6),
        linked(ada, far, further, 0.5),
    ]
    one = caller(ada)
    nodes = [(str(here.id), 0), (str(near.id), 1), (str(other.id), 1)]

    assert around(one, here) == (nodes, [str(edge.id) for edge in edges[:3]], False)
    assert around(one, here, "?depth=2") == (
        [*nodes, (str(far.id), 2)], [str(edge.id) for edge in edges[:4]], False,
    )  # fmt: skip
    assert errors(one.get(f"memories/{here.id}/graph?depth=3")).keys() == {"depth"}


@pytest.mark.spec("T-07", "K-09")
@pytest.mark.parametrize("hides", [{"classification": 2}, {"person": "vera"}, {"agent": "atlas"}])
def test_what_is_hidden_is_no_way_and_takes_no_place(ada: Viewer, hides: dict[str, Any]) -> None:
    rui, atlas = (make_agent(tenant=ada, slug=slug) for slug in ("rui", "atlas"))
    mine = {"tenant": ada, "agent": rui}
    hides = {"agent": atlas} if "agent" in hides else hides
    here, near, behind = make_memory(**mine), make_memory(**mine), make_memory(**mine)
    edge = linked(ada, here, near, 0.1)
    for _ in range(5):
        hidden = make_memory(**{**mine, **hides})
        linked(ada, here, hidden, 0.9)
        linked(ada, hidden, behind, 0.9)
        linked(ada, near, hidden, 0.9)
    one = caller(ada, agent=rui.id, ceiling=1)

    told = around(one, here, "?depth=2&limit=2")

    assert told == ([(str(here.id), 0), (str(near.id), 1)], [str(edge.id)], False)


def test_a_neighbourhood_has_an_end_and_says_so(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    here = make_memory(tenant=ada)
    near = [make_memory(tenant=ada) for _ in range(4)]
    edges = [linked(ada, here, one, 0.9 - number / 10) for number, one in enumerate(near)]
    one = caller(ada)

    assert around(one, here, "?limit=3") == (
        [(str(here.id), 0), (str(near[0].id), 1), (str(near[1].id), 1)], [str(edge.id) for edge in edges[:2]],
        True,
    )  # fmt: skip
    assert around(one, here, "?limit=1&depth=2") == ([(str(here.id), 0)], [], True)
    assert around(one, here, "?limit=5")[2] is False
    monkeypatch.setattr(graph, "MOST_EDGES", 2)
    assert around(one, here)[1:] == ([str(edge.id) for edge in edges[:2]], True)


@pytest.mark.spec("M-08", "H-01")
def test_a_lineage_is_told_step_by_step_both_ways(ada: Viewer) -> None:
    oldest, older, itself, younger, youngest = (
        make_memory(tenant=ada, content=f"Step {n}.") for n in range(5)
    )
    beside = make_memory(tenant=ada, content="Another premise.")
    for child, parent in (
        (older, oldest),
        (itself, older),
        (itself, beside),
        (younger, itself),
        (youngest, younger),
    ):
        make_lineage(tenant=ada, child=child, parent=parent)

    told = caller(ada).get(f"memories/{itself.id}/lineage").json()

    assert steps(told["rests_on"]) == {older.id: 1, beside.id: 1, oldest.id: 2}
    assert steps(told["carries"]) == {younger.id: 1, youngest.id: 2}
    assert len(told["steps"]) == 5
    assert {"derived": str(older.id), "premise": str(oldest.id)} in told["steps"]
    assert told["truncated"] is False
    short = caller(ada).get(f"memories/{itself.id}/lineage?limit=2").json()
    assert (len(short["rests_on"]), short["truncated"]) == (2, True)


def steps(nodes: list[dict[str, Any]]) -> dict[UUID, int]:
    """Return how far each lies."""
    return {UUID(node["id"]): node["distance"] for node in nodes}


@pytest.mark.spec("S-01", "T-07", "K-09")
@pytest.mark.parametrize("by", ["class", "person", "agent"])
def test_what_may_not_be_seen_of_a_lineage_is_no_way_to_what_lies_behind_it(ada: Viewer, by: str) -> None:
    agent, other = (make_agent(tenant=ada, slug=slug) for slug in ("atlas", "rui"))
    hiding: dict[str, Any] = {
        "class": {"classification": 3}, "person": {"person": "vera"}, "agent": {"agent": other},
    }[by]  # fmt: skip
    premise, hidden = make_memory(tenant=ada), make_memory(tenant=ada, **hiding)
    behind = make_memory(tenant=ada, **(hiding if by == "class" else {}))
    rank = {"classification": 3} if by == "class" else {}
    make_lineage(tenant=ada, child=hidden, parent=premise, **rank)
    make_lineage(tenant=ada, child=behind, parent=hidden, **rank)
    one = caller(ada, agent=agent.id, ceiling=1)
    empty = {"rests_on": [], "carries": [], "steps": [], "truncated": False}

    assert one.get(f"memories/{premise.id}/lineage").json() == empty
    assert one.get(f"memories/{hidden.id}/lineage").status_code == 404
    if by != "class":
        assert one.get(f"memories/{behind.id}/lineage").json() == empty
    assert steps(caller(ada).get(f"memories/{premise.id}/lineage").json()["carries"]) == {
        hidden.id: 1, behind.id: 2,
    }  # fmt: skip
