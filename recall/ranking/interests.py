"""How far what an agent keeps asking about lifts a row that speaks of it (SPEC E-11). Pure."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

INTEREST_WINDOWS: Final = (7, 30, 90)
"""Days that are looked back (SPEC E-11)."""

OCCASIONS_PRIOR: Final = 5
"""Occasions without the word that are added, so that a word asked twice in two is not all there is. Ours."""


def share_of_occasions(occasions: int, of_all: int) -> float:
    """Return n / (all + 5), in [0, 1): how much of what an agent asks is about one thing."""
    return occasions / (of_all + OCCASIONS_PRIOR)


def largest_shares(
    texts: Sequence[Collection[str]], interests: Sequence[tuple[Collection[str], float]]
) -> NDArray[np.float64]:
    """
    Return of each text the largest share of an interest that it speaks of, shape (n,); 0 for none.

    texts: the searched terms of each. interests: the terms of a word, all of which a text must have, and its
    share in [0, 1).
    """
    return np.array(
        [
            max((share for terms, share in interests if terms and said.issuperset(terms)), default=0.0)
            for said in map(frozenset, texts)
        ],
        dtype=np.float64,
    )
