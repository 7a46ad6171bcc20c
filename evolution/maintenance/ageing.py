"""
The step that goes through all memories: stages of forgetting and tiers (SPEC E-02, E-05, E-06).

Both are closed forms of time and of what is stored: a run that was missed, came late or came five times
changes nothing, and a second one in a row writes no row.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.maintenance import decay, priority
from evolution.maintenance.forgetting import CURVE, Stage
from evolution.maintenance.tiers import BOUNDS, RECENT_DAYS, TIER_OF
from evolution.steps import Night, Span, StepOutcome, walk
from memories.domain import PROVENANCE_WEIGHT
from recall.ranking import RECENCY_LAMBDA
from tenants.scope import unit_of_work
from tenants.sql import Queries, run_text

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "tiers.sql")

FORMULAS: Final[dict[str, Any]] = {
    **CURVE,
    **BOUNDS,
    "tier_of": json.dumps(TIER_OF),
    "source_weights": json.dumps(PROVENANCE_WEIGHT),
    "age_share": decay.AGE_SHARE,
    "stale_days": decay.STALE_DAYS,
    "link_slowing": decay.LINK_SLOWING,
    "most_links": decay.MOST_LINKS,
    "used_share": decay.USED_SHARE,
    "old_days": decay.OLD_DAYS,
    "explicit_part": priority.EXPLICIT,
    "access_part": priority.ACCESS,
    "density_part": priority.DENSITY,
    "recency_part": priority.RECENCY,
    "source_part": priority.SOURCE,
    "half_used": priority.HALF_USED,
    "full_density": priority.FULL_DENSITY,
    "highest_importance": priority.HIGHEST_IMPORTANCE,
    "recency_lambda": RECENCY_LAMBDA,
}
"""Every number of the formulas, from where it is explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Why a memory is in its tier, and how far it is forgotten: whatever was looked at, in numbers."""

    memory_id: UUID
    tier: str
    tier_reason: str  #: of the last move; empty: it was never moved
    stage: int  #: as noted by the last night, see `evolution.maintenance.forgetting.Stage`
    q_value: float
    recalled: int
    days: float  #: since it was accessed
    age: float  #: days
    unrecalled: float  #: days without a recall
    source: float  #: weight of its origin
    explicit: float | None  #: importance that a person gave, as a share of 5
    links: int  #: memories it is linked with
    recent: int  #: those linked in the last 7 days
    relationship: int
    tagged: bool  #: has manual tags
    pinned: bool
    lasting: bool  #: does not decay
    priority: float
    decay: float
    reason: str | None  #: the first that holds now
    target: str  #: the tier it belongs to now
    stage_now: int
    retention: float  #: what forgetting leaves of its usefulness


def age_memories(night: Night) -> StepOutcome:
    """
    Note how far each memory is forgotten, and move each to the tier it belongs to with the reason.

    Both in one walk and one write, since a row that is written twice costs twice; only where one has changed.
    """
    return walk(night, lambda span: _age(span, night))


def read_scores(memories: Sequence[UUID], *, now: datetime) -> list[Scores]:
    """Return the numbers that decide the tiers of these memories, of the live ones, in order of their ids."""
    if not memories:
        return []
    ordered = sorted(memories)
    span = Span(after=UUID(int=max(ordered[0].int - 1, 0)), upto=ordered[-1])
    with unit_of_work():
        text = f"{SQL['scores']}\n{SQL['read_scores']}"
        rows = run_text(text, {**_parameters(span, now=now), "memories": ordered})
    return [Scores(**row) for row in rows]


def _age(span: Span, night: Night) -> Counter[str]:
    SQL.run("prepare")
    text = f"{SQL['scores']}\n{SQL['age_memories']}"
    rows = run_text(text, {**_parameters(span, now=night.now), "dry_run": night.dry_run})
    counts: Counter[str] = Counter()
    for row in rows:
        if row["stage"] != row["stage_now"]:
            counts[f"{_name(row['stage'])}_to_{_name(row['stage_now'])}"] += int(row["size"])
        if row["tier"] != row["target"]:
            counts[f"{row['tier']}_to_{row['target']}: {row['reason']}"] += int(row["size"])
    return counts + Counter(written=sum(int(row["size"]) for row in rows))


def _parameters(span: Span, *, now: datetime) -> dict[str, Any]:
    return {
        **FORMULAS, "now": now, "after": span.after, "upto": span.upto, "memories": None,
        "recent_from": now - timedelta(days=RECENT_DAYS),
    }  # fmt: skip


def _name(stage: int) -> str:
    return Stage(stage).name.lower()
