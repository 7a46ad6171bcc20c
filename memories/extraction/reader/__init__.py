"""Read how a text is said, of what kind it is, and whether it says anything (SPEC K-06, K-08)."""

from memories.extraction.reader.local import (
    FILE,
    KIND_FROM,
    MODE_FROM,
    NAME,
    SPACE,
    UNMARKED,
    Reading,
    Utterance,
    read,
)

__all__ = [
    "FILE",
    "KIND_FROM",
    "MODE_FROM",
    "NAME",
    "SPACE",
    "UNMARKED",
    "Reading",
    "Utterance",
    "read",
]
