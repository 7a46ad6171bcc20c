"""The step that sees to captures that nobody works on (SPEC E-04)."""

from typing import Final
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from evolution.steps import QUERIES, Night, StepOutcome
from memories.documents import find_unreplaced, replace_versions
from memories.entity_resolution import build_beside, find_unrelated
from memories.ingestion import hint
from memories.models import Capture
from memories.models.capture import OPEN_STATES
from memories.tasks import SWEEP_GRACE_SECONDS, SWEEP_MOST
from tenants.scope import unit_of_work

MOST_RELATED: Final = 20
"""
Captures beside whose memories a run builds what a crash left out, and sources whose versions it settles; a
backlog of the first is `relate_captures`' work.
"""


def settle(night: Night) -> StepOutcome:
    """
    Hint the tenant's due captures again, build what a crash left out beside stored memories, settle versions.

    The rows are the queue: a hint that is lost, too, costs an hour and nothing else.
    """
    due = _claim(night)
    hinted = 0 if night.dry_run else sum(hint(night.tenant_id, one, is_short=False) for one in due)
    unrelated = find_unrelated()[:MOST_RELATED]
    related = 0 if night.dry_run else sum(build_beside(capture, now=night.now) for capture in unrelated)
    versions = find_unreplaced(MOST_RELATED)
    replaced = 0 if night.dry_run else sum(replace_versions(one, now=night.now) for one in versions)
    return StepOutcome(
        counts={
            "due": len(due), "hinted": hinted, "unrelated": len(unrelated), "related": related,
            "versions": len(versions), "replaced": replaced,
        }
    )  # fmt: skip


def _claim(night: Night) -> list[UUID]:
    """Take the due captures up, so that the sweep and this step do not both hint them."""
    with unit_of_work():
        if night.dry_run:
            free = Q(leased_until=None) | Q(leased_until__lt=Now())
            waiting = Capture.objects.filter(free, state__in=OPEN_STATES).order_by("created_at")
            return list(waiting.values_list("id", flat=True)[:SWEEP_MOST])
        rows = QUERIES.run("claim_captures", most=SWEEP_MOST, grace_seconds=SWEEP_GRACE_SECONDS)
        return [row["id"] for row in rows]
