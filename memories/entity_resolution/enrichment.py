"""
Build what stands beside stored memories: entities, triples, links to what discussed them (SPEC W-16).

After storing, in a transaction of its own, and never to the harm of what was stored: an error is logged, the
capture stays marked as not related, and `manage.py relate_captures` finds it. Nobody is asked over a network.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memories.domain import Trace
from memories.entity_resolution.discussion_links import link_discussions
from memories.entity_resolution.entities import Foreseen, answer, build_entities, foresee, look_up
from memories.entity_resolution.summaries import summarise_memories
from memories.entity_resolution.triples import build_triples
from memories.models import Capture, Memory, Mention
from memories.queries import run_entities, run_together, unit_that_runs
from memories.storage import Told, read_told
from tenants.scope import unit_of_work
from tenants.sql import Statement, to_json

Builder = Callable[[Sequence[Told], datetime], list[Statement]]
"""Reads what it needs inside the caller's transaction, and returns the statements of `sql/entities.sql` that
write something beside these memories; run a second time they change nothing."""

BUILDERS: Final[tuple[Builder, ...]] = (build_triples, link_discussions, summarise_memories)
"""Their statements are run in this order, after the entities': triples and links read whom is spoken of."""

logger = logging.getLogger(__name__)


def build_beside(capture_id: UUID, *, now: datetime, stored: Sequence[Told] = ()) -> bool:
    """
    Build what stands beside the memories of a capture, as the pipeline; return whether it was done.

    stored: those written a moment ago; whom they name is asked for in the trip that reads them back.
    Never raises for what goes wrong: the memories are stored, and that stays so.
    """
    trace = Trace()
    try:
        with ExitStack() as timed:
            entry = timed.enter_context(trace.step("beside"))
            foreseen = foresee(stored)
            search = ("find_told", {"capture": capture_id, "memories": []})
            with unit_that_runs([*look_up(foreseen), search]) as (*seen, rows):
                entry |= {"memories": _build(rows, now, answer(foreseen, seen))}
                timed.close()
                run_entities("mark_related", capture=capture_id, now=now, entry=to_json(trace.entries))
    except Exception:
        logger.exception("what stands beside a capture could not be built; relate_captures will")
        return False
    return True


def build_beside_memories(memory_ids: Sequence[UUID], *, now: datetime) -> bool:
    """Build the same beside memories without a capture; return whether it was done. Never raises for it."""
    try:
        with unit_of_work():
            rows = run_entities("find_told", capture=None, memories=list(memory_ids))
            _build(rows, now, foresee(()))
    except Exception:
        logger.exception("what stands beside a memory could not be built; relate_captures will")
        return False
    return True


def find_unrelated() -> list[UUID]:
    """Return the stored captures beside whose memories nothing was built yet, oldest first."""
    with unit_of_work():
        waiting = Capture.objects.filter(state="stored", related_at=None).order_by("created_at", "id")
        return list(waiting.values_list("id", flat=True))


def find_unrelated_memories() -> list[UUID]:
    """Return the memories without a capture that name something and mention nobody yet, oldest first."""
    with unit_of_work():
        mentions: QuerySet[Mention] = Mention.objects.filter(memory_id=OuterRef("id"))
        naming = ~Q(entities=[]) | Q(entity_key__isnull=False)
        bare = Memory.objects.filter(naming, capture_id=None).exclude(Exists(mentions))
        return list(bare.order_by("created_at", "id").values_list("id", flat=True))


def _build(rows: Sequence[dict[str, Any]], now: datetime, foreseen: Foreseen) -> int:
    """Build it beside the memories in these rows, in one round trip for all writes; return their number."""
    memories = read_told(rows)
    if not memories:
        return 0
    statements = build_entities(memories, now, foreseen)
    statements += [one for build in BUILDERS for one in build(memories, now)]
    if statements:
        run_together(statements)
    return len(memories)
