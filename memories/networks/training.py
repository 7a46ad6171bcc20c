"""
Fit small networks, and measure what they tell apart. Pure: numpy and scipy.

Least loss with L-BFGS from seeded weights: the same inputs and seed give the same network on one machine.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from memories.networks.network import FURTHEST, Basis, Floats, Layers, Network, softmax

Marks = NDArray[np.bool_]


def find_directions(vectors: Floats, most: int) -> Basis:
    """Return the directions along which vectors differ most. vectors: shape (n, dimensions)."""
    mean = vectors.mean(axis=0)
    return Basis(mean=mean, directions=np.linalg.svd(vectors - mean, full_matrices=False)[2][:most].T)


def fit_network(
    inputs: Floats, wanted: Floats, weights: Floats, penalty: Floats, *,
    hidden: int, penalty_hidden: float, steps: int, networks: int, seed: int,
) -> Network:  # fmt: skip
    """
    Return networks of least loss: cross entropy, and half of the penalised squares of all weights.

    inputs: shape (rows, n). wanted: chances of the classes, shape (rows, k). weights: of the rows, shape
    (rows,). penalty: of each input's weights, shape (n,). hidden: units of the inner layer. networks: how
    many are averaged, each begun from a seed of its own.
    """
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    scaled = np.clip((inputs - mean) / spread, -FURTHEST, FURTHEST)
    layers = tuple(
        _fit_layers(
            scaled, wanted, weights, penalty,
            size=hidden, penalty_hidden=penalty_hidden, steps=steps, seed=seed + number,
        )
        for number in range(networks)
    )  # fmt: skip
    return Network(mean=mean, spread=spread, layers=layers)


def _fit_layers(
    x: Floats, wanted: Floats, weights: Floats, penalty: Floats, *,
    size: int, penalty_hidden: float, steps: int, seed: int,
) -> Layers:  # fmt: skip
    rng = np.random.default_rng(seed)
    n, classes = x.shape[1], wanted.shape[1]
    shapes = ((n, classes), (n, size), (size,), (size, classes), (classes,))
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    inner = penalty_hidden / 4 * penalty[:, None] / penalty.min()

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
            + penalty_hidden / 4 * (out**2).sum()
        )
        slopes = (
            x.T @ missed + penalty[:, None] * direct,
            x.T @ back + inner * hidden,
            back.sum(axis=0),
            lit.T @ missed + penalty_hidden / 4 * out,
            missed.sum(axis=0),
        )
        return value, np.concatenate([slope.ravel() for slope in slopes])

    start = np.concatenate(
        [
            np.zeros(n * classes),
            rng.normal(0, 0.5 / np.sqrt(n), n * size),
            np.zeros(size),
            rng.normal(0, 0.3 / np.sqrt(size), size * classes),
            np.zeros(classes),
        ]
    )
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    direct, hidden, shift, out, bias = split(found.x)
    return Layers(direct=direct, hidden=hidden, shift=shift, out=out, bias=bias)


def area(scores: Floats, hits: Marks) -> float:
    """Return the area under the ROC curve: how often a hit has the higher score; NaN where there is none."""
    if hits.all() or not hits.any():
        return float("nan")
    ranks = np.empty(len(scores))
    ordered = np.sort(scores)
    ranks = (np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right") + 1) / 2
    above = ranks[hits].sum() - hits.sum() * (hits.sum() + 1) / 2
    return float(above / (hits.sum() * (~hits).sum()))
