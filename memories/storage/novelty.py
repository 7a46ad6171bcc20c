"""How new a note is to those who may see it: its novelty, by keywords (SPEC W-10)."""

from collections.abc import Iterable

from memories.candidates import Draft, Neighbour
from memories.language import stem


def measure_novelty(draft: Draft, neighbours: Iterable[Neighbour]) -> float:
    """
    Return 1 − the highest Jaccard of keywords between the note and a row, in [0, 1]; 1 beside nothing.

    Rows above the note's class are left out: how new it is must not tell of them. Stems are compared.
    """
    mine = _stems(draft.keywords)
    rank = draft.audience.classification
    alike = (
        len(mine & theirs) / len(mine | theirs)
        for near in neighbours
        if near.audience.classification <= rank and (theirs := _stems(near.keywords)) and mine
    )
    return 1.0 - max(alike, default=0.0)


def _stems(keywords: Iterable[str]) -> set[str]:
    return {stem(keyword.casefold()) for keyword in keywords}
