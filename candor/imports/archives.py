"""
What other memory services hold: a COGX archive (cognee 0.1), Zep's and Graphiti's graphs, Letta's agents.

Talk keeps its roles; what a service made of talk comes as a tool's word, word for word. What a graph holds no
longer («invalid_at», «expired_at») is told as unread: a capture says what was said, and would hold again.
Pure but for the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

from candor.imports.lines import each, objects
from candor.imports.memories import person_of
from candor.imports.turns import Read, Turn, Unread, Unreadable, capture, moment
from candor.wire.texts import in_parts

COGX: Final = "0"
"""The major version of archives that are read."""

_FILES: Final = ("entities", "documents", "episodes", "memories", "memory_blocks", "facts")
"""Files of an archive, in the order in which they are read: names before the facts that refer to them."""

_ROLES: Final = {"user": "user", "human": "user", "assistant": "assistant", "agent": "assistant"}


def read_cogx(path: Path) -> Iterator[Read]:
    """Return what an archive has: the folder, or its manifest. Raises Unreadable."""
    folder = path if path.is_dir() else path.parent
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        version = str(manifest["cogx_version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{folder} is no COGX archive: no manifest with a version") from error
    if version.partition(".")[0] != COGX:
        raise Unreadable(f"{folder} is a COGX archive of version {version}; version {COGX} can be read")
    records = _Records("cogx")
    for name in _FILES:
        if (file := folder / f"{name}.jsonl").exists():
            yield from each(objects(file), records.read)


def read_zep(path: Path) -> Iterator[Read]:
    """Return episodes, entities and facts of a graph as Zep and Graphiti have them. Raises Unreadable."""
    told = _object(path)
    records = _Records("zep")
    for number, row in enumerate(_first(told, "entities", "nodes", "entity_nodes"), 1):
        yield from records.entity(f"{path}#entity {number}", {**row, "description": row.get("summary")})
    for number, row in enumerate(_first(told, "episodes", "episodic_nodes"), 1):
        text, clock = (
            row.get("content") or row.get("episode_body"),
            row.get("valid_at") or row.get("created_at"),
        )
        turn = {"role": row.get("role_type") or row.get("role"), "content": text, "occurred_at": clock}
        session = row.get("group_id") or row.get("session_id") or row.get("uuid")
        yield from records.episode(
            f"{path}#episode {number}",
            {**row, "turns": [turn], "scope": {"user_id": row.get("user_id"), "session_id": session}},
        )
    for number, row in enumerate(_first(told, "facts", "edges", "entity_edges"), 1):
        fact = {
            **row, "fact_text": row.get("fact"), "predicate": row.get("name") or row.get("relation"),
            "subject_ref": row.get("source_node_uuid") or row.get("source"),
            "object_ref": row.get("target_node_uuid") or row.get("target"),
            "invalid_at": row.get("invalid_at") or row.get("expired_at"),
        }  # fmt: skip
        yield from records.fact(f"{path}#fact {number}", fact)


def read_letta(path: Path) -> Iterator[Read]:
    """Return blocks, messages and passages of an agent file. Raises Unreadable."""
    told = _object(path)
    records = _Records("letta")
    shared = {str(block.get("id")): block for block in _first(told, "blocks")}
    for agent in _first(told, "agents") or [told]:
        name = str(agent.get("name") or "agent")
        blocks = _first(agent, "core_memory", "blocks", "memory_blocks")
        blocks = blocks or [shared[str(one)] for one in agent.get("block_ids") or () if str(one) in shared]
        for number, block in enumerate(blocks, 1):
            yield from records.memory_block(f"{path}#{name} block {number}", block)
        messages = _first(agent, "messages", "in_context_messages", "message_history")
        turns = [
            {"role": one.get("role"), "content": _text(one), "occurred_at": one.get("created_at")}
            for one in messages
            if one.get("role") != "system"
        ]
        if turns:
            yield from records.episode(
                f"{path}#{name}", {"turns": turns, "scope": {"session_id": f"letta {name}"}}
            )
        for number, passage in enumerate(_first(agent, "archival_memory", "passages"), 1):
            text = {"content": passage.get("content") or passage.get("text")}
            yield from records.document(f"{path}#{name} passage {number}", {**passage, **text})


class _Records:
    """Reads the records of one archive; facts are told by the names of the entities that were read before."""

    def __init__(self, note: str) -> None:
        self._note = note
        self._names: dict[str, str] = {}

    def read(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Return the turns of a record by its kind."""
        kind = str(row.get("kind"))
        if kind not in _KINDS:
            return iter([Unread(source, f"is of no kind that is known: «{kind}»")])
        reader: Iterator[Read] = getattr(self, kind)(source, row)
        return reader

    def episode(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Yield the turns of a talk, as who said them."""
        scope = _scope(row)
        session = str(scope.get("session_id") or scope.get("run_id") or row.get("external_id") or "")
        turns = row.get("turns")
        for number, turn in enumerate(turns if isinstance(turns, list) else (), 1):
            place = f"{source} turn {number}"
            text = turn.get("content") if isinstance(turn, Mapping) else None
            if not isinstance(text, str) or not text.strip():
                yield Unread(place, "has no text")
                continue
            role = _ROLES.get(str(turn.get("role")), "tool")
            clock = moment(turn.get("occurred_at")) or moment(row.get("created_at"))
            yield Turn(place, capture(text, role, person=person_of(scope), session=session, clock=clock))

    def memory(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Yield what a service has noted."""
        yield self._noted(source, row, row.get("content"), row.get("created_at"))

    def document(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Yield a text as it is, in as many parts as it takes."""
        text = row.get("content")
        for number, part in enumerate(in_parts(text) if isinstance(text, str) else [text], 1):
            place = source if number == 1 else f"{source} part {number}"
            yield self._noted(place, row, part, row.get("created_at"))

    def memory_block(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Yield a block with its label."""
        value = row.get("value") or row.get("content")
        label = row.get("label") or row.get("name")
        told = f"{label}: {value}" if isinstance(value, str) and value.strip() and label else value
        yield self._noted(source, row, told, row.get("created_at"))

    def entity(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Note a name, and yield what is said of it, if anything is."""
        name = row.get("name")
        if not isinstance(name, str) or not name.strip():
            yield Unread(source, "has no name")
            return
        self._names[str(row.get("external_id") or row.get("uuid") or row.get("id") or name)] = name
        told = row.get("description")
        if isinstance(told, str) and told.strip():
            text = told if name.casefold() in told.casefold() else f"{name}: {told}"
            yield self._noted(source, row, text, row.get("created_at"))

    def fact(self, source: str, row: Mapping[str, Any]) -> Iterator[Read]:
        """Yield a fact that holds, in its own words or by the names of both ends."""
        ended = moment(row.get("invalid_at"))
        if ended is not None and datetime.fromisoformat(ended) <= datetime.now(timezone.utc):
            yield Unread(source, f"held until {ended}")
            return
        ends = [self._names.get(str(row.get(end)), row.get(end)) for end in ("subject_ref", "object_ref")]
        text = row.get("fact_text")
        if not isinstance(text, str) or not text.strip():
            verb = str(row.get("predicate") or "").replace("_", " ").strip()
            text = f"{ends[0]} {verb} {ends[1]}." if all(ends) and verb else None
        yield self._noted(source, row, text, row.get("valid_at") or row.get("created_at"))

    def _noted(self, source: str, row: Mapping[str, Any], text: Any, clock: Any) -> Read:
        if not isinstance(text, str) or not text.strip():
            return Unread(source, "has no text")
        known = row.get("external_id") or row.get("uuid") or row.get("id")
        note = {self._note: {"id": str(known)}} if known else None
        person = person_of(_scope(row))
        return Turn(
            source, capture(text, "tool", verbatim=True, person=person, clock=moment(clock), metadata=note)
        )


_KINDS: Final = frozenset({"episode", "memory", "document", "memory_block", "entity", "fact"})


def _scope(row: Mapping[str, Any]) -> Mapping[str, Any]:
    scope = row.get("scope")
    return scope if isinstance(scope, Mapping) else {}


def _object(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path} is no JSON: {error}") from error
    if not isinstance(told, dict):
        raise Unreadable(f"{path} is no JSON object")
    return told


def _first(told: Mapping[str, Any], *names: str) -> Sequence[dict[str, Any]]:
    """Return the objects under the first of some names that has any."""
    for name in names:
        rows = told.get(name)
        found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if found:
            return found
    return []


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or message.get("text")
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))
