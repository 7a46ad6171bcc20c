"""The step that brings automatic tags up to date, a few memories a run (SPEC E-04, M-12)."""

from collections import Counter
from collections.abc import Sequence

from evolution.steps import QUERIES, Night, StepOutcome, find_due, note_seen
from memories.extraction import MOST_TAGS, automatic_tags
from memories.language import canonical_tag, keywords
from memories.models import Memory
from memories.storage import search_by_tags
from tenants.scope import unit_of_work
from tenants.sql import LockNamespace, lock_tenant


def retag(night: Night) -> StepOutcome:
    """Give 20 memories that were not tagged for 7 days the tags they would get today; manual ones stay."""
    due = find_due("tags", night)
    counts: Counter[str] = Counter(looked_at=len(due.memories))
    with unit_of_work():
        rows = list(Memory.objects.filter(id__in=due.memories).order_by("id"))
    wanted = [(row, tags) for row in rows if (tags := choose_tags(row)) != tuple(row.tags)]
    if night.dry_run:
        return StepOutcome(counts=dict(counts + Counter(retagged=len(wanted))), resume_from=due.resume_from)
    if due.memories:
        with unit_of_work():
            lock_tenant(LockNamespace.STORE)
            counts["retagged"] += sum(_change(row, tags, night) for row, tags in wanted)
            note_seen("tags", due.memories, night)
    return StepOutcome(counts=dict(counts), resume_from=due.resume_from)


def choose_tags(row: Memory) -> tuple[str, ...]:
    """
    Return a memory's automatic tags as they would be today.

    Those it has keep their order, each in its one spelling by the list of today; where they are fewer than
    six, the words that its text is about fill up. What is among the manual tags is not repeated.
    """
    by_hand = {canonical_tag(tag) for tag in row.manual_tags}
    kept = [tag for tag in dict.fromkeys(map(canonical_tag, row.tags)) if tag and tag not in by_hand]
    if len(kept) < MOST_TAGS:
        said = (tag for tag in automatic_tags(keywords(row.content)) if tag not in by_hand)
        kept = list(dict.fromkeys((*kept, *said)))[:MOST_TAGS]
    return tuple(kept)


def _change(row: Memory, tags: Sequence[str], night: Night) -> bool:
    """Write the tags, and what search reads of them; not if the memory was changed since it was read."""
    former = list(row.tags)
    changed = QUERIES.run(
        "change_tags", memory=row.id, version=row.version, former=former, tags=list(tags), now=night.now
    )
    if changed:
        search_by_tags(row, former=(*former, *row.manual_tags), tags=(*tags, *row.manual_tags))
    return bool(changed)
