"""
What happened, read from the trail by the eyes of who asks (SPEC I-04).

# Note [The trail is the feed]
An event takes its place in the tenant's chain as its transaction commits, under the tenant's lock: places
have no gap, and nothing appears later at a place that was read past. So the feed is exact and needs no table
of its own. A place is never shown: it would tell how much happened that the asker may not see. A cursor is
the id of an event that the asker was told.

# Note [Only what can be looked at]
An event is told while its reader may see what it is about, by the same rules as everywhere, and then with ids
alone. What was erased or raised above the reader since is not told any more.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.events.kinds import AUDITED, FOR_AUDITORS, KIND_OF, actions_of
from evolution.verification import verifications_in_sight
from memories.ingestion import captures_in_sight
from memories.storage import contradictions_in_sight, memories_in_sight
from tenants.scope import Viewer, unit_of_work
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "events.sql")

DAYS: Final = 7
"""How far back a cursor reaches; the trail itself goes back further."""

START: Final = "start"
"""The cursor before the first event that is kept for reading."""

AT_ONCE: Final = 200
"""Links of the trail that are looked at between two looks at what was found."""

Sight = Callable[[Iterable[UUID]], Mapping[UUID, tuple[UUID, ...]]]
"""Of objects of one type, those that the viewer in force may see, with the memories that each is about."""

_SIGHT: Final[Mapping[str, Sight]] = {
    "memory": lambda ids: {one: (one,) for one in memories_in_sight(ids)},
    "contradiction": contradictions_in_sight,
    "capture": lambda ids: dict.fromkeys(captures_in_sight(ids), ()),
    "verification": lambda ids: {item: (memory,) for item, memory in verifications_in_sight(ids).items()},
}


class PlaceGone(RuntimeError):
    """No event can be read on from this cursor: it is too old, or none of this key's. Begin at «start»."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEvent:
    """Something that happened, as its reader may know of it."""

    place: int  #: in the tenant's trail; never shown
    id: UUID
    kind: str  #: of `KINDS`
    at: datetime
    object_type: str  #: memory, contradiction, capture, verification, person, gate
    object_id: UUID | None  #: None of the gate
    memories: tuple[UUID, ...]  #: what it is about
    by: UUID | None  #: what superseded it


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPage:
    """Events, the oldest first, and the place up to which all was read."""

    events: tuple[FeedEvent, ...]
    place: int


def read_events(after: int, *, kinds: frozenset[str], most: int, since: datetime | None = None) -> FeedPage:
    """
    Return at most `most` events of these kinds after a place that the viewer in force may know of.

    since: nothing from before it.
    """
    with unit_of_work() as viewer:
        end = tip()
        found: list[FeedEvent] = []
        place = after
        while place < end and len(found) < most:
            rows = SQL.run(
                "find_events", actions=_told(kinds, viewer), after=place, upto=end, since=since, most=AT_ONCE
            )
            seen = _seen(rows)[: most - len(found)]
            found += seen
            is_all = len(rows) < AT_ONCE
            place = end if is_all else int(rows[-1]["seq"])
        return FeedPage(events=tuple(found), place=found[-1].place if len(found) == most else place)


def find_place(cursor: str, *, now: datetime) -> int:
    """Return the place of an event that was told, or of the beginning. Raises PlaceGone."""
    oldest = kept_since(now)
    if cursor == START:
        return place_since(oldest)
    with unit_of_work():
        rows = SQL.run("find_place", event=UUID(cursor), since=oldest)
    if not rows:
        raise PlaceGone(PlaceGone.__doc__)
    return int(rows[0]["seq"])


def find_start(*, kinds: frozenset[str], now: datetime) -> str:
    """Return the cursor that leads on from now: of the newest event that may be told, or «start»."""
    oldest = kept_since(now)
    with unit_of_work() as viewer:
        before = tip() + 1
        while True:
            rows = SQL.run(
                "find_events_before", actions=_told(kinds, viewer), before=before, since=oldest, most=AT_ONCE
            )
            if seen := _seen(rows):
                return str(seen[0].id)
            if len(rows) < AT_ONCE:
                return START
            before = int(rows[-1]["seq"])


def kept_since(now: datetime) -> datetime:
    """Return from when on events are there to be read."""
    return now - timedelta(days=DAYS)


def place_since(since: datetime) -> int:
    """Return the place before the first event of a moment, or of now when there is none since."""
    with unit_of_work():
        rows = SQL.run("find_oldest", since=since)
        return int(rows[0]["seq"]) - 1 if rows else tip()


def tip() -> int:
    """Return the last place of the trail, within a unit of work."""
    return int(SQL.run("find_tip")[0]["seq"])


def _told(kinds: frozenset[str], viewer: Viewer) -> list[str]:
    """Return the trail's actions that events are made of for this viewer."""
    return actions_of(kinds if AUDITED in viewer.scopes else kinds - FOR_AUDITORS)


def _seen(rows: Sequence[Mapping[str, Any]]) -> list[FeedEvent]:
    """Return the events of those rows that may be told, in their order."""
    asked: dict[str, set[UUID]] = {"memory": set()}
    for row in rows:
        if KIND_OF[row["action"]] not in FOR_AUDITORS:
            asked.setdefault(row["object_type"], set()).add(UUID(row["object_id"]))
        if by := _by(row):
            asked["memory"].add(by)
    sight = {name: _SIGHT[name](ids) for name, ids in asked.items() if ids}
    return [event for row in rows if (event := _event(row, sight)) is not None]


def _event(row: Mapping[str, Any], sight: Mapping[str, Mapping[UUID, tuple[UUID, ...]]]) -> FeedEvent | None:
    kind, by = KIND_OF[row["action"]], _by(row)
    object_id = UUID(row["object_id"]) if row["object_type"] != "gate" else None
    if kind in FOR_AUDITORS:
        memories = tuple(UUID(one) for one in json.loads(row["gone"]))
    elif object_id not in sight[row["object_type"]] or (by and by not in sight["memory"]):
        return None
    else:
        assert object_id is not None
        memories = sight[row["object_type"]][object_id]
    return FeedEvent(
        place=row["seq"], id=row["id"], kind=kind, at=row["at"], object_type=row["object_type"],
        object_id=object_id, memories=memories, by=by,
    )  # fmt: skip


def _by(row: Mapping[str, Any]) -> UUID | None:
    """Return what superseded a memory."""
    return UUID(row["by"]) if KIND_OF[row["action"]] == "superseded" else None
