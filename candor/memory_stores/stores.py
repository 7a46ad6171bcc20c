"""Stores: each an item of the agent's, with a directory of files. Procedures, as in `candor.wire.sending`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import uuid4

from candor import models
from candor.adapters import files
from candor.adapters.items import Items, archive, now
from candor.memory_stores.shape import (
    MOST_METADATA,
    NewStore,
    StoreChange,
    Told,
    body_of,
    choice,
    instant,
    invalid,
    missing,
    page_of,
    read_instant,
    span_of,
    uuid_of,
)
from candor.wire.sending import Manner, Procedure

ITEMS: Final = Items("memory_store", "memory store")
PLACE: Final = ("memory_stores",)
PREFIX: Final = "memstore_"


@dataclass(frozen=True)
class Store:
    """A store, as its item has it."""

    digits: str
    name: str
    description: str
    metadata: Mapping[str, str]
    created_at: str
    updated_at: str
    archived_at: str | None

    @property
    def id(self) -> str:
        """Its id on the wire."""
        return PREFIX + self.digits

    @property
    def directory(self) -> str:
        """Where its files lie in the file view."""
        return f"/{PLACE[0]}/{self.digits}"

    def told(self) -> Told:
        """Return it as it is answered."""
        return {
            "id": self.id, "type": "memory_store", "name": self.name, "description": self.description,
            "metadata": dict(self.metadata), "created_at": self.created_at, "updated_at": self.updated_at,
            "archived_at": self.archived_at,
        }  # fmt: skip


def create(manner: Manner, body: Any) -> Procedure[Told]:
    """Make a store."""
    new, at = body_of(NewStore, body), instant(now())
    store = Store(uuid4().hex, new.name, new.description, new.metadata, at, at, None)
    yield from _put(manner, store)
    return store.told()


def update(manner: Manner, store: Store, body: Any) -> Procedure[Told]:
    """Change what a store says of itself."""
    change = body_of(StoreChange, body)
    refuse_archived(store)
    merged = {**store.metadata, **(change.metadata or {})}
    metadata = {key: value for key, value in merged.items() if value is not None}
    if len(metadata) > MOST_METADATA:
        raise invalid(f"metadata: a store has at most {MOST_METADATA} pairs.")
    changed = replace(
        store,
        name=store.name if change.name is None else change.name,
        description=store.description if change.description is None else change.description,
        metadata=metadata,
    )
    if changed != store:
        changed = replace(changed, updated_at=instant(now()))
        yield from _put(manner, changed)
    return changed.told()


def list_stores(manner: Manner, query: Mapping[str, str]) -> Procedure[Told]:
    """Return a page of stores, the latest first."""
    is_asked_for = span_of(query)
    with_archived = choice(query, "include_archived", ("true", "false"), "false") == "true"
    rows = yield from ITEMS.find_all(manner, {"path": {"0": PLACE[0]}})
    stores = [_store(row) for row in rows if ITEMS.note_of(row)]
    found = [
        store for store in stores
        if (with_archived or store.archived_at is None)
        and is_asked_for(read_instant(store.created_at))
    ]  # fmt: skip
    placed = sorted((latest_first(store.created_at, store.digits), store.told()) for store in found)
    return page_of(placed, query)


def archive_store(manner: Manner, store: Store) -> Procedure[Told]:
    """Close a store for good: it is read, and no longer written."""
    if store.archived_at is None:
        at = instant(now())
        store = replace(store, archived_at=at, updated_at=at)
        yield from _put(manner, store)
    return store.told()


def delete(manner: Manner, store: Store) -> Procedure[Told]:
    """Archive a store and all its files: nothing of them is shown, and people may bring them back."""
    yield from files.delete(manner, store.directory)
    row = yield from ITEMS.find(manner, PLACE, store.digits)
    if row is not None:
        yield from archive(manner, row)
    return {"id": store.id, "type": "memory_store_deleted"}


def find(manner: Manner, store_id: str) -> Procedure[Store]:
    """Return the store with an id. Raises Wrong."""
    row = yield from ITEMS.find(manner, PLACE, uuid_of(store_id, PREFIX, "Memory store"))
    if row is None or not ITEMS.note_of(row):
        raise missing("Memory store", store_id)
    return _store(row)


def refuse_archived(store: Store) -> None:
    """Raise Wrong where a store is closed."""
    if store.archived_at is not None:
        raise invalid(f"The memory store {store.id} is archived, and is not written any more.")


def latest_first(created_at: str, digits: str) -> str:
    """Return a place that sorts the latest first: the digits of its moment, each taken from nine."""
    stamp = "".join(filter(str.isdigit, created_at)).ljust(20, "0")
    return "".join(str(9 - int(digit)) for digit in stamp) + digits


def _put(manner: Manner, store: Store) -> Procedure[None]:
    value = {key: one for key, one in vars(store).items() if key != "digits"}
    text = f"Memory store {store.name}. {store.description}".strip()
    yield from ITEMS.put(manner, PLACE, store.digits, {**value, "metadata": dict(store.metadata)}, text=text)


def _store(row: models.Memory) -> Store:
    note = ITEMS.note_of(row)
    return Store(digits=note["key"], **note["value"])
