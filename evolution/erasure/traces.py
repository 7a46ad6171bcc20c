"""
Find and blank what a forgotten memory left outside of memory: captures, questions, documents (SPEC S-05).

A turn is one piece: of a capture that made several memories the text goes and the other memories stay.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.erasure.plan import ErasurePlan
from memories.access import FORGOTTEN, REASON
from memories.entity_resolution import summarise_document
from memories.language import CONTENT_STOP_WORDS, words
from memories.models import Capture, Corroboration, Document
from tenants.sql import Queries, to_json

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "erasure.sql")

SHORTEST_WORD: Final = 4
"""Letters of a word by which a question is known to speak of what is gone; Chinese ones have two. Ours."""

_EMPTY: Final = frozenset(stem for word in CONTENT_STOP_WORDS for stem in words(word))
"""Stems of words that every question may have."""

_TRACE: Final = [{"step": "forget", "verdict": "forgotten", "reason": REASON}]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What is to be blanked."""

    captures: tuple[UUID, ...]
    told: tuple[str, ...]  #: texts of those captures that made nothing else
    queries: tuple[UUID, ...]  #: recalls
    asked: tuple[str, ...]  #: what was asked in them
    given: tuple[UUID, ...]  #: questions of frozen sets
    documents: tuple[UUID, ...]
    words: tuple[str, ...]  #: which only what goes has


def find_traces(plan: ErasurePlan) -> Traces:
    """Return what the memories of the plan left, as far as the viewer in force may see it."""
    gone = list(plan.goes)
    said = _telling_words(plan)
    lone = _lone_words(plan, said)
    search = {"memories": gone, "texts": plan.quoted, "words": lone, "marker": FORGOTTEN}
    captures = SQL.run(
        "find_captures", **search, captures=_captures_of(plan), rank=plan.rank, person=plan.person,
        anywhere=plan.reach is None, unfiled=plan.reaches(None),
        projects=list((plan.reach or frozenset()) - {None}),
    )  # fmt: skip
    names = _lone_names(plan)
    found = SQL.run("find_queries", **search, names=names, person=plan.person)
    queries = [row for row in found if row["named"] or _asks(row, said=set(said) - _EMPTY, lone=set(lone))]
    given = SQL.run("find_given", texts=plan.quoted, names=names, words=lone, marker=FORGOTTEN)
    documents = {row.document_id for row in plan.goes.values()} | {row["document_id"] for row in captures}
    documents |= {
        row["id"] for row in SQL.run("find_documents", words=lone, rank=plan.rank, person=plan.person)
    }
    return Traces(
        captures=tuple(row["id"] for row in captures),
        told=tuple(row["text"] for row in captures if row["only"]),
        queries=tuple(row["id"] for row in queries),
        asked=tuple(row["query"] for row in queries),
        given=tuple(row["id"] for row in given),
        documents=tuple(sorted(one for one in documents if one is not None)),
        words=tuple(lone),
    )


def blank_traces(traces: Traces, gone: Sequence[UUID]) -> None:
    """Blank what was found; to be called as the pipeline, in the transaction that erases the memories."""
    SQL.run(
        "redact_captures", captures=list(traces.captures), memories=list(gone), marker=FORGOTTEN,
        trace=to_json(_TRACE),
    )  # fmt: skip
    SQL.run("blank_queries", events=list(traces.queries))
    SQL.run("blank_given", questions=list(traces.given), marker=FORGOTTEN)
    for document_id in traces.documents:
        _blank_document(document_id, traces.words)


def _asks(recall: Mapping[str, Any], *, said: set[str], lone: set[str]) -> bool:
    """
    Tell whether a recall asked with a word of what goes.

    One that no other memory has is enough. One that others have, too, is where the recall showed what goes:
    the others may be forgotten later, when nothing tells any more what it had shown.
    """
    asked = set(words(recall["whole"]))
    return bool(asked & lone) or (recall["showed"] and bool(asked & said))


def _telling_words(plan: ErasurePlan) -> list[str]:
    """Return the words of what goes that are long enough to tell of it."""
    return sorted(filter(_tells, {word for text in plan.texts for word in words(text)}))


def _lone_words(plan: ErasurePlan, terms: Sequence[str]) -> list[str]:
    """Return the words that only what goes has: who asked with one asked for it."""
    whole = [*plan.goes, *plan.dissolved]
    return [row["term"] for row in SQL.run("find_lone_words", terms=terms, memories=whole)]


def _lone_names(plan: ErasurePlan) -> list[str]:
    """Return the names of whom and what nothing else speaks of: who asks by one asks for what goes."""
    rows = SQL.run("find_lone_names", memories=[*plan.goes, *plan.dissolved])
    return [row["name"] for row in rows if _tells(row["name"])]


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST_WORD or not word.isascii()


def _captures_of(plan: ErasurePlan) -> list[UUID]:
    """Return the captures that the memories came of, were said again in, or were confirmed by."""
    rows = plan.goes.values()
    made = {row.capture_id for row in rows} - {None}
    again = {UUID(str(one)) for row in rows for one in row.metadata.get("said_again", ())}
    voices = Corroboration.objects.filter(memory_id__in=plan.goes, capture__isnull=False)
    return [*made, *again, *voices.values_list("capture_id", flat=True)]


def _blank_document(document_id: UUID, lone: Sequence[str]) -> None:
    """Summarise a document anew by what is left of it; nothing is left of its name when nothing is of it."""
    summarise_document(document_id)
    left = Capture.objects.filter(document_id=document_id).exclude(text=FORGOTTEN)
    document = Document.objects.get(id=document_id)
    if not left.exists():
        Document.objects.filter(id=document_id).update(
            title=FORGOTTEN, source="", source_hash=None, file_name="", upload=None, summary="", tags=[],
            metadata={}, content_hash=b"",
        )  # fmt: skip
        return
    kept = {
        "title": FORGOTTEN if _has(document.title, lone) else document.title,
        "source": "" if _has(document.source, lone) else document.source,
        "source_hash": None if _has(document.source, lone) else document.source_hash,
        "file_name": "" if _has(document.file_name, lone) else document.file_name,
        "tags": [tag for tag in document.tags if not _has(str(tag), lone)],
        "metadata": {} if _has(to_json(document.metadata), lone) else document.metadata,
    }
    if any(getattr(document, name) != value for name, value in kept.items()):
        Document.objects.filter(id=document_id).update(**kept)


def _has(text: str, lone: Sequence[str]) -> bool:
    return any(word in text.lower() for word in lone)
