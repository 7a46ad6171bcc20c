"""What a plain statement says, once it is read: of whom, what of them, and what that is (SPEC M-04). Pure."""

from dataclasses import dataclass

from memories.llms.base import Cardinality, Change

ME = "\ue000"
"""Stands for the speaker while forms look at a clause: a character that no screened text contains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationForm:
    """A state as a clause tells it; the speaker's ME may stand in `entity` and `value`."""

    entity: str  #: as said
    concept: str  #: a key
    value: str  #: as said, without what stands beside it
    cardinality: Cardinality = "single"
    kind: str = "profile"
    change: Change = "none"
