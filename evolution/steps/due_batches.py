"""What the steps that see to a few memories a night share: which are due, and where they stopped."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal
from uuid import UUID

from evolution.steps.batch_walk import NIL
from evolution.steps.contract import Night
from tenants.scope import unit_of_work
from tenants.sql import Queries

QUERIES: Final = Queries(Path(__file__).parent.parent / "sql" / "tidy.sql")

A_RUN: Final = 20
"""Memories that are retagged, or relinked, in one run (SPEC E-04)."""

SEEN_DAYS: Final = 7
"""After so many days a memory is seen to again (SPEC E-04)."""

MOST_SCANNED: Final = 50_000
"""Memories that one run looks at for those that are due: some 0.1 s where none of them is."""

What = Literal["tags", "links"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Memories to be seen to."""

    memories: tuple[UUID, ...]
    resume_from: str  #: where the next run looks on; empty: at the beginning


def find_due(what: What, night: Night) -> Due:
    """
    Return the next memories whose tags or links were not seen to for 7 days, by id, from where it stopped.

    Round and round, so that no index has to hold when each was seen to: that would be written at every visit.
    """
    with unit_of_work():
        [row] = QUERIES.run(
            "find_due", what=what, after=UUID(night.resume_from or NIL.hex), most=A_RUN,
            scanned=MOST_SCANNED, before=night.now - timedelta(days=SEEN_DAYS),
        )  # fmt: skip
    memories = tuple(row["due"])
    if len(memories) == A_RUN:
        return Due(memories=memories, resume_from=memories[-1].hex)
    at_the_end = row["looked"] < MOST_SCANNED
    return Due(memories=memories, resume_from="" if at_the_end else row["last"].hex)


def note_seen(what: What, memories: tuple[UUID, ...], night: Night) -> None:
    """Note that these were seen to, in the caller's unit of work."""
    if memories:
        QUERIES.run("note_seen", what=what, memories=list(memories), now=night.now)
