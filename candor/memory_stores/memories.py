"""Memories of a store and their versions: files and what they were; procedures of `candor.wire.sending`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, Final
from uuid import UUID

from candor import requests
from candor.adapters import files
from candor.adapters.files import File
from candor.adapters.items import archive_by_id
from candor.errors import NotFound
from candor.memory_stores.shape import (
    MOST,
    PAGE,
    MemoryChange,
    NewMemory,
    Told,
    Wrong,
    body_of,
    choice,
    instant,
    invalid,
    missing,
    number,
    page_of,
    path_of,
    span_of,
    uuid_of,
)
from candor.memory_stores.stores import Store, latest_first, refuse_archived
from candor.wire.sending import Manner, Procedure, perform

MEMORY: Final = "mem_"
VERSION: Final = "memver_"
ACTOR: Final = "apikey_"

DELETED: Final = "_deleted"
"""What the id of a deletion has behind that of the version it ended."""

_VIEWS: Final = ("basic", "full")
_OPERATIONS: Final = ("created", "modified", "deleted")


def create(manner: Manner, store: Store, body: Any, query: Mapping[str, str]) -> Procedure[Told]:
    """Write a memory where there is none."""
    new, view = body_of(NewMemory, body), choice(query, "view", _VIEWS, "basic")
    path = path_of(new.path)
    refuse_archived(store)
    yield from _free(manner, store, path)
    file = yield from files.write(manner, store.directory + path, new.content or "", expected=files.ABSENT)
    return _memory(store, file, view)


def retrieve(manner: Manner, store: Store, memory_id: str, query: Mapping[str, str]) -> Procedure[Told]:
    """Return a memory."""
    view = choice(query, "view", _VIEWS, "full")
    return _memory(store, (yield from _find(manner, store, memory_id)), view)


def update(
    manner: Manner, store: Store, memory_id: str, body: Any, query: Mapping[str, str]
) -> Procedure[Told]:
    """Change a memory's content, its path, or both; its id stays."""
    change, view = body_of(MemoryChange, body), choice(query, "view", _VIEWS, "basic")
    path = None if change.path is None else store.directory + path_of(change.path)
    refuse_archived(store)
    file = yield from _find(manner, store, memory_id)
    if change.precondition is not None:
        _hold(file, change.precondition.content_sha256)
    if path is not None and path != file.path:
        yield from _free(manner, store, path.removeprefix(store.directory))
        file = yield from files.move(manner, file, path, change.content)
    elif change.content is not None and change.content != file.text:
        file = yield from files.write(manner, file.path, change.content, expected=file.sha256)
    return _memory(store, file, view)


def list_memories(manner: Manner, store: Store, query: Mapping[str, str]) -> Procedure[Told]:
    """Return a page of memories by their paths, and of prefixes for what lies deeper than `depth`."""
    view = choice(query, "view", _VIEWS, "basic")
    depth = number(query, "depth", 0, 20, 0)
    prefix = query.get("path_prefix", "/")
    if not (prefix.startswith("/") and prefix.endswith("/")):
        raise invalid("path_prefix: it begins and ends with /.")
    below = store.directory + (path_of(prefix.rstrip("/")) if prefix != "/" else "") + "/"
    found = yield from files.list_files(manner, below)
    rows: dict[str, Told] = {}
    for file in found:
        names = file.path.removeprefix(below).split("/")
        if not file.path.startswith(below):  # a file of the prefix's own name
            continue
        if depth and len(names) > depth:
            path = prefix + "/".join(names[:depth]) + "/"
            rows[path] = {"type": "memory_prefix", "path": path}
        else:
            rows[_path(store, file)] = _memory(store, file, view)
    return page_of(sorted(rows.items(), key=lambda row: row[0]), query, PAGE if view == "full" else MOST)


def delete(manner: Manner, store: Store, memory_id: str, query: Mapping[str, str]) -> Procedure[Told]:
    """Archive a memory: nothing shows it but its versions, and people may bring it back."""
    file = yield from _find(manner, store, memory_id)
    _hold(file, query.get("expected_content_sha256"))
    yield from archive_by_id(manner, str(file.id))
    return {"id": MEMORY + file.key, "type": "memory_deleted"}


def list_versions(manner: Manner, store: Store, query: Mapping[str, str]) -> Procedure[Told]:
    """Return a page of versions, the latest first."""
    view = choice(query, "view", _VIEWS, "basic")
    is_asked_for = span_of(query)
    operation = choice(query, "operation", _OPERATIONS, "") if "operation" in query else None
    key = uuid_of(query["memory_id"], MEMORY, "Memory") if "memory_id" in query else None
    of_others = any(query.get(name) for name in ("session_id", "service_account_id"))
    rows = (yield from _versions(manner, store, key)) if not of_others else []
    by = query.get("api_key_id")
    found = [
        (latest_first(told["created_at"], told["id"]), told) for at, told in rows
        if is_asked_for(at) and operation in (None, told["operation"])
        and by in (None, (told["created_by"] or {}).get("api_key_id"))
    ]  # fmt: skip
    for _, told in found:
        if view == "basic":
            told["content"] = None
    return page_of(sorted(found, key=lambda row: row[0]), query, PAGE if view == "full" else MOST)


