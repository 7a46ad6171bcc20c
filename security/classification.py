"""The four classes of information, as ranks (ISO/IEC 27001:2022, control A.5.12)."""

from enum import IntEnum


class Classification(IntEnum):
    """How widely something may be known; a higher rank is known to fewer."""

    PUBLIC = 0
    INTERNAL = 1
    RESTRICTED = 2
    CONFIDENTIAL = 3

    @classmethod
    def named(cls, name: str) -> "Classification":
        """Return the class of this name, in any letter case. Raises KeyError if there is none."""
        return cls[name.upper()]

    @property
    def label(self) -> str:
        """The name as it is written in the API, such as `internal`."""
        return self.name.lower()
