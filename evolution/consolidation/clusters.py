"""
Find the findings that speak of the same: keyword sets in, clusters out (SPEC E-03). Pure.

# Note [Shared parts]
Two sets of a and b words have a Jaccard index of 0.40 or more exactly if they share o = ⌈2(a + b)/7⌉ words.
So whoever belongs together shares a part of o words, and is found by sorting parts, not by comparing pairs.
Where there would be too many parts of that size, smaller ones are taken, of a prefix only: sets that share o
words share k of them within their n − o + k rarest, for any k ≤ o (the prefix filter of AllPairs: Bayardo, Ma
and Srikant, WWW 2007; theirs is k = 1, a larger k is that of AdaptJoin: Wang, Li and Feng, SIGMOD 2012).
A word that everybody uses is in many parts but in few equal ones, so it costs no square. Exact, either way.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

OVERLAP: Final = (2, 5)
"""The Jaccard index from which findings belong together, as a fraction: 0.40 (SPEC E-03)."""

MOST_PARTS: Final = 220
"""Parts of one set that are sorted for one number of common words. Ours: 100 000 sets make 22 million."""

ALL_PAIRS: Final = 32
"""Sets with a part in common up to which each two are compared at once; more are gone through one by one."""

_CHUNK: Final = 200_000
"""Pairs compared in one go: 200 000 of eight words take some 15 MB."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What is known of a finding to say with which others it belongs."""

    group: Hashable  #: findings of different groups never belong together
    keywords: Collection[str]  #: canonical ones
    vector: NDArray[np.float32] | None = None  #: what it is about, of length 1; None: not known


def find_clusters(findings: Sequence[Finding]) -> list[tuple[int, ...]]:
    """
    Return the connected components of two and more findings, as places in the sequence, ascending.

    Two are connected if they are of one group and their keywords have a Jaccard index of `OVERLAP` or more.
    """
    sets = _read(findings)
    labels = np.arange(len(sets.owner_of), dtype=np.int64)
    for wanted, sizes in _levels(sets.sizes):
        labels = _unite(sets, labels, wanted, sizes)
    return _components(labels[sets.set_of], sets.owned)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sets:
    """The different keyword sets there are, each once, with whose they are."""

    words: NDArray[np.int32]  #: shape (m, most words): word numbers, rarest first, −1 where there is none
    sizes: NDArray[np.int64]  #: shape (m,)
    groups: NDArray[np.int64]  #: shape (m,)
    owner_of: Sequence[int]  #: shape (m,): a finding that has the set
    owned: Rows  #: the findings with keywords, as places
    set_of: Rows  #: of each of those, its set


