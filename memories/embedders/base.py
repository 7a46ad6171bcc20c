"""What an embedder promises, whoever made the model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memories.calibration import Calibration, Pairing, get_calibration
from memories.embedders.space import Space

Vectors = NDArray[np.float32]


class Embedder(ABC):
    """
    Turns text into vectors of one space, where near means alike.

    Thread-safe, deterministic, and never called in a transaction: it takes milliseconds at best and a network
    at worst. Vectors are float32 of length 1, so that their inner product is their cosine. Passages are what
    is kept, queries what is asked; models place them differently, so they must not be confused.
    """

    space: str  #: name of the embedding space; vectors of two spaces are never compared
    dimensions: int
    model: str = ""
    version: str = ""

    @classmethod
    def space_of(cls, **_options: Any) -> Space:
        """Return the space of the embedder that these options make, without making it: that takes a model."""
        return Space(name=cls.space, model=cls.model, version=cls.version, dimensions=cls.dimensions)

    @abstractmethod
    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of these texts, shape (len(texts), dimensions), in their order."""

    @abstractmethod
    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (dimensions,)."""

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model makes of the text, at least 0, its own markers left out."""

    def calibration(self, pairing: Pairing) -> Calibration:
        """Return what this space's cosines mean. Raises NoCalibration when none was fitted."""
        return get_calibration(self.space, pairing)
