"""
Fit the local arbiter on labelled pairs, and measure it on domains it was not fitted on (SPEC K-06).

Pairs are written for it (`pairs/`). Each later statement is besides shown with the statements of other pairs
that lie nearest to it, in its language and in others: unrelated, and what connect sees most. In talk nearly
nothing updates what was said before, though it stays with its topics: so each turn of the talks (`talks/`) is
shown with the nearest turns before it, of which the few updates are marked. Without them half of a
conversation's turns were taken for updates of others. Least loss with L-BFGS from seeded weights: the same
pairs and seed give the same file on the same machine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memories.calibration import Calibration
from memories.candidates import bare_cosines, searched_text
from memories.embedders import Embedder, Vectors
from memories.networks import Basis, Floats, Network, pack, read_folder
from memories.networks.training import Marks, find_directions, fit_network
from memories.reconciliation.arbiters.local import (
    AROUND,
    NETWORKS,
    RELATIONS,
    Pair,
    compare_vectors,
    measure_around,
    sign_matrix,
    stack_vectors,
)
from memories.reconciliation.arbiters.verdicts import CHANGES, Mouth, Relation, Said

FOLDER: Final = Path(__file__).parent / "pairs"
TALKS: Final = Path(__file__).parent / "talks"

DIRECTIONS: Final = 48
HIDDEN: Final = 48
NEAR_ONES: Final = 3
"""Nearest statements of other pairs that each later statement is shown with."""
FOREIGN_ONES: Final = 2
"""Nearest of other pairs in another language: without them a far foreign text passed for the same."""
FAR_ONES: Final = 2
"""Any other statements: in a small tenant the nearest twelve are far, and connect judges them too."""
NEAR_WEIGHT: Final = 0.5
FAR_WEIGHT: Final = 0.1
LATER_WEIGHT: Final = 0.15
"""Of a pair that changes nothing, told once more at another distance in time."""
LATER_DAYS: Final = (10, 25, 45, 75, 110, 160, 230)
"""Distances in time at which they are: as far apart as changes are in the pairs."""
AGAIN_WEIGHT: Final = 0.1
"""Of a statement that is said once more, word for word."""
TURNS_BEFORE: Final = 6
"""Nearest earlier turns of its talk that each turn is shown with."""
TURN_WEIGHT: Final = 0.4
PENALTY_SIGNS, PENALTY_VECTORS, PENALTY_HIDDEN = 30.0, 400.0, 120.0
STEPS: Final = 150
"""Chosen, with the penalties and sizes, on domains left out of five fits of the pairs (docs/arbiter.md)."""

FOLDS: Final = 5

_TIMELESS: Final = frozenset({Relation.SAME, Relation.ADDS, Relation.REFINES, Relation.UNRELATED})
"""What two statements are to each other whenever they are made."""

MOUTHS: Final[Mapping[str, Mouth]] = {"user": "person", "tool": "tool", "assistant": "agent"}

ASSISTANT: Final = "Assistant"
"""Speaker of a talk's turns that an agent says, where no role tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A line of a file: two statements and what the later one does to the earlier."""

    id: str
    lang: str
    domain: str
    first: Said
    then: Said
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A talk: its turns in order, and the few pairs (later, earlier) that do something to each other."""

    id: str
    lang: str
    turns: tuple[Said, ...]
    updates: Mapping[tuple[int, int], Relation]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Pairs to fit on or to measure with: n of them, the labelled ones first."""

    signs: Floats
    first: Floats
    then: Floats
    wanted: Floats  #: chances of the eight relations, shape (n, 8)
    weights: Floats
    fold: NDArray[np.intp]  #: which of FOLDS measures it

    def only(self, rows: Marks) -> "Sample":
        """Return these of the pairs. rows: shape (n,)."""
        return Sample(**{name: getattr(self, name)[rows] for name in Sample.__slots__})


def read_pairs(folder: Path = FOLDER) -> list[Labelled]:
    """Return the pairs of all files of a folder, by name of file. Raises BadRows."""
    return read_folder(folder, _read)


def read_talks(folder: Path = TALKS) -> list[Talk]:
    """Return the talks of all files of a folder, by name of file. Raises BadRows."""
    return read_folder(folder, _read_talk)


def _read_talk(row: Mapping[str, Any]) -> Talk:
    turns = tuple(
        Said(
            text=turn["text"],
            at=datetime.fromisoformat(turn["clock"]),
            speaker=turn["speaker"],
            mouth=MOUTHS[turn.get("role") or ("assistant" if turn["speaker"] == ASSISTANT else "user")],
        )
        for turn in row["turns"]
    )
    updates = {(later, earlier): Relation(relation) for later, earlier, relation in row["updates"]}
    return Talk(id=row["id"], lang=row["lang"], turns=turns, updates=updates)


