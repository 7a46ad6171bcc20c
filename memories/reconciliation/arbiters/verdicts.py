"""What is judged, and the eight words of a verdict (SPEC K-05). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal

from memories.embedders import Vectors

Mouth = Literal["person", "tool", "agent"]
"""Who speaks: a person, what measures or holds text, or an agent by itself."""


class Relation(StrEnum):
    """What a later statement does to an earlier one."""

    SAME = "same"  #: says it again
    REFINES = "refines"  #: makes it more precise; it stays true
    REPLACES = "replaces"  #: holds in its place from now on
    ENDS = "ends"  #: it is over, and nothing takes its place
    CORRECTS = "corrects"  #: it was never true
    CONTRADICTS = "contradicts"  #: not both can be true, and nothing tells which is
    ADDS = "adds"  #: another fact; both are true
    UNRELATED = "unrelated"


CHANGES: Final = frozenset({Relation.REPLACES, Relation.ENDS, Relation.CORRECTS})
"""After these the earlier statement is outdated."""

UPDATES: Final = CHANGES | {Relation.REFINES}
"""After these the later statement is the one to be read first."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Said:
    """A statement, as far as its wording, its speaker and its time tell."""

    text: str
    at: datetime
    speaker: str = ""
    mouth: Mouth = "person"
    vector: Vectors | None = None  #: as it is searched by; None: not known, or not of the arbiter's space


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an arbiter makes of a later statement and an earlier one."""

    chances: Mapping[Relation, float]  #: of each relation, in [0, 1]; they sum to 1
    judge: str

    @property
    def relation(self) -> Relation:
        """Return the likeliest relation."""
        return max(self.chances, key=lambda one: self.chances[one])

    @property
    def updates(self) -> float:
        """Return how likely the later statement updates the earlier one, in [0, 1]."""
        return sum(self.chances[one] for one in UPDATES)

    @property
    def precedence(self) -> float:
        """
        Return how likely the later statement is to be read first by who asks of the matter, in [0, 1].

        It is held against «adds» alone. Whether a statement is unrelated shows when the question is
        asked, and of two that say the same either may come first.
        """
        return self.updates / max(self.updates + self.chances[Relation.ADDS], 1e-9)

    @property
    def update(self) -> Relation:
        """Return the likeliest of the relations by which it would be read first."""
        return max(sorted(UPDATES), key=lambda one: self.chances[one])


_MOUTHS: Final[dict[str, Mouth]] = {
    "user_correction": "person",
    "user_stated": "person",
    "user_relayed": "person",
    "measured": "tool",
    "connector": "tool",
    "extracted": "tool",
    "agent_chat": "agent",
    "agent_inferred": "agent",
}
"""Origin (SPEC M-08) → who spoke."""


def mouth_of(provenance: str) -> Mouth:
    """Return who speaks in a row of this origin."""
    return _MOUTHS[provenance]
