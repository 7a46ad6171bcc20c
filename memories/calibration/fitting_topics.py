"""Find what language, speaker and day do to a vector, from texts in many languages (SPEC E-03)."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from memories.calibration.topics import Floats, Topics

TELLING: Final = 16
"""
Directions of speaker and day that are taken out. With 0, 8, 16, 24 of them .80, .85, .93, .85 of 40 themes
were found whose wordings had each another speaker, at .075, .013, .000, .013 strangers.
"""


def fit_topics(space: str, by_language: Mapping[str, Floats], *, bare: Floats, told: Floats) -> Topics:
    """
    Return the directions to take out.

    by_language: language → vectors of texts in it, of whatever they speak, shape (texts, d). bare, told: the
    same texts as they stand, and with speaker and day; both of shape (texts, d).
    """
    centres = np.array([_unit(vectors).mean(axis=0) for vectors in by_language.values()])
    middle = centres.mean(axis=0)
    # As many directions as there are languages, less one: what all have in common is the mean.
    languages = np.linalg.svd(centres - middle, full_matrices=False)[2][: len(centres) - 1]
    change = _unit(told) - _unit(bare)
    telling = np.linalg.svd(change - change.mean(axis=0), full_matrices=False)[2][:TELLING]
    directions = np.linalg.qr(np.vstack([languages, telling]).T)[0].T
    return Topics(space=space, bare=middle, told=middle + change.mean(axis=0), directions=directions)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float64)
