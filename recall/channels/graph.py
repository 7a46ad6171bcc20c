"""
The graph channel's numbers: what one hop from a find is worth (SPEC R-01, R-09). The hop is `sql/graph.sql`.

Pure: the walk itself is SQL, inside the one statement, where what a viewer may not see cannot be stepped on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from recall.questions import Prepared

SEEDS: Final = 5
"""Finds of the other channels that the hop starts from (SPEC R-01)."""

SEED_VOICES: Final[Mapping[str, float]] = {
    "semantic": 1.0, "lexical": 1.0, "tag": 0.25, "fuzzy": 0.5, "time": 3.0,
}  # fmt: skip
"""Channel → its voice in choosing seeds: that of the default policy, which ranks the finds by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What a link of one type is worth, walked from its source and from its target, in [0, 1]."""

    out: float
    into: float


def _both(weight: float) -> Edge:
    return Edge(out=weight, into=weight)


EDGES: Final[Mapping[str, Edge]] = {
    "supersedes": Edge(out=0.0, into=1.0),
    "because": _both(0.9),
    "evidence": _both(0.9),
    "affects_state": _both(0.8),
    "references": _both(0.7),
    "derived_from": _both(0.7),
    "part_of": _both(0.6),
    "parent_of": _both(0.6),
    "similar_to": _both(0.3),
    "authored_by": _both(0.3),
    "related_to": _both(0.2),
}
"""
Link type → what it is worth; times the link's own weight and confidence. Ours, by one order: what took over
is the answer itself; a reason or an observation explains the find; a reference or an origin speaks of it; a
part stands beside it; likeness says nothing that the semantic channel has not said, hence rarely (R-09). A
type that is not here is not walked: `contradicts` is followed for the alert alone, `precedes` and `follows`
speak through the neighbours in a session (R-17), and a hop back to what is superseded leads nowhere.
"""

MENTION: Final = 0.8
"""Worth of an entity that both name, when it leads to one alone: less than a reason, more than a part."""

TRIPLE: Final = 1.0
"""
Worth of a triple that continues another, when no other does: «X is owned by T», «T is led by Mara». The
second says what the question about X goes on to ask, so it is worth the find itself.
"""

MOST_FAN: Final = 20
"""Others that an entity may lead to; one of more leads nowhere: it could fill most of the places (R-01)."""

FEW: Final = 5
"""An entity of so few others is never too common, though they be a fifth of all that a small house holds."""

MOST_HUBS: Final = 16
"""Entities and triples of one seed that are walked over: the most names that a memory has (MOST_NAMES)."""

MOST_STEPS: Final = 20
"""Supersessions that are followed to what holds now; our choice, more changes of one value were not met."""


def graph_parameters(_prepared: Prepared) -> dict[str, Any]:
    """Return the walk's parameters by name; they do not depend on the question."""
    return dict(_PARAMETERS)


def shared_weight(worth: float, fan: int) -> float:
    """
    Return what an entity lends to each of the `fan` others it leads to: worth / sqrt(fan), in (0, 1].

    After the fan effect (Anderson, Cognitive Psychology 1974): the more hangs on a concept, the less it
    recalls of each. `graph.sql` says the same.
    """
    return worth / sqrt(max(fan, 1))


def _array(values: Iterable[object]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


_PARAMETERS: Final[Mapping[str, Any]] = {
    "graph_seeds": SEEDS,
    **{f"graph_{name}": voice for name, voice in SEED_VOICES.items()},
    # As PostgreSQL writes arrays: they never change, and the driver would write them anew each time.
    "graph_types": _array(EDGES),
    "graph_weights_out": _array(edge.out for edge in EDGES.values()),
    "graph_weights_in": _array(edge.into for edge in EDGES.values()),
    "graph_mention": MENTION,
    "graph_triple": TRIPLE,
    "graph_fan": MOST_FAN,
    "graph_few": FEW,
    "graph_hubs": MOST_HUBS,
    "graph_chain": MOST_STEPS,
}
