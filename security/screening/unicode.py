"""
Find tricks of Unicode that make a text read otherwise than it looks (SPEC W-06).

Emoji with joiners and flags, Arabic, Hebrew, Persian, the scripts of India, and Vietnamese use the same
characters honestly, and pass.
"""

from collections.abc import Iterator
from typing import Final

from security.patterns import bounded
from security.screening.skeleton import LOOKALIKES
from security.screening.verdict import ScreeningOutcome, ScreeningVerdict

ZERO_WIDTH_RUN: Final = 2
"""Zero-width characters in a row that are no honest joiner."""
ZERO_WIDTH_INSIDE: Final = 2
"""Zero-width characters between letters of Latin or Chinese words: one may be an accident of copying."""
SELECTOR_RUN: Final = 2
"""Variation selectors in a row: after an emoji stands one."""
MIXED_WORD: Final = 4
"""Letters of the shortest word that can disguise itself; below are units and formulas."""

_TAGS: Final = bounded("[\U000e0000-\U000e007f]+")
_FLAG: Final = bounded("\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f")
_OVERRIDES: Final = bounded("[\u202d\u202e]")
_RIGHT_TO_LEFT_MARKS: Final = bounded("[\u202b\u2067]")
_RIGHT_TO_LEFT: Final = bounded("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ZERO_WIDTH: Final = "\u180e\u200b-\u200d\u2060-\u2064\ufeff"
_ZERO_WIDTH_RUN: Final = bounded(f"[{_ZERO_WIDTH}]{{{ZERO_WIDTH_RUN},}}")
_ZERO_WIDTH_IN_WORD: Final = bounded(
    f"(?<=[A-Za-z])[{_ZERO_WIDTH}](?=[A-Za-z])|(?<=[\u4e00-\u9fff])[{_ZERO_WIDTH}](?=[\u4e00-\u9fff])"
)
_SELECTOR_RUN: Final = bounded(f"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{{SELECTOR_RUN},}}")
_MIXED_WORD: Final = bounded(rf"[^\W\d_]{{{MIXED_WORD},}}")
_SCRIPTS: Final = bounded("[A-Za-z]+|[\u0400-\u052f]+|[\u0370-\u03ff]+")


def detect_unicode(text: str) -> Iterator[ScreeningVerdict]:
    """Yield a verdict to quarantine for each kind of trick found, at its first place."""
    if text.isascii():
        return
    finders = (_find_tags, _find_overrides, _find_zero_width, _find_selectors, _find_lookalikes)
    for find in finders:
        yield from find(text)


def _verdict(reason: str, span: tuple[int, int]) -> ScreeningVerdict:
    return ScreeningVerdict(detector="unicode", outcome=ScreeningOutcome.QUARANTINE, reason=reason, span=span)


def _find_tags(text: str) -> Iterator[ScreeningVerdict]:
    flags = [match.span() for match in _FLAG.finditer(text)]
    for match in _TAGS.finditer(text):
        if not any(start <= match.start() and match.end() <= end for start, end in flags):
            yield _verdict("invisible tag characters", match.span())
            return


def _find_overrides(text: str) -> Iterator[ScreeningVerdict]:
    match = _OVERRIDES.search(text)
    if match is None and not _RIGHT_TO_LEFT.search(text):
        match = _RIGHT_TO_LEFT_MARKS.search(text)
    if match is not None:
        yield _verdict("the order of letters is turned round by bidirectional controls", match.span())


def _find_zero_width(text: str) -> Iterator[ScreeningVerdict]:
    """Find invisible characters in a row, or between the letters of Latin or Chinese words more than once."""
    run = _ZERO_WIDTH_RUN.search(text)
    inside = list(_ZERO_WIDTH_IN_WORD.finditer(text))
    if run is not None:
        yield _verdict("a run of zero-width characters", run.span())
    elif len(inside) >= ZERO_WIDTH_INSIDE:
        yield _verdict("zero-width characters inside words", inside[0].span())


def _find_selectors(text: str) -> Iterator[ScreeningVerdict]:
    match = _SELECTOR_RUN.search(text)
    if match is not None:
        yield _verdict("a run of variation selectors", match.span())


def _find_lookalikes(text: str) -> Iterator[ScreeningVerdict]:
    for match in _MIXED_WORD.finditer(text):
        if not match[0].isascii() and _is_disguised(match[0]):
            yield _verdict("letters of another script stand in for Latin ones", match.span())
            return


def _is_disguised(word: str) -> bool:
    """
    Say whether a word mixes Latin with look-alikes of Cyrillic or Greek to seem Latin.

    «SMSка» does not: an abbreviation in capitals with a Russian ending is how such words are written.
    """
    pieces = _SCRIPTS.findall(word)
    foreign = [piece for piece in pieces if not piece.isascii()]
    if not foreign or len(foreign) == len(pieces) or sum(map(len, pieces)) < len(word):
        return False
    if len(pieces) == 2 and pieces[0].isupper() and len(foreign[0]) <= 4 and pieces[1] == foreign[0]:
        return False
    return all(ord(char) in LOOKALIKES for piece in foreign for char in piece)
