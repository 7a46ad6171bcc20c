"""
Unwrap what is encoded once or several times, so that detectors read it: Base64 twice, hex within escapes.

What one layer decodes to is read together and searched for the next, so that many small codes cost no more
than one long one. Every code shrinks what it hides but for escapes, and the layers together are bounded by a
multiple of the text: linear.
"""

import codecs
import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from security.patterns import bounded
from security.screening.encodings import find_encoded
from security.screening.skeleton import plain

MOST_LAYERS: Final = 4
"""Codes within codes that are undone. Ours: whoever reads a memory is not told to decode five times."""
MOST_DECODED: Final = 4
"""Decoded characters for each of the text, all layers together; what lies beyond is not read."""

_GAP: Final = "\n\n"
_WRAPPED: Final = bounded(r"(?<=[A-Za-z0-9+/]{24})\r?\n[ \t>]{0,8}(?=[A-Za-z0-9+/])")
_BACKSLASHED: Final = bounded(r"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})")
_QUOTED_PRINTABLE: Final = bounded(r"(?:=[0-9A-F]{2})+|=\r?\n")
_HAS_QUOTED_PRINTABLE: Final = bounded(r"=[0-9A-F]{2}")
_SURROGATES: Final = bounded("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What the codes of one layer hide, put together, and where in the text each of them stands."""

    name: str  #: of the outermost code that hides the first of it
    text: str
    begins: tuple[int, ...]  #: where in `text` each payload begins
    spans: tuple[tuple[int, int], ...]  #: of the outermost code around each payload, in the text asked about
    names: tuple[str, ...]  #: of that code

    def origin(self, place: int) -> tuple[str, tuple[int, int]]:
        """Return the code around a place of the layer's text: its name, and where it stands."""
        index = max(0, bisect_right(self.begins, place) - 1)
        return self.names[index], self.spans[index]


def unwrap(text: str) -> Iterator[Layer]:
    """Yield the layers hidden in a text, the outermost first. The plain text itself is none."""
    budget = MOST_DECODED * len(text)
    outer: Layer | None = None
    for _ in range(MOST_LAYERS):
        source = text if outer is None else outer.text
        found = list(_decode(source))
        if not found or budget <= 0:
            return
        begins, spans, names, pieces, size = [], [], [], [], 0
        for name, span, hidden in found:
            if budget <= 0:
                break
            piece = plain(hidden[:budget])
            budget -= len(piece)
            origin = (name, span) if outer is None else outer.origin(span[0])
            begins.append(size)
            names.append(origin[0])
            spans.append(origin[1])
            pieces.append(piece)
            size += len(piece) + len(_GAP)
        outer = Layer(
            name=names[0],
            text=_GAP.join(pieces),
            begins=tuple(begins),
            spans=tuple(spans),
            names=tuple(names),
        )
        yield outer


def _decode(text: str) -> Iterator[tuple[str, tuple[int, int], str]]:
    yield from find_encoded(text)
    joined = _WRAPPED.sub("", text)
    if joined != text:  # places move: the whole text is the place
        yield from ((name, (0, len(text)), hidden) for name, _, hidden in find_encoded(joined))


def unescape(text: str) -> str:
    """Return a text with its escapes undone where they stand: HTML, JSON, URLs, quoted-printable."""
    read = html.unescape(text) if "&" in text else text
    if "\\" in read:
        read = _BACKSLASHED.sub(lambda code: chr(int(code[1] or code[2], 16)), read)
        if _SURROGATES.search(read):
            read = read.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "%" in read:
        read = unquote(read)
    if len(_HAS_QUOTED_PRINTABLE.findall(read)) >= 3:
        read = _QUOTED_PRINTABLE.sub(_read_quoted_printable, read)
    return read


def _read_quoted_printable(run: re.Match[str]) -> str:
    if run[0].endswith("\n"):
        return ""
    data = codecs.decode(run[0].replace("=", ""), "hex")
    return data.decode("utf-8", "replace")
