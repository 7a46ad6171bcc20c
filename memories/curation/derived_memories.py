"""
Let a memory made of others take their place, and take it back (SPEC E-03, M-08).

What is derived rests on its sources by lineage, so the database holds its trust and its class to theirs; they
are superseded by it and linked to it, and stay as they are.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.calibration import Calibration
from memories.candidates import Candidate
from memories.curation.corrections import as_neighbour
from memories.extraction import rest_on
from memories.models import Link, Memory
from memories.reconciliation import CURRENT, SUPERSEDED, Action, Decision
from memories.storage import (
    NewLink,
    Planned,
    Surroundings,
    enter_search,
    leave_search,
    place_row,
    read_version,
    store,
    supersede,
    write_links,
)
from security import audit

DERIVED: Final = "derived_from"
SUPERSEDES: Final = "supersedes"


def derive(
    candidate: Candidate, sources: Sequence[Memory], *, calibration: Calibration, reason: str, now: datetime
) -> UUID:
    """
    Store what was made of live memories in their place; return its id.

    To be called inside `unit_of_work` under the store lock, once the sources are known to be as they were
    when it was made. Neighbours are not looked for: relinking finds them. Raises HomesMoved.
    """
    near = tuple(as_neighbour(source) for source in sources)
    made = Decision(action=Action.SUPERSEDE, reason=reason, superseded=near)
    version = read_version(candidate.draft.audience.classification)
    around = Surroundings(neighbours=near, past=(), version=version)
    plan = Planned(candidate=candidate, decision=made, surroundings=around)
    memory_id = store([plan], calibration=calibration, now=now)[0].memory_id
    _rest(memory_id, sources, now=now)
    return memory_id


def refine(
    standing: Memory,
    candidate: Candidate,
    sources: Sequence[Memory],
    *,
    calibration: Calibration,
    reason: str,
    now: datetime,
) -> None:
    """
    Give a derived memory the text that takes in further live memories; its former text stays as a version.

    To be called as `derive` is. Raises HomesMoved.
    """
    merged = Decision(
        action=Action.MERGE, reason=reason, target=as_neighbour(standing), content=candidate.draft.content
    )
    version = read_version(candidate.draft.audience.classification)
    around = Surroundings(neighbours=(), past=(), version=version)
    plan = Planned(candidate=candidate, decision=merged, surroundings=around)
    store([plan], calibration=calibration, now=now)
    supersede([place_row(source) for source in sources], by=standing.id, now=now)
    links = [_link(standing.id, source, SUPERSEDES) for source in sources]
    write_links(links, now=now)
    _rest(standing.id, sources, now=now)


def give_back(derived: Memory, *, now: datetime) -> list[UUID]:
    """
    Let the memories that a derived one superseded live again, and archive it; return which they are.

    To be called inside `unit_of_work` under the store lock. What it rests on stays on record; that it
    supersedes them does not.
    """
    rows = list(Memory.objects.filter(superseded_by_id=derived.id, standing=SUPERSEDED).order_by("id"))
    ids = [row.id for row in rows]
    Memory.objects.filter(id__in=ids).update(
        standing=CURRENT, superseded_at=None, superseded_by_id=None, updated_at=now
    )
    for row in rows:
        enter_search(replace(place_row(row), standing=CURRENT))
    events = [
        audit.Event(
            action="memory.revive", object_type="memory", object_id=row.id, detail={"from": str(derived.id)},
            classification=row.classification,
        )
        for row in rows
    ]  # fmt: skip
    audit.append_all(events, now=now)
    Link.objects.filter(source_id=derived.id, target_id__in=ids, type=SUPERSEDES, origin="auto").delete()
    leave_search(place_row(derived))
    Memory.objects.filter(id=derived.id).update(archived_at=now, updated_at=now)
    return ids


def _rest(memory_id: UUID, sources: Sequence[Memory], *, now: datetime) -> None:
    """Draw the lines from what was derived to its sources, for the database and for the graph."""
    rank = max(source.classification for source in sources)
    rest_on(memory_id, [source.id for source in sources], now=now, classification=rank)
    write_links([_link(memory_id, source, DERIVED) for source in sources], now=now)


def _link(memory_id: UUID, source: Memory, name: str) -> NewLink:
    return NewLink(
        source=memory_id, target=source.id, type=name, weight=1.0, confidence=1.0,
        classification=source.classification,
    )  # fmt: skip
