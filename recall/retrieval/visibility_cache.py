"""
Keep what a viewer may not see for as long as nothing moves (docs/decisions/0062).

The one statement reads in one pass over a tenant's memories which of them are hidden from the viewer and how
many are not: a tenth of a recall at 10 000 memories. The answer is another one only after a commit that
changes what may be seen, which the database itself notes (`collection_stat.moved`), and when a validity
begins or ends. So it is kept in the process, and handed to the statement with the note it was read under. The
statement compares that note with the one in its own snapshot, and makes the pass itself where they differ:
what is kept too long costs time, and shows nobody anything.

It is read by itself only for a viewer who asks a second time with nothing moved in between. Who writes as
often as they ask pays nothing for it.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final
from uuid import UUID

from django.db import connection

from recall.channels import SQL
from tenants.scope import Viewer
from tenants.sql import run_texts_together

MOST_HIDDEN: Final = 1_000
"""Ids that are kept for a viewer. From whom more is hidden, the pass is made for each question: ours, some
100 kB a viewer."""

MOST_VIEWERS: Final = 256
"""Viewers of whom something is kept in a process: those who asked last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was hidden from a viewer, and until when that says so."""

    moved: tuple[int, ...]  #: the note it was read under, by class
    documents: float  #: how many memories were visible
    hidden: tuple[UUID, ...] | None  #: None: none
    since: datetime | None  #: it speaks of the time from here on; None: of all before `until`
    until: datetime | None
    too_many: bool = False  #: not all of what is hidden was read: the statement has to look itself

    def parameters(self) -> dict[str, Any]:
        """Return what the one statement is told of it."""
        return {
            "kept_moved": list(self.moved),
            "kept_documents": self.documents,
            "kept_hidden": None if self.hidden is None else list(self.hidden),
        }

    def speaks_of(self, at: datetime) -> bool:
        """Tell whether no validity begins or ends between the time it was read for and this one."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


NOTHING_KEPT: Final[Mapping[str, Any]] = {"kept_moved": None, "kept_documents": None, "kept_hidden": None}
"""Parameters of the statement when it is to make the pass itself."""

_kept: OrderedDict[Hashable, Kept | tuple[int, ...]] = OrderedDict()
"""Viewer → what is kept, or the note under which they asked last."""

_lock: Final = Lock()


def kept_gate(viewer: Viewer, visible: Mapping[str, Any], moved: Sequence[int] | None) -> Kept | None:
    """
    Return what is kept of what this viewer may not see now, in the caller's unit of work; None: nothing.

    visible: the parameters of `SQL["seen"]`. moved: the note in force; None: nothing was ever stored.
    A unit inside another one may have written what no note tells of yet: nothing is kept there.
    """
    if not moved or len(connection.atomic_blocks) > 1:
        return None
    who, note = _viewer_key(viewer, visible), tuple(moved)
    former = _recall_of(who)
    if isinstance(former, Kept) and former.moved == note:
        if former.too_many:
            return None
        if former.speaks_of(visible["at"]):
            return former
    elif former != note:
        _keep(who, note)
        return None
    return _read(who, visible)


def forget_kept() -> None:
    """Keep nothing any more: of a database that is emptied, as tests do, the notes begin anew."""
    with _lock:
        _kept.clear()


def _viewer_key(viewer: Viewer, visible: Mapping[str, Any]) -> Hashable:
    said = tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in sorted(visible.items())
        if name != "at"
    )
    return viewer.tenant_id, viewer.clearance, viewer.persons_seen, said


def _recall_of(who: Hashable) -> Kept | tuple[int, ...] | None:
    with _lock:
        if who in _kept:
            _kept.move_to_end(who)
        return _kept.get(who)


def _keep(who: Hashable, what: Kept | tuple[int, ...]) -> None:
    with _lock:
        _kept[who] = what
        _kept.move_to_end(who)
        while len(_kept) > MOST_VIEWERS:
            _kept.popitem(last=False)


def _read(who: Hashable, visible: Mapping[str, Any]) -> Kept | None:
    [[row]] = run_texts_together([(SQL["read_gate"], {**visible, "most": MOST_HIDDEN + 1})])
    hidden, note = row["hidden"], tuple(row["moved"])
    kept = Kept(
        moved=note,
        documents=row["documents"],
        hidden=None if hidden is None else tuple(hidden[:MOST_HIDDEN]),
        since=row["since"],
        until=row["until"],
        too_many=hidden is not None and len(hidden) > MOST_HIDDEN,
    )
    _keep(who, kept)
    return None if kept.too_many else kept
