"""
Cut a text into the pieces that may stand by themselves: sentences, and blocks that stay whole. Pure, linear.

The pieces of a text partition it: nothing but blanks lies between two of them, nothing of them is changed.
No language is asked for: what ends a sentence is a sign of its script. Where it is doubtful whether a sign
ends one, it does not: a piece too long loses nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded

LONGEST_PIECE: Final = 1000
"""Characters of a piece beyond which it is broken at a line's end, else at a blank or a comma."""

LONGEST_WORD: Final = 4000
"""Characters without any such place beyond which a piece is broken where it may: that is no word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a text, in characters of it; no blank at either end."""

    start: int
    end: int
    whole: bool = False  #: a block (code, log, table, list …): no sentence to be judged by itself


_FENCE: Final = bounded(r"[ \t]{0,8}(?:```|~~~)")
_STRUCTURED: Final = bounded(
    r"[ \t]+\S"  # indented: code, a stack trace, YAML, what goes on
    r"|[-*•·–+>|#$%{}\[\]<@\\(]"  # bullets, quotes, tables, prompts, JSON, mark-up
    r"|(?:\d{1,3}|[a-zA-Z])[.)]\s"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d"  # a log's time
    r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE|CRITICAL)\b"
    r"|[\w.\-/]{1,60}[:=](?:\s|$)"  # key: value, the head of a mail
    r"|Traceback \(|[\w.]{1,120}(?:Error|Exception)\b"
    r"|[^\t\n|]{0,200}[\t|]"  # a table's line
)
_CODE: Final = bounded(
    r"[;{}\])]\s*$|^\s*(?:def|class|import|from|SELECT|INSERT|UPDATE|CREATE|FROM)\b.{0,200}"
)

_STOPS: Final = "。．！？｡؟۔।॥።፧።။៕։܀᠃᠉꓿‼⁇⁈⁉"
"""Signs that end a sentence whatever follows them, in the scripts that have signs of their own."""
_CLOSING: Final = "\"'”’»›」』）)】》〉］］"
_END: Final = bounded(
    rf"[{_STOPS}]+[{re.escape(_CLOSING)}]*|(?<![.!?…])[.!?…]++[{re.escape(_CLOSING)}]*+(?=\s)"
)
_SHORT: Final = bounded(
    r"(?:\b[^\W\d_]|\b[^\W\d_]\.[^\W\d_]|\d"
    r"|\b(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|ca|no|nr|abs|art|bzw|usw|str|tel|inc|ltd|corp|co|gov|gen|sen|rep"
    r"|fig|vol|pp|cf|al|approx|dept|est|mme|mlle|sra|srta|dra|ud|uds|pág|núm|evtl|ggf|inkl|zzgl|vgl|min|max))\.$",
    re.IGNORECASE,
)
_LONGEST_SHORT: Final = 8
_LOWER_NEXT: Final = bounded(r"\s+[(\"'“«]?[^\W\d_]")

_BREAK: Final = bounded(rf"[{_STOPS}.!?;；:：,，、]\s*|\s+")


def segment(text: str) -> tuple[Segment, ...]:
    """Return the pieces of a text in order, the blanks between them left out; none of a text of blanks."""
    pieces = (
        piece for start, end, whole in _paragraphs(text) for piece in _cut(text, start, end, whole=whole)
    )
    return tuple(short for piece in pieces for short in _shorten(text, piece))


def _paragraphs(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each paragraph begins and ends, and whether it is a block."""
    start, lines, fence = 0, list[str](), ""
    for begin, end in _lines(text, 0, len(text)):
        line = text[begin:end]
        mark = _FENCE.match(line)
        if fence:
            if mark and line.strip().startswith(fence):
                yield start, end, True
                start, lines, fence = end, [], ""
            continue
        if mark:
            if lines:
                yield start, begin, _is_block(lines)
            start, lines, fence = begin, [], line.strip()[:3]
        elif not line.strip():
            if lines:
                yield start, begin, _is_block(lines)
            start, lines = end, []
        else:
            lines.append(line)
    if fence or lines:
        yield start, len(text), bool(fence) or _is_block(lines)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each line begins and ends, its line feed included."""
    while start < end:
        feed = text.find("\n", start, end)
        stop = end if feed < 0 else feed + 1
        yield start, stop
        start = stop


def _is_block(lines: list[str]) -> bool:
    """Tell whether lines belong together for their form: half of two or more, or the one line is data."""
    marked = sum(1 for line in lines if _STRUCTURED.match(line) or _CODE.search(line[-200:]))
    return len(lines) > 1 and 2 * marked >= len(lines)


def _cut(text: str, start: int, end: int, *, whole: bool) -> Iterator[Segment]:
    if whole:
        yield from _trim(text, start, end, whole=True)
        return
    for line_start, line_end in _lines(text, start, end):
        begin = line_start
        for match in _END.finditer(text, line_start, line_end):
            if match[0][0] in ".!?…" and not _ends(text, match):
                continue
            yield from _trim(text, begin, match.end())
            begin = match.end()
        yield from _trim(text, begin, line_end)


def _ends(text: str, match: re.Match[str]) -> bool:
    """Tell whether a full stop ends a sentence: not behind a figure, an initial, a short form; not before a
    small letter."""
    if match[0] == "." and _SHORT.search(text, max(0, match.end() - _LONGEST_SHORT), match.end()):
        return False
    following = _LOWER_NEXT.match(text, match.end())
    return following is None or not following[0][-1].islower()


def _trim(text: str, start: int, end: int, *, whole: bool = False) -> Iterator[Segment]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Segment(start=start, end=end, whole=whole)


def _shorten(text: str, piece: Segment) -> Iterator[Segment]:
    """Break a piece that is too long for one row, at the best place there is near the limit."""
    start, end = piece.start, piece.end
    while end - start > LONGEST_PIECE:
        at = _place_to_break(text, start, end)
        yield from _trim(text, start, at, whole=piece.whole)
        start = at
    yield from _trim(text, start, end, whole=piece.whole)


def _place_to_break(text: str, start: int, end: int) -> int:
    """Return where to break: behind the last line in reach, else a stop or blank."""
    reach = start + LONGEST_PIECE
    line = text.rfind("\n", start + LONGEST_PIECE // 4, reach)
    if line >= 0:
        return line + 1
    places = [
        found.end() for found in _BREAK.finditer(text, start + LONGEST_PIECE // 2, reach) if _is_free(found)
    ]
    if places:
        return places[-1]
    last = min(end, start + LONGEST_WORD)
    later = next((found.end() for found in _BREAK.finditer(text, reach, last) if _is_free(found)), None)
    return later or last


def _is_free(found: re.Match[str]) -> bool:
    """Tell whether a place parts words: a blank, or a sign that stands in no number, path or address."""
    if found[0][-1].isspace():
        return True
    return not found[0].isascii()
