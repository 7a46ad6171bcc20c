"""
Read what was asked before, as whoever reads it may see it now (SPEC R-13).

# Note [A recall read again]
What an answer showed is read again through the one predicate: what has risen above the reader's class since,
belongs to another person, was erased or lies in a project that is closed to them is not there, and nothing
says that it was. So no place, no factor and no count of a channel is told, which would leave gaps, and not
how many were asked for, which fewer would fall short of. A recall is of the class of who asked, whose words
it has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from memories.storage import MemoryView, memory_view, one_in_sight, within_sight
from recall.models import RecalledMemory, RecallEvent
from recall.retrieval import of_asker
from tenants.managers import page_of
from tenants.scope import NotFound, Viewer, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRecall:
    """A question that was asked."""

    id: UUID
    created_at: datetime  #: when it was answered
    asked_at: datetime  #: the asker's clock
    query: str  #: redacted
    session: str
    agent_id: UUID | None
    project_id: UUID | None
    person: str  #: for whom; empty: for nobody
    policy: str
    degraded: tuple[str, ...]  #: channels that were out
    classification: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StillShown:
    """A memory that an answer told, as it is now."""

    memory: MemoryView
    score: float  #: that it had then; 0 for what was told beside the results
    beside: bool  #: it had no place of its own: its words stood beside another's


def get_recall(recall_id: UUID) -> tuple[PastRecall, tuple[StillShown, ...]]:
    """Return a recall and what of its answer may be seen now, in its order. Raises NotFound."""
    with unit_of_work() as viewer:
        event = asked_by(viewer).filter(id=recall_id).first()
        if event is None:
            raise NotFound(NotFound.__doc__)
        shown = list(RecalledMemory.objects.filter(recall_id=event.id).order_by("place", "id"))
        seen = {row.id: row for row in within_sight(None).filter(id__in=[one.memory_id for one in shown])}
        return _past(event), tuple(
            _still(one, memory_view(seen[one.memory_id])) for one in shown if one.memory_id in seen
        )


def list_recalls_of(
    memory_id: UUID, *, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[PastRecall, ...]:
    """
    Return at most `most` recalls whose answer told the memory and that the viewer may read, newest first.

    after: (created_at, id) of the last one had already. Raises NotFound for the memory.
    """
    with unit_of_work() as viewer:
        one_in_sight(memory_id)
        told = RecalledMemory.objects.filter(memory_id=memory_id).values("recall_id")
        events = asked_by(viewer).filter(id__in=told)
        events = page_of(events, by="at", after=after)
        return tuple(_past(event) for event in events[:most])


def asked_by(viewer: Viewer) -> QuerySet[RecallEvent]:
    """
    Return the recalls that the viewer may read: an agent its own, a key bound to a project that one's.

    Class and person are row security's.
    """
    own = {"agent_id": viewer.agent_id} if viewer.agent_id else {"api_key_id": viewer.key_id}
    return of_asker(RecallEvent.objects.all(), viewer, own=own)


def _past(event: RecallEvent) -> PastRecall:
    return PastRecall(
        id=event.id, created_at=event.at, asked_at=event.asked_at, query=event.query, session=event.session,
        agent_id=event.agent_id, project_id=event.project_id, person=event.person, policy=event.policy,
        degraded=tuple(event.degraded), classification=event.classification,
    )  # fmt: skip


def _still(shown: RecalledMemory, memory: MemoryView) -> StillShown:
    factors: Mapping[str, object] = shown.factors
    return StillShown(memory=memory, score=shown.score, beside=bool(factors.get("beside")))
