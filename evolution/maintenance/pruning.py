"""The step that drops links which are doubtful, or too many, and keys that have expired (SPEC E-04, M-09)."""

from datetime import timedelta
from typing import Final

from evolution.steps import QUERIES, Night, Span, StepOutcome, walk
from memories.storage import MOST_LINKS
from security.models import KEY_HOURS
from tenants.scope import unit_of_work

STALE_DAYS: Final = 7
"""A link of a confidence of 0.35 or less that was not verified for so many days is dropped (SPEC E-04)."""

BATCH: Final = 5_000
"""Rows that one transaction drops or empties."""


def prune(night: Night) -> StepOutcome:
    """
    Drop stale links, and of each memory the found links of likeness beyond the strongest 20.

    Idempotency keys that have expired are forgotten besides; the next night goes on. Manual links stay. The
    stale ones are found by an index and dropped at once; those beyond 20, which only somebody else than the
    write track can leave, are looked for in a walk over all memories.
    """
    stale = 0
    while (gone := _prune_stale(night)) > 0:
        stale += gone
        if gone < BATCH or night.dry_run or night.is_over():
            break
    keys = _prune_keys(night)
    walked = walk(night, lambda span: _prune_crowded(span, night))
    counts = {"stale": stale, "crowded": walked.counts.get("crowded", 0)} | ({"keys": keys} if keys else {})
    return StepOutcome(counts=counts, resume_from=walked.resume_from)


def _prune_stale(night: Night) -> int:
    before = night.now - timedelta(days=STALE_DAYS)
    with unit_of_work():
        return int(QUERIES.run("prune_stale", before=before, most=BATCH, dry_run=night.dry_run)[0]["size"])


def _prune_keys(night: Night) -> int:
    """Forget the idempotency keys that have expired, of captures and of other requests; return how many."""
    expired = {"before": night.now - timedelta(hours=KEY_HOURS), "most": BATCH, "dry_run": night.dry_run}
    with unit_of_work():
        return sum(int(QUERIES.run(name, **expired)[0]["size"]) for name in ("prune_keys", "prune_requests"))


def _prune_crowded(span: Span, night: Night) -> dict[str, int]:
    place = {"after": span.after, "upto": span.upto}
    [row] = QUERIES.run("prune_crowded", most_links=MOST_LINKS, dry_run=night.dry_run, **place)
    return {"crowded": int(row["size"])}
