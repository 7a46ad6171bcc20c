"""
Draft what a document's passage gives: the passage itself, and the facts in it (SPEC M-08, M-11).

# Note [Facts of a document]
A passage is kept whole, and beside it each sentence that states something a memory may stand for by itself:
an arbiter judges sentences, not pages. Whether one does is said by a language model, where one is set, and by
the local reader, which asks no language; rules made for talk are not asked, for they take the headings and
examples of a document for what somebody said. A fact is a span of the passage, of extracted origin, and goes
through the gates that a note of talk goes through. Nobody is asked by a document to do anything, and what
somebody likes is theirs to say: of such kinds there are no facts. Its times are folded, not resolved: a
document's «tomorrow» is nobody's tomorrow who reads it later.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from memories.candidates import Draft, find_places
from memories.domain import KINDS, PASSAGE
from memories.extraction.capture_drafts import anchor, draft_row
from memories.extraction.modes import mode_of
from memories.extraction.note_drafts import automatic_tags, believe, capture_audience
from memories.extraction.rows import Row, cut_rows
from memories.extraction.segments import segment
from memories.files import DOCX, HTML, MARKDOWN, PDF, PLAIN
from memories.language import canonical_tag, content_words, find_entities, keywords
from memories.llms import Note, Turn
from memories.models import Capture, Document
from memories.temporal import Normalised
from security.patterns import bounded

ORIGIN: Final = "extracted"

MOST_NAME_WORDS: Final = 4
"""Words of a document's name that become tags of its passages; the first ones say most."""

FILE_TYPES: Final = {PLAIN: "text", MARKDOWN: "markdown", HTML: "html", PDF: "pdf", DOCX: "word"}

SECTION: Final = "section"
"""Under which a passage's capture keeps the headings that it stands under, outermost first."""

NO_FACTS: Final = frozenset(
    {"correction", "episode", "example", "interest", "meta", "preference", "skill", "statement", "task"}
)
"""
Kinds that a document states no fact of: what is a person's own, what is asked of somebody, and what merely
happened, which the passage tells well enough.
"""

SHORTEST_FACT, LONGEST_FACT = 12, 400
"""Characters of a sentence that may be a fact: no heading, and no page. Ours."""

_WRAPPED: Final = bounded(r"(?<=[^\n]{40})(?<![.!?:。！？：])\n(?=[^\W_])")
"""A line's end inside a sentence: behind a long line that ends none, before a word."""

_NO_PROSE: Final = bounded(r"(?:#{1,6}|[-*•·–>|+]|\d{1,3}[.)]|\[\d)\s?")
"""How lines begin that are headings, items and quotations."""


def draft_passage(capture: Capture, normalised: Normalised, *, owner_domains: Sequence[str]) -> Draft:
    """Return the draft of a capture that is a passage: all of its words, under its document's title."""
    document: Document = capture.document
    chosen = keywords(capture.text)
    title = _title(document, capture)
    return Draft(
        content=capture.text,
        kind=PASSAGE,
        card=KINDS[PASSAGE].card,
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


def draft_facts(
    capture: Capture, turn: Turn, passage: Draft, notes: Sequence[Note], *, owner_domains: Sequence[str]
) -> tuple[Draft, ...]:
    """
    Return the drafts of the sentences of a passage that may be facts: see Note [Facts of a document].

    notes: a language model's, none without one. Those that no note rests on are bare statements: facts, if
    the local reader says of what kind they are, and nothing else (`is_no_fact`).
    """
    said = _unwrap(capture.text)
    notes = [note for note in notes if note.own_words and note.kind not in NO_FACTS]
    starts = [piece.start for piece in segment(said)]
    rows = cut_rows(said, anchor(notes, said, find_places(said)), ends=starts)
    drafts = (
        draft_row(row, capture, turn, (), owner_domains=owner_domains)
        for row in rows
        if row.notes or _may_state(said, row)
    )
    return tuple(
        replace(
            draft,
            provenance=passage.provenance,
            trust=believe(passage.provenance, draft.confidence),
            role=passage.role,
            occurred_at=passage.occurred_at,
            occurred_resolved=passage.occurred_resolved,
            effective_at=passage.effective_at,
            said_at=passage.said_at,
            document_id=passage.document_id,
            passage=passage.passage,
            metadata=passage.metadata,
        )
        for draft in drafts
    )


def is_no_fact(draft: Draft) -> bool:
    """Tell whether a sentence of a document was read as nothing that stands by itself."""
    return draft.document_id is not None and draft.kind in NO_FACTS


def _may_state(said: str, row: Row) -> bool:
    """Tell whether a row is one sentence of prose that asserts something."""
    sentence = said[row.start : row.end]
    if not SHORTEST_FACT <= len(sentence) <= LONGEST_FACT or _NO_PROSE.match(sentence):
        return False
    pieces = segment(sentence)
    return len(pieces) == 1 and not pieces[0].whole and mode_of(sentence) == "assertion"


def _unwrap(text: str) -> str:
    """Return the text with lines that were broken inside a sentence joined; each place stays what it was."""
    return _WRAPPED.sub(" ", text)


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
