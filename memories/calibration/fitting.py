"""Fit a similarity table to labelled pairs, and say how good a table is (SPEC W-13)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from memories.calibration.table import LINK_ABOVE, MERGE_FROM, SKIP_ABOVE, Calibration, Floats, Knots

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


def weigh_labels(same: ArrayLike) -> Floats:
    """Return weights, shape (n,), by which every label has the same total weight, 1 on average."""
    labels, which, count = np.unique(np.asarray(same), return_inverse=True, return_counts=True)
    return np.asarray(which.size / (labels.size * count[which]), dtype=np.float64)


BINS: Final = 10
"""Equal bins of similarity over which a table's error is measured, as Guo et al. (ICML 2017) do with 15."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """What a threshold of the product lets through."""

    similarity: float
    cosine: float | None  #: the lowest that reaches it; None when none does
    pairs: int  #: that reach it
    precision: (
        float | None
    )  #: mean label of those pairs, equal weight for each label; None when there are none


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good a table is on labelled pairs."""

    pairs: int
    error: float  #: expected calibration error in [0, 1]: mean distance of similarity and label by bin
    thresholds: tuple[Threshold, ...]


def measure_quality(table: Calibration, cosines: ArrayLike, same: ArrayLike) -> Quality:
    """Measure a table on pairs it was not fitted to. cosines, same: shape (n,), as for `fit`; n > 0."""
    similarity, label = table.similarity(cosines), np.asarray(same, dtype=np.float64)
    weight = weigh_labels(label)
    levels = (LINK_ABOVE, MERGE_FROM, SKIP_ABOVE)
    return Quality(
        pairs=label.size,
        error=_calibration_error(similarity, label, weight),
        thresholds=tuple(_threshold(table, level, similarity, label, weight) for level in levels),
    )


def _calibration_error(similarity: Floats, label: Floats, weight: Floats) -> float:
    """Return the mean over bins, by their weight, of |mean similarity − mean label|."""
    which = np.minimum((similarity * BINS).astype(np.intp), BINS - 1)
    gap = np.bincount(which, weight * (similarity - label), minlength=BINS)
    return float(np.abs(gap).sum() / weight.sum())


def _threshold(
    table: Calibration, level: float, similarity: Floats, label: Floats, weight: Floats
) -> Threshold:
    reach = similarity >= level
    return Threshold(
        similarity=level,
        cosine=table.cosine_at(level) if table.knots[-1][1] >= level else None,
        pairs=int(reach.sum()),
        precision=float(np.average(label[reach], weights=weight[reach])) if reach.any() else None,
    )
