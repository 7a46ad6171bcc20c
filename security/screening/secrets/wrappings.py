"""Unwrap what may hold a secret: encoded runs, and tokens broken over lines."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from security.patterns import bounded

LONGEST_NEEDLE: Final = 60
"""Characters behind the first break in which the needle of a broken token has to end."""

_MOST_JOINED: Final = 2_000
"""Characters of one token that are drawn together: longer than any that is handed out."""
_MOST_JOINS: Final = 200
"""Broken tokens looked for in one text: more are no accident of a mail program, and would cost seconds."""

_BASE64: Final = bounded(r"(?<![A-Za-z0-9_+/-])[A-Za-z0-9+/_-]{16,20000}={0,2}")
_HEX: Final = bounded(r"(?<![A-Za-z0-9])(?:[0-9A-Fa-f]{2}){12,4000}(?![A-Za-z0-9])")
_PERCENT: Final = bounded(r"(?<!\S)\S{0,2000}%[0-9A-Fa-f]{2}\S{0,2000}")
_ESCAPED: Final = bounded(
    r"[\w.~+/=:@-]{0,300}+\\(?:u00|x)[0-9A-Fa-f]{2}"
    r"(?:[\w.~+/=:@-]|\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}){0,2000}"
)
_ESCAPE: Final = bounded(r"\\(?:u00|x)([0-9A-Fa-f]{2})")
_BREAK: Final = bounded(r"\\?[ \t]{0,8}(?:\r?\n|(?:\\r)?\\n)[ \t]{0,40}(?:>[ \t]{0,8})?")
_TAIL: Final = bounded(r"[^\s\"'`<>(),;]{1,400}\Z")
_HEAD: Final = bounded(r"[^\s\"'`<>(),;\\]{1,4000}")
_PART_OF_TOKEN: Final = bounded(r"(?=\S*\d)|(?=\S*[a-z][A-Z])|[A-Z_-]{4,}|[a-f]{6,}|\S{20,}")
_BROKEN_BASE64: Final = bounded(
    rf"(?<![A-Za-z0-9_+/-])[A-Za-z0-9+/_-]{{4,200}}(?:{_BREAK.pattern}[A-Za-z0-9+/_-]{{4,200}}){{1,300}}={{0,2}}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A token drawn together over the ends of lines."""

    text: str
    places: tuple[int, ...]  #: where each character of it stood
    first: int  #: characters of it before the first break

    def goes_on(self, span: tuple[int, int]) -> bool:
        """Say whether a find in the joined text reaches beyond the first break."""
        return span[1] > self.first


def decode_runs(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield (place, decoded text) of each run of Base64, hexadecimal, percent or backslash encoding."""
    for match in _BASE64.finditer(text):
        if (decoded := _decode_base64(match[0])) is not None:
            yield match.span(), decoded
    for match in _HEX.finditer(text):
        if (decoded := _as_text(bytes.fromhex(match[0]))) is not None:
            yield match.span(), decoded
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield match.span(), unquote(match[0])
    if "\\u00" in text or "\\x" in text:
        for match in _ESCAPED.finditer(text):
            yield match.span(), _ESCAPE.sub(lambda code: chr(int(code[1], 16)), match[0])
    yield from _decode_broken_base64(text)


def join_lines(text: str, *, wanted: Callable[[str], bool]) -> Iterator[Joined]:
    """
    Yield the last word of each line drawn together with what goes on in the next ones, if it may go on.

    wanted: says of its beginning, in small letters, whether the rest is worth drawing together.
    """
    made = 0
    for found in _BREAK.finditer(text):
        tail = _TAIL.search(text, max(0, found.start() - 400), found.start())
        head = _HEAD.match(text, found.end())
        if not tail or not head or not _PART_OF_TOKEN.match(head[0]):
            continue
        begun = _join(text, tail.start(), found.start(), head, most=len(tail[0]) + LONGEST_NEEDLE)
        if wanted(begun.text[: begun.first + LONGEST_NEEDLE].lower()):
            yield _join(text, tail.start(), found.start(), head, most=_MOST_JOINED)
            made += 1
        if made >= _MOST_JOINS:
            return


def _join(text: str, start: int, first_break: int, head: re.Match[str], *, most: int) -> Joined:
    places = [*range(start, first_break), *range(*head.span())]
    while len(places) < most and (found := _BREAK.match(text, head.end())):
        more = _HEAD.match(text, found.end())
        if more is None or not _PART_OF_TOKEN.match(more[0]):
            break
        head = more
        places += range(*head.span())
    return Joined(
        text="".join(text[place] for place in places), places=tuple(places), first=first_break - start
    )


def _decode_broken_base64(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield blocks of Base64 over several lines, as in mails; a word may stand at either end."""
    for match in _BROKEN_BASE64.finditer(text) if "\n" in text or "\\n" in text else ():
        ends = [0, *(place for found in _BREAK.finditer(match[0]) for place in found.span()), len(match[0])]
        pieces = list(zip(ends[::2], ends[1::2], strict=True))
        for block in (pieces, pieces[1:], pieces[:-1], pieces[1:-1]):
            decoded = _decode_base64("".join(match[0][start:end] for start, end in block))
            if decoded is not None:
                yield (match.start() + block[0][0], match.start() + block[-1][1]), decoded
                break


def _decode_base64(run: str) -> str | None:
    """Decode Base64 of either alphabet, its end cut off or not; None if it is no readable ASCII."""
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    whole = bare[:-1] if len(bare) % 4 == 1 else bare
    for code in (whole, whole[: len(whole) // 4 * 4]):
        try:
            decoded = _as_text(base64.b64decode(code + "=" * (-len(code) % 4), validate=True))
        except binascii.Error:
            continue
        if decoded is not None:
            return decoded
    return None


def _as_text(data: bytes) -> str | None:
    try:
        decoded = data.decode("ascii")
    except UnicodeDecodeError:
        return None
    return decoded if decoded and all(char.isprintable() or char in "\r\n\t" for char in decoded) else None
