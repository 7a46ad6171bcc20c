"""
Turn a raw cosine into a calibrated similarity: what a number means, whatever the embedding model (SPEC W-13).

A cosine of 0.90 between two passages is next to nothing for one model and a paraphrase for another, so every
threshold of the product is written in calibrated similarity, and each embedding space brings a table.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

Floats = NDArray[np.float64]
Pairing = Literal["passage-passage", "query-passage", "query-turn"]
Knots = tuple[tuple[float, float], ...]

SKIP_ABOVE: Final = 0.95
MERGE_FROM: Final = 0.85
LINK_ABOVE: Final = 0.35
"""Similarities of two passages from which connect skips, asks an arbiter, links (SPEC W-11, W-14)."""


class NoCalibration(LookupError):
    """This embedding space has no similarity table. Fit one from labelled pairs, or use another space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """
    A monotone, piecewise linear map from cosine to similarity in [0, 1].

    Raises ValueError: fewer than two knots, cosines that do not rise, similarities that fall or leave [0, 1].
    """

    space: str  #: name of the embedding space, such as e5-small-q4
    pairing: Pairing  #: what is compared: models place queries and passages differently
    knots: Knots  #: (cosine, similarity), rising; outside them the end values hold

    def __post_init__(self) -> None:
        if len(self.knots) < 2:
            raise ValueError("A calibration needs at least two knots (cosine, similarity).")
        cosines, similarities = np.array(self.knots).T
        if (np.diff(cosines) <= 0).any() or (np.diff(similarities) < 0).any():
            raise ValueError("Knots must rise: sort them by cosine, and let no similarity fall.")
        if similarities[0] < 0 or similarities[-1] > 1:
            raise ValueError("Similarities must lie in [0, 1].")

    def similarity(self, cosines: ArrayLike) -> Floats:
        """Return the calibrated similarities of these cosines, same shape, NaN left NaN."""
        at, value = np.array(self.knots).T
        return np.asarray(np.interp(np.asarray(cosines, dtype=np.float64), at, value), dtype=np.float64)

    def cosine_at(self, similarity: float) -> float:
        """
        Return the lowest cosine that reaches this similarity, for a floor in SQL.

        Raises ValueError if no cosine does.
        """
        at, value = np.array(self.knots).T
        if similarity > value[-1]:
            raise ValueError(
                f"No cosine reaches {similarity:g} here; the highest similarity is {value[-1]:g}."
            )
        above = int(np.searchsorted(value, similarity))
        if above == 0:
            return float(at[0])
        low, high = value[above - 1], value[above]
        return float(at[above - 1] + (similarity - low) / (high - low) * (at[above] - at[above - 1]))


PASSAGES_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="passage-passage",
    knots=(
        (0.6452, 0.0),
        (0.8017, 0.05),
        (0.8184, 0.10),
        (0.8796, 0.20),
        (0.8981, 0.35),
        (0.9083, 0.50),
        (0.9260, 0.65),
        (0.9674, 0.75),
        (0.9820, 0.85),
        (0.9867, 0.90),
        (0.9903, 0.95),
        (1.0, 1.0),
    ),
)
"""
Meaning of two stored texts, for connect and links: 0 unrelated, 0.5 on the same thing, 1 the same meaning.

Fitted on 21 November 2026 to 1 937 labelled pairs of LCQMC (zh, 700), MSRP (en, 600) and SICK (en, 637; same
= entailment with relatedness ≥ 4.5, unrelated = relatedness < 2.5) and 1 797 random pairs within each set,
every label of every set of equal weight. The sets differ: P(same) = 0.5 is reached at a cosine of 0.975 in
LCQMC, 0.956 in SICK, 0.941 in MSRP. Fitted to 70 %, the rest gave: LCQMC pairs of the same meaning ≥ 0.85 in
70 %, of another in 21 %; SICK contradictions ≥ 0.85 in 0 of 32. Left out: PAWS-X (words swapped), in which
a cosine tells nothing: 49 % of its different pairs reach 0.85; polarity, numbers, names are compared apart.
The texts were bare. A date and a speaker before each text lift every cosine (median of unrelated turns
0.847 → 0.925; a speaker alone: 0.870) and with it the share of unrelated pairs above 0.35 from 5 to 87 %.
"""

