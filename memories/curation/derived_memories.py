"""
Store a memory made of others, with those that it takes the place of, and take it back (SPEC E-03, M-08).

What is derived rests on its sources by lineage, so the database holds its trust and its class to theirs.
Those that it replaces are superseded by it; the others stand beside it. All are linked to it, and stay as
they are.
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
from memories.reconciliation import SUPERSEDED, Action, Decision
from memories.storage import (
    NewLink,
    Planned,
    Surroundings,
    leave_search,
    place_row,
    read_version,
    revive,
    store,
    supersede,
    write_links,
)
from security import audit

DERIVED: Final = "derived_from"
SUPERSEDES: Final = "supersedes"
QUOTES: Final = "similar_to"

SAME_WORDS: Final = 0.99
"""How sure it is that a quotation says the same. 1 would be a person's word."""


def derive(
    candidate: Candidate,
    sources: Sequence[Memory],
    *,
    replaced: Sequence[Memory],
    quoted: UUID | None,
    calibration: Calibration,
    reason: str,
    now: datetime,
) -> UUID:
    """
    Store what was made of live memories; return its id.

    replaced: those of the sources that it takes the place of. quoted: the one whose words it has, so that a
    recall shows both as one result. To be called inside `unit_of_work` under the store lock, once the sources
    are known to be as they were when it was made. Neighbours are not looked for: relinking finds them. Raises
    HomesMoved.
    """
    near = tuple(as_neighbour(source) for source in replaced)
    action = Action.SUPERSEDE if near else Action.CREATE
    made = Decision(action=action, reason=reason, superseded=near)
    memory_id = _store(candidate, made, calibration=calibration, now=now)
    _rest(memory_id, sources, now=now)
    _quote(memory_id, quoted, now=now)
    return memory_id


def refine(
    standing: Memory,
    candidate: Candidate,
    sources: Sequence[Memory],
    *,
    replaced: Sequence[Memory],
    quoted: UUID | None,
    calibration: Calibration,
    reason: str,
    now: datetime,
) -> None:
    """
    Give a derived memory another text; its former text stays as a version.

    sources: further live memories that it takes in; none: it is only worded anew. To be called as `derive`
    is. Raises HomesMoved.
    """
    merged = Decision(
        action=Action.MERGE, reason=reason, target=as_neighbour(standing), content=candidate.draft.content
    )
    _store(candidate, merged, calibration=calibration, now=now)
    if replaced:
        supersede([place_row(source) for source in replaced], by=standing.id, now=now)
        write_links([_link(standing.id, source, SUPERSEDES) for source in replaced], now=now)
    if sources:
        _rest(standing.id, sources, now=now)
    Link.objects.filter(source_id=standing.id, type=QUOTES, origin="auto").delete()
    _quote(standing.id, quoted, now=now)


def give_back(derived: Memory, *, now: datetime) -> list[UUID]:
    """
    Let the memories that a derived one superseded live again, and archive it; return which they are.

    To be called inside `unit_of_work` under the store lock. What it rests on stays on record; that it
    supersedes them does not.
    """
    rows = list(Memory.objects.filter(superseded_by_id=derived.id, standing=SUPERSEDED).order_by("id"))
    ids = [row.id for row in rows]
    revive(rows, now=now)
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


def _store(candidate: Candidate, decision: Decision, *, calibration: Calibration, now: datetime) -> UUID:
    """Carry out what was decided of what is derived, beside what it supersedes; return its id."""
    version = read_version(candidate.draft.audience.classification)
    around = Surroundings(neighbours=tuple(decision.superseded), past=(), version=version)
    plan = Planned(candidate=candidate, decision=decision, surroundings=around)
    return store([plan], calibration=calibration, now=now)[0].memory_id


def _rest(memory_id: UUID, sources: Sequence[Memory], *, now: datetime) -> None:
    """Draw the lines from what was derived to its sources, for the database and for the graph."""
    rank = max(source.classification for source in sources)
    rest_on(memory_id, [source.id for source in sources], now=now, classification=rank)
    write_links([_link(memory_id, source, DERIVED) for source in sources], now=now)


def _quote(memory_id: UUID, quoted: UUID | None, *, now: datetime) -> None:
    if quoted is not None:
        source = Memory.objects.get(id=quoted)
        write_links([replace(_link(memory_id, source, QUOTES), confidence=SAME_WORDS)], now=now)


def _link(memory_id: UUID, source: Memory, name: str) -> NewLink:
    return NewLink(
        source=memory_id, target=source.id, type=name, weight=1.0, confidence=1.0,
        classification=source.classification,
    )  # fmt: skip
