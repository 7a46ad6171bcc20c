"""Read the log of a tenant's recalls with what was said of them, inside the viewer's walls."""

from collections import defaultdict
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from evolution.models import LEAST_PROOF, Feedback
from evolution.off_policy.logged import Log, LoggedRecall
from recall.models import RecallEvent
from recall.ranking import unpack_candidates
from tenants.scope import unit_of_work

MOST_RECALLS: Final = 20_000
"""Recalls that are read, the newest first: as arrays some 60 MB."""


def read_log(policy: str, *, since: datetime | None = None, most: int = MOST_RECALLS) -> Log:
    """
    Return the newest recalls that were answered by this policy, with the verdicts that stand on them.

    policy: its label. most: how many recalls. What was answered with a part left out, before chances were
    kept, or without candidates is not read: of it nobody knows what else could have been shown.
    """
    with unit_of_work():
        rows = RecallEvent.objects.filter(policy=policy, candidates__isnull=False, draws__has_key="share")
        rows = rows.filter(at__gte=since) if since else rows
        events = list(rows.only("query", "k", "candidates", "draws").order_by("-at", "-id")[:most])
        said = _verdicts([event.id for event in events])
    return Log.of([_recalled(event, said[event.id]) for event in events])


def _verdicts(recalls: list[UUID]) -> defaultdict[UUID, dict[UUID, float]]:
    """Return what each memory of each recall was worth; that it was used says nothing of that."""
    said: defaultdict[UUID, dict[UUID, float]] = defaultdict(dict)
    # A share of how a whole task went says too little of one row to be taken for its helpfulness.
    spoken = Feedback.objects.filter(recall_id__in=recalls, stands=True, weight__gte=LEAST_PROOF)
    standing = spoken.exclude(outcome="used")
    for recall, memory, outcome, weight in standing.values_list(
        "recall_id", "memory_id", "outcome", "weight"
    ):
        said[recall][memory] = weight if outcome == "helpful" else 0.0
    return said


def _recalled(event: RecallEvent, said: dict[UUID, float]) -> LoggedRecall:
    candidates, draws = unpack_candidates(bytes(event.candidates or b"")), event.draws
    places = {str(one.memory_id): place for place, one in enumerate(candidates)}
    return LoggedRecall(
        question=event.query,
        k=event.k,
        candidates=candidates,
        verdicts={places[str(memory)]: worth for memory, worth in said.items() if str(memory) in places},
        share=draws["share"],
        held=frozenset(places[one] for one in draws["held"] if one in places),
        play=draws["play"],
        chances=_by_place(draws["chances"], places),
        debut=draws["how"] == "debut",
    )


def _by_place(chances: dict[str, Any], places: dict[str, int]) -> dict[int, float]:
    return {places[one]: chance for one, chance in chances.items() if one in places}
