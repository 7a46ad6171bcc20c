"""Tell whether a text tells an insight, whatever kind its row got (SPEC E-03). Pure."""

from collections.abc import Sequence
from typing import Final

from memories.embedders import Vectors
from memories.extraction.reader import SPACE, Utterance, read

INSIGHTS: Final = ("concept", "estimate", "finding", "invariant", "negative", "pattern")
"""Kinds that say how something is or why, beyond one day or one person."""

INSIGHT_FROM: Final = 0.30
"""
Chance of these kinds together from which a text may go into a pattern. Of 223 wordings of findings that no
rule reads as such 97 % reach it, of 239 turns of small talk 1.
"""


def tell_insights(texts: Sequence[str], vectors: Sequence[Vectors | None], *, space: str) -> list[bool]:
    """
    Return for each text whether it may be told as an insight.

    vectors: as the rows are searched by, of this space; None where a row has none.
    """
    known = space == SPACE
    said = [
        Utterance(text=text, role="user", vector=vector if known else None)
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return [sum(one.kinds[kind] for kind in INSIGHTS) >= INSIGHT_FROM for one in read(said)]
