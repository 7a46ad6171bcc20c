"""
Fit the local arbiter on labelled pairs, and measure it on domains it was not fitted on (SPEC K-06).

Pairs are written by hand (`pairs/`). Each later statement is besides shown with the statements of other pairs
of its language that lie nearest to it: unrelated, and what connect sees most. Least loss with L-BFGS from
seeded weights: the same pairs and seed give the same file on the same machine.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from memories.calibration import Calibration
from memories.embedders.base import Embedder, Vectors
from memories.reconciliation.local import NETWORKS, RELATIONS, Pair, sign_matrix, stack_vectors
from memories.reconciliation.network import (
    FURTHEST,
    Basis,
    Floats,
    Layers,
    Network,
    compare_vectors,
    pack,
    softmax,
)
from memories.reconciliation.verdicts import CHANGES, Mouth, Relation, Said
from memories.searched import bare_cosines, searched_text

FOLDER: Final = Path(__file__).parent / "pairs"

DIRECTIONS: Final = 48
HIDDEN: Final = 48
NEAR_ONES: Final = 3
"""Nearest statements of other pairs that each later statement is shown with."""
NEAR_WEIGHT: Final = 0.5
PENALTY_SIGNS, PENALTY_VECTORS, PENALTY_HIDDEN = 10.0, 60.0, 20.0
STEPS: Final = 150
"""Chosen, with the penalties and sizes, on domains left out of five fits of the pairs (docs/arbiter.md)."""

FOLDS: Final = 5

MOUTHS: Final[Mapping[str, Mouth]] = {"user": "person", "tool": "tool", "assistant": "agent"}

Marks = NDArray[np.bool_]


class BadPairs(ValueError):
    """A file of pairs cannot be used; the message names the file, the line and what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A line of a file: two statements and what the later one does to the earlier."""

    id: str
    lang: str
    domain: str
    first: Said
    then: Said
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Pairs to fit on or to measure with: n of them, the labelled ones first."""

    signs: Floats
    first: Floats
    then: Floats
    relations: NDArray[np.intp]
    weights: Floats
    source: NDArray[np.intp]  #: the labelled pair that each stems from

    def only(self, rows: Marks) -> "Sample":
        """Return these of the pairs. rows: shape (n,)."""
        return Sample(**{name: getattr(self, name)[rows] for name in Sample.__slots__})


