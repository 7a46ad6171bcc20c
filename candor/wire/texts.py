"""A text that is longer than one capture has room for. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

LONGEST_TEXT: Final = 20_000
"""Characters of one capture; what is longer is said in several."""


def in_parts(text: str) -> Iterator[str]:
    """Yield a text in parts that one capture has room for, cut at the end of a line where one is."""
    start = 0
    while len(text) - start > LONGEST_TEXT:
        end = text.rfind("\n", start + LONGEST_TEXT // 2, start + LONGEST_TEXT) + 1 or start + LONGEST_TEXT
        yield text[start:end]
        start = end
    yield text[start:]
