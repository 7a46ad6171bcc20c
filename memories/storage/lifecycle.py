"""
Move memories between current, contender and superseded, with what search reads of them (SPEC M-05, M-06).

To be called inside `unit_of_work`, under the store lock. Whoever retires a value does it before another one
takes its place: «one current truth» is a unique index, and PostgreSQL looks at it with every row.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.candidates import Neighbour, Terms, days_of, searched_terms, terms_of
from memories.language import tag_terms
from memories.models import Lineage, Memory
from memories.queries import run
from memories.reconciliation import CONTENDER, CURRENT
from memories.storage.trust_propagation import fall
from security import audit

CONCLUSION: Final = "conclusion"
"""The key of metadata by which a memory is known that the memory concluded itself (SPEC E-10)."""

FELL: Final = "fell"
"""In it: when a premise fell. What fell may be concluded anew; what a person archived may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A stored memory with what search holds of it."""

    id: UUID
    standing: int
    classification: int
    terms: Terms
    archived: bool = False  #: by a person: out of search, whatever its standing

    @property
    def searched(self) -> bool:
        """Tell whether search finds it: it is current and nobody archived it."""
        return self.standing == CURRENT and not self.archived


def place_neighbour(near: Neighbour) -> Placed:
    """Return the neighbour with its terms."""
    return Placed(
        id=near.id, standing=near.standing, classification=near.audience.classification, terms=terms_of(near)
    )


def place_row(row: Memory) -> Placed:
    """Return the row with its terms."""
    zone = ZoneInfo(row.metadata.get("timezone", "UTC"))
    terms = searched_terms(
        row.content,
        speaker=row.speaker,
        title=row.passage_title,
        tags=(*row.tags, *row.manual_tags),
        note=row.note,
        days=days_of(row.annotations),
        moments=(row.occurred_at.astimezone(zone), row.effective_at.astimezone(zone)),
    )
    return Placed(
        id=row.id, standing=row.standing, classification=row.classification, terms=terms,
        archived=row.archived_at is not None,
    )  # fmt: skip


def supersede(rows: Sequence[Placed], *, by: UUID, now: datetime) -> set[UUID]:
    """Mark the rows, take them out of search, note it; return which. Those marked already keep their mark."""
    if not rows:
        return set()
    marked = run("supersede_memories", now=now, by=by, memories=[row.id for row in rows])
    gone = {row["id"]: row["archived"] for row in marked}
    superseded = [replace(row, archived=gone[row.id]) for row in rows if row.id in gone]
    for row in superseded:
        leave_search(row)
    events = [
        audit.Event(
            action="memory.supersede", object_type="memory", object_id=row.id, detail={"by": str(by)},
            classification=row.classification,
        )
        for row in superseded
    ]  # fmt: skip
    audit.append_all(events, now=now)
    if gone:
        fall(gone, now=now)
        retract_conclusions(gone, now=now, what="a premise was superseded")
    return set(gone)


def revive(rows: Sequence[Memory], *, standing: int = CURRENT, now: datetime) -> None:
    """Let superseded rows stand again, found by search where they are current and nobody archived them."""
    Memory.objects.filter(id__in=[row.id for row in rows]).update(
        standing=standing, superseded_at=None, superseded_by_id=None, updated_at=now
    )
    for row in rows:
        enter_search(replace(place_row(row), standing=standing))


def demote(rows: Sequence[Placed], *, now: datetime) -> None:
    """Make current rows contenders: they wait in arbitration and are shown inside the alert only."""
    if rows:
        _set_standing(rows, CONTENDER, now)
        retract_conclusions([row.id for row in rows], now=now, what="a premise is disputed")
    for row in rows:
        leave_search(row)


def is_conclusion(row: Memory) -> bool:
    """Tell whether the memory concluded this itself: stated by nobody (SPEC E-10)."""
    noted = row.metadata.get(CONCLUSION)
    return isinstance(noted, dict) and "key" in noted


def retract_conclusions(premises: Collection[UUID], *, now: datetime, what: str) -> tuple[UUID, ...]:
    """
    Archive the live conclusions that rest on these memories; return which (SPEC E-10).

    Nothing takes the place of a conclusion: it is archived, not superseded. what: what happened to the
    premise, in words.
    """
    resting = Lineage.objects.filter(parent_id__in=list(premises)).values_list("child_id", flat=True)
    return archive_conclusions(list(resting), now=now, what=what)


def archive_conclusions(ids: Collection[UUID], *, now: datetime, what: str) -> tuple[UUID, ...]:
    """Archive those of these memories that are live conclusions, and note that they fell; return which."""
    if not ids:
        return ()
    found = Memory.objects.select_related("document").filter(
        id__in=ids, metadata__conclusion__has_key="key", standing=CURRENT, archived_at=None
    )
    rows = list(found.order_by("id"))
    for row in rows:
        leave_search(place_row(row))
        noted = {**row.metadata, CONCLUSION: {**row.metadata[CONCLUSION], FELL: now.isoformat()}}
        Memory.objects.filter(id=row.id).update(archived_at=now, updated_at=now, metadata=noted)
    events = [
        audit.Event(
            action="memory.retract", object_type="memory", object_id=row.id, reason=what,
            classification=row.classification,
        )
        for row in rows
    ]  # fmt: skip
    audit.append_all(events, now=now)
    return tuple(row.id for row in rows)


def promote(row: Placed, *, now: datetime) -> None:
    """Make a contender current, and found again. Raises IntegrityError while another single value is."""
    if row.standing != CONTENDER:
        return
    _set_standing([row], CURRENT, now)
    enter_search(replace(row, standing=CURRENT))


def _set_standing(rows: Iterable[Placed], standing: int, now: datetime) -> None:
    Memory.objects.filter(id__in=[row.id for row in rows]).update(standing=standing, updated_at=now)


def enter_search(row: Placed) -> None:
    """Put a current row back into search and its sizes; nothing is done for one that a person archived."""
    if row.searched:
        switch_postings(row, live=True)
        move_stat(row.classification, documents=1, length=row.terms.length)


def leave_search(row: Placed) -> None:
    """Take a row out of search and its sizes; a contender and an archived one are out already."""
    if row.searched:
        switch_postings(row, live=False)
        move_stat(row.classification, documents=-1, length=-row.terms.length)


def switch_postings(row: Placed, *, live: bool) -> None:
    """Put a memory's postings in or out of search by its terms; by a walk when other rules cut them once."""
    met = run("switch_postings", memory=row.id, terms=list(row.terms.frequency), live=live)[0]
    if met["met"] != met["length"]:
        run("switch_all_postings", memory=row.id, live=live)


def search_by_tags(row: Memory, *, former: Iterable[str], tags: Iterable[str]) -> None:
    """Let a memory be found by these tags in place of the former ones."""
    before, after, placed = set(tag_terms(former)), set(tag_terms(tags)), place_row(row)
    run("drop_tag_terms", memory=row.id, terms=sorted(before - after))
    run(
        "add_tag_terms", memory=row.id, terms=sorted(after - before), length=placed.terms.length,
        classification=row.classification, live=placed.searched,
    )  # fmt: skip


def move_stat(rank: int, *, documents: int, length: int) -> None:
    """Move the collection's sizes for one class, and its version: who looked around has to look again."""
    run("move_stat", classification=rank, documents=documents, length=length)
