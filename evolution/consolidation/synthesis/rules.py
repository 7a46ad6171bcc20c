"""
Word what several findings say together by their own words (SPEC E-03). Pure; no model is asked.

No word is made up: the finding that is most like the others is quoted, and all of them are cited.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.language import split_sentences

LONGEST_PATTERN: Final = 1000
"""Characters of a pattern, the longest passage of SPEC M-11; the vector of more stands for none of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A sentence and the findings it rests on, as places in their order."""

    text: str
    places: tuple[int, ...]


def quote_centre(texts: Sequence[str], centre: int) -> tuple[Cited, ...]:
    """
    Return the text at this place, which rests on all of them.

    Of more than `LONGEST_PATTERN` characters as many sentences as there is room for, one at least; it is cut
    where it alone is too long.
    """
    everything = tuple(range(len(texts)))
    text = texts[centre].strip()
    if len(text) <= LONGEST_PATTERN:
        return (Cited(text=text, places=everything),)
    ends = [sentence.end for sentence in split_sentences(text) if sentence.end <= LONGEST_PATTERN]
    end = max(ends, default=0)
    head = text[:end].rstrip() if end else text[: LONGEST_PATTERN - 1].rstrip() + "…"
    return (Cited(text=head, places=everything),)
