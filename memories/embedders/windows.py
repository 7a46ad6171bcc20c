"""Cut a text that is longer than a model reads at once into windows, and join their vectors. Pure."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

NEAR: Final = 0.8
"""A window ends at a blank in its last fifth when there is one, so that no word is cut in two."""


def cut_windows(text: str, *, size: Callable[[str], int], most: int, most_characters: int) -> list[str]:
    """
    Return consecutive pieces of the text, each of size at most `most`, in order; joined they are the text.

    size: what a piece counts as (tokens, bytes), at least 0, growing with the piece. A piece has at most
    `most_characters`, so that looking for its end costs no more than that; one character is always a piece.
    """
    pieces = []
    start = 0
    while start < len(text):
        end = _end_of_window(text, start, size=size, most=most, longest=most_characters)
        pieces.append(text[start:end])
        start = end
    return pieces


def _end_of_window(text: str, start: int, *, size: Callable[[str], int], most: int, longest: int) -> int:
    end = min(len(text), start + longest)
    while (counted := size(text[start:end])) > most and end - start > 1:
        # In proportion, and one less: it comes below within a few steps and never stands still.
        end = start + max(1, min(end - start - 1, (end - start) * most // counted))
    if end == len(text):
        return end
    floor = start + int((end - start) * NEAR)
    blank = max(text.rfind(" ", floor, end), text.rfind("\n", floor, end))
    return blank + 1 if blank >= floor and blank > start else end


def spread(pieces: Sequence[T], most: int) -> list[T]:
    """Return at most `most` of the pieces, evenly from all of them, the first and the last among them."""
    if len(pieces) <= most:
        return list(pieces)
    if most == 1:
        return [pieces[0]]
    last = len(pieces) - 1
    return [pieces[place * last // (most - 1)] for place in range(most)]


def join_vectors(vectors: NDArray[np.float32], weights: Sequence[int]) -> NDArray[np.float32]:
    """
    Return the mean of the windows' vectors, shape (n, d) → (d,), of length 1, weighted by their tokens.

    One window's vector is returned as it is, to the byte. Where the mean has no direction, the first is.
    """
    if len(vectors) == 1:
        return np.asarray(vectors[0])
    mean = np.average(vectors.astype(np.float64), axis=0, weights=weights)
    length = float(np.linalg.norm(mean))
    return np.asarray(vectors[0]) if length < 1e-9 else np.asarray(mean / length, dtype=np.float32)
