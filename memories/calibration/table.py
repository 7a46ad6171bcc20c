"""What a similarity table is, and the thresholds written in its similarities (SPEC W-11, W-13, W-14)."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
