"""Fit the relevance of an embedding space to questions with and without an answer: pure (SPEC K-10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.calibration.relevance import KNOWN_HERE, MEANS, Means, Relevance, Scale, Sign, evidence
from memories.calibration.table import Floats

LOST: Final = 0.0125
"""
Share of the questions with an answer that a floor may cost. SPEC K-10 allows 0.02; the floor is in force
unless somebody asks otherwise, so it takes less: an answer that is there and not given is the worse lie. On
the half that is fitted on the last 0.0075 buy 0.03 more of the unanswerable ones.
"""

FOLDS: Final = 5
"""Parts of the questions, each judged by a fit that did not see it: on its own questions a fit flatters."""

LOST_OF_FEW: Final = 0.005
"""The same where there are only a few memories: each of them is most of what is known, and a question to so
few is seldom one that another store answers."""

LEAST_ACROSS: Final = 20
"""Questions with an answer of which hardly a word is known that a scale for them needs; with fewer they are
judged by meaning as all others are."""

LEAST_FEW: Final = 100
"""Questions with an answer that a scale for stores of a few memories needs; with fewer there is none."""

RIDGE: Final = 0.01
"""Pull of every weight towards 0, as a share of the mean loss: without it a sign that parts all questions
would grow without end."""

STEPS: Final = 3_000
RATE: Final = 0.5
"""Steps of gradient descent, and their length; signs lie in [0, 1], where this converges to two digits."""

ROUNDS: Final = 4
"""How often the row that speaks for a question is chosen anew by the weights found so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOnce:
    """A question that was asked, and the signs of the rows that it brought."""

    answerable: bool  #: it has an answer, which stands among these rows
    rows: Sequence[Mapping[str, float]]  #: at least one
    of_few: bool = False  #: asked of a store of a few memories

    @property
    def is_foreign(self) -> bool:
        """Whether next to no word of it is known: see Note [Words of another language]."""
        return max(row.get("known", 0.0) for row in self.rows) < KNOWN_HERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """What a floor does to questions that its scale was not fitted to."""

    questions: int
    lost: float  #: share of the answerable that it holds back
    held: float  #: share of the others that it holds back


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    scale: Scale
    floor: float
    separation: Separation


def fit_relevance(
    asked: Sequence[AskedOnce], *, space: str, seed: int, lost: float = LOST
) -> tuple[Relevance, dict[Means, Separation]]:
    """
    Fit a scale for all that a search may go by, and the floor that costs `lost` of the answerable questions.

    Each floor, and what it does, is taken from fits that did not see the question. The floor of «all» is
    the space's; the others' scales are shifted onto it. Raises ValueError unless there are answerable and
    unanswerable questions.
    """
    few, asked = ([one for one in asked if one.of_few is of_few] for of_few in (True, False))
    foreign, own = ([one for one in asked if one.is_foreign is is_foreign] for is_foreign in (True, False))
    fits: dict[Means, _Fit] = {
        "all": _fit_one(own, MEANS["all"], seed=seed, lost=lost),
        "words": _fit_one(own, MEANS["words"], seed=seed, lost=lost),
        "meaning": _fit_one(asked, MEANS["meaning"], seed=seed, lost=lost),
    }
    enough = _has_both(foreign, least=LEAST_ACROSS)
    fits["across"] = _fit_one(foreign, MEANS["across"], seed=seed, lost=lost) if enough else fits["meaning"]
    if _has_both(few, least=LEAST_FEW):
        fits["few"] = _fit_one(few, MEANS["few"], seed=seed, lost=min(lost, LOST_OF_FEW))
    floor = round(float(np.clip(fits["all"].floor, 0.01, 0.99)), 2)
    scales = {means: _shifted(fits[means], floor) for means in fits}
    relevance = Relevance(space=space, floor=floor, background=_usual_background(asked), scales=scales)
    return relevance, {means: fit.separation for means, fit in fits.items()}


def _has_both(asked: Sequence[AskedOnce], *, least: int) -> bool:
    """Tell whether at least this many of the questions have an answer, and some have none."""
    return least <= sum(one.answerable for one in asked) < len(asked)


