"""
Align two texts by the words that each has once, and read off where they differ, in whatever language. Pure.

«Gate 2 opens at six», «gate 3 opens at seven» share a frame and differ at two places. Linear but for one sort
in n log n; the first LONGEST characters are read.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memories.language import fold
from security.patterns import bounded

LONGEST: Final = 1_200
"""Characters of a text that are read. Of the arbiter's pairs the longest has fewer."""

UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts without spaces between words: each character stands for itself."""

TOKEN: Final = bounded(rf"\d+(?:[.,:/-]\d+){{0,8}}|[{UNSPACED}]|[^\W\d_{UNSPACED}]+")
"""A figure as it is written, a character of UNSPACED, or letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """Two texts side by side: what each says at the places where they differ, in order."""

    places: tuple[tuple[Sequence[str], Sequence[str]], ...]  #: one of the two may be empty
    share: float  #: of the shorter one's words, how many are of the frame, in [0, 1]


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text, in lower case."""
    return [match[0].casefold() for match in TOKEN.finditer(fold(text[:LONGEST]))]


def align(first: Sequence[str], then: Sequence[str]) -> Alignment:
    """Align two texts, given as their tokens."""
    frame = _common_frame(first, then)
    ends = [(-1, -1), *frame, (len(first), len(then))]
    places = []
    for (a, b), (next_a, next_b) in pairwise(ends):
        mine, other = first[a + 1 : next_a], then[b + 1 : next_b]
        begun = common_start(mine, other)
        mine, other = mine[begun:], other[begun:]
        ended = common_start(mine[::-1], other[::-1])
        mine, other = mine[: len(mine) - ended], other[: len(other) - ended]
        if mine or other:
            places.append((mine, other))
    return Alignment(places=tuple(places), share=len(frame) / (min(len(first), len(then)) or 1))


def common_start(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens two texts have in common at their start."""
    for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return place
    return min(len(one), len(other))


def _common_frame(first: Sequence[str], then: Sequence[str]) -> list[tuple[int, int]]:
    """
    Return the places, in both, of words that each has once and in the same order: the longest such row.

    Patience sorting, in n log n (Bespamyatnikh and Segal 2000, doi:10.1016/S0020-0190(00)00124-1).
    """
    once, other = Counter(first), Counter(then)
    at = {word: place for place, word in enumerate(then)}
    shared = [(place, at[word]) for place, word in enumerate(first) if once[word] == 1 == other.get(word, 0)]
    heads: list[int] = []  # the smallest end of a row of each length
    tails: list[int] = []  # which of `shared` that is
    before: list[int] = []  # of each of `shared`: what comes before it
    for number, (_, place) in enumerate(shared):
        length = bisect_left(heads, place)
        before.append(tails[length - 1] if length else -1)
        heads[length : length + 1] = [place]
        tails[length : length + 1] = [number]
    row, number = [], tails[-1] if tails else -1
    while number >= 0:
        row.append(shared[number])
        number = before[number]
    return row[::-1]
