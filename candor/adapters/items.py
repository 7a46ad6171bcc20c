"""
The store view: keys and values that an agent writes, reads and deletes, each of them a memory.

An item is a state that the agent writes directly. It passes every gate, has the agent's origin and trust, is
ranked and explained like any other memory, and a later value supersedes the one before, which stays in its
history. A put can be refused: `candor.Refused` says which gate and why. A deleted item is archived.

# Note [How an item is found]
A memory names its namespace and key in its metadata, and is that state of that entity by digests of both, so
that no spelling brings two together. A namespace's prefix is found by `path`: its labels by their places.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from candor import models, requests
from candor.errors import CandorError, NotFound
from candor.procedures import WIDTH
from candor.wire.binding import Page, following
from candor.wire.call import Call
from candor.wire.sending import Manner, Procedure, Together, perform

KIND: Final = "working_state"

AT_ONCE: Final = 100
"""Memories asked for at a time."""

MOST_RECALLED: Final = 50
"""Most results of one recall; a search by meaning reaches no further."""


class Degraded(CandorError):
    """A search was answered by part of the service: what is missing proves nothing. Ask again."""


@dataclass(frozen=True)
class Items:
    """
    The items of one view; procedures, as in `candor.wire.sending`.

    note: the metadata key under which a memory says which item it is. entity: how their entities begin.
    """

    note: str
    entity: str

    def find(self, manner: Manner, namespace: Sequence[str], key: str) -> Procedure[models.Memory | None]:
        """Return the memory of an item, or None."""
        entity, concept = self._keys(namespace, key)
        call = requests.list_memories(entity_key=entity, concept_key=concept, valid_at=now(), limit=1)
        page = yield from perform(call, manner)
        return page.results[0] if page.results else None

    def find_all(self, manner: Manner, wanted: Mapping[str, Any]) -> Procedure[list[models.Memory]]:
        """Return every item whose note holds this, the last written first."""
        call = requests.list_memories(metadata=json.dumps({self.note: wanted}), valid_at=now(), limit=AT_ONCE)
        return (yield from _pages(manner, call))

    def versions(self, manner: Manner, namespace: Sequence[str], key: str) -> Procedure[list[models.Memory]]:
        """Return what an item was and is, the last first: superseded, archived or current."""
        entity, concept = self._keys(namespace, key)
        return (yield from self._all_versions(manner, entity_key=entity, concept_key=concept))

    def all_versions(self, manner: Manner, wanted: Mapping[str, Any]) -> Procedure[list[models.Memory]]:
        """Return every version of every item whose note holds this, as `versions` does."""
        return (yield from self._all_versions(manner, metadata=json.dumps({self.note: wanted})))

    def _all_versions(self, manner: Manner, **which: Any) -> Procedure[list[models.Memory]]:
        rows: list[models.Memory] = []
        for archived in (False, True):
            call = requests.list_memories(
                archived=archived, standing=["current", "superseded"], limit=AT_ONCE, **which
            )
            rows += yield from _pages(manner, call)
        return sorted(rows, key=lambda row: (row.created_at, row.id), reverse=True)

    def recall(
        self, manner: Manner, query: str, wanted: Mapping[str, Any], most: int, *, strict: bool = False
    ) -> Procedure[dict[UUID, float]]:
        """Return the scores of what answers best, best first. Raises Degraded, if that is wanted."""
        where = {"metadata": {self.note: wanted}}
        call = requests.recall(query, k=max(1, min(MOST_RECALLED, most)), where=where, min_relevance=0)
        answer = yield from perform(call, manner)
        if answer.degraded and strict:
            raise Degraded(f"{Degraded.__doc__} Out: {', '.join(answer.degraded)}.")
        return {row.id: row.score for row in answer.results}

    def get(self, manner: Manner, ids: Sequence[UUID]) -> Procedure[dict[UUID, models.Memory]]:
        """Return memories by their ids, without those that are gone since they were found."""
        got = yield Together([_one(manner, one) for one in ids], WIDTH)
        return {row.id: row for row in got if row is not None}

    def put(
        self,
        manner: Manner,
        namespace: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        text: str,
        ttl: float | None = None,
    ) -> Procedure[models.Memory]:
        """
        Write an item, and return its memory.

        text: what it says, by which it is found. ttl: minutes that it lives. Raises Refused, where a gate
        keeps it from becoming memory.
        """
        entity, concept = self._keys(namespace, key)
        note = {
            "namespace": list(namespace), "path": path_of(namespace), "key": key, "value": dict(value),
            "ttl": ttl,
        }  # fmt: skip
        until: dict[str, Any] = {} if ttl is None else {"valid_until": _minute() + timedelta(minutes=ttl)}
        call = requests.create_memory(
            text, KIND, entity_key=entity, concept_key=concept, value=_digest([value, until]),
            cardinality="single", metadata={self.note: note}, **until,
        )  # fmt: skip
        return (yield from perform(call, manner)).memory

    def note_of(self, row: models.Memory) -> dict[str, Any]:
        """Return what a memory says of its item; empty: it is none of ours."""
        note = (row.metadata or {}).get(self.note)
        return note if isinstance(note, dict) and isinstance(note.get("value"), dict) else {}

    def _keys(self, namespace: Sequence[str], key: str) -> tuple[str, str]:
        """Return the entity and the concept that an item is a state of."""
        return f"{self.entity} {_digest(list(namespace))}", f"item {_digest(key)}"


def archive(manner: Manner, row: models.Memory) -> Procedure[None]:
    """Archive a memory as an agent may: recalled in this session, by the hash of what it was shown."""
    session = f"store {uuid4()}"
    where = {"entity_key": row.entity_key, "concept_key": row.concept_key}
    where = {name: key for name, key in where.items() if key is not None}
    asked = requests.recall(
        row.content, k=1 if where else MOST_RECALLED, where=where, session=session, min_relevance=0
    )
    yield from perform(asked, manner)
    shown = yield from perform(requests.archive_memory(row.id, session=session), manner)
    if not shown.archived:
        yield from perform(requests.archive_memory(row.id, session=session, hash=shown.hash), manner)


def archive_by_id(manner: Manner, memory_id: str) -> Procedure[None]:
    """Archive the memory with this id as an agent may. Raises NotFound."""
    yield from archive(manner, (yield from perform(requests.get_memory(memory_id), manner)))


def path_of(labels: Iterable[str]) -> dict[str, str]:
    """Return labels by their places; a wildcard is any."""
    return {str(place): label for place, label in enumerate(labels) if label != "*"}


def now() -> datetime:
    """Return the present, by which an item lives or not."""
    return datetime.now(timezone.utc)


def _pages(manner: Manner, first: Call[Page[models.Memory]]) -> Procedure[list[models.Memory]]:
    rows: list[models.Memory] = []
    call: Call[Page[models.Memory]] | None = first
    while call is not None:
        page = yield from perform(call, manner)
        rows += page.results
        call = following(call, page)
    return rows


def _one(manner: Manner, memory: UUID) -> Procedure[models.Memory | None]:
    try:
        return (yield from perform(requests.get_memory(memory), manner))
    except NotFound:  # since it was found
        return None


def _digest(of: Any) -> str:
    return sha256(json.dumps(of, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _minute() -> datetime:
    """Return the end of this minute: items that are read again within it have not changed."""
    return now().replace(second=0, microsecond=0) + timedelta(minutes=1)
