"""
The step that counts what agents keep asking about (SPEC E-04, E-11).

The counts of a night replace those of the night before in one transaction, and only what changed is written:
a night that comes twice writes nothing the second time.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from evolution.interests.occasions import AgentQuestion, Counted, count_occasions
from evolution.steps import Night, StepOutcome
from recall.models import Interest, RecallEvent
from recall.ranking import INTEREST_WINDOWS
from tenants.scope import unit_of_work

MOST_QUESTIONS: Final = 50_000
"""Questions that a night reads, the newest first: some seconds. Ours."""

COLUMNS: Final = tuple(f"days_{days}" for days in INTEREST_WINDOWS)

Key = tuple[UUID, UUID | None, int, str]


def count_interests(night: Night) -> StepOutcome:
    """Count what agents asked about in 7, 30 and 90 days; counts: asked, interests, changed."""
    with unit_of_work():
        asked = list(_asked(night))
        counted = {
            (*whose, term): counts
            for whose, terms in count_occasions(asked, now=night.now).items()
            for term, counts in terms.items()
        }
        stored = {
            (row.agent_id, row.project_id, row.classification, row.term): row
            for row in Interest.objects.all()
        }
        changed = _store(counted, stored, night)
    interests = sum(1 for key in counted if key[-1])
    return StepOutcome(counts={"asked": len(asked), "interests": interests, "changed": changed})


def _asked(night: Night) -> Iterator[AgentQuestion]:
    """Return the newest questions of the longest window that an agent asked for no end user."""
    since = night.now - timedelta(days=INTEREST_WINDOWS[-1])
    rows = RecallEvent.objects.filter(at__gt=since, at__lte=night.now, agent__isnull=False, person="")
    names = ("agent_id", "project_id", "classification", "at", "session", "query")
    for agent, project, rank, at, session, query in rows.order_by("-at", "-id").values_list(*names)[
        :MOST_QUESTIONS
    ]:
        yield AgentQuestion(
            agent=agent, project=project, classification=rank, at=at, session=session, query=query
        )


def _store(counted: Mapping[Key, Counted], stored: Mapping[Key, Interest], night: Night) -> int:
    """Write what differs from what is stored; return how many rows that are, or would be."""
    gone = [row.id for key, row in stored.items() if key not in counted]
    fresh = [
        Interest(
            agent_id=key[0], project_id=key[1], classification=key[2], term=key[3], counted_at=night.now,
            **dict(zip(COLUMNS, counts, strict=True)),
        )
        for key, counts in counted.items()
        if key not in stored
    ]  # fmt: skip
    moved = []
    for key, counts in counted.items():
        row = stored.get(key)
        if row is not None and tuple(getattr(row, name) for name in COLUMNS) != counts:
            for name, count in zip(COLUMNS, counts, strict=True):
                setattr(row, name, count)
            row.counted_at = night.now
            moved.append(row)
    if not night.dry_run:
        Interest.objects.filter(id__in=gone).delete()
        Interest.objects.bulk_create(fresh)
        Interest.objects.bulk_update(moved, [*COLUMNS, "counted_at"])
    return len(gone) + len(fresh) + len(moved)
