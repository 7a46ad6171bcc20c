"""
The local arbiter: what a small network that ships with the product makes of a pair (SPEC K-06).

Fitted by `manage.py fit_arbiter` (docs/arbiter.md). Two networks: one reads signs and the vectors of the
space it was fitted in, the other signs alone, for vectors of another space or none.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from memories.networks import Basis, Floats, Network, unpack
from memories.reconciliation.arbiters.signs import read_signs
from memories.reconciliation.arbiters.verdicts import Relation, Said, Verdict

FILE: Final = Path(__file__).parent / "local.npz"

SPACE: Final = "e5-small-q4"
"""The embedding space in which it knows what a vector means."""

NAME: Final = "local"

RELATIONS: Final = tuple(Relation)

NETWORKS: Final = 2

Pair = tuple[Said, Said, float, float]
"""The earlier statement, the later one, their calibrated similarity, and that of what else lies near."""

AROUND: Final = 12
"""
Nearest rows that are judged, and that tell what lies around.

Of the statements that a later one makes outdated 69 % are among the nearest 10 of 3 600.
"""

ALONE: Final = 0.12
"""What lies around where nothing else does: the mean of the pairs it is fitted on."""


def measure_around(similarities: Sequence[float]) -> list[float]:
    """Return for each of some near rows the mean similarity of the others; ALONE where it is the only one."""
    total, others = sum(similarities), len(similarities) - 1
    return [(total - one) / others if others else ALONE for one in similarities]


@lru_cache(maxsize=1)
def _load() -> tuple[Basis, Network, Network]:
    with np.load(FILE) as file:
        arrays = dict(file)
    basis = Basis(
        mean=np.asarray(arrays["basis.mean"], dtype=np.float64),
        directions=np.asarray(arrays["basis.directions"], dtype=np.float64),
    )
    return basis, unpack(arrays, "both", count=NETWORKS), unpack(arrays, "signs", count=NETWORKS)


def judge(pairs: Sequence[Pair]) -> list[Verdict]:
    """
    Return what each later statement does to the earlier one.

    A vector counts where both have one; it must be of SPACE. Asks nobody and knows no clock.
    """
    if not pairs:
        return []
    basis, both, signs_alone = _load()
    signs = sign_matrix(pairs)
    known = np.array([a.vector is not None and b.vector is not None for a, b, *_ in pairs], dtype=np.bool_)
    chances = np.empty((len(pairs), len(RELATIONS)))
    if not known.all():
        chances[~known] = signs_alone.chances(signs[~known])
    if known.any():
        with_vectors = [pair for pair, has in zip(pairs, known, strict=True) if has]
        vectors = compare_vectors(*stack_vectors(with_vectors), basis)
        chances[known] = both.chances(np.hstack([signs[known], vectors]))
    return [
        Verdict(chances=dict(zip(RELATIONS, map(float, row), strict=True)), judge=NAME) for row in chances
    ]


def sign_matrix(pairs: Sequence[Pair]) -> Floats:
    """Return the signs of each pair, shape (pairs, signs)."""
    return np.array([list(read_signs(*pair).values()) for pair in pairs], dtype=np.float64)


def stack_vectors(pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return the vectors of the earlier and of the later statements, each of shape (pairs, dimensions)."""
    return (
        np.array([first.vector for first, *_ in pairs], dtype=np.float64),
        np.array([then.vector for _, then, *_ in pairs], dtype=np.float64),
    )


def compare_vectors(first: Floats, then: Floats, basis: Basis) -> Floats:
    """Return both vectors, their difference, product and distance along the basis, shape (pairs, 5d)."""
    a, b = basis.project(first), basis.project(then)
    return np.hstack([a, b, b - a, a * b, np.abs(b - a)])
