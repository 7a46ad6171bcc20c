"""
Find near pairs among many vectors, in next to linear time. Pure.

# Note [Cells]
Up to `EXACT` vectors all pairs are looked at. Of more, some are drawn as centres, and each vector is held
against those that have one of its nearest centres (an inverted file: Sivic and Zisserman, ICCV 2003). Near
ones are missed at times, none is made up.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

EXACT: Final = 8192
"""Vectors of which all pairs are looked at: a second of one core at 384 dimensions."""

OF_A_CELL: Final = 200
"""Vectors for each centre."""

CELLS: Final = 6
"""
Nearest centres that each vector is put to. Of pairs with a cosine of .45 and more among 20 000 vectors by
chance, the hard case, .90 were found.
"""

_CHUNK: Final = 1024
"""Rows compared at once: 1024 by 8192 cosines take 32 MB."""

Singles = NDArray[np.float32]
Places = NDArray[np.int64]


def near_pairs(vectors: Singles, *, floor: float, most: int) -> set[tuple[float, int, int]]:
    """
    Return (cosine, place, later place) of pairs that have a cosine of `floor` and more.

    vectors: shape (n, d), of length 1. most: pairs of each vector with its nearest that are returned at most.
    """
    found: set[tuple[float, int, int]] = set()
    for cell in _cells(vectors):
        for begin in range(0, len(cell), _CHUNK):
            found.update(_near(vectors, cell[begin : begin + _CHUNK], cell, floor, most))
    return found


def _near(
    vectors: Singles, rows: Places, among: Places, floor: float, most: int
) -> Iterator[tuple[float, int, int]]:
    cosines = vectors[rows] @ vectors[among].T
    cosines[rows[:, None] == among[None]] = -1.0
    if len(among) > most:
        least = np.partition(cosines, -most, axis=1)[:, -most][:, None]
        cosines[cosines < least] = -1.0
    for row, column in zip(*np.nonzero(cosines >= floor), strict=True):
        one, other = sorted((int(rows[row]), int(among[column])))
        yield round(float(cosines[row, column]), 5), one, other


def _cells(vectors: Singles) -> Iterator[Places]:
    """Yield the places that are held against each other."""
    count = len(vectors)
    if count <= EXACT:
        yield np.arange(count, dtype=np.int64)
        return
    drawn = np.random.default_rng(0).choice(count, size=count // OF_A_CELL, replace=False)
    nearest = np.vstack([
        np.argpartition(-(vectors[begin : begin + _CHUNK] @ vectors[drawn].T), CELLS, axis=1)[:, :CELLS]
        for begin in range(0, count, _CHUNK)
    ])  # fmt: skip
    order = np.argsort(nearest, axis=None, kind="stable")
    ends = np.searchsorted(nearest.ravel()[order], np.arange(len(drawn) + 1))
    for begin, end in pairwise(ends):
        yield np.asarray(order[begin:end] // CELLS, dtype=np.int64)
