"""
Estimate from a log what other weights would have been worth, and how sure that is. Pure.

# Note [What is estimated]
The worth of an answer: the sum over its places of 1 / log2(1 + place) × how helpful the row there is. Of a
row it is known only if it was judged, and what is shown first is judged most. So a verdict counts by the
inverse of the chance that it was given (Horvitz and Thompson 1952; for rankings Joachims, Swaminathan and
Schnabel, WSDM 2017): four estimates of one number, which agree where the log supports them.

- ips: as it is. Unbiased, of large variance.
- snips: weights scaled to what they should sum to (Swaminathan and Joachims, NeurIPS 2015).
- dr: a model of helpfulness for all rows, corrected by the verdicts (Dudík, Langford and Li, ICML 2011). The
  model is fitted on the other half of the questions.
- switch: as dr, without the correction where its weight is above `MOST_WEIGHT` (Wang, Agarwal and Dudík, ICML
  2017).

Both sides are estimated on the same recalls, so the difference is surer than either. Its error is that of
means over questions: verdicts on one question, asked again and again, are not independent.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evolution.off_policy.logged import Log

Floats = NDArray[np.float64]

Z: Final = 1.96
"""Standard errors to each side of an interval of 95 %."""

MOST_WEIGHT: Final = 20.0
"""Inverse chance above which a verdict corrects nothing in `switch`: one look in twenty. Ours."""

FEWEST: Final = 50
"""Verdicts, and effective verdicts, below which nothing is said. Ours."""

UNSUPPORTED: Final = 0.10
"""Share of the worth of what the other weights would show that was practically never shown, at most. Ours."""

SEEN_FROM: Final = 0.002
"""Chance of a verdict from which a row counts as one that was shown at times. Ours."""

RIDGE: Final = 1.0
"""Weight of «helpfulness does not depend on the factors» in the model, in verdicts. Ours."""


class NoSupport(ValueError):
    """The log cannot tell. Give more feedback, or let the policy explore (`explore_loss`), then ask again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What other weights would change of the worth of an answer, by one estimator, with 95 % intervals."""

    now: float  #: worth by the weights in force
    then: float  #: worth by the others
    gain: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsCompared:
    """Four estimates of one change, and what they stand on."""

    recalls: int
    questions: int
    verdicts: int
    effective: float  #: sample size that equally weighted verdicts of the same variance would have
    unsupported: float  #: share of the worth of what would be shown that was practically never shown
    by: dict[str, Estimate] = field(default_factory=dict)

    @property
    def sure_gain(self) -> float:
        """Return the lowest gain that both a self-normalised and a doubly robust estimate leave possible."""
        return min(self.by["dr"].low, self.by["snips"].gain)


def require_verdicts(log: Log) -> None:
    """Raise NoSupport for a log with fewer than `FEWEST` verdicts: of it nothing can be estimated."""
    verdicts = int((~np.isnan(log.worth)).sum())
    if verdicts < FEWEST:
        raise NoSupport(_too_few(verdicts, verdicts))


def _too_few(verdicts: int, effective: float) -> str:
    said = f"The log has {verdicts} verdicts, worth {effective:.0f}; {FEWEST} are needed."
    return f"{said} {NoSupport.__doc__}"


def compare(log: Log, change: Floats, *, model: Floats | None = None) -> WeightsCompared:
    """
    Compare the weights in force with others. change: shape (6,), as `Log.values`. model: what
    `model_helpfulness` says of this log, for who compares more than once. Raises NoSupport.

    NoSupport for fewer than `FEWEST` verdicts or effective verdicts, and where more than `UNSUPPORTED` of the
    worth of what the others would show was practically never shown.
    """
    require_verdicts(log)
    judged = ~np.isnan(log.worth)
    now, then = log.values(np.zeros(change.shape)), log.values(change)
    weights = (then / np.maximum(log.looked, SEEN_FROM))[judged]
    squares = float((weights**2).sum())
    told = WeightsCompared(
        recalls=log.k.size,
        questions=np.unique(log.questions).size,
        verdicts=int(judged.sum()),
        effective=float(weights.sum()) ** 2 / squares if squares else 0.0,
        unsupported=float(then[log.looked < SEEN_FROM].sum() / max(then.sum(), 1e-9)),
    )
    if told.effective < FEWEST:
        raise NoSupport(_too_few(told.verdicts, told.effective))
    if told.unsupported > UNSUPPORTED:
        raise NoSupport(
            f"{told.unsupported:.0%} of what these weights would show was practically never shown. "
            f"{NoSupport.__doc__}"
        )
    model = model_helpfulness(log) if model is None else model
    for name in ("ips", "snips", "dr", "switch"):
        told.by[name] = _estimate(log, name, now, then, model)
    return told


def _estimate(log: Log, name: str, now: Floats, then: Floats, model: Floats) -> Estimate:
    """Return one estimator's word on both sides and on their difference."""
    each = {side: _by_recall(log, name, values, model) for side, values in (("now", now), ("then", then))}
    change = each["then"] - each["now"]
    gain, error = float(change.mean()), _error(change, log.questions)
    return Estimate(
        now=float(each["now"].mean()), then=float(each["then"].mean()), gain=gain,
        low=gain - Z * error, high=gain + Z * error,
    )  # fmt: skip


def _by_recall(log: Log, name: str, values: Floats, model: Floats) -> Floats:
    """Return an estimator's word on each recall, shape (N,). values: shape (N, M), see `Log.values`."""
    judged = ~np.isnan(log.worth)
    inverse = np.where(judged, 1 / np.maximum(log.looked, SEEN_FROM), 0.0)
    worth = np.where(judged, log.worth, 0.0)
    if name == "ips":
        return np.asarray((values * inverse * worth).sum(axis=1))
    if name == "snips":
        counted = (values * inverse).sum()
        scale = values.sum() / counted if counted > 0 else 0.0
        return np.asarray(scale * (values * inverse * worth).sum(axis=1))
    if name == "switch":
        inverse = np.where(inverse <= MOST_WEIGHT, inverse, 0.0)
    return np.asarray((values * (model + inverse * (worth - model))).sum(axis=1))


def _error(values: Floats, questions: NDArray[np.intp]) -> float:
    """Return the standard error of a mean over recalls that come in groups by question."""
    apart = values - values.mean()
    sums = np.bincount(questions, weights=apart)
    present = np.bincount(questions) > 0
    groups = int(present.sum())
    if groups < 2:
        return float("inf")
    return float(np.sqrt((sums[present] ** 2).sum() * groups / (groups - 1)) / values.size)


def model_helpfulness(log: Log) -> Floats:
    """Return what a model says of each candidate's helpfulness, shape (N, M): fitted on the other half."""
    judged = ~np.isnan(log.worth)
    inputs = np.concatenate([np.ones((*log.scores.shape, 1)), log.factors], axis=2)
    told = np.zeros(log.scores.shape)
    for half in (0, 1):
        inside = log.questions % 2 == half
        learnt = judged & ~inside[:, None]
        if not learnt.any():
            continue
        x, y = inputs[learnt], log.worth[learnt]
        weight = 1 / np.maximum(log.looked[learnt], SEEN_FROM)
        weight = weight * (weight.size / weight.sum())
        middle = float(np.average(y, weights=weight))
        pull = RIDGE * np.eye(x.shape[1])
        solved = np.linalg.solve((x * weight[:, None]).T @ x + pull, (x * weight[:, None]).T @ (y - middle))
        told[inside] = np.clip(inputs[inside] @ solved + middle, 0.0, 1.0)
    return np.where(np.isfinite(log.scores), told, 0.0)
