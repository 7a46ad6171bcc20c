"""What a plain statement about a named subject says, once it is read."""

from dataclasses import dataclass
from typing import Final

from memories.llms.base import Cardinality, Change

SURE: Final = 0.85
LIKELY: Final = 0.7
"""Firmness, in [0, 1], of a form whose words are known, and of one read by its shape alone. Our choice:
they stand
with the general forms of `rules_patterns`, below those that name their attribute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A state as a statement tells it; the speaker's ME may stand in `entity` and `value`."""

    entity: str  #: as said, without what stands beside it
    concept: str  #: canonical key
    value: str  #: as said, bare
    cardinality: Cardinality
    kind: str = "profile"
    change: Change = "none"
    firmness: float = SURE
    classed: bool = False  #: the statement says of what class the value is: «the city of O»
