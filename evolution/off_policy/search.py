"""
Look for weights that the log says are better, and test them on questions that the search did not see. Pure.

The questions are cut in two. On one half some hundred weights around those in force are compared, and the
one is chosen whose gain is surest; on the other half its gain is estimated anew, so that the luck of the
search is not taken for a gain. Only what is surely better there is told as such.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evolution.off_policy.estimate import (
    NoSupport,
    WeightsCompared,
    compare,
    model_helpfulness,
    require_verdicts,
)
from evolution.off_policy.logged import FACTORS, Log
from recall.ranking import FIVE, Weights

Floats = NDArray[np.float64]

TRIED: Final = 240
"""Weights that are compared. Ours: some seconds for 20 000 recalls."""

NEARNESS: Final = (10.0, 30.0, 90.0)
"""Concentrations of the Dirichlet draws around the weights in force: far, middle, near. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """Weights that promise most, and what the other half of the questions says of them."""

    weights: Weights
    found: WeightsCompared  #: on the questions that the search saw
    held: WeightsCompared  #: on those it did not

    @property
    def is_better(self) -> bool:
        """Return whether the gain is surely above 0 on questions that the search did not see."""
        return self.held.sure_gain > 0


def refit(log: Log, weights: Weights, *, seed: int) -> Refit:
    """Search weights around those in force. Raises NoSupport where the log cannot tell of any."""
    halves = (log.questions * 2_654_435_761 + seed) // 7 % 2 == 0
    seen, unseen = log.part(halves), log.part(~halves)
    require_verdicts(seen)
    model, around = model_helpfulness(seen), _around(weights, np.random.default_rng(seed))
    tried = [(one, _compared(seen, change_of(weights, one), model)) for one in around]
    supported = [(one, found) for one, found in tried if isinstance(found, WeightsCompared)]
    if not supported:
        raise NoSupport(next(str(found) for _, found in tried))
    best, found = max(supported, key=lambda pair: pair[1].sure_gain)
    return Refit(weights=best, found=found, held=compare(unseen, change_of(weights, best)))


def change_of(base: Weights, other: Weights) -> Floats:
    """Return what other weights add to each factor's part of the whole, shape (6,)."""
    before, after = base.effective(), other.effective()
    return np.array([after[name] - before[name] for name in FACTORS])


def _compared(log: Log, change: Floats, model: Floats) -> WeightsCompared | NoSupport:
    try:
        return compare(log, change, model=model)
    except NoSupport as error:
        return error


def _around(weights: Weights, rng: np.random.Generator) -> list[Weights]:
    """Return weights to try: draws around those in force, and each of the six made larger and smaller."""
    parts = np.array([weights.effective()[name] for name in FACTORS])
    drawn = [rng.dirichlet(0.2 + near * parts) for near in NEARNESS for _ in range(TRIED // len(NEARNESS))]
    for place in range(parts.size):
        for factor in (0.0, 0.5, 1.5, 2.0):
            changed = parts.copy()
            changed[place] *= factor
            drawn.append(changed / changed.sum())
    return [_weights(one) for one in drawn]


def _weights(parts: Floats) -> Weights:
    """Return the weights whose parts of the whole these are, rounded to thousandths."""
    by_name = dict(zip(FACTORS, parts.tolist(), strict=True))
    rest = sum(by_name[name] for name in FIVE)
    shares = {name: round(by_name[name] / rest, 3) for name in FIVE}
    first = max(shares, key=lambda name: shares[name])
    shares[first] = round(shares[first] + 1 - sum(shares.values()), 3)
    return Weights(**shares, fused=round(by_name["fused"], 3))
