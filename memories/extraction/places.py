"""Find the place in what was said of a place in its normalised form. Pure."""

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from memories.normalise import Normalised
from memories.normalise.script import HALF_WIDTH, INVISIBLE, STRAY_JOINER, fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each character of a folded or a normalised text stood as it was said."""

    folded: Sequence[int]  #: index of a folded character → index of the one said; one more for the end
    put: tuple[tuple[int, int, int, int], ...]  #: what was put for a mention: its place, and the mention's

    def of_folded(self, start: int, end: int) -> tuple[int, int]:
        """Return the span, as said, of a span of the folded text; empty stays empty."""
        if end <= start:
            return self.folded[start], self.folded[start]
        return self.folded[start], self.folded[end - 1] + 1

    def of_normalised(self, start: int, end: int) -> tuple[int, int]:
        """Return the span, as said, of a span of the normalised text; what was put counts whole."""
        return self.of_folded(self._fold_place(start, is_end=False), self._fold_place(end, is_end=True))

    def _fold_place(self, place: int, *, is_end: bool) -> int:
        which = bisect_right(self.put, place, key=lambda one: one[0]) - 1
        if which < 0:
            return place
        start, end, from_, until = self.put[which]
        if place < end or (place == end and is_end):
            return until if is_end and place > start else from_
        return until + place - end


def find_places(said: str, normalised: Normalised) -> Places:
    """Return where the characters of a normalised text stood in what was said."""
    put, shift = [], 0
    for mention in normalised.mentions:
        if mention.absolute is not None:
            start = mention.span[0] + shift
            put.append((start, start + len(mention.absolute), *mention.span))
            shift += len(mention.absolute) - (mention.span[1] - mention.span[0])
    return Places(folded=_fold_places(said), put=tuple(put))


def _fold_places(said: str) -> Sequence[int]:
    folded = fold(said)
    if len(folded) == len(said):
        return range(len(said) + 1)
    text, places = said, list(range(len(said)))
    for pattern in (INVISIBLE, STRAY_JOINER):
        kept = bytearray(b"\x01" * len(text))
        for match in pattern.finditer(text):
            kept[match.start() : match.end()] = bytes(match.end() - match.start())
        text = "".join(char for char, keep in zip(text, kept, strict=True) if keep)
        places = [place for place, keep in zip(places, kept, strict=True) if keep]
    out, end = list[int](), 0
    for run in HALF_WIDTH.finditer(text):
        out += places[end : run.start()]
        size = len(unicodedata.normalize("NFKC", run[0]))
        out += [places[min(run.start() + step, run.end() - 1)] for step in range(size)]
        end = run.end()
    return [*out, *places[end:], len(said)]
