"""Lines of several programs on one terminal, each under its program's name."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TextIO

COLOURS = (36, 33, 35, 32, 34)
"""SGR codes of the names, in the order in which the names first speak."""

WIDTH = 7
"""Columns of a name: `servers` is the longest."""


class Terminal:
    """Writes lines under names; coloured where the stream is a terminal and NO_COLOR is unset."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._coloured = stream.isatty() and not os.environ.get("NO_COLOR")
        self._colours: dict[str, int] = {}

    def say(self, name: str, line: str) -> None:
        """Write one line. A terminal that is gone is no reason to stop what runs."""
        label = f"{name:<{WIDTH}} |"
        if self._coloured:
            colour = self._colours.setdefault(name, COLOURS[len(self._colours) % len(COLOURS)])
            label = f"\x1b[{colour}m{label}\x1b[0m"
        with suppress(OSError, ValueError):
            self._stream.write(f"{label} {line}\n")
            self._stream.flush()
