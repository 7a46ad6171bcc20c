"""
Fit the local reader on labelled rows, and measure it on languages and domains that were left out (SPEC K-06).

The rows are written for it (`rows/`). Each is read as it is searched for, with its speaker and day, and every
other one bare as well, as a capture without a speaker is embedded. Statements of the arbiter's pairs are
shown besides as content: what is long and plain is no courtesy.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memories.embedders import Vectors
from memories.extraction.reader.local import (
    CLASSES,
    HEADS,
    NETWORKS,
    UNMARKED,
    Heads,
    Utterance,
    sign_matrix,
)
from memories.networks import Basis, Floats, Network, pack, read_folder
from memories.networks.training import Marks, find_directions, fit_network

FOLDER: Final = Path(__file__).parent / "rows"

DIRECTIONS: Final = 128
HIDDEN: Final = 24
STEPS: Final = 150
PENALTY_SIGNS, PENALTY_VECTORS, PENALTY_HIDDEN = 12.0, 75.0, 30.0
"""Chosen, with the sizes, on domains left out (docs/reader.md)."""

TOLD_WEIGHT, BARE_WEIGHT, PLAIN_WEIGHT = 0.6, 0.4, 0.3
COURTESY_KIND_WEIGHT: Final = 0.3
"""What courtesy counts for when kinds are fitted: it is a statement, if anything."""

MOST_ABOVE: Final = 0.001
"""Share of content rows, held out, that may lie above the chance from which a text is courtesy."""

FOLDS: Final = 5

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A line of a file: something said, and what it is."""

    id: str
    lang: str
    domain: str
    role: str
    speaker: str
    said_at: datetime
    text: str
    answers: Mapping[str, str]  #: head → the right answer

    @property
    def is_courtesy(self) -> bool:
        """Tell whether there is nothing in it to remember."""
        return self.answers["class"] == CLASSES[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A statement that is content, of a language and a domain."""

    lang: str
    domain: str
    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """What is fitted on or measured with: n texts, the labelled rows first, in their order."""

    signs: Floats
    vectors: Floats
    wanted: Mapping[str, Floats]  #: head → chances, shape (n, answers)
    weights: Mapping[str, Floats]  #: head → shape (n,); 0 where a text tells nothing of it
    langs: NDArray[np.str_]
    domains: NDArray[np.str_]
    labelled: int  #: how many are labelled rows as they are searched for
    plain: Marks  #: which are plain statements

    def only(self, rows: Marks) -> "Sample":
        """Return these of the texts. rows: shape (n,)."""
        return Sample(
            signs=self.signs[rows], vectors=self.vectors[rows],
            wanted={name: values[rows] for name, values in self.wanted.items()},
            weights={name: values[rows] for name, values in self.weights.items()},
            langs=self.langs[rows], domains=self.domains[rows],
            labelled=int(rows[: self.labelled].sum()), plain=self.plain[rows],
        )  # fmt: skip


def read_rows(folder: Path = FOLDER) -> list[Labelled]:
    """Return the rows of all files of a folder, by name of file. Raises BadRows."""
    return read_folder(folder, _read)


def _read(row: Mapping[str, Any]) -> Labelled:
    answers = {head: row[head] for head in HEADS}
    for head, answer in answers.items():
        if answer not in HEADS[head]:
            raise ValueError(f"{head} is {answer!r}")
    names = ("id", "lang", "domain", "role", "speaker", "text")
    return Labelled(
        **{name: row[name] for name in names},
        said_at=datetime.fromisoformat(row["day"]),
        answers=answers,
    )


def is_shown_bare(row: Labelled) -> bool:
    """Tell whether a row is fitted on without speaker and day as well."""
    return crc32(row.id.encode()) % 2 == 0


def make_sample(
    rows: Sequence[Labelled], told: Vectors, bare: Vectors, plain: Sequence[Plain], of_plain: Vectors
) -> Sample:
    """
    Return the texts to fit on. told: vectors of the rows as they are searched for, shape (rows, dimensions).

    bare: of those that `is_shown_bare`, without speaker and day. of_plain: of the plain statements.
    """
    shown = [row for row in rows if is_shown_bare(row)]
    every = [*rows, *shown]
    everything: list[Labelled | Plain] = [*every, *plain]
    said = [Utterance(text=one.text, role=one.role) for one in everything]
    twice = np.array([TOLD_WEIGHT if is_shown_bare(row) else 1.0 for row in rows])
    base = np.concatenate([twice, np.full(len(shown), BARE_WEIGHT), np.full(len(plain), PLAIN_WEIGHT)])
    none = np.concatenate([np.ones(len(every)), np.zeros(len(plain))])
    courtesy = np.array([row.is_courtesy for row in every] + [False] * len(plain))
    return Sample(
        signs=sign_matrix(said),
        vectors=np.vstack([told, bare, of_plain]).astype(np.float64),
        wanted={head: _wanted(head, every, len(plain)) for head in HEADS},
        weights={
            "class": base,
            "mode": base * none,
            "kind": base * none * np.where(courtesy, COURTESY_KIND_WEIGHT, 1.0),
        },
        langs=np.array([one.lang for one in everything]),
        domains=np.array([one.domain for one in everything]),
        labelled=len(rows),
        plain=none == 0.0,
    )


def _wanted(head: str, rows: Sequence[Labelled], plain: int) -> Floats:
    answers = HEADS[head]
    first = {"class": CLASSES[0], "mode": "assertion", "kind": UNMARKED}[head]
    right = [answers.index(row.answers[head]) for row in rows] + [answers.index(first)] * plain
    return np.eye(len(answers))[right]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """The reader's networks, as `local.npz` holds them but for the thresholds."""

    basis: Basis
    both: Mapping[str, Network]
    signs: Mapping[str, Network]

    def chances(self, sample: Sample) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Return the chances of each text by head: with vectors, and by signs alone."""
        inputs = np.hstack([sample.signs, self.basis.project(sample.vectors)])
        return (
            Heads(networks=self.both, courtesy_from=1.0).chances(inputs),
            Heads(networks=self.signs, courtesy_from=1.0).chances(sample.signs),
        )

    def arrays(self, thresholds: tuple[float, float]) -> dict[str, NDArray[Any]]:
        """Return what the file holds, by name. thresholds: of courtesy, with vectors and by signs alone."""
        found: dict[str, NDArray[Any]] = {
            "basis.mean": self.basis.mean.astype(np.float32),
            # Half the bytes; the error is a hundredth of what another speaker's name makes.
            "basis.directions": self.basis.directions.astype(np.float16),
            "both.courtesy_from": np.asarray(thresholds[0], dtype=np.float32),
            "signs.courtesy_from": np.asarray(thresholds[1], dtype=np.float32),
        }
        for head in HEADS:
            found |= pack(self.both[head], f"both.{head}") | pack(self.signs[head], f"signs.{head}")
        return found


def fit(sample: Sample, *, seed: int = 0) -> Fitted:
    """Return the reader fitted to these texts."""
    basis = find_directions(sample.vectors[~sample.plain], DIRECTIONS)
    inputs = np.hstack([sample.signs, basis.project(sample.vectors)])
    of_signs = np.full(sample.signs.shape[1], PENALTY_SIGNS)
    of_both = np.concatenate([of_signs, np.full(DIRECTIONS, PENALTY_VECTORS)])
    return Fitted(
        basis=basis,
        both={head: _fit_head(head, inputs, sample, of_both, seed=seed) for head in HEADS},
        signs={head: _fit_head(head, sample.signs, sample, of_signs, seed=seed) for head in HEADS},
    )


def _fit_head(head: str, inputs: Floats, sample: Sample, penalty: Floats, *, seed: int) -> Network:
    told = sample.weights[head] > 0
    return fit_network(
        inputs[told], sample.wanted[head][told], sample.weights[head][told], penalty, hidden=HIDDEN,
        penalty_hidden=PENALTY_HIDDEN, steps=STEPS, networks=NETWORKS, seed=seed,
    )  # fmt: skip


FOLDINGS: Final[Mapping[str, Callable[[Sample], Ints]]] = {
    "language and domain": lambda sample: _hash(sample),
    "domain": lambda sample: _spread(sample.domains),
    "language": lambda sample: _spread(sample.langs),
}
"""What the fit that measures a text has not seen: its domain in its language, or in any; its language."""


def _hash(sample: Sample) -> Ints:
    pairs = zip(sample.langs, sample.domains, strict=True)
    return np.array([crc32(f"{lang} {domain}".encode()) % FOLDS for lang, domain in pairs])


def _spread(names: NDArray[np.str_]) -> Ints:
    """Return a fold for each text, those of one name in one, the folds about equally full."""
    counts = Counter(names.tolist())
    full, fold_of = [0] * FOLDS, dict[str, int]()
    for name in sorted(counts, key=lambda one: (-counts[one], one)):
        fold_of[name] = full.index(min(full))
        full[fold_of[name]] += counts[name]
    return np.array([fold_of[name] for name in names])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Chances of each text by fits that did not see what is left out; head → shape (n, answers)."""

    both: Mapping[str, Floats]
    signs: Mapping[str, Floats]


def measure(sample: Sample, folds: Ints, *, seed: int = 0) -> Measured:
    """Return the chances of each text by a fit on the other folds."""
    both = {head: np.zeros(sample.wanted[head].shape) for head in HEADS}
    signs = {head: np.zeros(sample.wanted[head].shape) for head in HEADS}
    for number in range(FOLDS):
        held = folds == number
        if not held.any():
            continue
        with_vectors, alone = fit(sample.only(~held), seed=seed).chances(sample.only(held))
        for head in HEADS:
            both[head][held], signs[head][held] = with_vectors[head], alone[head]
    return Measured(both=both, signs=signs)


def find_threshold(sample: Sample, held_out: Iterable[Floats]) -> float:
    """
    Return the chance above which at most MOST_ABOVE of the labelled rows with content lie.

    Plain statements are left out: they are easy, and would only make the share look smaller. held_out:
    chances of the classes, each of shape (n, 2), for all that was left out; the worst counts.
    """
    content = is_row(sample) & (sample.wanted["class"][:, 0] > 0)
    ordered = [np.sort(classes[content, 1])[::-1] for classes in held_out]
    return max(float(one[int(MOST_ABOVE * len(one))]) for one in ordered)


def is_row(sample: Sample) -> Marks:
    """Return which texts are labelled rows as they are searched for: what is measured on."""
    return np.arange(len(sample.signs)) < sample.labelled
