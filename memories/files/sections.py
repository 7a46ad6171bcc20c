"""Headings of a text, in Markdown's way: which section a piece stands in. Pure."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

MOST_LEVELS: Final = 6
_FENCE: Final = ("```", "~~~")

LONGEST_HEADING: Final = 120
"""Characters of a heading that stand in a title; what is longer is a sentence set in large type."""

MOST_OF_IT: Final = 0.5
"""Share of a piece that a section has which the piece is called after."""

Headings = tuple[str, ...]
"""The headings over a place, outermost first."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Where each section of a text begins, in characters and ascending, and its headings."""

    starts: Sequence[int]
    headings: Sequence[Headings]

    def over(self, start: int, end: int) -> Headings:
        """
        Return the headings over a piece of the text, [start, end).

        They are those of the section that has half of it or more; where none has, what its sections have in
        common.
        """
        first, last = bisect_right(self.starts, start), bisect_right(self.starts, end - 1)
        paths = [self.headings[first - 1] if first else (), *self.headings[first:last]]
        borders = [start, *self.starts[first:last], end]
        lengths = [right - left for left, right in pairwise(borders)]
        longest = max(lengths)
        if longest >= MOST_OF_IT * (end - start):
            return paths[lengths.index(longest)]
        return _shared(paths)


def _shared(paths: Sequence[Headings]) -> Headings:
    """Return what all paths begin with."""
    levels = zip(*paths, strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, levels))


def find_sections(text: str) -> Sections:
    """Return the sections of a text."""
    found = list(_headings(text))
    return Sections([at for at, _ in found], [path for _, path in found])


def _headings(text: str) -> Iterator[tuple[int, Headings]]:
    path: list[tuple[int, str]] = []
    at, is_code = 0, False
    for line in text.split("\n"):
        is_code ^= line.lstrip().startswith(_FENCE)
        level = 0 if is_code else _level_of(line)
        if level:
            path = [one for one in path if one[0] < level]
            path.append((level, line.strip("# \t")[:LONGEST_HEADING]))
            yield at, tuple(name for _, name in path)
        at += len(line) + 1


def _level_of(line: str) -> int:
    """Return a heading's level, 1 to 6; 0: it is none."""
    marks = len(line) - len(line.lstrip("#"))
    is_heading = (
        marks <= MOST_LEVELS and line[marks : marks + 1] in (" ", "\t") and line[marks:].strip("# \t")
    )
    return marks if is_heading else 0


def first_heading(text: str) -> str:
    """Return the first heading, empty when there is none."""
    return next((path[-1] for _, path in _headings(text[:20_000])), "")
