"""Read how a text is said, of what kind it is, and whether it says anything (SPEC K-06, K-08)."""

from memories.extraction.reader.card import write_card
from memories.extraction.reader.fitting import (
    FOLDER,
    FOLDINGS,
    Labelled,
    Plain,
    Sample,
    find_threshold,
    fit,
    is_shown_bare,
    make_sample,
    measure,
    read_rows,
)
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
    "FOLDER",
    "FOLDINGS",
    "KIND_FROM",
    "MODE_FROM",
    "NAME",
    "SPACE",
    "UNMARKED",
    "Labelled",
    "Plain",
    "Reading",
    "Sample",
    "Utterance",
    "find_threshold",
    "fit",
    "is_shown_bare",
    "make_sample",
    "measure",
    "read",
    "read_rows",
    "write_card",
]
