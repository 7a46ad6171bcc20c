"""What a memory is linked with, and what lies around it, as far as the viewer may see (SPEC M-09)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Q, UUIDField, When

from memories.access import readable_projects, visible_params
from memories.models import Lineage, Link, Memory
from memories.storage.read import LinkView, MemoryView, link_view, memory_view, one_in_sight, within_sight
from tenants.managers import page_of
from tenants.scope import Viewer, unit_of_work
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "graph.sql")

DEEPEST: Final = 2
"""Links from the memory that is asked about: what lies further has as good as nothing to do with it."""

MOST_NODES: Final = 100
MOST_EDGES: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A memory in a neighbourhood."""

    memory: MemoryView
    distance: int  #: links from the memory that is asked about, 0 for itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """Memories and the links between them."""

    nodes: tuple[Node, ...]  #: by distance, then heaviest link first
    edges: tuple[LinkView, ...]  #: heaviest first; both ends are among the nodes
    truncated: bool  #: more of what the viewer may see lies here than is told


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestry:
    """What a memory was derived from, and what was derived from it."""

    rests_on: tuple[Node, ...]  #: by distance: what it was made of first
    carries: tuple[Node, ...]  #: by distance
    steps: tuple[tuple[UUID, UUID], ...]  #: (derived, from what), both ends told or itself
    truncated: bool  #: there is more of what the viewer may see


def list_links(
    memory_id: UUID, *, after: tuple[float, UUID] | None = None, most: int
) -> tuple[LinkView, ...]:
    """
    Return at most `most` links from and to a memory whose other end may be seen, heaviest first.

    after: (weight, id) of the last one had already. Raises NotFound.
    """
    with unit_of_work():
        one_in_sight(memory_id)
        other = Case(
            When(source_id=memory_id, then=F("target_id")), default=F("source_id"), output_field=UUIDField()
        )
        links = Link.objects.filter(Q(source_id=memory_id) | Q(target_id=memory_id)).annotate(other=other)
        links = links.filter(Exists(within_sight(None).filter(id=OuterRef("other"))))
        links = page_of(links, by="weight", after=after)
        return tuple(link_view(link) for link in links[:most])


def get_neighbourhood(memory_id: UUID, *, depth: int, most: int) -> Neighbourhood:
    """
    Return the memories that lie at most `depth` links from one, nearest first, and the links between them.

    depth: 1 to DEEPEST. most: memories, itself among them, at most MOST_NODES. What may not be seen is no
    way to what lies behind it. Raises NotFound.
    """
    with unit_of_work() as viewer:
        one_in_sight(memory_id)
        found, truncated = {memory_id: 0}, False
        for distance in range(1, depth + 1):
            near = _around(found, viewer, most=most - len(found) + 1)
            truncated |= len(found) + len(near) > most
            found |= dict.fromkeys(near[: most - len(found)], distance)
        rows = {row.id: row for row in within_sight(None).filter(id__in=list(found))}
        between = Link.objects.filter(source_id__in=list(rows), target_id__in=list(rows))
        edges = [link_view(link) for link in between.order_by("-weight", "-id")[: MOST_EDGES + 1]]
    return Neighbourhood(
        nodes=_nodes(found, rows),
        edges=tuple(edges[:MOST_EDGES]),
        truncated=truncated or len(edges) > MOST_EDGES,
    )


def get_ancestry(memory_id: UUID, *, most: int) -> Ancestry:
    """
    Return what a memory rests on and what rests on it, step by step, at most `most` memories each way.

    What may not be seen is no way to what lies behind it. Raises NotFound.
    """
    with unit_of_work():
        one_in_sight(memory_id)
        rests_on, more = _walk(memory_id, of="child_id", to="parent_id", most=most)
        carries, further = _walk(memory_id, of="parent_id", to="child_id", most=most)
        known = {memory_id, *rests_on, *carries}
        rows = {row.id: row for row in within_sight(None).filter(id__in=list(known))}
        pairs = Lineage.objects.filter(child_id__in=list(rows), parent_id__in=list(rows))
        steps = sorted(pairs.values_list("child_id", "parent_id"))
    return Ancestry(
        rests_on=_nodes(rests_on, rows), carries=_nodes(carries, rows), steps=tuple(steps),
        truncated=more or further,
    )  # fmt: skip


def _walk(memory_id: UUID, *, of: str, to: str, most: int) -> tuple[dict[UUID, int], bool]:
    """Return how many steps lie between a memory and others along its lineage, and whether there are more."""
    found: dict[UUID, int] = {}
    edge, distance = {memory_id}, 0
    while edge:
        distance += 1
        steps = Lineage.objects.filter(**{f"{of}__in": list(edge)}).exclude(**{f"{to}__in": list(found)})
        seen = steps.filter(Exists(within_sight(None).filter(id=OuterRef(to))))
        near = list(seen.order_by(to).values_list(to, flat=True).distinct()[: most - len(found) + 1])
        room = most - len(found)
        found |= dict.fromkeys(near[:room], distance)
        if len(near) > room:
            return found, True
        edge = set(near)
    return found, False


def _nodes(found: Mapping[UUID, int], rows: Mapping[UUID, Memory]) -> tuple[Node, ...]:
    return tuple(
        Node(memory=memory_view(rows[one]), distance=far) for one, far in found.items() if one in rows
    )


def _around(found: Mapping[UUID, int], viewer: Viewer, *, most: int) -> list[UUID]:
    """Return the ids of what is linked with these and may be seen, heaviest first."""
    sight = visible_params(viewer, None, projects=readable_projects(viewer))
    return [row["id"] for row in SQL.run("find_around", **sight, nodes=list(found), most=most)]
