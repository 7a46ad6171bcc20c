"""The embedder behind an OpenAI-compatible API, against a local server that speaks it."""

from collections.abc import Iterator

import numpy as np
import pytest

from memories.embedders import Space
from memories.embedders.openai import (
    BATCH,
    MOST_WINDOWS,
    WINDOW_BYTES,
    EmbedderUnavailable,
    OpenAIEmbedder,
)
from tests.wire.embeddings_server import EmbeddingsServer, hashed


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer(dimensions=96, api_key="k-1") as running:
        yield running


def embedder(server: EmbeddingsServer, dimensions: int = 96) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        model="hashed", dimensions=dimensions, api_key="k-1", base_url=server.base_url,
        query_prefix="query: ", sleep=lambda _seconds: None,
    )  # fmt: skip


@pytest.mark.spec("M-14")
def test_a_space_is_a_model_in_a_version_with_its_dimensions() -> None:
    space = OpenAIEmbedder.space_of(model="hashed", dimensions=96, version="2", api_key="k-1")

    assert space == Space(name="hashed@2:96", model="hashed", version="2", dimensions=96)


def test_vectors_come_in_the_order_of_the_texts_and_of_length_one(server: EmbeddingsServer) -> None:
    texts = [f"Crate {number} stands in row {number % 7}." for number in range(BATCH + 3)]

    vectors = embedder(server).embed_passages(texts)

    raw = np.array([hashed(text, 96) for text in texts], dtype=np.float32)
    assert np.allclose(vectors, raw / np.linalg.norm(raw, axis=1, keepdims=True), atol=1e-6)
    assert [len(body["input"]) for body in server.received] == [BATCH, 3]
    assert {frozenset(body) for body in server.received} == {frozenset({"model", "encoding_format", "input"})}


def test_a_question_is_asked_with_its_prefix(server: EmbeddingsServer) -> None:
    vector = embedder(server).embed_query("where is it")

    assert vector.shape == (96,)
    assert server.received[0]["input"] == ["query: where is it"]


def test_a_text_longer_than_the_model_takes_is_sent_in_windows(server: EmbeddingsServer) -> None:
    long, short = "crate " * 1_000 + "年" * 1_500, "a crate"

    vectors = embedder(server).embed_passages([long, short])

    sent = server.received[0]["input"]
    assert "".join(sent) == long + short
    assert [len(window.encode()) <= WINDOW_BYTES for window in sent] == [True] * 3
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    assert np.array_equal(vectors[1], embedder(server).embed_passages([short])[0])


def test_of_a_text_without_end_so_many_windows_are_sent(server: EmbeddingsServer) -> None:
    embedder(server).embed_passages(["crate " * 100_000])

    assert sum(len(body["input"]) for body in server.received) == MOST_WINDOWS


def test_a_server_that_is_busy_is_asked_again(server: EmbeddingsServer) -> None:
    server.failures = [503, 429]

    assert embedder(server).embed_passages(["a crate"]).shape == (1, 96)
    assert len(server.received) == 3


def test_a_server_that_refuses_is_not_asked_again(server: EmbeddingsServer) -> None:
    server.failures = [401]

    with pytest.raises(EmbedderUnavailable, match=r"^hashed: status 401$"):
        embedder(server).embed_passages(["a crate"])
    assert len(server.received) == 1


def test_vectors_of_another_length_than_the_spaces_are_refused(server: EmbeddingsServer) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"^hashed gave vectors of shape \(1, 96\), not \(1, 64\)$"):
        embedder(server, dimensions=64).embed_passages(["a crate"])


@pytest.mark.parametrize(("dimensions", "name"), [(0, "a"), (1_025, "a"), (3, "")])
def test_a_space_that_no_vector_could_be_kept_in_is_refused(dimensions: int, name: str) -> None:
    with pytest.raises(ValueError, match=r"space"):
        Space(name=name, model="m", version="1", dimensions=dimensions)
