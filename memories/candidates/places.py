"""Find the place in what was said of a place in its folded form. Pure."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memories.language import HALF_WIDTH, INVISIBLE, STRAY_JOINER, fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each character of a folded text stood as it was said."""

    folded: Sequence[int]  #: index of a folded character → index of the one said; one more for the end

    def of_folded(self, start: int, end: int) -> tuple[int, int]:
        """Return the span, as said, of a span of the folded text; empty stays empty."""
        if end <= start:
            return self.folded[start], self.folded[start]
        return self.folded[start], self.folded[end - 1] + 1


def find_places(said: str) -> Places:
    """Return where the characters of the folded text stood in what was said."""
    return Places(folded=_fold_places(said))


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
