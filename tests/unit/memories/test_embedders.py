"""What every embedder promises, asked of each of them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memories.embedders import get_embedder
from memories.embedders.base import Embedder
from memories.embedders.fake import FakeEmbedder
from memories.embedders.local import WINDOW_TOKENS, LocalEmbedder

TEXTS = [
    "The payment service timed out because its pool was too small.",
    "支付服务超时，因为连接池太小。",
    "Ann moved to Basel.",
    "😀",
    "!",
    "word " * 100,
]


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(params=["local", "fake"])
def embedder(request: pytest.FixtureRequest, local: LocalEmbedder) -> Embedder:
    return local if request.param == "local" else FakeEmbedder()


@pytest.mark.spec("M-14")
def test_an_embedder_names_its_space_and_its_dimensions(embedder: Embedder) -> None:
    assert embedder.space
    assert embedder.embed_query("a question").shape == (embedder.dimensions,)
    assert embedder.calibration("passage-passage").space == embedder.space


def test_passages_come_in_their_order_as_float32_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS)

    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), embedder.dimensions), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert vector == pytest.approx(embedder.embed_passages([text])[0], abs=1e-4)


def test_nothing_to_embed_gives_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimensions)


def test_the_answering_text_is_nearer_to_its_question_than_another(embedder: Embedder) -> None:
    question = embedder.embed_query("Why did the payment service time out?")

    right, _, wrong, *_ = embedder.embed_passages(TEXTS) @ question

    assert right > wrong


def test_the_same_text_gives_the_same_vector_from_every_thread(embedder: Embedder) -> None:
    alone = embedder.embed_query(TEXTS[0])

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(embedder.embed_query, [TEXTS[0]] * 12))

    assert all(np.array_equal(vector, alone) for vector in together)


def test_tokens_are_counted_and_none_are_none(embedder: Embedder) -> None:
    assert embedder.count_tokens("") == 0
    assert 0 < embedder.count_tokens("one two") < embedder.count_tokens("one two three four five six")


def test_a_process_has_one_embedder_of_an_alias() -> None:
    assert get_embedder() is get_embedder("default")


def test_an_alias_that_is_not_set_is_refused() -> None:
    with pytest.raises(KeyError):
        get_embedder("nobody")


def test_a_text_of_one_window_has_the_vector_that_the_engine_gives_it_alone(local: LocalEmbedder) -> None:
    """To the byte: what is stored under the name of this space stays comparable, and is not embedded anew."""
    engine = local._model
    texts = [*TEXTS, "word " * 400, "连接池太小。" * 60]

    assert max(engine.token_count(text) for text in texts) <= WINDOW_TOKENS

    together = local.embed_passages(texts)

    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(vector, engine.passage([text])[0])
        assert np.array_equal(local.embed_query(text), engine.query(text))


@pytest.mark.parametrize(
    "text", ["The pool was too small for the load of that day. " * 90, "连接池太小。" * 250]
)
def test_a_longer_text_lies_where_the_engine_would_put_all_of_it(local: LocalEmbedder, text: str) -> None:
    assert local._model.token_count(text) > WINDOW_TOKENS

    assert float(local.embed_passages([text])[0] @ local._model.passage([text])[0]) > 0.97
    assert float(local.embed_query(text) @ local._model.query(text)) > 0.97
