"""
Judge what an answer shows, apart from the engine that found it (SPEC S-06).

# Note [Two readings of one rule]
The classification filter of the incident was written, tested, and not wired in: whoever asks the filter
whether the filter worked hears that it did. So this reads each shown row anew by SQL of its own and holds it
against T-07, T-08, K-09, R-07 and S-01 as written here a second time. It imports neither
`recall.retrieval.visibility_filter` nor `memories.access.visibility`,
calls no function of theirs in the database, and trusts no wall: a row that the
tenant's own reading does not find, or that says it is another's, is another tenant's. Where both readings
differ, one of them is wrong; a change of those rules is made in both places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from tenants.sql import Queries

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "leaks.sql")

SORTS: Final = (
    "other_tenant", "forgotten", "above_ceiling", "superseded", "contender", "archived", "expired",
    "not_yet_valid", "quarantined", "others_private", "other_project",
    "other_person",
)  # fmt: skip
"""What a shown memory may be that it must not be."""

CURRENT: Final = 0
SUPERSEDED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asked, in the words of the rules, and for which time."""

    tenant_id: UUID
    clearance: int  #: highest class readable, 0 public – 3 confidential
    agent_id: UUID | None
    all_owners: bool  #: looks from above: a person, an operator, the service itself
    projects: frozenset[UUID]
    unfiled: bool  #: what belongs to no project is theirs to see
    domains: frozenset[str]
    at: datetime  #: the asker's clock
    person: str = ""  #: the end user for whom it is asked; empty: for nobody
    past: tuple[datetime, datetime] | None = None  #: the past range that the question's words ask about
    valid_at: datetime | None = None  #: what held then is asked for, in place of what holds now
    known_at: datetime | None = None  #: what was known then


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A memory that was shown and must not be."""

    id: UUID
    sorts: tuple[str, ...]  #: of `SORTS`, all that are so


def find_leaks(
    ids: Sequence[UUID], asker: Asker, *, classes: Mapping[UUID, int] | None = None
) -> tuple[Leak, ...]:
    """
    Return those of the shown memories that the asker may not be shown, in their order.

    To be called inside a unit of work of the pipeline in the asker's tenant, in the snapshot that the answer
    was made in: what is superseded a moment later was none when it was shown. classes: of memories that a
    rehearsal takes for another class than they have.
    """
    if not ids:
        return ()
    rows = {row["id"]: row for row in _SQL.run("read_judged", ids=list(ids))}
    missing = [one for one in ids if one not in rows]
    erased = {row["id"] for row in _SQL.run("read_erased", ids=missing)} if missing else set()
    for one, rank in (classes or {}).items():
        if one in rows:
            rows[one]["classification"] = rank
    told = {one: judge(rows.get(one), asker, erased=one in erased) for one in ids}
    return tuple(Leak(id=one, sorts=sorts) for one, sorts in told.items() if sorts)


def find_hidden(asker: Asker) -> dict[str, UUID]:
    """Return memories of the tenant that the asker may not see: one for each sort that there is one of."""
    since = min(asker.at, asker.past[0]) if asker.past else asker.at
    rows = _SQL.run(
        "find_hidden", clearance=asker.clearance, since=since, agent=asker.agent_id,
        all_owners=asker.all_owners, projects=list(asker.projects), person=asker.person,
    )  # fmt: skip
    return {row["sort"]: row["id"] for row in rows}


def judge(row: Mapping[str, Any] | None, asker: Asker, *, erased: bool = False) -> tuple[str, ...]:
    """Return what is wrong with showing a row to the asker, of `SORTS`; nothing when it is theirs to see."""
    if row is None:
        return ("forgotten",) if erased else ("other_tenant",)
    wrong = [
        ("other_tenant", row["tenant"] != asker.tenant_id),
        ("above_ceiling", row["classification"] > asker.clearance),
        ("archived", row["archived_at"] is not None),
        ("quarantined", row["quarantined"]),
        ("others_private", not _is_shared_with(row, asker)),
        ("other_project", not _is_in_projects(row, asker)),
        ("other_person", row["person"] != "" and row["person"] != asker.person),
    ]
    return (*(sort for sort, is_so in wrong if is_so), *_of_time(row, asker))


def _of_time(row: Mapping[str, Any], asker: Asker) -> tuple[str, ...]:
    """Return what is wrong with showing a row for the time that is asked about."""
    if asker.valid_at or asker.known_at:
        # Which of several values held then is not judged again: only that it was there.
        late = (asker.valid_at and row["effective_at"] > asker.valid_at) or (
            asker.known_at and row["created_at"] > asker.known_at
        )
        return ("not_yet_valid",) if late else ()
    # A question about the past adds what held then to what holds now (docs/decisions/0015).
    return () if asker.past and _held_in(row, asker.past) else _out_of_time(row, asker.at)


def _is_shared_with(row: Mapping[str, Any], asker: Asker) -> bool:
    if asker.all_owners or row["agent_id"] is None or row["agent_id"] == asker.agent_id:
        return True
    return bool(row["shared"]) and (row["domain"] in ("", "*") or row["domain"] in asker.domains)


def _is_in_projects(row: Mapping[str, Any], asker: Asker) -> bool:
    return asker.unfiled if row["project_id"] is None else row["project_id"] in asker.projects


def _out_of_time(row: Mapping[str, Any], at: datetime) -> tuple[str, ...]:
    """Return in which ways a row does not hold at the moment."""
    wrong = {
        "superseded": row["standing"] == SUPERSEDED,
        "contender": row["standing"] not in (CURRENT, SUPERSEDED),
        "not_yet_valid": row["valid_from"] is not None and row["valid_from"] > at,
        "expired": row["valid_until"] is not None and row["valid_until"] <= at,
    }
    return tuple(sort for sort, is_so in wrong.items() if is_so)


def _held_in(row: Mapping[str, Any], past: tuple[datetime, datetime]) -> bool:
    """Tell whether a row held for some of the range; of former values those of a state alone."""
    start, end = past
    if row["valid_from"] is not None and row["valid_from"] >= end:
        return False
    if row["valid_until"] is not None and row["valid_until"] <= start:
        return False
    if row["standing"] == CURRENT:
        return True
    if row["card"] != "state" or row["effective_at"] >= end:
        return False
    if row["standing"] != SUPERSEDED:
        return bool(row["disputed"])
    # A claim that lost to an earlier value never held.
    ended_at = row["ended_at"]
    return ended_at is None or (ended_at > start and ended_at > row["effective_at"])
