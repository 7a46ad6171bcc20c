"""Relate: link a stored memory to its neighbours, in the transaction that stores it (SPEC W-14)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.calibration import LINK_ABOVE
from memories.candidates import Candidate, Draft, Neighbour
from memories.language import canonical_tag
from memories.queries import run, run_together
from tenants.models import new_id
from tenants.scope import FULL_CLEARANCE
from tenants.sql import Statement

MOST_LINKS: Final = 20
"""Automatic links of likeness a memory keeps of each class; a stronger one evicts the weakest (SPEC M-09)."""

TAG_SHARE, ENTITY_SHARE, SEMANTIC_SHARE = 0.3, 0.4, 0.3
"""What a link's weight is made of (SPEC W-14)."""


Crowded = Mapping[tuple[UUID, int], Mapping[str, Any]]
"""Memory and class of link → its weakest automatic link of likeness, where it can have no more of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A directed link to be written."""

    source: UUID
    target: UUID
    type: str
    weight: float  #: in [0, 1]
    confidence: float  #: in [0, 1]: how sure the likeness is
    classification: int  #: the higher of both ends
    origin: str = "auto"  #: llm: a model, or the agent itself, says so


def choose_links(
    draft: Draft, neighbours: Iterable[Neighbour], *, floor: float = LINK_ABOVE, most: int = MOST_LINKS
) -> list[tuple[Neighbour, float]]:
    """Choose the neighbours worth a link, with its weight in [0, 1], strongest first, then most alike."""
    alike = [near for near in neighbours if near.similarity is not None and near.similarity > floor]
    weighed = [(near, link_weight(draft, near)) for near in alike]
    return sorted(weighed, key=lambda pair: (-pair[1], -(pair[0].similarity or 0.0)))[:most]


def link_weight(draft: Draft, near: Neighbour) -> float:
    """Return 0.3 · Jaccard of tags + 0.4 · Jaccard of entities + 0.3 · calibrated similarity, in [0, 1]."""
    tags = _jaccard(_tags(draft), _tags(near))
    entities = _jaccard(_names(draft), _names(near))
    return TAG_SHARE * tags + ENTITY_SHARE * entities + SEMANTIC_SHARE * (near.similarity or 0.0)


def link_neighbours(memory_id: UUID, candidate: Candidate, neighbours: Sequence[Neighbour]) -> list[NewLink]:
    """Return both directions of the links of a new memory to its neighbours."""
    links = []
    for near, weight in choose_links(candidate.draft, neighbours):
        rank = max(near.audience.classification, candidate.draft.audience.classification)
        for source, target in ((memory_id, near.id), (near.id, memory_id)):
            links.append(
                NewLink(
                    source=source,
                    target=target,
                    type="related_to",
                    weight=weight,
                    confidence=near.similarity or 0.0,
                    classification=rank,
                )
            )
    return links


def link_turns(memory_id: UUID, draft: Draft) -> list[NewLink]:
    """Return the links of a stored turn to its neighbours in the session, before and after (SPEC R-17)."""
    if not draft.verbatim or not draft.session or draft.turn is None:
        return []
    beside = run(
        "find_turns_beside",
        session=draft.session,
        turn=draft.turn,
        agent=draft.audience.agent_id,
        project=draft.audience.project_id,
        person=draft.audience.person,
        ranks=list(range(draft.audience.classification, FULL_CLEARANCE + 1)),
    )
    links = []
    for other in beside:
        rank = max(other["classification"], draft.audience.classification)
        if other["turn"] < draft.turn:
            links += _in_order(other["id"], memory_id, rank)
        else:
            links += _in_order(memory_id, other["id"], rank)
    return links


def _in_order(earlier: UUID, later: UUID, rank: int) -> list[NewLink]:
    return [
        NewLink(source=source, target=target, type=name, weight=1.0, confidence=1.0, classification=rank)
        for source, target, name in ((earlier, later, "precedes"), (later, earlier, "follows"))
    ]


def write_links(links: Sequence[NewLink], *, now: datetime) -> None:
    """Write the links of a new memory; at an end that has its full number the weakest makes room."""
    if statements := plan_links(links, now=now):
        run_together(statements)


def plan_links(links: Sequence[NewLink], *, now: datetime, crowded: Crowded | None = None) -> list[Statement]:
    """
    Return the statements that write the links of a new memory.

    crowded: of those ends that are full; None: they are read here.
    """
    if crowded is None:
        crowded = _find_weakest({link.source for link in links if link.type == "related_to"})
    kept = [link for link in links if _is_strong_enough(link, crowded)]
    if not kept:
        return []
    inserted = {
        "now": now,
        "ids": [new_id() for _ in kept],
        "sources": [link.source for link in kept],
        "targets": [link.target for link in kept],
        "types": [link.type for link in kept],
        "weights": [link.weight for link in kept],
        "confidences": [link.confidence for link in kept],
        "classes": [link.classification for link in kept],
        "origins": [link.origin for link in kept],
    }
    gone = [("delete_link", crowded[_place(link)]) for link in kept if _displaces(link, crowded)]
    return [*gone, ("insert_links", inserted)]


def search_crowded(sources: Collection[UUID]) -> list[Statement]:
    """Return the statements that find which of these memories have their full number of automatic links."""
    if not sources:
        return []
    weakest = {"sources": sorted(sources), "most": MOST_LINKS}
    return [("read_in_order", {}), ("find_weakest_links", weakest), ("sort_again", {})]


def read_crowded(answers: Sequence[Sequence[dict[str, Any]]]) -> Crowded:
    """Return what `search_crowded` found: the weakest link of each class of each memory that is full."""
    return {(row["source_id"], row["classification"]): row for row in answers[1]} if answers else {}


def _find_weakest(sources: set[UUID]) -> Crowded:
    search = search_crowded(sources)
    return read_crowded(run_together(search)) if search else {}


def _displaces(link: NewLink, crowded: Crowded) -> bool:
    return link.type == "related_to" and _place(link) in crowded


def _place(link: NewLink) -> tuple[UUID, int]:
    return link.source, link.classification


def _is_strong_enough(link: NewLink, crowded: Crowded) -> bool:
    return not _displaces(link, crowded) or link.weight > crowded[_place(link)]["weight"]


def _jaccard(mine: set[str], theirs: set[str]) -> float:
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def _tags(memory: Draft | Neighbour) -> set[str]:
    return {canonical_tag(tag) for tag in (*memory.tags, *memory.manual_tags)}


def _names(memory: Draft | Neighbour) -> set[str]:
    return {name.casefold() for name in (memory.entity_key, *memory.entities) if name}
