"""Draft the memory of a document's passage: what stands in it, of extracted origin (SPEC M-08, M-11)."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from memories.candidates import Draft
from memories.domain import KINDS
from memories.extraction.note_drafts import automatic_tags, believe, capture_audience
from memories.files import DOCX, HTML, MARKDOWN, PDF, PLAIN
from memories.language import canonical_tag, content_words, find_entities, keywords
from memories.models import Capture, Document
from memories.temporal import Normalised

KIND: Final = "passage"
ORIGIN: Final = "extracted"

MOST_NAME_WORDS: Final = 4
"""Words of a document's name that become tags of its passages; the first ones say most."""

FILE_TYPES: Final = {PLAIN: "text", MARKDOWN: "markdown", HTML: "html", PDF: "pdf", DOCX: "word"}

SECTION: Final = "section"
"""Under which a passage's capture keeps the headings that it stands under, outermost first."""


def draft_passage(capture: Capture, normalised: Normalised, *, owner_domains: Sequence[str]) -> Draft:
    """
    Return the draft of a capture that is a passage. Nothing is read out of it: the passage is the memory.

    Its times are folded, not resolved: a document's «tomorrow» is nobody's tomorrow who reads it later.
    """
    document: Document = capture.document
    chosen = keywords(capture.text)
    title = _title(document, capture)
    return Draft(
        content=capture.text,
        kind=KIND,
        card=KINDS[KIND].card,
        audience=capture_audience(capture),
        confidence=1.0,
        provenance=ORIGIN,
        trust=believe(ORIGIN, 1.0),
        occurred_at=document.occurred_at,
        occurred_resolved=document.occurred_at != document.created_at,
        effective_at=document.occurred_at,
        keywords=chosen,
        tags=_tags(document, chosen),
        entities=find_entities(normalised.text),
        layer=capture.layer,
        capture_id=capture.id,
        session=capture.session,
        turn=capture.turn,
        voice=capture.voice,
        owner_domains=tuple(owner_domains),
        zone=capture.timezone,
        document_id=document.id,
        passage=capture.passage,
        title=title,
        metadata={"title": title, **({"source": document.source} if document.source else {})},
    )


def _title(document: Document, capture: Capture) -> str:
    """Return what a passage is searched and shown with: the document's title and the headings over it."""
    section = str(capture.metadata.get(SECTION, ""))
    # A document is often called what its first heading says.
    below = section.removeprefix(document.title).removeprefix(" › ") if section else ""
    return f"{document.title} › {below}" if below else document.title


def _tags(document: Document, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the document's own tags, its file type, the words of its name, and what the passage is about."""
    name = PurePosixPath(urlsplit(document.source).path or document.file_name).stem
    words = [word for word in content_words(f"{document.title} {name}") if len(word) > 1]
    named = dict.fromkeys(canonical_tag(word) for word in words)
    return tuple(
        dict.fromkeys(
            (
                *document.tags,
                FILE_TYPES[document.media_type],
                *list(named)[:MOST_NAME_WORDS],
                *automatic_tags(chosen),
            )
        )
    )
