"""Summaries of passages and documents: written beside what is stored, by the rules (SPEC M-11)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.access import FORGOTTEN
from memories.domain import PASSAGE
from memories.entity_resolution.summary import OF_A_DOCUMENT, OF_A_PASSAGE, summarise
from memories.models import Capture, Document, Summary
from memories.models.capture import OPEN_STATES
from memories.storage import Told
from tenants.sql import Statement

BY_RULES: Final = "rules"
SUMMARISED: Final = (PASSAGE,)
"""Kinds that get a summary: the others are one or two sentences themselves."""


def summarise_memories(memories: Sequence[Told], now: datetime) -> list[Statement]:
    """
    Write the summary of each passage among these memories, and of each document that is whole now.

    A summary of the same text stands; of another one it is replaced. To be called inside `unit_of_work` as
    the pipeline. Leaves no statement to be run.
    """
    passages = [memory for memory in memories if memory.kind in SUMMARISED]
    for memory in passages:
        _summarise_passage(memory, now)
    for document in sorted({memory.document_id for memory in passages if memory.document_id is not None}):
        summarise_document(document)
    return []


def _summarise_passage(memory: Told, now: datetime) -> None:
    former = Summary.objects.filter(memory_id=memory.id).first()
    if former is not None and bytes(former.content_hash) == memory.content_hash:
        return
    row = Summary(
        memory_id=memory.id, text=summarise(memory.content, most=OF_A_PASSAGE), model=BY_RULES,
        content_hash=memory.content_hash, created_at=now, classification=memory.classification,
    )  # fmt: skip
    Summary.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["tenant", "memory"],
        update_fields=[
            "text",
            "model",
            "tokens_in",
            "tokens_out",
            "content_hash",
            "created_at",
            "classification",
        ],
    )


def summarise_document(document_id: UUID) -> None:
    """Write a document's summary once all its passages are settled, of those that were kept."""
    document = Document.objects.filter(id=document_id).first()
    passages = Capture.objects.filter(document_id=document_id)
    if document is None or passages.filter(state__in=OPEN_STATES).exists():
        return
    kept = passages.filter(state="stored").exclude(text=FORGOTTEN).order_by("passage")
    text = summarise("\n\n".join(kept.values_list("text", flat=True)), most=OF_A_DOCUMENT)
    if text != document.summary:
        Document.objects.filter(id=document_id).update(summary=text, summary_model=BY_RULES)
