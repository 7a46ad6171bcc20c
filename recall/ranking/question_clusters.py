"""
What was learnt of memories by kinds of question: pure maths over bytes and numpy arrays (SPEC E-13).

A question's cluster is known by a sketch of its words: 16 numbers of 32 bits, of which nobody reads a
sentence. A memory keeps a short list of the clusters in which it was judged, packed one after another, so
that a recall reads it as one column. See docs/learning.md.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

WIDTH: Final = 16
"""Words of a sketch: the 16 of the lowest hashes. A question has 4 to 8 that count, so most are whole."""

SAME_CLUSTER: Final = 0.60
"""
Share of words in common (Jaccard) from which two questions are of one cluster. Measured on conv-26 and
conv-30 of LoCoMo: asked more politely or by keywords, 99 % of the questions keep 0.66 or more; to the nearest
question about something else, 95 % have 0.60 or less.
"""

PRIOR: Final = 2.0
"""
κ, how many verdicts the memory's own q weighs against those of the cluster: the two that Beta(1, 1), the
prior of R-04's draws, is worth. On conv-26 and conv-30 with 5 % of wrong verdicts the gain in MRR on repeated
questions is 0.16 with κ = 1, 0.14 with 2 and with 4; what is lost on others to wrong ones grows as κ falls.
"""

MOST_CLUSTERS: Final = 24
"""Clusters kept of a memory: a row of 1.7 kB stays in its page. The one with the least said makes room."""

RECORD: Final = np.dtype([("words", "<u4", (WIDTH,)), ("helped", "<f4"), ("said", "<f4")])
"""One cluster of a memory: its sketch, the verdicts that found it helpful, and all, by their weight."""

Records = NDArray[np.void]


def cluster_of(terms: Iterable[str]) -> bytes:
    """
    Return the sketch of a question's search terms, 64 bytes; no bytes for a question without terms.

    The order of the terms and how often each stands do not matter. The same terms have the same sketch in
    every process and for good: it is written down. Words with equal hashes (1 in 4 billion) count as one.
    """
    hashes = sorted({zlib.crc32(term.encode()) or 1 for term in terms})[:WIDTH]
    return np.array(hashes + [0] * (WIDTH - len(hashes)), dtype="<u4").tobytes() if hashes else b""


def likeness(words: NDArray[np.uint32], sketch: bytes) -> Floats:
    """
    Return the share of words that each cluster has in common with a question, in [0, 1], shape (n,).

    words: shape (n, 16), 0 where there is no word. Exact up to 16 words, an estimate beyond (bottom-k
    sketches, Bar-Yossef and others, RANDOM 2002).
    """
    mine = np.frombuffer(sketch, dtype="<u4")
    mine = mine[mine > 0]
    common = np.isin(words, mine).sum(axis=1)
    either = np.minimum((words > 0).sum(axis=1) + mine.size - common, WIDTH)
    return np.asarray(common / np.maximum(either, 1), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """What was said of n memories in answer to a question like this one: arrays of shape (n,)."""

    helped: Floats  #: weight of the verdicts that found it helpful, at least 0
    said: Floats  #: weight of all verdicts, at least `helped`

    @classmethod
    def none(cls, n: int) -> "Evidence":
        """Return that nothing was said of n memories."""
        return cls(helped=np.zeros(n), said=np.zeros(n))

    def rests(self) -> Floats:
        """Return what of q no later draw can change: helped / (said + κ), in [0, 1)."""
        return np.asarray(self.helped / (self.said + PRIOR), dtype=np.float64)

    def open(self) -> Floats:
        """Return the share of q that is the memory's own: κ / (said + κ), in (0, 1]."""
        return np.asarray(PRIOR / (self.said + PRIOR), dtype=np.float64)

    def multiplier(self, spread: float) -> Floats:
        """
        Return what multiplies a score: 1 + spread · (2r − 1), with r = (helped + κ/2) / (said + κ).

        r is the chance that the row helps, drawn towards one half by as many verdicts as κ; so without a
        verdict it is 1, and it stays within 1 ± spread (in [0, 1)), whatever is said.
        """
        chance = (self.helped + PRIOR / 2) / (self.said + PRIOR)
        return np.asarray(1 + spread * (2 * chance - 1), dtype=np.float64)

    def shrink(self, q: ArrayLike) -> Floats:
        """
        Return the usefulness for this kind of question: (helped + κ·q) / (said + κ), in [0, 1].

        The cluster's own share of helpful verdicts, drawn towards the memory's q (shape (n,), in [0, 1]) by
        as many verdicts as κ; with none it is q. Two helpful ones of two and q = 0.5 give 0.75.
        """
        return self.rests() + self.open() * np.asarray(q, dtype=np.float64)


def gather(packed: Sequence[bytes | None], sketch: bytes) -> Evidence:
    """
    Return what was said of each memory in this question's cluster; a near cluster counts by its likeness.

    packed: of each of n memories the records of its clusters, None where nobody judged it.
    """
    judged = [row for row, records in enumerate(packed) if records]
    if not judged or not sketch:
        return Evidence.none(len(packed))
    sizes = [len(packed[row] or b"") // RECORD.itemsize for row in judged]
    rows = np.repeat(judged, sizes)
    records = np.frombuffer(b"".join(packed[row] or b"" for row in judged), dtype=RECORD)
    alike = likeness(records["words"], sketch)
    near = np.where(alike >= SAME_CLUSTER, alike, 0.0)
    n = len(packed)
    return Evidence(
        helped=np.bincount(rows, near * records["helped"], minlength=n).astype(np.float64),
        said=np.bincount(rows, near * records["said"], minlength=n).astype(np.float64),
    )


def add_verdict(packed: bytes, sketch: bytes, *, helped: float, said: float) -> bytes:
    """
    Return a memory's records after a verdict on it in this cluster; negative weights take one back.

    It joins the oldest cluster it is like, so that a verdict is taken back from where it was put. A cluster
    of which nothing is said any more goes.
    """
    if not sketch:
        return packed
    records = np.frombuffer(packed, dtype=RECORD).copy()
    same = np.flatnonzero(likeness(records["words"], sketch) >= SAME_CLUSTER)
    if same.size:
        return _without_empty(_moved(records, int(same[0]), helped, said)).tobytes()
    if said <= 0:
        return packed  # its cluster had to make room
    new = np.array([(np.frombuffer(sketch, dtype="<u4"), helped, said)], dtype=RECORD)
    return np.concatenate([_with_room(records), new]).tobytes()


def _moved(records: Records, place: int, helped: float, said: float) -> Records:
    records["helped"][place] = max(0.0, float(records["helped"][place]) + helped)
    records["said"][place] = max(0.0, float(records["said"][place]) + said)
    return records


def _without_empty(records: Records) -> Records:
    return records[records["said"] > SAID_NOTHING]


SAID_NOTHING: Final = 1e-4
"""Weight below which a cluster is empty: what 32-bit sums leave when all is taken back."""


def _with_room(records: Records) -> Records:
    """Return the records with room for one more: the cluster with the least said goes, the oldest of such."""
    if records.size < MOST_CLUSTERS:
        return records
    return np.delete(records, int(np.argmin(records["said"])))
