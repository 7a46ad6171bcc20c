"""Lines of JSON: turns as `POST captures` takes them, or objects of another export. Pure but for the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from candor.errors import FieldError, InvalidArguments
from candor.imports.turns import Read, Turn, Unread
from candor.requests import CREATE_CAPTURE


def objects(path: Path) -> Iterator[tuple[str, dict[str, Any]] | Unread]:
    """Yield each line's place and object; blank ones are left out."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            source = f"{path}:{number}"
            try:
                told = json.loads(line)
            except ValueError as error:
                yield Unread(source, f"no JSON: {error}")
                continue
            yield (source, told) if isinstance(told, dict) else Unread(source, "no object")


def each(
    rows: Iterable[tuple[str, dict[str, Any]] | Unread], read: Callable[[str, dict[str, Any]], Iterator[Read]]
) -> Iterator[Read]:
    """Yield what `read` makes of each object and its place, and what is none as it is."""
    for one in rows:
        if isinstance(one, Unread):
            yield one
        else:
            yield from read(*one)


def read_jsonl(path: Path) -> Iterator[Read]:
    """Return the turns of a file of captures; `content` is another name for `text`."""
    return each(objects(path), _turn)


def _turn(source: str, turn: dict[str, Any]) -> Iterator[Read]:
    if "text" not in turn and isinstance(turn.get("content"), str):
        turn["text"] = turn.pop("content")
    strange = [name for name in turn if name not in CREATE_CAPTURE.arguments]
    missing = [name for name in ("text", "role") if name not in turn]
    faults = [FieldError(name, "is no part of a capture") for name in strange]
    faults += [FieldError(name, "is needed") for name in missing]
    yield Unread(source, str(InvalidArguments(faults))) if faults else Turn(source, turn)
