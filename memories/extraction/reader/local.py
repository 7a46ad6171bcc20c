"""
The local reader: what small networks that ship with the product make of a text (SPEC K-06).

Fitted by `manage.py fit_reader` (docs/reader.md). Each of the three questions (is it courtesy, how is it
said, of what kind is it) has two networks: one reads signs and the vector of the space it was fitted in, the
other signs alone, for a vector of another space or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.domain import MODES
from memories.embedders import Vectors
from memories.extraction.reader.signs import read_signs
from memories.networks import Basis, Floats, Network, unpack

FILE: Final = Path(__file__).parent / "local.npz"

SPACE: Final = "e5-small-q4"
"""The embedding space in which it knows what a vector means."""

NAME: Final = "local"

NETWORKS: Final = 2

CLASSES: Final = ("content", "courtesy")

UNMARKED: Final = "statement"
"""The kind of what is none of the others."""

KINDS_READ: Final = (
    UNMARKED, "concept", "decision", "episode", "estimate", "finding", "interest", "invariant", "negative",
    "pattern", "preference", "profile", "skill", "task", "working_state",
)  # fmt: skip
"""Kinds that a sentence shows by itself. Of the others a correction is a matter of trust, an example has an
outcome, a passage a document, and a lesson (`meta`) is the memory's own."""

MODE_FROM: Final = 0.90
"""Chance from which a mode counts that no sign of the text shows."""

KIND_FROM: Final = 0.95
"""
Chance from which a row that no rule has read is of the likeliest kind. Nine in ten are right there, in
domains left out in every language (the card).
"""

HEADS: Final[Mapping[str, tuple[str, ...]]] = {"class": CLASSES, "mode": MODES, "kind": KINDS_READ}
"""Question → its answers, in the order of the networks' chances."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Utterance:
    """A text, and who speaks."""

    text: str
    role: str  #: user, assistant or tool
    vector: Vectors | None = None  #: as it is searched by; None: not known, or not of the reader's space


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the reader makes of a text; chances in [0, 1] that sum to 1 for each question."""

    courtesy: float  #: the chance that nothing in it is worth remembering
    modes: Mapping[str, float]
    kinds: Mapping[str, float]
    is_courtesy: bool  #: the chance is beyond what one content row in a thousand reaches

    @property
    def mode(self) -> str:
        """Return the likeliest mode."""
        return max(self.modes, key=lambda one: self.modes[one])

    @property
    def kind(self) -> str:
        """Return the likeliest kind."""
        return max(self.kinds, key=lambda one: self.kinds[one])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Heads:
    """The networks of one kind of input, and from which chance on a text is courtesy."""

    networks: Mapping[str, Network]
    courtesy_from: float

    def chances(self, inputs: Floats) -> dict[str, Floats]:
        """Return the chances of each head. inputs: shape (texts, n)."""
        return {name: network.chances(inputs) for name, network in self.networks.items()}


@lru_cache(maxsize=1)
def _load() -> tuple[Basis, Heads, Heads]:
    with np.load(FILE) as file:
        arrays = {name: np.asarray(values, dtype=np.float32) for name, values in file.items()}
    basis = Basis(
        mean=np.asarray(arrays["basis.mean"], dtype=np.float64),
        directions=np.asarray(arrays["basis.directions"], dtype=np.float64),
    )
    return basis, _heads(arrays, "both"), _heads(arrays, "signs")


def _heads(arrays: Mapping[str, NDArray[np.float32]], inputs: str) -> Heads:
    return Heads(
        networks={name: unpack(arrays, f"{inputs}.{name}", count=NETWORKS) for name in HEADS},
        courtesy_from=float(arrays[f"{inputs}.courtesy_from"]),
    )


def read(said: Sequence[Utterance]) -> list[Reading]:
    """Return what the reader makes of each text. Asks nobody and knows no clock."""
    if not said:
        return []
    basis, both, signs_alone = _load()
    signs = sign_matrix(said)
    known = [row for row, one in enumerate(said) if one.vector is not None]
    unknown = [row for row, one in enumerate(said) if one.vector is None]
    found: list[Reading | None] = [None] * len(said)
    for heads, rows in ((signs_alone, unknown), (both, known)):
        if rows:
            inputs = signs[rows]
            if heads is both:
                vectors = np.array([said[row].vector for row in rows], dtype=np.float64)
                inputs = np.hstack([inputs, basis.project(vectors)])
            for row, reading in zip(rows, _readings(heads, inputs), strict=True):
                found[row] = reading
    return [one for one in found if one is not None]


def _readings(heads: Heads, inputs: Floats) -> list[Reading]:
    chances = heads.chances(inputs)
    return [
        Reading(
            courtesy=float(classes[1]),
            modes=dict(zip(MODES, map(float, modes), strict=True)),
            kinds=dict(zip(KINDS_READ, map(float, kinds), strict=True)),
            is_courtesy=bool(classes[1] > heads.courtesy_from),
        )
        for classes, modes, kinds in zip(chances["class"], chances["mode"], chances["kind"], strict=True)
    ]


def sign_matrix(said: Sequence[Utterance]) -> Floats:
    """Return the signs of each text, shape (texts, signs)."""
    return np.array([list(read_signs(one.text, one.role).values()) for one in said], dtype=np.float64)
