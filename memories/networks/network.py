"""
A small network: numbers in, the chances of k classes out. Pure numpy.

Inputs, scaled, go straight to the odds and through one hidden layer of tanh besides:
odds = x·D + tanh(x·W + c)·U + b, chances = softmax(odds), the mean of some networks begun from other seeds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FURTHEST: Final = 6.0
"""Standard deviations at which an input is cut: beyond, a text is odd and tells no more for it. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Basis:
    """Directions of an embedding space along which its vectors are read."""

    mean: Floats  #: shape (dimensions,)
    directions: Floats  #: shape (dimensions, d)

    def project(self, vectors: Floats) -> Floats:
        """Return the vectors along the directions, shape (n, d). vectors: shape (n, dimensions)."""
        return np.asarray((vectors - self.mean) @ self.directions, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layers:
    """One network. Shapes: direct (n, k), hidden (n, h), shift (h,), out (h, k), bias (k,)."""

    direct: Floats
    hidden: Floats
    shift: Floats
    out: Floats
    bias: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """Networks over the same scaled inputs. mean, spread: shape (n,)."""

    mean: Floats
    spread: Floats
    layers: tuple[Layers, ...]

    def chances(self, inputs: Floats) -> Floats:
        """Return the chances of the classes, in their order, shape (rows, k). inputs: shape (rows, n)."""
        scaled = np.clip((inputs - self.mean) / self.spread, -FURTHEST, FURTHEST)
        return np.asarray(np.mean([run(one, scaled) for one in self.layers], axis=0), dtype=np.float64)


def run(layers: Layers, scaled: Floats) -> Floats:
    """Return one network's chances, shape (rows, k)."""
    inner = np.tanh(scaled @ layers.hidden + layers.shift)
    return softmax(scaled @ layers.direct + inner @ layers.out + layers.bias)


def softmax(odds: Floats) -> Floats:
    """Return chances that sum to 1 in each row."""
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)


def pack(network: Network, name: str) -> dict[str, NDArray[np.float32]]:
    """Return a network's arrays by the names they have in a file."""
    found = {f"{name}.mean": network.mean, f"{name}.spread": network.spread}
    for number, layers in enumerate(network.layers):
        found |= {f"{name}.{number}.{field.name}": getattr(layers, field.name) for field in fields(Layers)}
    return {key: values.astype(np.float32) for key, values in found.items()}


def unpack(arrays: Mapping[str, NDArray[np.float32]], name: str, *, count: int) -> Network:
    """Return the network of these arrays. Raises KeyError when one is missing."""
    wide = {key: np.asarray(values, dtype=np.float64) for key, values in arrays.items()}
    layers: Sequence[Layers] = [
        Layers(**{field.name: wide[f"{name}.{number}.{field.name}"] for field in fields(Layers)})
        for number in range(count)
    ]
    return Network(mean=wide[f"{name}.mean"], spread=wide[f"{name}.spread"], layers=tuple(layers))