def read_pairs(folder: Path = FOLDER) -> list[Labelled]:
    """Return the pairs of all files of a folder, by name of file. Raises BadPairs."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise BadPairs(f"No *.jsonl in {folder}.")
    found = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        found.append(_read(json.loads(line)))
                    except (ValueError, KeyError, TypeError) as error:
                        raise BadPairs(f"{file.name}, line {number}: {error!r}.") from None
    return found


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


def make_sample(
    pairs: Sequence[Labelled], *, embedder: Embedder, calibration: Calibration, near: int = NEAR_ONES
) -> Sample:
    """Return the pairs, each with the nearest statements of others, embedded as connect meets them."""
    vectors = [
        embedder.embed_passages([_told(getattr(pair, which)) for pair in pairs])
        for which in ("first", "then")
    ]
    cosines = vectors[1] @ vectors[0].T
    langs = np.array([pair.lang for pair in pairs])
    met: list[tuple[int, int]] = [(row, row) for row in range(len(pairs))]
    for row in range(len(pairs)):
        others = [int(at) for at in np.argsort(-cosines[row]) if at != row and langs[at] == langs[row]]
        met += [(row, other) for other in others[:near]]
    alike = calibration.similarity(
        bare_cosines([cosines[row, other] for row, other in met], space=embedder.space, told=2)
    )
    of_pairs: list[Pair] = []
    for (row, other), similarity in zip(met, alike.tolist(), strict=True):
        first, then = pairs[other].first, pairs[row].then
        if other != row:  # at the distance in time of the pair itself, so that this tells nothing
            first = Said(text=first.text, at=pairs[row].first.at, speaker=first.speaker, mouth=first.mouth)
        of_pairs.append((_with(first, vectors[0][other]), _with(then, vectors[1][row]), similarity))
    first_vectors, then_vectors = stack_vectors(of_pairs)
    return Sample(
        signs=sign_matrix(of_pairs),
        first=first_vectors,
        then=then_vectors,
        relations=np.array(
            [
                RELATIONS.index(pairs[row].relation if row == other else Relation.UNRELATED)
                for row, other in met
            ]
        ),
        weights=np.array([1.0 if row == other else NEAR_WEIGHT for row, other in met]),
        source=np.array([row for row, _ in met]),
    )


def _told(said: Said) -> str:
    return searched_text(said.text, speaker=said.speaker, said_at=said.at)


def _with(said: Said, vector: Vectors) -> Said:
    return Said(text=said.text, at=said.at, speaker=said.speaker, mouth=said.mouth, vector=vector)


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
    stacked = np.vstack([sample.first, sample.then])
    mean = stacked.mean(axis=0)
    basis = Basis(mean=mean, directions=np.linalg.svd(stacked - mean, full_matrices=False)[2][:DIRECTIONS].T)
    vectors = compare_vectors(sample.first, sample.then, basis)
    of_signs = np.full(sample.signs.shape[1], PENALTY_SIGNS)
    of_both = np.concatenate([of_signs, np.full(vectors.shape[1], PENALTY_VECTORS)])
    return Fitted(
        basis=basis,
        both=_fit_network(np.hstack([sample.signs, vectors]), sample, of_both, seed=seed),
        signs=_fit_network(sample.signs, sample, of_signs, seed=seed),
    )


def _fit_network(inputs: Floats, sample: Sample, penalty: Floats, *, seed: int) -> Network:
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    scaled = np.clip((inputs - mean) / spread, -FURTHEST, FURTHEST)
    wanted = np.eye(len(RELATIONS))[sample.relations]
    layers = tuple(
        _fit_layers(scaled, wanted, sample.weights, penalty, seed=seed + number) for number in range(NETWORKS)
    )
    return Network(mean=mean, spread=spread, layers=layers)


def _fit_layers(x: Floats, wanted: Floats, weights: Floats, penalty: Floats, *, seed: int) -> Layers:
    """Return the layers of least loss: cross entropy, and half of the penalised squares of all weights."""
    rng = np.random.default_rng(seed)
    n, classes = x.shape[1], wanted.shape[1]
    shapes = ((n, classes), (n, HIDDEN), (HIDDEN,), (HIDDEN, classes), (classes,))
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    inner = PENALTY_HIDDEN / 4 * penalty[:, None] / penalty.min()

    def split(flat: Floats) -> list[Floats]:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]

    def loss(flat: Floats) -> tuple[float, Floats]:
        direct, hidden, shift, out, bias = split(flat)
        lit = np.tanh(x @ hidden + shift)
        chances = softmax(x @ direct + lit @ out + bias)
        missed = (chances - wanted) * weights[:, None]
        back = (missed @ out.T) * (1 - lit * lit)
        value = -float(weights @ np.log(np.maximum((chances * wanted).sum(axis=1), 1e-12)))
        value += 0.5 * float(
            (penalty[:, None] * direct**2).sum()
            + (inner * hidden**2).sum()
            + PENALTY_HIDDEN / 4 * (out**2).sum()
        )
        slopes = (
            x.T @ missed + penalty[:, None] * direct,
            x.T @ back + inner * hidden,
            back.sum(axis=0),
            lit.T @ missed + PENALTY_HIDDEN / 4 * out,
            missed.sum(axis=0),
        )
        return value, np.concatenate([slope.ravel() for slope in slopes])

    start = np.concatenate(
        [
            np.zeros(n * classes),
            rng.normal(0, 0.5 / np.sqrt(n), n * HIDDEN),
            np.zeros(HIDDEN),
            rng.normal(0, 0.3 / np.sqrt(HIDDEN), HIDDEN * classes),
            np.zeros(classes),
        ]
    )
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    direct, hidden, shift, out, bias = split(found.x)
    return Layers(direct=direct, hidden=hidden, shift=shift, out=out, bias=bias)


def hold_out(pairs: Sequence[Labelled]) -> NDArray[np.intp]:
    """Return the fold of each pair: those of one language and domain stand in one, so it measures others."""
    return np.array([crc32(f"{pair.lang} {pair.domain}".encode()) % FOLDS for pair in pairs])


def measure(pairs: Sequence[Labelled], sample: Sample, *, seed: int = 0) -> tuple[Floats, Floats]:
    """Return the chances of each labelled pair by fits that did not see its domain: by both, by signs."""
    fold = hold_out(pairs)[sample.source]
    both, signs = np.zeros((2, len(sample.source), len(RELATIONS)))
    for number in range(FOLDS):
        fitted, held = fit(sample.only(fold != number), seed=seed), fold == number
        both[held] = fitted.chances(sample.only(held))
        signs[held] = fitted.chances(sample.only(held), with_vectors=False)
    return both[: len(pairs)], signs[: len(pairs)]


def area(scores: Floats, hits: Marks) -> float:
    """Return the area under the ROC curve: how often a hit has the higher score; NaN where there is none."""
    if hits.all() or not hits.any():
        return float("nan")
    ranks = np.empty(len(scores))
    ordered = np.sort(scores)
    ranks = (np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right") + 1) / 2
    above = ranks[hits].sum() - hits.sum() * (hits.sum() + 1) / 2
    return float(above / (hits.sum() * (~hits).sum()))


def changed(chances: Floats) -> Floats:
    """Return how likely each earlier statement is outdated."""
    return np.asarray(chances[:, [RELATIONS.index(one) for one in sorted(CHANGES)]].sum(axis=1))
