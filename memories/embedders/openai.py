"""
Embedders behind an OpenAI-compatible API: OpenAI's own, and the many servers that speak its embeddings.

# Note [Out, or these texts]
A request that fails says too little: a server may be down, or fall over one text. So where the texts could be
the reason, a few harmless words are sent after them. If these fail too, the embedder is out, and who waits
for it waits on; if they come through, it is the texts.
"""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from opentelemetry.trace import SpanKind

from memories.embedders.base import Embedder, EmbedderFailed, EmbedderUnavailable, Vectors
from memories.embedders.space import Space
from memories.embedders.windows import cut_windows, join_vectors, spread
from memories.llms import Breaker, BreakerOpen
from memories.llms.retrying import RequestFailed, RetryPolicy
from memories.llms.wire import AnswerTooLarge, Wire
from memories.metrics import count_request
from tenants.telemetry.tracing import span

BASE_URL: Final = "https://api.openai.com/v1"

BATCH: Final = 32
"""Windows of one request. Ours: below what any server refuses (OpenAI takes 2 048, and 300 000 tokens)."""

WINDOW_BYTES: Final = 8_000
"""Of one window, its prefix left out. A token has at least a byte, and OpenAI's models take 8 191 tokens."""

MOST_WINDOWS: Final = 8
"""Windows of a text that are embedded, evenly from all of it; see `memories.embedders.local`."""

MOST_BYTES: Final = 8_000_000
"""Of one answer: 64 vectors of 1 024 numbers written out take some 1.5 MB."""


PROBE: Final = "candor"
"""What is embedded to find out whether the model answers."""

PROBE_SECONDS: Final = 5.0
"""For that request: the shortest takes milliseconds, and a worker waits for it."""


