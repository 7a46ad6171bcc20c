"""What an embedding space is: the name under which vectors may be compared (SPEC M-14)."""

from dataclasses import dataclass
from typing import Final

MOST_DIMENSIONS: Final = 1_024
"""A vector stands in its table's key, so that it is read from the index alone, and an entry of an index has
room for 1 024 half-precision numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """
    One model in one version, giving vectors of one length; vectors of two spaces are never compared.

    Raises ValueError for a name that is empty and for dimensions outside 1 to MOST_DIMENSIONS.
    """

    name: str
    model: str
    version: str
    dimensions: int

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("An embedding space needs a name.")
        if not 1 <= self.dimensions <= MOST_DIMENSIONS:
            raise ValueError(f"The space {self.name} must have 1 to {MOST_DIMENSIONS} dimensions.")