def retrieve_version(manner: Manner, store: Store, version: str, query: Mapping[str, str]) -> Procedure[Told]:
    """Return a version."""
    view = choice(query, "view", _VIEWS, "full")
    told = yield from _version(manner, store, version)
    return {**told, "content": None} if view == "basic" else told


def redact(manner: Manner, store: Store, version: str) -> Procedure[Told]:
    """Erase what a version says, for good. Raises Forbidden where the key may not forget."""
    told = yield from _version(manner, store, version)
    if told["operation"] == "deleted":
        raise invalid(f"The version {version} has no content.")
    current = yield from files.by_key(manner, store.directory, told["memory_id"].removeprefix(MEMORY))
    if current is not None and VERSION + current.id.hex == version:
        raise invalid(f"{version} holds the memory's current content: update or delete the memory first.")
    memory = UUID(version.removeprefix(VERSION))
    shown = yield from perform(requests.forget_memory(memory), manner)
    yield from perform(requests.forget_memory(memory, hash=shown.hash), manner)
    gone = dict.fromkeys(("content", "path", "content_sha256", "content_size_bytes"))
    return {**told, **gone, "redacted_at": instant(datetime.now(timezone.utc))}


def _find(manner: Manner, store: Store, memory_id: str) -> Procedure[File]:
    key = uuid_of(memory_id, MEMORY, "Memory")
    file = yield from files.by_key(manner, store.directory, key)
    if file is None:
        raise missing("Memory", memory_id)
    return file


def _free(manner: Manner, store: Store, path: str) -> Procedure[None]:
    """Raise Wrong where a path is taken, or leads through a file."""
    whole = store.directory + path
    above = yield from files.in_the_way(manner, store.directory, whole)
    if above is not None:
        raise _conflict(f"{above.removeprefix(store.directory)} is a memory, and can hold no other.")
    if (yield from files.list_files(manner, whole)):
        raise _conflict(f"There is a memory at {path} already.")


def _conflict(message: str) -> Wrong:
    return Wrong(409, "memory_path_conflict_error", message)


def _hold(file: File, expected: str | None) -> None:
    if expected is not None and expected != file.sha256:
        raise Wrong(
            409,
            "memory_precondition_failed_error",
            f"The memory's content_sha256 is {file.sha256} and not what was expected. Read it again.",
        )


def _versions(manner: Manner, store: Store, key: str | None) -> Procedure[list[tuple[datetime, Told]]]:
    """Return versions with their moments, of one memory or of all, the latest first."""
    rows = yield from files.history(manner, store.directory, key)
    first = {file.key: file.id for file in rows}
    last = {file.key: file.id for file in reversed(rows)}
    told: list[tuple[datetime, Told]] = []
    for file in rows:
        if file.archived_at is not None and last[file.key] == file.id:
            told.append((file.archived_at, _deletion(store, file, file.archived_at)))
        operation = "created" if first[file.key] == file.id else "modified"
        told.append((file.created_at, _told_version(store, file, operation)))
    return told


def _version(manner: Manner, store: Store, version: str) -> Procedure[Told]:
    """Return a version by its id, in full. Raises Wrong."""
    memory = UUID(uuid_of(version.removesuffix(DELETED), VERSION, "Memory version"))
    try:
        row = yield from perform(requests.get_memory(memory), manner)
    except NotFound:
        raise missing("Memory version", version) from None
    key = files.ITEMS.note_of(row).get("value", {}).get("key")
    for _, told in (yield from _versions(manner, store, key)) if key else ():
        if told["id"] == version:
            return told
    raise missing("Memory version", version)


def _memory(store: Store, file: File, view: str) -> Told:
    return {
        "id": MEMORY + file.key, "type": "memory", "memory_store_id": store.id, "path": _path(store, file),
        "content": file.text if view == "full" else None, "content_sha256": file.sha256,
        "content_size_bytes": file.size, "memory_version_id": VERSION + file.id.hex,
        "created_at": instant(file.since), "updated_at": instant(file.created_at),
    }  # fmt: skip


def _told_version(store: Store, file: File, operation: str) -> Told:
    actor = None if file.agent is None else {"type": "api_actor", "api_key_id": ACTOR + file.agent.hex}
    return {
        "id": VERSION + file.id.hex, "type": "memory_version", "memory_store_id": store.id,
        "memory_id": MEMORY + file.key, "operation": operation, "path": _path(store, file),
        "content": file.text, "content_sha256": file.sha256, "content_size_bytes": file.size,
        "created_at": instant(file.created_at), "created_by": actor,
        "redacted_at": None, "redacted_by": None,
    }  # fmt: skip


def _deletion(store: Store, file: File, at: datetime) -> Told:
    told = _told_version(store, file, "deleted")
    nothing = dict.fromkeys(("content", "content_sha256", "content_size_bytes", "created_by"))
    return {**told, **nothing, "id": told["id"] + DELETED, "created_at": instant(at)}


def _path(store: Store, file: File) -> str:
    return file.path.removeprefix(store.directory)
