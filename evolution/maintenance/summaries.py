"""The step that brings summaries up to date (SPEC E-04, M-11)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from evolution.maintenance.tiers import ARCHIVE
from evolution.steps import QUERIES, Night, Span, StepOutcome, walk
from memories.entity_resolution import BY_RULES, OF_A_PASSAGE, summarise
from memories.models import Summary
from tenants.scope import unit_of_work

OF_THE_ARCHIVED: Final = 1
"""Sentences on a passage of the archive tier, of the one or two of SPEC M-11: it is told in short."""

BATCH: Final = 500
"""Memories of one transaction: a passage takes some 2 ms to be summarised."""

_CHANGED: Final = ("text", "model", "tokens_in", "tokens_out", "content_hash", "created_at", "classification")


def write_summaries(night: Night) -> StepOutcome:
    """
    Summarise the passages whose text or tier is another than their summary was made for.

    With `night.wanted` these memories instead, whatever their kind: somebody asked for them.
    """
    if night.wanted:
        with unit_of_work():
            return StepOutcome(counts=_summarise(_find(Span(), night.wanted), night))
    return walk(night, lambda span: _summarise(_find(span, None), night), batch=BATCH)


def _find(span: Span, memories: Sequence[UUID] | None) -> list[dict[str, Any]]:
    wanted = None if memories is None else list(memories)
    return QUERIES.run("find_unsummarised", after=span.after, upto=span.upto, memories=wanted)


def _summarise(rows: Sequence[Mapping[str, Any]], night: Night) -> dict[str, int]:
    if rows and not night.dry_run:
        Summary.objects.bulk_create(
            [_summary(row, night) for row in rows],
            update_conflicts=True,
            unique_fields=["tenant", "memory"],
            update_fields=_CHANGED,
        )
    return {"summarised": len(rows)}


def _summary(row: Mapping[str, Any], night: Night) -> Summary:
    most = OF_THE_ARCHIVED if row["tier"] == ARCHIVE else OF_A_PASSAGE
    return Summary(
        memory_id=row["id"], text=summarise(row["content"], most=most), model=BY_RULES,
        content_hash=bytes(row["content_hash"]), created_at=night.now, classification=row["classification"],
    )  # fmt: skip
