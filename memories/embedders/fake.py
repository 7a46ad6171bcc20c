"""A fake embedder: hashed words instead of a model. Texts that share words lie near; nothing is learned."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from memories.calibration import Calibration, Pairing
from memories.embedders.base import Embedder, Vectors
from memories.language import words

NUMBERS: Final = 8
"""Places of the vector that one word touches."""


class FakeEmbedder(Embedder):
    """Bags of hashed words: the cosine of two texts is close to the share of words they have in common."""

    space = "fake-words"
    dimensions = 384
    model = "hashed-words"
    version = "1"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of these texts, shape (len(texts), 384), in their order."""
        return np.array([self._embed(text) for text in texts], dtype=np.float32).reshape(-1, self.dimensions)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (384,): the same as of a passage."""
        return self._embed(text)

    def count_tokens(self, text: str) -> int:
        """Return how many words the text has."""
        return len(text.split())

    def calibration(self, pairing: Pairing) -> Calibration:
        """Return the plain table: here a cosine is a share already."""
        return Calibration(space=self.space, pairing=pairing, knots=((0.0, 0.0), (1.0, 1.0)))

    def _embed(self, text: str) -> Vectors:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        # A text without words still needs a direction of its own.
        for word in words(text) or [f"\0{text}"]:
            digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=3 * NUMBERS).digest()
            for start in range(0, len(digest), 3):
                place = int.from_bytes(digest[start : start + 2], "big") % self.dimensions
                vector[place] += 1.0 if digest[start + 2] & 1 else -1.0
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return vector / np.float32(length)
