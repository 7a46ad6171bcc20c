"""What of a file is in already, so that an import that was cut short goes on where it stopped."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


class Ledger:
    """A file of the keys of turns that were taken, one a line; one that was cut short counts for nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        whole, _, _torn = path.read_text("utf-8").rpartition("\n") if path.exists() else ("", "", "")
        self.done = set(whole.split("\n")) - {""}

    def add(self, keys: Iterable[str]) -> None:
        """Write down what was taken, on disk before this returns."""
        new = [key for key in keys if key not in self.done]
        with self.path.open("a", encoding="utf-8") as file:
            if self.path.stat().st_size and not self._ends_well():
                file.write("\n")
            file.write("".join(f"{key}\n" for key in new))
            file.flush()
            os.fsync(file.fileno())
        self.done.update(new)

    def _ends_well(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"