class OpenAIEmbedder(Embedder):
    """A model that is asked by `POST {base_url}/embeddings`; what it returns is brought to length 1."""

    def __init__(
        self,
        *,
        model: str,
        dimensions: int,
        version: str = "1",
        api_key: str = "",
        base_url: str | None = None,
        shortens: bool = False,
        query_prefix: str = "",
        passage_prefix: str = "",
        window_bytes: int = WINDOW_BYTES,
        timeout: float = 30.0,
        deadline_seconds: float = 60.0,
        breaker: Breaker | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        Prepare a client; nothing is sent yet.

        `dimensions` is what the model gives; with `shortens` it is asked to shorten its vectors to it.
        `version` is ours to raise when the same name comes to mean another model. The prefixes stand before
        what is embedded, for models that tell questions from passages so. A text of more than `window_bytes`
        is sent in windows of so many. `timeout` in seconds for a request, `deadline_seconds` for all tries.
        """
        space = self.space_of(model=model, dimensions=dimensions, version=version)
        self.space, self.dimensions, self.model, self.version = space.name, dimensions, model, version
        self._url = f"{(base_url or BASE_URL).rstrip('/')}/embeddings"
        self._headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._standing: dict[str, Any] = {"model": model, "encoding_format": "float"}
        if shortens:
            self._standing["dimensions"] = dimensions
        self._prefixes = {"query": query_prefix, "passage": passage_prefix}
        self._window_bytes = window_bytes
        self._timeout, self._deadline = timeout, deadline_seconds
        self.breaker = breaker or Breaker(space.name)
        self._sleep = sleep
        self._policy = RetryPolicy()
        self._wire = Wire(most_bytes=MOST_BYTES)

    @classmethod
    def space_of(cls, *, model: str = "", dimensions: int = 0, version: str = "1", **_options: Any) -> Space:
        """Return the space: vectors are of one space when model, version and dimensions are the same."""
        name = f"{model}@{version}:{dimensions}"
        return Space(name=name, model=model, version=version, dimensions=dimensions)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """
        Return the vectors of these texts, shape (len(texts), d), in order.

        Raises EmbedderUnavailable, or EmbedderFailed by Note [Out, or these texts].
        """
        try:
            return self._embed(texts, prefix=self._prefixes["passage"])
        except EmbedderUnavailable as error:
            if error.is_certain:
                raise
            self._probe()
            raise EmbedderFailed(str(error)) from error

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of this question, shape (d,). Raises EmbedderUnavailable."""
        vector: Vectors = self._embed([text], prefix=self._prefixes["query"])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Return about how many tokens the text has: one for each word, one for every four letters beyond."""
        return sum(1 + len(word) // 5 for word in text.split())

    def _embed(self, texts: Sequence[str], *, prefix: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        windows = [self._windows(text) for text in texts]
        flat = [window for of_text in windows for window in of_text]
        prefixed = [prefix + window for window in flat]
        made = np.concatenate(
            [self._ask(prefixed[start : start + BATCH]) for start in range(0, len(prefixed), BATCH)]
        )
        sizes = [_bytes(window) for window in flat]
        ends = np.cumsum([len(of_text) for of_text in windows])
        spans = [slice(end - len(of_text), end) for of_text, end in zip(windows, ends, strict=True)]
        return np.array([join_vectors(made[span], sizes[span]) for span in spans])

    def _windows(self, text: str) -> list[str]:
        if _bytes(text) <= self._window_bytes:
            return [text]
        most = self._window_bytes
        return spread(cut_windows(text, size=_bytes, most=most, most_characters=most), MOST_WINDOWS)

    def require(self, *, ask: bool = False) -> None:
        """Raise EmbedderUnavailable while the breaker is open or, asked for, when a few words fail."""
        if ask:
            self._probe()
        elif seconds := self.breaker.rest_seconds:
            raise self._left_alone(BreakerOpen(seconds))

    def _probe(self) -> None:
        """Raise EmbedderUnavailable unless the model answers for a few words."""
        try:
            self._once([PROBE], seconds=min(PROBE_SECONDS, self._timeout))
        except BreakerOpen as resting:
            raise self._left_alone(resting) from None
        except RequestFailed as failed:
            raise EmbedderUnavailable(
                f"{self.model}: {failed}", is_certain=True, retry_after_seconds=failed.asked_seconds
            ) from None

    def _count(self, outcome: str) -> None:
        count_request(self.space, outcome, is_left_alone=self.breaker.rest_seconds > 0)

    def _left_alone(self, resting: BreakerOpen) -> EmbedderUnavailable:
        self._count("left_alone")
        reason = f"{self.model} is left alone: it failed several times in a row"
        return EmbedderUnavailable(reason, is_certain=True, retry_after_seconds=resting.seconds)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, after as many requests as it takes. Raises EmbedderUnavailable."""
        ends_at = time.monotonic() + self._deadline
        for request in range(1, self._policy.most_requests + 1):
            left = ends_at - time.monotonic()
            try:
                return self._once(texts, seconds=max(0.001, min(self._timeout, left)))
            except BreakerOpen as resting:
                raise self._left_alone(resting) from None
            except RequestFailed as failed:
                left = ends_at - time.monotonic()
                pause = self._policy.pause(failed, request=request, left_seconds=left)
                if pause is None:
                    raise EmbedderUnavailable(
                        f"{self.model}: {failed}", is_certain=failed.is_for_any,
                        retry_after_seconds=failed.asked_seconds,
                    ) from None  # fmt: skip
                self._sleep(pause)
        raise AssertionError("the last request either brings vectors or raises")

    def _once(self, texts: Sequence[str], *, seconds: float) -> Vectors:
        """Send one request. Raises RequestFailed, BreakerOpen, and EmbedderUnavailable for a wrong answer."""
        named = {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": self.model}
        with (
            self.breaker.attempt() as attempt,
            span(f"embeddings {self.model}", named, kind=SpanKind.CLIENT),
        ):
            try:
                vectors = self._read(self._send(texts, seconds=seconds), count=len(texts))
            except RequestFailed as failed:
                self._count("failed")
                if failed.is_ours:
                    attempt.answered()
                raise
            except AnswerTooLarge as error:
                raise EmbedderUnavailable(f"{self.model}: {error}") from None
            attempt.answered()
            self._count("answered")
            return vectors

    def _send(self, texts: Sequence[str], *, seconds: float) -> bytes:
        body = self._standing | {"input": list(texts)}
        return self._wire.in_time(
            seconds, lambda: self._wire.post(self._url, body, headers=self._headers, seconds=seconds)
        )

    def _read(self, content: bytes, *, count: int) -> Vectors:
        """Return the vectors of an answer in the order asked for, of length 1. Raises EmbedderUnavailable."""
        try:
            data = sorted(json.loads(content)["data"], key=lambda one: one["index"])
            vectors = np.array([one["embedding"] for one in data], dtype=np.float32)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise EmbedderUnavailable(f"{self.model}: what came back holds no vectors") from None
        if vectors.shape != (count, self.dimensions) or not np.isfinite(vectors).all():
            raise EmbedderUnavailable(
                f"{self.model} gave vectors of shape {vectors.shape}, not {(count, self.dimensions)}"
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (lengths > 0).all():
            raise EmbedderUnavailable(f"{self.model} gave a vector of length 0")
        return np.asarray(vectors / lengths, dtype=np.float32)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
