"""
Read a document's file, cut its text into passages, and let each go the way of a capture (SPEC M-11).

# Note [Cutting]
What waits to be cut is a capture that names a document and no passage: the row is the job, with its lease and
its attempts. To cut it makes it the capture of the first passage and adds the others, in one transaction that
says the lease's token, and in which the file goes. So a crash anywhere loses nothing and repeats nothing,
every passage passes the same gates, and one that is refused says so on its own trace.
"""

from datetime import datetime
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from memories.documents.passages import cut_passages
from memories.documents.taking import LONGEST_TITLE, capture_of
from memories.extraction import SECTION
from memories.files import FileLimits, UnreadableFile, find_sections, read_file
from memories.ingestion import Claim, after_hint, begin_cut, finish_capture, hint
from memories.models import Capture, Document
from security.screening.secrets import redact
from tenants.scope import unit_of_work

NO_WORDS: Final = "there is nothing in it but blanks"

MOST_HINTS: Final = 100
"""Passages that are hinted at once; the sweeper finds the others, and captures of others come between."""

LONGEST_SECTION: Final = 300
"""Characters of the headings over a passage; of more, the inner ones stay."""


def is_uncut(capture: Capture) -> bool:
    """Tell whether the capture holds a whole document; see Note [Cutting]."""
    return capture.document_id is not None and capture.passage is None


def cut_document(claim: Claim, *, now: datetime) -> None:
    """
    Read and cut the document that the claimed capture holds, and hint its passages. Raises LeaseLost.

    A file that cannot be read says why on its document, a text without a word has no passages: the one
    capture is discarded.
    """
    whole = claim.capture
    text, kept = whole.text, dict[str, Any]()
    if whole.document.upload is not None:
        try:
            text, kept = _read(whole.document)
        except UnreadableFile as refused:
            _discard(claim, str(refused), now)
            return
    pieces = cut_passages(text)
    if not pieces:
        _discard(claim, NO_WORDS, now)
        return
    sections = find_sections(text)
    beside = [_beside(sections.over(piece.start, piece.end)) for piece in pieces]
    with unit_of_work() as viewer:
        begin_cut(claim, text=pieces[0].text, metadata=beside[0])
        Document.objects.filter(id=whole.document_id).update(
            passages=len(pieces), upload=None, refusal="", **kept
        )
        # Read anew: a class that was raised since it was taken is its passages' class.
        document = Document.objects.get(id=whole.document_id)
        others = [
            capture_of(
                document, place=place, text=piece.text, metadata=metadata, zone=whole.timezone, now=now,
                leased_until=after_hint() if place < MOST_HINTS else Now(), voice=whole.voice,
            )
            for place, (piece, metadata) in enumerate(zip(pieces[1:], beside[1:], strict=True), start=1)
        ]  # fmt: skip
        Capture.objects.bulk_create(others)
        for capture in (whole, *others[: MOST_HINTS - 1]):
            transaction.on_commit(partial(hint, viewer.tenant_id, capture.id, is_short=False))


def _read(document: Document) -> tuple[str, dict[str, Any]]:
    """Return a file's text, redacted, and what it says of itself. Raises UnreadableFile."""
    limits = FileLimits(characters=settings.MAX_FILE_TEXT_LENGTH)
    read = read_file(document.media_type, bytes(document.upload or b""), limits)
    title = redact(read.title).text[:LONGEST_TITLE]
    is_titled = document.title != document.file_name  # by whoever sent it
    return redact(read.text).text, {} if is_titled or not title else {"title": title}


def _discard(claim: Claim, why: str, now: datetime) -> None:
    with unit_of_work():
        trace = [{"step": "cut", "verdict": "discard", "reason": why}]
        finish_capture(claim, state="discarded", trace=trace, now=now, error=why)
        Document.objects.filter(id=claim.capture.document_id).update(upload=None, refusal=why)


def _beside(headings: tuple[str, ...]) -> dict[str, str]:
    """Return what a passage's capture says of where it stands."""
    section = join_section(headings)
    return {SECTION: section} if section else {}


def join_section(headings: tuple[str, ...]) -> str:
    """Return the headings over a passage as one line, outermost first."""
    told = ""
    for heading in reversed(headings):
        longer = f"{heading} › {told}" if told else heading
        if len(longer) > LONGEST_SECTION:
            break
        told = longer
    return told