def _usual_background(asked: Sequence[AskedOnce]) -> float:
    """
    Return what the rows that stand out stand out from: the lower quartile over questions.

    It is what a store of a few rows is taken to have behind them, and the fewer there are, the less of it
    is near to a question.
    """
    rows = [max(one.rows, key=lambda row: row.get("margin", 0.0)) for one in asked]
    behind = [row["similarity"] - row["margin"] for row in rows if row.get("margin", 0.0) > 0]
    return round(float(np.quantile(behind, 0.25)), 2) if behind else 0.0


def _shifted(fit: _Fit, floor: float) -> Scale:
    """Return the scale moved so that its own floor comes to lie at this one."""
    intercept = fit.scale.intercept + _logit(floor) - _logit(fit.floor)
    weights = {sign: round(weight, 2) for sign, weight in fit.scale.weights.items()}
    return replace(fit.scale, intercept=round(intercept, 2), weights=weights)


def _logit(share: float) -> float:
    return float(np.log(share / (1.0 - share)))


def _fit_one(asked: Sequence[AskedOnce], signs: Sequence[Sign], *, seed: int, lost: float) -> _Fit:
    answerable = np.array([one.answerable for one in asked], dtype=np.bool_)
    if answerable.all() or not answerable.any():
        raise ValueError("Fitting needs questions with an answer as well as questions without one.")
    rows = [_matrix(one.rows, signs) for one in asked]
    weights = _weigh(answerable)
    aside = _aside(rows, answerable, weights, seed=seed)
    floor = _floor(aside[answerable], lost)
    held = aside < floor
    intercept, *each = _weights(rows, answerable, weights).tolist()
    return _Fit(
        scale=Scale(intercept=intercept, weights=dict(zip(signs, each, strict=True))),
        floor=floor,
        separation=Separation(
            questions=len(asked),
            lost=float(held[answerable].mean()),
            held=float(held[~answerable].mean()),
        ),
    )


def _aside(rows: Sequence[Floats], answerable: NDArray[np.bool_], weights: Floats, *, seed: int) -> Floats:
    """Return the relevance of each question, shape (n,), by a fit to the folds that it is not in."""
    folds = np.random.default_rng(seed).permutation(len(rows)) % FOLDS
    found = np.zeros(len(rows))
    for fold in range(FOLDS):
        seen = np.flatnonzero(folds != fold)
        fitted = _weights([rows[place] for place in seen.tolist()], answerable[seen], weights[seen])
        for place in np.flatnonzero(folds == fold).tolist():
            found[place] = 1.0 / (1.0 + np.exp(-(rows[place] @ fitted).max()))
    return found


def _weigh(answerable: NDArray[np.bool_]) -> Floats:
    """Return weights, shape (n,), by which questions with and without an answer weigh the same in sum."""
    weights = np.where(answerable, 0.5 / answerable.sum(), 0.5 / (~answerable).sum())
    return np.asarray(weights, dtype=np.float64)


def _matrix(rows: Sequence[Mapping[str, float]], signs: Sequence[Sign]) -> Floats:
    """Return rows × (1, evidence of a sign, of the next, …)."""
    columns = [evidence(sign, [row.get(sign, 0.0) for row in rows]) for sign in signs]
    return np.asarray(np.column_stack([np.ones(len(rows)), *columns]), dtype=np.float64)


def _weights(rows: Sequence[Floats], answerable: NDArray[np.bool_], weights: Floats) -> Floats:
    """
    Return (intercept, weight, …) of a logistic regression on the row that speaks most for each question.

    Which row that is depends on the weights, so both are found by turns, from a start that counts all signs
    alike. Projected gradient descent: a weight that would fall below 0 stays there.
    """
    found = np.array([0.0, *[1.0] * (rows[0].shape[1] - 1)])
    share = weights / weights.sum()
    for _ in range(ROUNDS):
        signs = np.array([each[np.argmax(each @ found)] for each in rows])
        for _ in range(STEPS):
            missing = 1.0 / (1.0 + np.exp(-signs @ found)) - answerable
            slope = signs.T @ (share * missing)
            slope[1:] += RIDGE * found[1:] / found.size
            found = found - RATE * slope
            found[1:] = np.maximum(found[1:], 0.0)
    return found


def _floor(answerable: Floats, lost: float) -> float:
    """Return the highest of these relevances beneath which no more than this share of them lies."""
    return float(np.sort(answerable)[int(answerable.size * lost)])
