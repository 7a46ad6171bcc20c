"""
Cut a document into passages at the borders of its sentences and paragraphs (SPEC M-11). Pure.

Packing goes sentence by sentence, so no passage ends in the middle of one and none overlaps another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memories.language import split_sentences
from security.patterns import bounded

SHORTEST, LONGEST = 500, 1000
"""Characters of a passage (SPEC M-11). A longer sentence is a passage of its own."""

_PARAGRAPH: Final = bounded(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document: its text and where it stood, in characters."""

    text: str
    start: int
    end: int


def cut_passages(text: str) -> tuple[Passage, ...]:
    """
    Return the passages of a text in order, of `SHORTEST` to `LONGEST` characters where its sentences allow.

    Shorter ones stand before a sentence that would not fit beside them, and last. Between two passages lies
    nothing but blanks; a text of blanks alone has none.
    """
    return tuple(_trim(text, start, end) for start, end in _pack(text) if text[start:end].strip())


def _pack(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of passages: sentences are added until the next one would make it too long."""
    start = 0
    for at, end, ends_paragraph in _sentence_ends(text):
        if at > start and _width(text, start, end) > LONGEST:
            yield start, at
            start = at
        if ends_paragraph and _width(text, start, end) >= SHORTEST:
            yield start, end
            start = end
    yield start, len(text)


def _sentence_ends(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each sentence begins (what led up to it included), ends, and whether a paragraph ends."""
    before = 0
    for sentence in split_sentences(text):
        end = sentence.end
        yield before, end, _PARAGRAPH.match(text, _skip_blanks(text, end)) is not None
        before = end


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r":
        at += 1
    return at


def _width(text: str, start: int, end: int) -> int:
    return len(text[start:end].strip())


def _trim(text: str, start: int, end: int) -> Passage:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Passage(text=piece.strip(), start=start, end=start + len(piece.strip()))
