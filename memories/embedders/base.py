"""What an embedder promises, whoever made the model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memories.calibration import Calibration, Pairing, get_calibration
from memories.embedders.space import Space
from tenants.scope import Unavailable

Vectors = NDArray[np.float32]


class EmbedderUnavailable(Unavailable):
    """The embedder is out, whatever it is asked. Nothing was stored; try again later."""

    def __init__(
        self, reason: str, *, is_certain: bool = False, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(reason)
        self.is_certain = is_certain  #: the texts cannot be the reason: no connection, a limit, a wrong key
        self.retry_after_seconds = retry_after_seconds  #: what the provider asked for, or the breaker's rest


class EmbedderFailed(RuntimeError):
    """The embedder makes no vectors of these texts, and answers for others. The same texts fail again."""


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
        """
        Return the vectors of these texts, shape (len(texts), dimensions), in their order.

        Over a network it raises EmbedderUnavailable on an outage, EmbedderFailed for texts that fail alone.
        """

    @abstractmethod
    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (dimensions,)."""

    def require(self, *, ask: bool = False) -> None:  # noqa: B027 - one in this process is never out
        """
        Raise EmbedderUnavailable when the embedder is known to be out.

        ask: find out by a small request, and not only by what other requests have found of late.
        """

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model makes of the text, at least 0, its own markers left out."""

    def calibration(self, pairing: Pairing) -> Calibration:
        """Return what this space's cosines mean. Raises NoCalibration when none was fitted."""
        return get_calibration(self.space, pairing)
