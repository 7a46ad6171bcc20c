"""
Find what is spoken of together: communities of entities, each told by sentences of memories (SPEC E-04).

# Note [Communities are not stored]
They are found when they are asked for, among the newest memories that the asker may see and that hold. So
they are never out of date, forget with the memories, and tell nobody that two things belong together which
only others said together. What it costs is bounded by the two numbers below.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final
from uuid import UUID

import networkx

from memories.entity_resolution.profile import FactSentence, sentences_naming, telling
from memories.language import fold_all
from memories.models import Entity, Memory, Mention
from tenants.scope import unit_of_work

MOST_READ: Final = 5_000
"""Memories that are looked through, the newest. Ours: some 0.2 s."""

MOST_ENTITIES: Final = 1_000
"""Entities among which communities are looked for, those with the most memories. Ours: some 0.1 s."""

FEWEST_MEMORIES: Final = 2
"""Memories that an entity stands in, and that name two of a community: what was said once is no topic."""

FEWEST_MEMBERS: Final = 3
"""Entities of a community. Ours: of two their own pages tell."""

MOST_TOLD, MOST_MEMBERS, MOST_SENTENCES, NAMES = 20, 30, 5, 3
"""Communities of an answer, members and sentences of one that are told, and members that it is called by."""

SEED: Final = 1
"""Of the search for communities: the same memories give the same ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An entity of a community."""

    id: UUID
    name: str
    type: str
    memories: int  #: that were looked through and speak of it
    classification: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """Entities that are spoken of together."""

    name: str  #: those of its members that hang together most
    members: tuple[Member, ...]  #: the one that is spoken of most first
    member_count: int
    memories: int  #: that speak of two members or more
    sentences: tuple[FactSentence, ...]  #: of the memories that name most members, the newest of equals first
    classification: int  #: the highest of what tells it here


@dataclass(frozen=True, slots=True, kw_only=True)
class Communities:
    """What a viewer's memory is about."""

    found: tuple[Community, ...]  #: of most memories first
    looked_through: int  #: memories
    is_whole: bool  #: those are all that hold and that the viewer may see


def find_communities(*, now: datetime) -> Communities:
    """Return the communities among the newest memories that hold now and that the viewer in force may see."""
    with unit_of_work():
        rows = {row.id: row for row in telling(now).order_by("-id")[: MOST_READ + 1]}
        is_whole = len(rows) <= MOST_READ
        rows = dict(list(rows.items())[:MOST_READ])
        named: dict[UUID, dict[UUID, list[str]]] = defaultdict(dict)
        contents = {memory: fold_all(row.content) for memory, row in rows.items()}
        for memory, entity, names in Mention.objects.filter(memory_id__in=list(rows)).values_list(
            "memory_id", "entity_id", "names"
        ):
            if any(
                fold_all(name) in contents[memory] for name in names
            ):  # who says it is no part of what it is about
                named[memory][entity] = names
        parts = partition(named.values())
        entities = Entity.objects.in_bulk([one for part in parts for one in part])
        parts = [[one for one in part if one in entities] for part in parts]
    often = Counter(one for spoken in named.values() for one in spoken)
    inside = _by_community(parts, named)
    found = [
        _community(part, entities, rows, often, spoken) for part, spoken in zip(parts, inside, strict=True)
    ]
    several = [one for one in found if one.memories >= FEWEST_MEMORIES]
    several.sort(key=lambda one: (-one.memories, one.name))
    return Communities(found=tuple(several[:MOST_TOLD]), looked_through=len(rows), is_whole=is_whole)


def partition(spoken: Iterable[Iterable[UUID]]) -> list[list[UUID]]:
    """
    Part entities into communities by how often they are spoken of together; of each the most connected first.

    spoken: the entities of each memory. By modularity (Blondel et al., J. Stat. Mech. 2008, P10008). Pure.
    """
    together = [sorted(set(entities)) for entities in spoken]
    often = Counter(one for entities in together for one in entities)
    known = {one for one, count in often.most_common(MOST_ENTITIES) if count >= FEWEST_MEMORIES}
    edges = Counter(
        pair for entities in together for pair in combinations([one for one in entities if one in known], 2)
    )
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, count) for (one, other), count in sorted(edges.items()))
    parts = networkx.community.louvain_communities(graph, weight="weight", seed=SEED) if edges else []
    return [_most_connected_first(graph.subgraph(part)) for part in parts if len(part) >= FEWEST_MEMBERS]


def _most_connected_first(graph: networkx.Graph) -> list[UUID]:
    return sorted(graph.nodes, key=lambda one: (-graph.degree(one, weight="weight"), one))


def _by_community(
    parts: Sequence[Sequence[UUID]], named: Mapping[UUID, Mapping[UUID, list[str]]]
) -> list[dict[UUID, dict[UUID, list[str]]]]:
    """Return of each community the memories that speak of its members, each with those members' names."""
    home = {one: place for place, part in enumerate(parts) for one in part}
    inside: list[dict[UUID, dict[UUID, list[str]]]] = [defaultdict(dict) for _ in parts]
    for memory, spoken in named.items():
        for one, names in spoken.items():
            if one in home:
                inside[home[one]][memory][one] = names
    return inside


def _community(
    part: Sequence[UUID],
    entities: Mapping[UUID, Entity],
    rows: Mapping[UUID, Memory],
    often: Mapping[UUID, int],
    inside: Mapping[UUID, Mapping[UUID, list[str]]],
) -> Community:
    """Return a community. part: its members, the most connected first; inside: memory → members' names."""
    speaking = [memory for memory, members in inside.items() if len(members) > 1]
    speaking.sort(key=lambda memory: (len(inside[memory]), memory), reverse=True)
    sentences = _sentences(
        [(rows[one], [name for names in inside[one].values() for name in names]) for one in speaking]
    )
    listed = sorted(part, key=lambda one: (-often[one], entities[one].name))[:MOST_MEMBERS]
    members = tuple(
        Member(
            id=one, name=entities[one].name, type=entities[one].type, memories=often[one],
            classification=entities[one].classification,
        )
        for one in listed
    )  # fmt: skip
    return Community(
        name=", ".join(entities[one].name for one in part[:NAMES]),
        members=members,
        member_count=len(part),
        memories=len(speaking),
        sentences=sentences,
        classification=max(
            *(one.classification for one in members), *(one.classification for one in sentences)
        ),
    )


def _sentences(speaking: Sequence[tuple[Memory, Sequence[str]]]) -> tuple[FactSentence, ...]:
    """Return the first sentence of each memory that names a member, of the first few that have one."""
    found: dict[str, FactSentence] = {}
    for row, names in speaking:
        for one in sentences_naming(row, names):
            found.setdefault(one.text, one)
            break
        if len(found) == MOST_SENTENCES:
            break
    return tuple(found.values())
