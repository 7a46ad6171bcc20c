"""Cut a turn into sentences, with their places, in English and Chinese."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded

_ABBREVIATION: Final = bounded(
    r"(?:(?i:(?<![\w.])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|approx|dept|jr|sr|fig|al|a\.m|p\.m|viz))|"
    r"(?<![\w.])(?:Gov|Sen|Rep|Gen|Col|Lt|Sgt|Capt|Cpl|Maj|Cmdr|Adm|Rev|Hon|Mt|Ft|Messrs)|(?<!\w)[A-Z])\.$"
)
"""Full stops that end no sentence: after a title, a common short form, an initial."""
_FIRM: Final = bounded(r"(?:(?<=[\w&.] )|(?<=[\w&], ))(?i:inc|ltd|corp|co|llc|bros|gmbh|plc|pty)\.$")
"""Short forms that end the name of a firm, and often a sentence too: what follows decides."""
LONGEST_SHORT: Final = 8
"""Characters at the end of a piece in which a short form can begin: «Messrs.», «approx.»."""
_CONTEXT: Final = 64
"""Characters before a full stop that its short form is looked for in, with what stands before that."""
_WRITTEN: Final = bounded(r"\S")
_GOES_ON: Final = bounded(
    r"\s*(?:[a-z,;:&(]|(?:Ltd|Inc|Corp|KG|LLC|of|and)\b|[A-Z][\w'’-]+(?:['’]s)?\s+(?:and|&)\s)"
)

_BORDER: Final = bounded(
    r"[。！？；]+[”’」』）)\"']*"  # Chinese stops need no space after them
    r"|(?:(?<=[^\x00-\x7f])[!?;]+)"  # folded to half width, they still follow a Chinese character
    r"|(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)"
    r"|;(?=\s)"
    r"|\n+"
)
_BULLET: Final = bounded(r"(?:[-*•–]|\d{1,2}[.)]|#{1,6})\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence and where it stood: `start` to `end` in characters of the text it was cut from."""

    text: str
    start: int
    end: int
    asks: bool  #: ended by a question mark


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text into its sentences in order; list bullets and outer spaces left out, empty ones dropped."""
    return tuple(_cut(text))


def _cut(text: str) -> Iterator[Sentence]:
    start = first = 0
    for border in _BORDER.finditer(text):
        if first < start:  # looked for once a sentence, and not at each of its full stops
            first = _skip_blanks(text, start)
        if _ends_no_sentence(text, start, first, border):
            continue
        yield from _trim(text, start, border.end())
        start = border.end()
    yield from _trim(text, start, len(text))


def _skip_blanks(text: str, start: int) -> int:
    found = _WRITTEN.search(text, start)
    return found.start() if found else len(text)


def _ends_no_sentence(text: str, start: int, first: int, border: re.Match[str]) -> bool:
    """Tell whether a full stop ends a short form or a bullet; first: where its sentence is written."""
    if border.group() != ".":
        return False
    end = border.end()
    if end - first <= LONGEST_SHORT and _BULLET.fullmatch(text[first:end] + " "):
        return True
    piece = text[max(start, end - _CONTEXT) : end]  # not the whole sentence: it may have many full stops
    tail = max(0, len(piece) - LONGEST_SHORT)
    if _FIRM.search(piece, tail):
        return _GOES_ON.match(text, end) is not None
    return _ABBREVIATION.search(piece, tail) is not None


def _trim(text: str, start: int, end: int) -> Iterator[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    if bullet := _BULLET.match(text, start, end):
        start = bullet.end()
    piece = text[start:end].rstrip()
    core = piece.rstrip("\"'”’」』）)")
    if any(char.isalnum() for char in piece):
        yield Sentence(text=piece, start=start, end=start + len(piece), asks=core.endswith(("?", "？")))
