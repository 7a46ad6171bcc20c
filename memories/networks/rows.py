"""Read the labelled lines that small networks are fitted on."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

Row = TypeVar("Row")


class BadRows(ValueError):
    """A file to fit on cannot be used; the message names the file, the line and what is wrong."""


def read_folder(folder: Path, read: Callable[[Mapping[str, Any]], Row]) -> list[Row]:
    """
    Return what `read` makes of each line of a folder's `*.jsonl`, by name of file; of empty lines nothing.

    Raises BadRows where there is no file, or where `read` raises ValueError, KeyError or TypeError.
    """
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise BadRows(f"No *.jsonl in {folder}.")
    found = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        found.append(read(json.loads(line)))
                    except (ValueError, KeyError, TypeError) as error:
                        raise BadRows(f"{file.name}, line {number}: {error!r}.") from None
    return found