QUERIES_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="query-passage",
    knots=(
        (0.6666, 0.0),
        (0.7236, 0.05),
        (0.7347, 0.10),
        (0.7384, 0.20),
        (0.8043, 0.35),
        (0.8617, 0.50),
        (0.8674, 0.65),
        (0.8705, 0.75),
        (0.8739, 0.85),
        (0.8800, 0.90),
        (0.8882, 0.95),
        (1.0, 1.0),
    ),
)
"""
Chance that a stored text, embedded as it stands, answers a question, at even odds.

Fitted on 22 November 2026 to 302 questions of two LoCoMo conversations (en; bare texts of turns) and 200 of
XQuAD (zh), both of equal weight: the right texts against all wrong ones of the same store, half of the wrong
weight on the 20 nearest. Against random wrong texts alone the curve saturates among the best rows and costs
2 to 3 points of R@10.
"""

TURNS_E5_SMALL_Q4: Final = Calibration(
    space="e5-small-q4",
    pairing="query-turn",
    knots=(
        (0.6995, 0.0),
        (0.7546, 0.05),
        (0.7666, 0.10),
        (0.7917, 0.20),
        (0.8268, 0.35),
        (0.8468, 0.50),
        (0.8550, 0.65),
        (0.8687, 0.75),
        (0.8919, 0.85),
        (1.0, 1.0),
    ),
)
"""
The same for a turn of talk, which is embedded with its speaker and day: that lifts every cosine (median of
all turns against all questions 0.758 → 0.807), so that beside a bare note a turn would always look nearer.

Fitted likewise to the 302 questions of the two LoCoMo conversations, in the layout of `memories.searched`.
"""

CALIBRATIONS: Final = {
    (table.space, table.pairing): table
    for table in (PASSAGES_E5_SMALL_Q4, QUERIES_E5_SMALL_Q4, TURNS_E5_SMALL_Q4)
}


def get_calibration(space: str, pairing: Pairing) -> Calibration:
    """Return the shipped table of an embedding space. Raises NoCalibration."""
    try:
        return CALIBRATIONS[space, pairing]
    except KeyError:
        raise NoCalibration(NoCalibration.__doc__) from None


LEVELS: Final = (0.05, 0.10, 0.20, 0.35, 0.50, 0.65, 0.75, 0.85, 0.90, 0.95)
"""Similarities at which a fitted table gets a knot: the thresholds in use, and enough between them."""

KNOT_WIDTH: Final = 0.0001
"""Knots stand at least this far apart: a cosine of 4-bit vectors means nothing beyond its fourth digit."""


def fit(cosines: ArrayLike, same: ArrayLike, *, weights: ArrayLike | None = None) -> Knots:
    """
    Fit a table to labelled pairs by isotonic regression (pool adjacent violators).

    cosines: shape (n,). same: shape (n,), the label in [0, 1]: 1 the same meaning, 0 unrelated, and 0.5 where
    the labels know «related, but not the same». weights: shape (n,), positive; give each label of each source
    the same total weight, or the largest source speaks for all. The curve runs through the middle of each
    pooled block and is then read off at `LEVELS`; the lowest cosine gets 0, identical vectors always get 1.
    Returns knots for `Calibration`, cosines with 4 digits. Raises ValueError unless 0 and 1 both occur.
    """
    x, y = np.asarray(cosines, dtype=np.float64), np.asarray(same, dtype=np.float64)
    if x.shape != y.shape or x.size == 0 or y.min() > 0 or y.max() < 1:
        raise ValueError(
            "Fitting needs a label for each cosine, and pairs labelled 0 as well as pairs labelled 1."
        )
    weight = np.ones_like(x) if weights is None else np.asarray(weights, dtype=np.float64)
    at, value = _blocks(x, y, weight)
    knots = [(round(float(x.min()), 4), 0.0)]
    for level in LEVELS:
        # A step steeper than a knot's width still needs its levels, each a little to the right.
        cosine = round(max(float(np.interp(level, value, at)), knots[-1][0] + KNOT_WIDTH), 4)
        if value[0] < level < value[-1] and cosine < 1:
            knots.append((cosine, level))
    return (*knots, (1.0, 1.0))


def _blocks(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the weighted middle and the level of each block of the isotonic fit; both rise."""
    rising, which = np.unique(
        x, return_inverse=True
    )  # one point for equal cosines, or their order would count
    weights = np.bincount(which, weight)
    result = isotonic_regression(np.bincount(which, weight * y) / weights, weights=weights)
    starts = result.blocks[:-1]
    middle = np.add.reduceat(rising * weights, starts) / np.add.reduceat(weights, starts)
    return middle, np.asarray(result.x[starts], dtype=np.float64)
