"""
How well the watermarks watch: moved or not, against changed or not, for each kind of handle (SPEC E-09).

A move that left the fact as it was is a false alarm: after two, the fact is bound to a narrower handle that
its own text names, as soon as a report brings one. A change that no move showed is a miss: what takes the
fact's place is bound to something else (`memories.storage.watermark_binding`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from evolution.verification.bound import SQL, Bound
from memories.access import visible_params
from memories.domain import FIELDS, Fingerprint, Handle, choose_watermark, handle_of, is_narrower
from security import audit
from tenants.scope import unit_of_work

FALSE_ALARMS: Final = 2
"""Moves that changed nothing after which a fact is bound more narrowly. Ours: one may be chance."""

MOST_NOISY: Final = 20
"""Handles that are listed for their false alarms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """What was seen of the handles of one kind, and what was then known of the facts; in facts."""

    kind: str
    moved_changed: int
    moved_held: int  #: false alarms
    still_changed: int  #: misses
    still_held: int
    unknown: int  #: seen, and not known yet whether the fact changed

    @property
    def false_alarms(self) -> float | None:
        """Share of the moves that left the fact as it was, in [0, 1]; None: nothing moved."""
        moved = self.moved_changed + self.moved_held
        return self.moved_held / moved if moved else None

    @property
    def misses(self) -> float | None:
        """Share of the looks at an unmoved handle whose fact had changed, in [0, 1]; None: none."""
        still = self.still_changed + self.still_held
        return self.still_changed / still if still else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noisy:
    """A handle whose moves left facts as they were: a narrower one should be reported."""

    handle: Handle
    facts: int
    false_alarms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WatermarkCalibration:
    """How well the facts of one project are watched, as far as the viewer may see these."""

    kinds: tuple[Matrix, ...]  #: of every kind, in the order of FIELDS
    noisy: tuple[Noisy, ...]  #: the worst first


def calibrate_watermarks(*, project_id: UUID | None = None) -> WatermarkCalibration:
    """Return the confusion matrix of each kind of handle, for the viewer in force."""
    with unit_of_work() as viewer:
        seen = visible_params(viewer, None, projects=[project_id] if project_id else None)
        counted = {row["kind"]: row for row in SQL.run("count_observations", project=project_id, **seen)}
        noisy = SQL.run("list_noisy", project=project_id, most=MOST_NOISY, **seen)
    nothing = dict.fromkeys(("moved_changed", "moved_held", "still_changed", "still_held", "unknown"), 0)
    return WatermarkCalibration(
        kinds=tuple(Matrix(**{"kind": kind, **nothing, **counted.get(kind, {})}) for kind in FIELDS),
        noisy=tuple(
            Noisy(
                handle=handle_of(row),
                facts=row["facts"], false_alarms=row["false_alarms"],
            )
            for row in noisy
        ),
    )  # fmt: skip


def narrow(held: Sequence[Bound], fingerprints: Sequence[Fingerprint], *, now: datetime) -> int:
    """
    Bind facts that hold to a narrower handle, where theirs gave false alarms; return how many.

    held: facts that the report in hand found as they were. fingerprints: all of that report. Within its
    transaction.
    """
    wide = {
        fact.memory_id: [one for one in fingerprints if is_narrower(one.handle, fact.handle)] for fact in held
    }
    wide = {memory: narrower for memory, narrower in wide.items() if narrower}
    if not wide:
        return 0
    chosen: dict[UUID, Fingerprint] = {}
    for row in SQL.run("find_false_alarms", memories=list(wide), enough=FALSE_ALARMS):
        found = choose_watermark(row["content"], wide[row["memory_id"]])
        if found is not None:
            chosen[row["memory_id"]] = found
    if chosen:
        _rebind(chosen, {fact.memory_id: fact for fact in held}, now)
    return len(chosen)


def _rebind(chosen: dict[UUID, Fingerprint], facts: dict[UUID, Bound], now: datetime) -> None:
    handles = [one.handle for one in chosen.values()]
    SQL.run(
        "rebind_watermarks", memories=list(chosen), kinds=[one.kind for one in handles],
        names=[one.name for one in handles], scopes=[one.scope for one in handles],
        values=[one.value for one in chosen.values()], now=now,
    )  # fmt: skip
    events = [
        audit.Event(
            action="watermark.narrow", object_type="memory", object_id=memory,
            detail={"kind": one.handle.kind}, classification=facts[memory].classification,
        )
        for memory, one in chosen.items()
    ]  # fmt: skip
    audit.append_all(events, now=now)