def need(a: int, b: int) -> int:
    """Return how many words sets of a and b words must share for a Jaccard index of `OVERLAP`."""
    above, below = OVERLAP
    return -(-above * (a + b) // (above + below))


def _read(findings: Sequence[Finding]) -> _Sets:
    """Number groups and words, the rarest word first, and keep each different set once."""
    counts = Counter(word for one in findings for word in set(one.keywords))
    number = {
        word: place for place, (word, _) in enumerate(sorted(counts.items(), key=lambda it: (it[1], it[0])))
    }
    group_of: dict[Hashable, int] = {}
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    owner_of: list[int] = []
    owned: list[int] = []
    set_of: list[int] = []
    for place, one in enumerate(findings):
        if not one.keywords:
            continue
        group = group_of.setdefault(one.group, len(group_of))
        key = (group, tuple(sorted({number[word] for word in one.keywords})))
        if (found := known.setdefault(key, len(owner_of))) == len(owner_of):
            owner_of.append(place)
        owned.append(place)
        set_of.append(found)
    sizes = np.array([len(words) for _, words in known], dtype=np.int64)
    table = np.full((len(known), int(sizes.max(initial=1))), -1, dtype=np.int32)
    for row, (_, words) in enumerate(known):
        table[row, : len(words)] = words
    return _Sets(
        words=table, sizes=sizes, groups=np.array([group for group, _ in known], dtype=np.int64),
        owner_of=owner_of, owned=np.array(owned, dtype=np.int64), set_of=np.array(set_of, dtype=np.int64),
    )  # fmt: skip


def _levels(sizes: NDArray[np.int64]) -> list[tuple[int, list[int]]]:
    """Return (number of common words, sizes of the sets for which it is the one needed), fewest first."""
    there = [int(size) for size in np.unique(sizes)]
    levels: dict[int, set[int]] = {}
    for a, b in ((a, b) for a in there for b in there if a <= b):
        if (wanted := need(a, b)) <= a:
            levels.setdefault(wanted, set()).update((a, b))
    return [(wanted, sorted(of)) for wanted, of in sorted(levels.items())]


def _unite(sets: _Sets, labels: Rows, wanted: int, sizes: Sequence[int]) -> Rows:
    """Return the labels after joining what shares so many words."""
    part = max(k for k in range(1, wanted + 1) if k == 1 or comb(sizes[-1] - wanted + k, k) <= MOST_PARTS)
    members, starts = _share_parts(sets, wanted, sizes, part)
    if part == wanted:
        return _join(sets, labels, *_stars(members, starts))
    small = np.diff(starts) <= ALL_PAIRS
    labels = _join(sets, labels, *_pairs(members, starts, small))
    for begin, end in zip(starts[:-1][~small], starts[1:][~small], strict=True):
        labels = _walk(sets, labels, members[begin:end])
    return labels


def _share_parts(sets: _Sets, wanted: int, sizes: Sequence[int], part: int) -> tuple[Rows, Rows]:
    """
    Return the sets that share a part with others, part after part, and where each part begins and ends.

    Of a part the smallest set stands first. A part is known by the sum of 64 random bits for each of its
    words and its group: that two of ten million parts are taken for one has a chance of 3 in a million, and
    then a link may be missed, none is made up: pairs are compared word by word.
    """
    draw = np.random.default_rng(0)
    word_bits = draw.integers(0, 2**64, size=int(sets.words.max(initial=0)) + 1, dtype=np.uint64)
    group_bits = draw.integers(0, 2**64, size=int(sets.groups.max(initial=0)) + 1, dtype=np.uint64)
    keys: list[NDArray[np.uint64]] = []
    owners: list[NDArray[np.int32]] = []
    for size in sizes:  # ascending: the stable sort below keeps the smallest first
        rows = np.flatnonzero(sets.sizes == size)
        prefix = size - wanted + part
        bits = word_bits[sets.words[rows, :prefix]]
        own = group_bits[sets.groups[rows]]
        for columns in combinations(range(prefix), part):
            keys.append(own + bits[:, columns].sum(axis=1, dtype=np.uint64))
            owners.append(rows.astype(np.int32))
    key = np.concatenate(keys)
    owner = np.concatenate(owners)
    order = np.argsort(key, kind="stable")
    key, owner = key[order], owner[order]
    is_first = np.concatenate(([True], key[1:] != key[:-1]))
    shared = ~is_first
    shared[:-1] |= ~is_first[1:]
    starts = np.flatnonzero(is_first[shared])
    members = owner[shared].astype(np.int64)
    return members, np.append(starts, len(members))


def _stars(members: Rows, starts: Rows) -> tuple[Rows, Rows]:
    """
    Return pairs of each set with the smallest of its part.

    Whoever belongs to any set of a part belongs to its smallest: that pair needs the fewest common words.
    """
    heads = np.repeat(members[starts[:-1]], np.diff(starts))
    return heads, members


def _pairs(members: Rows, starts: Rows, wanted: NDArray[np.bool_]) -> tuple[Rows, Rows]:
    """Return each two sets of the wanted parts."""
    left: list[Rows] = [np.empty(0, dtype=np.int64)]
    right: list[Rows] = [np.empty(0, dtype=np.int64)]
    lengths = np.diff(starts)
    for length in np.unique(lengths[wanted]):
        rows = members[starts[:-1][wanted & (lengths == length)][:, None] + np.arange(length)]
        one, other = np.triu_indices(int(length), k=1)
        left.append(rows[:, one].ravel())
        right.append(rows[:, other].ravel())
    return np.concatenate(left), np.concatenate(right)


def _walk(sets: _Sets, labels: Rows, members: Rows) -> Rows:
    """Return the labels after comparing each set of a part with those that are not joined to it yet."""
    for pivot in members:
        apart = members[labels[members] != labels[pivot]]
        if not len(apart):
            break
        labels = _join(sets, labels, np.full(len(apart), pivot), apart)
    return labels


def _join(sets: _Sets, labels: Rows, left: Rows, right: Rows) -> Rows:
    """Return the labels with those pairs joined that do belong together."""
    apart = labels[left] != labels[right]
    pairs = np.unique(np.minimum(left, right)[apart] * len(labels) + np.maximum(left, right)[apart])
    left, right = np.divmod(pairs, len(labels))
    alike = np.concatenate([np.empty(0, dtype=bool), *_compare(sets, left, right)])
    if not alike.any():
        return labels
    edges = (np.ones(int(alike.sum()), dtype=np.int8), (labels[left[alike]], labels[right[alike]]))
    graph = coo_array(edges, shape=(len(labels), len(labels)))
    joined = connected_components(graph, directed=False)[1].astype(np.int64)
    return joined[labels]


def _compare(sets: _Sets, left: Rows, right: Rows) -> Iterator[NDArray[np.bool_]]:
    """Yield for each pair, in chunks, whether it belongs together."""
    above, below = OVERLAP
    for begin in range(0, len(left), _CHUNK):
        one, other = left[begin : begin + _CHUNK], right[begin : begin + _CHUNK]
        shared = np.zeros(len(one), dtype=np.int64)
        mine, theirs = sets.words[one], sets.words[other]
        for column in range(int(sets.sizes[one].max(initial=0))):
            word = mine[:, column, None]
            shared += ((word == theirs) & (word >= 0)).any(axis=1)
        together = sets.sizes[one] + sets.sizes[other] - shared
        yield (shared * below >= together * above) & (sets.groups[one] == sets.groups[other])


def _components(labels: Rows, owned: Rows) -> list[tuple[int, ...]]:
    """Return the places of each label that two or more have, in the order of their first place."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    parts = (owned[places] for places in np.split(order, ends) if len(places) > 1)
    return sorted(tuple(int(place) for place in part) for part in parts)