def _read(row: Mapping[str, Any]) -> Labelled:
    said = {
        which: Said(
            text=row[which]["text"],
            at=datetime.fromisoformat(row[which]["clock"]),
            speaker=row[which]["speaker"],
            mouth=MOUTHS[row[which]["role"]],
        )
        for which in ("first", "then")
    }
    return Labelled(
        id=row["id"], lang=row["lang"], domain=row["domain"], relation=Relation(row["relation"]), **said
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """Two statements shown to the fit, with what is wanted of it."""

    first: Said
    then: Said
    similarity: float
    around: float
    wanted: tuple[Relation, ...]  #: equally likely
    weight: float
    fold: int


def make_sample(
    pairs: Sequence[Labelled], talks: Sequence[Talk], *, embedder: Embedder, calibration: Calibration
) -> Sample:
    """Return the pairs, those near them and the turns of talks, embedded as connect meets them."""
    met = [*_meet_pairs(pairs, embedder, calibration), *_meet_turns(talks, embedder, calibration)]
    met.sort(key=lambda one: one.weight < 1.0)  # the labelled pairs first, all in their order
    of_met: list[Pair] = [(one.first, one.then, one.similarity, one.around) for one in met]
    first, then = stack_vectors(of_met)
    wanted = np.zeros((len(met), len(RELATIONS)))
    for row, one in enumerate(met):
        wanted[row, [RELATIONS.index(relation) for relation in one.wanted]] = 1 / len(one.wanted)
    return Sample(
        signs=sign_matrix(of_met),
        first=first,
        then=then,
        wanted=wanted,
        weights=np.array([one.weight for one in met]),
        fold=np.array([one.fold for one in met]),
    )


def _meet_pairs(pairs: Sequence[Labelled], embedder: Embedder, calibration: Calibration) -> Iterator[_Met]:
    """Yield each labelled pair, and its later statement with the nearest of other pairs."""
    firsts = _embed([pair.first for pair in pairs], embedder)
    thens = _embed([pair.then for pair in pairs], embedder)
    every, langs = [*firsts, *thens], np.array([pair.lang for pair in pairs] * 2)
    alike = _similarities(thens, every, embedder.space, calibration)
    around_of = []
    for row, pair in enumerate(pairs):
        own = np.array([row, len(pairs) + row])
        of_row = np.where(langs == pair.lang, alike[row], -1.0)
        of_row[own] = -1.0
        others = np.argsort(-of_row)[: AROUND - 1].tolist()
        near = [row, *(other for other in others if of_row[other] >= 0)]
        around = measure_around([float(alike[row, at]) for at in near])
        around_of.append(around[0])
        yield _Met(
            first=firsts[row], then=thens[row], similarity=float(alike[row, row]), around=around[0],
            wanted=(pair.relation,), weight=1.0, fold=_fold(pair),
        )  # fmt: skip
        foreign = np.argsort(-np.where(langs == pair.lang, -1.0, alike[row]))[:FOREIGN_ONES].tolist()
        met = [
            (other, rest, NEAR_WEIGHT)
            for other, rest in islice(zip(near[1:], around[1:], strict=True), NEAR_ONES)
        ]
        far = [crc32(f"{pair.id} {number}".encode()) % len(every) for number in range(FAR_ONES)]
        met += [(other, around[0], FAR_WEIGHT) for other in (*foreign, *far) if other not in own]
        for other, rest, weight in met:
            # At the distance in time of the pair itself, so that this tells nothing.
            yield _Met(
                first=replace(every[other], at=pair.first.at), then=thens[row],
                similarity=float(alike[row, other]), around=rest, wanted=(Relation.UNRELATED,),
                weight=weight, fold=_fold(pair),
            )  # fmt: skip
    yield from _meet_later(pairs, around_of, embedder, calibration)


def _meet_later(
    pairs: Sequence[Labelled], around: Sequence[float], embedder: Embedder, calibration: Calibration
) -> Iterator[_Met]:
    """
    Yield the pairs that change nothing once more, and each first statement said again, after a change's time.

    Who writes pairs lets changes come late and restatements soon. Time then passed for a sign of change: the
    very same sentence, said again after ten weeks, was taken for its own successor.
    """
    later: list[tuple[int, Said, Relation, float]] = []
    for row, pair in enumerate(pairs):
        gap = timedelta(days=LATER_DAYS[crc32(pair.id.encode()) % len(LATER_DAYS)])
        if pair.relation in _TIMELESS:
            later.append((row, replace(pair.then, at=pair.first.at + gap), pair.relation, LATER_WEIGHT))
        speaker = pair.first if crc32(pair.id.encode()) % 2 else pair.then
        again = replace(pair.first, at=pair.first.at + gap, speaker=speaker.speaker, mouth=speaker.mouth)
        later.append((row, again, Relation.SAME, AGAIN_WEIGHT))
    firsts = _embed([pair.first for pair in pairs], embedder)
    thens = _embed([said for _, said, *_ in later], embedder)
    for (row, _, relation, weight), then in zip(later, thens, strict=True):
        similarity = _similarities([then], [firsts[row]], embedder.space, calibration)[0, 0]
        yield _Met(
            first=firsts[row], then=then, similarity=float(similarity), around=around[row],
            wanted=(relation,), weight=weight, fold=_fold(pairs[row]),
        )  # fmt: skip


def _meet_turns(talks: Sequence[Talk], embedder: Embedder, calibration: Calibration) -> Iterator[_Met]:
    """Yield each turn of the talks with the nearest before it, and with those it updates."""
    for number, talk in enumerate(talks):
        turns = _embed(talk.turns, embedder)
        alike = _similarities(turns, turns, embedder.space, calibration)
        for later, turn in enumerate(turns):
            near = np.argsort(-alike[later, :later])[:AROUND].tolist()
            updated = [earlier for last, earlier in talk.updates if last == later]
            shown = list(dict.fromkeys([*near, *updated]))
            around = measure_around([float(alike[later, earlier]) for earlier in shown])
            for place, (earlier, rest) in enumerate(zip(shown, around, strict=True)):
                known = talk.updates.get((later, earlier))
                if place < TURNS_BEFORE or known:
                    yield _Met(
                        first=turns[earlier], then=turn, similarity=float(alike[later, earlier]), around=rest,
                        wanted=(known,) if known else (Relation.ADDS, Relation.UNRELATED),
                        weight=TURN_WEIGHT, fold=number % FOLDS,
                    )  # fmt: skip


def _similarities(
    thens: Sequence[Said], firsts: Sequence[Said], space: str, calibration: Calibration
) -> Floats:
    """Return the calibrated similarity of each to each, shape (thens, firsts)."""
    cosines = np.array([_vector(one) for one in thens]) @ np.array([_vector(one) for one in firsts]).T
    known = calibration.similarity(bare_cosines(cosines.ravel(), space=space, told=2))
    return np.asarray(known, dtype=np.float64).reshape(cosines.shape)


def _embed(said: Sequence[Said], embedder: Embedder) -> list[Said]:
    vectors = embedder.embed_passages([_told(one) for one in said])
    return [replace(one, vector=vector) for one, vector in zip(said, vectors, strict=True)]


def _vector(said: Said) -> Vectors:
    assert said.vector is not None
    return said.vector


def _told(said: Said) -> str:
    return searched_text(said.text, speaker=said.speaker, said_at=said.at)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """The arbiter's networks, as `local.npz` holds them."""

    basis: Basis
    both: Network
    signs: Network

    def chances(self, sample: Sample, *, with_vectors: bool = True) -> Floats:
        """Return the chances of each pair, shape (n, 8)."""
        if not with_vectors:
            return self.signs.chances(sample.signs)
        vectors = compare_vectors(sample.first, sample.then, self.basis)
        return self.both.chances(np.hstack([sample.signs, vectors]))

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return what the file holds, by name."""
        return {
            "basis.mean": self.basis.mean.astype(np.float32),
            "basis.directions": self.basis.directions.astype(np.float32),
            **pack(self.both, "both"),
            **pack(self.signs, "signs"),
        }


def fit(sample: Sample, *, seed: int = 0) -> Fitted:
    """Return the arbiter fitted to these pairs."""
    basis = find_directions(np.vstack([sample.first, sample.then]), DIRECTIONS)
    vectors = compare_vectors(sample.first, sample.then, basis)
    of_signs = np.full(sample.signs.shape[1], PENALTY_SIGNS)
    of_both = np.concatenate([of_signs, np.full(vectors.shape[1], PENALTY_VECTORS)])
    return Fitted(
        basis=basis,
        both=_fit_one(np.hstack([sample.signs, vectors]), sample, of_both, seed=seed),
        signs=_fit_one(sample.signs, sample, of_signs, seed=seed),
    )


def _fit_one(inputs: Floats, sample: Sample, penalty: Floats, *, seed: int) -> Network:
    return fit_network(
        inputs, sample.wanted, sample.weights, penalty, hidden=HIDDEN, penalty_hidden=PENALTY_HIDDEN,
        steps=STEPS, networks=NETWORKS, seed=seed,
    )  # fmt: skip


def _fold(pair: Labelled) -> int:
    """Return the fold of a pair: those of one language and domain stand in one, so it measures others."""
    return crc32(f"{pair.lang} {pair.domain}".encode()) % FOLDS


def measure(sample: Sample, *, seed: int = 0) -> tuple[Floats, Floats]:
    """Return the chances of each pair by fits that did not see its domain or its talk: by both, by signs."""
    both, signs = np.zeros((2, len(sample.fold), len(RELATIONS)))
    for number in range(FOLDS):
        fitted, held = fit(sample.only(sample.fold != number), seed=seed), sample.fold == number
        both[held] = fitted.chances(sample.only(held))
        signs[held] = fitted.chances(sample.only(held), with_vectors=False)
    return both, signs


def changed(chances: Floats) -> Floats:
    """Return how likely each earlier statement is outdated."""
    return np.asarray(chances[:, [RELATIONS.index(one) for one in sorted(CHANGES)]].sum(axis=1))
