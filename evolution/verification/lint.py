"""
What is wrong with a memory as a whole, in four levels, each finding with what would mend it (SPEC E-11).

Nothing is kept: a finding is there as long as what it tells of is. The night counts them, the lists show
them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal
from uuid import UUID

from evolution.steps import Night, StepOutcome
from memories.access import visible_params
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import Queries, run_text

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "lint.sql")

Level = Literal["dangling", "orphans", "stale", "contradictions"]

LEVELS: Final[tuple[Level, ...]] = ("dangling", "orphans", "stale", "contradictions")
"""Dangling links, orphans, stale knowledge, contradictions: from what breaks an answer least to most."""

AFTER: Final = {"orphan_days": 30, "stale_days": 180, "recalled_days": 30, "open_days": 14}
"""
Days after which something counts: never led to, not confirmed, still recalled, not answered. Ours: by then
every step of the night has looked at a row, and a person has had two weeks for a question.
"""

_MENDS: Final[Mapping[Level, tuple[tuple[str, str, str], ...]]] = {
    "dangling": (("unlink", "DELETE", "memories/{memory}/links/{id}"),),
    "orphans": (("archive", "POST", "memories/{memory}/archive"),),
    "stale": (
        ("correct", "POST", "memories/{memory}/correct"),
        ("archive", "POST", "memories/{memory}/archive"),
    ),
    "contradictions": (("resolve", "POST", "contradictions/{id}/resolve"),),
}
"""Level → what would mend it: in a word, the method, and the address below /api/v1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """A request that would settle a finding; a person decides."""

    verb: str
    method: str
    path: str  #: below /api/v1


@dataclass(frozen=True, slots=True, kw_only=True)
class LintFinding:
    """Something that is wrong, with the memories it is about."""

    id: UUID  #: of the link, the memory or the contradiction
    level: Level
    memory_id: UUID
    other_id: UUID | None  #: the other end of the link, or the older of two that contradict each other
    what: str  #: the link's type, the memory's kind, or the rule that left a question open
    since: datetime
    classification: int
    mends: tuple[Mend, ...]

    @property
    def created_at(self) -> datetime:
        """Return what the list is in order of."""
        return self.since


def list_lint(
    levels: Sequence[Level] = LEVELS,
    *,
    after: tuple[datetime, UUID] | None = None,
    most: int,
    now: datetime,
) -> list[LintFinding]:
    """
    Return at most `most` findings of these levels on what the viewer in force may see, the latest first.

    after: (since, id) of the last one had.
    """
    at, after_id = after or (None, None)
    with unit_of_work():
        text = SQL["page"].replace("{findings}", _findings(levels))
        rows = run_text(text, {**_params(now), "after": at, "after_id": after_id, "most": most})
    return [_finding(row) for row in rows]


def count_lint(night: Night) -> StepOutcome:
    """Count the findings of each level over all of the tenant's memory; nothing is changed."""
    counts: dict[str, int] = {}
    with tenant_scope(pipeline_viewer(night.tenant_id)):
        for level in LEVELS:
            with unit_of_work():
                [row] = run_text(SQL["size"].replace("{findings}", _findings([level])), _params(night.now))
            counts[level] = int(row["size"])
    return StepOutcome(counts=counts)


def _findings(levels: Sequence[Level]) -> str:
    """Return the statement that finds all of some levels, each row with its level."""
    seen = SQL["visible"]
    told = []
    for level in levels:
        text = (
            SQL[level]
            .replace("{seen}", seen.replace("{m}", "m"))
            .replace("{other}", seen.replace("{m}", "o"))
        )
        told.append(f"SELECT '{level}' AS level, f.* FROM ({text}) f")
    return " UNION ALL ".join(told)


def _params(now: datetime) -> dict[str, Any]:
    viewer = viewer_in_force()
    return {**AFTER, "now": now, "tenant": viewer.tenant_id, **visible_params(viewer, now)}


def _finding(row: Mapping[str, Any]) -> LintFinding:
    level: Level = row["level"]
    named = {"memory": row["memory_id"], "id": row["id"]}
    # What the night linked by itself it takes back by itself; only a person's link is a person's to undo.
    offered = _MENDS[level] if level != "dangling" or row["manual"] else ()
    return LintFinding(
        id=row["id"],
        level=level,
        memory_id=row["memory_id"],
        other_id=row["other_id"],
        what=row["what"],
        since=row["at"],
        classification=row["classification"],
        mends=tuple(Mend(verb=verb, method=how, path=path.format(**named)) for verb, how, path in offered),
    )
