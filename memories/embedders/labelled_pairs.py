"""Labelled pairs of texts in a file: read, checked, embedded (SPEC W-13)."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from memories.calibration import Floats, Pairing
from memories.embedders.base import Embedder, Vectors

BATCH: Final = 64
"""Texts embedded between two reports of progress."""

Progress = Callable[[int, int], None]


class BadPairs(ValueError):
    """A file of pairs cannot be used; the message names the line and what it should hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts, and whether they say the same."""

    a: str
    b: str
    same: float  #: in [0, 1]: 1 the same, 0 unrelated, between them related; NaN when nobody said


def read_pairs(path: Path, *, labelled: bool) -> list[Pair]:
    """
    Return the pairs of a file with one JSON object {a, b, same} a line; blank lines are passed over.

    labelled: whether each line must have `same`. Raises BadPairs, FileNotFoundError.
    """
    if not path.is_file():
        raise FileNotFoundError(f"No file of pairs at {path}.")
    pairs = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                pairs.append(_read_pair(line, number, labelled=labelled))
    return pairs


def _read_pair(line: str, number: int, *, labelled: bool) -> Pair:
    try:
        found: Any = json.loads(line)
    except ValueError:
        raise BadPairs(f"Line {number} is no JSON.") from None
    if not isinstance(found, dict):
        raise BadPairs(f"Line {number} is no object with a, b and same.")
    for name in ("a", "b"):
        if not isinstance(found.get(name), str) or not found[name].strip():
            raise BadPairs(f"Line {number} has no text «{name}».")
    same = found.get("same") if labelled else float("nan")
    if not isinstance(same, (bool, int, float)) or (labelled and not 0 <= same <= 1):
        raise BadPairs(f"Line {number} has no «same» from 0 (unrelated) to 1 (the same).")
    return Pair(a=found["a"], b=found["b"], same=float(same))


def embed_pairs(pairs: Sequence[Pair], *, embedder: Embedder, pairing: Pairing, progress: Progress) -> Floats:
    """
    Return the cosine of each pair, shape (n,); with a pairing query-…, the first text is the query.

    progress: called with how many texts are embedded, and of how many. Each text is embedded once.
    """
    asked = pairing != "passage-passage"
    queries = sorted({pair.a for pair in pairs}) if asked else []
    # By length, so that a batch is not padded to its one long text.
    passages = sorted(
        {text for pair in pairs for text in ((pair.b,) if asked else (pair.a, pair.b))}, key=len
    )
    total = len(queries) + len(passages)
    first: dict[str, Vectors] = {}
    second: dict[str, Vectors] = {}
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        second.update(zip(batch, embedder.embed_passages(batch), strict=True))
        progress(len(second), total)
    for query in queries:
        first[query] = embedder.embed_query(query)
        progress(len(second) + len(first), total)
    if not asked:
        first = second
    return np.array([float(first[pair.a] @ second[pair.b]) for pair in pairs], dtype=np.float64)
