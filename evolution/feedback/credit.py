"""
How much of a task's outcome each memory gets that was shown for it: pure arithmetic (SPEC E-01).

# Note [Credit without a thumb]
What a session reports as used gets all of the outcome. Who reports nothing does not say that nothing was
used, so then weaker evidence speaks: a memory that a later turn of the session cites was probably used; of
the others the first was read rather than the tenth. A mere place counts less than any word on the memory
itself: many outcomes together move q, one does not.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Final

from security.patterns import bounded

CITED: Final = 0.5
"""How far an outcome counts for a memory that a later turn cites. Ours: to cite is not always to rely on."""

SHOWN: Final = 0.1
"""How far it counts for the first place, where nothing was used or cited. Ours: see the note."""

_ID: Final = bounded(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_REFERENCE: Final = bounded(r"\[([0-9a-f]{3,12})\]")
"""A memory as a context calls it, in brackets: the end of its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditPlace:
    """A memory in a place of an answer."""

    key: Hashable  #: of the place
    memory: str  #: its id, as text
    group: Hashable  #: of the rows that say the same; its own id where no other does
    place: int  #: from 1; what was told beside the places is none


def find_citations(text: str, references: Any, memories: Collection[str]) -> set[str]:
    """Return those of the memories that a turn cites: by id in its references or text, or as contexts do."""
    written = [text, *_texts(references)]
    ids = {found[0].casefold() for one in written for found in _ID.finditer(one)}
    ends = {found[1] for one in written for found in _REFERENCE.finditer(one)}
    cited = {memory for memory in memories if memory in ids}
    for end in ends:
        named = [memory for memory in memories if memory.endswith(end)]
        cited |= set(named) if len(named) == 1 else set()
    return cited


def _texts(tree: Any) -> list[str]:
    found, rest = [], [tree]
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            rest += one.values()
        elif isinstance(one, list):
            rest += one
    return found


def distribute(
    places: Sequence[CreditPlace], *, used: Collection[Hashable], cited: Collection[str]
) -> dict[Hashable, float]:
    """
    Return how far the outcome counts for each place, in (0, 1]; a place that is left out gets none of it.

    used: keys of places that were reported as used: 1. Where there are none, cited: memories that a later
    turn cites: CITED. Where there are none either: SHOWN / log2(1 + place), by a memory's best place. What
    several rows of one group would get is shared among them: they are one voice.
    """
    if used:
        return {one.key: 1.0 for one in places if one.key in used}
    best: dict[str, CreditPlace] = {}
    for one in places:
        if one.memory not in best or one.place < best[one.memory].place:
            best[one.memory] = one
    chosen = [one for one in best.values() if one.memory in cited] or list(best.values())
    full = [CITED if one.memory in cited else SHOWN / log2(1 + one.place) for one in chosen]
    voices = Counter(one.group for one in chosen)
    return {
        one.key: credit / voices[one.group] for one, credit in zip(chosen, full, strict=True) if credit > 0.0
    }
