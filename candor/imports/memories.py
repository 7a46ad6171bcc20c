"""What other memories hold: mem0's, and the graph of MCP's server-memory. Pure but for the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from candor.imports.lines import each, objects
from candor.imports.turns import Read, Turn, Unread, Unreadable, capture, moment

_PERSON: Final = re.compile(r"[!-~]{1,128}")
"""An end user's id, as the service takes it."""

_KEPT: Final = ("id", "user_id", "agent_id", "run_id", "categories", "metadata", "updated_at")


def read_mem0(path: Path) -> Iterator[Read]:
    """
    Return what mem0's `Memory.get_all` or export has: a list, `{"results": […]}`, or lines of JSON.

    A memory is its user's alone: `user_id` is the person, where it can be one.
    """
    return each(_rows(path), _memory)


def _memory(source: str, row: Mapping[str, Any]) -> Iterator[Read]:
    text = next((row[name] for name in ("memory", "text", "data") if isinstance(row.get(name), str)), "")
    if not text.strip():
        yield Unread(source, "has no text («memory»)")
        return
    yield Turn(
        source,
        capture(
            text, "tool", verbatim=True, person=person_of(row),
            clock=moment(row.get("created_at")), metadata={"mem0": _noted(row, _KEPT)},
        ),
    )  # fmt: skip


def person_of(row: Mapping[str, Any]) -> str | None:
    """Return the end user whom a row names as its `user_id`, where it can be one."""
    user = str(row.get("user_id") or "")
    return user if _PERSON.fullmatch(user) else None


def read_mcp_memory(path: Path) -> Iterator[Read]:
    """Return observations and relations of server-memory's graph, an observation with its entity's name."""
    return each(objects(path), _node_or_edge)


def _node_or_edge(source: str, row: Mapping[str, Any]) -> Iterator[Read]:
    if row.get("type") == "entity" and isinstance(row.get("name"), str):
        yield from _observations(source, row)
    elif row.get("type") == "relation" and all(isinstance(row.get(end), str) for end in ("from", "to")):
        verb = str(row.get("relationType") or "is related to").replace("_", " ")
        noted = {"mcp-memory": _noted(row, ("from", "to", "relationType"))}
        told = f"{row['from']} {verb} {row['to']}."
        yield Turn(source, capture(told, "tool", verbatim=True, metadata=noted))
    else:
        yield Unread(source, "is no entity and no relation")


def _observations(source: str, row: Mapping[str, Any]) -> Iterator[Read]:
    noted = {"mcp-memory": _noted(row, ("name", "entityType"))}
    for number, text in enumerate(row.get("observations") or (), 1):
        place = f"{source} observation {number}"
        if not isinstance(text, str) or not text.strip():
            yield Unread(place, "is no text")
            continue
        told = text if row["name"].casefold() in text.casefold() else f"{row['name']}: {text}"
        yield Turn(place, capture(told, "tool", verbatim=True, metadata=noted))


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]] | Unread]:
    if path.suffix == ".jsonl":
        yield from objects(path)
        return
    try:
        told = json.loads(path.read_bytes())
    except ValueError as error:
        raise Unreadable(f"{path} is no JSON: {error}") from error
    rows = told.get("results") if isinstance(told, dict) else told
    if not isinstance(rows, list):
        raise Unreadable(f"{path} is no list of memories")
    for number, row in enumerate(rows, 1):
        source = f"{path}#{number}"
        yield (source, row) if isinstance(row, dict) else Unread(source, "no object")


def _noted(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: row[name] for name in names if row.get(name) not in (None, "", [], {})}
