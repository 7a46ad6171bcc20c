"""
LangGraph's store, kept by Candor: `pip install 'candor[langgraph]'`.

    from candor import Candor
    from candor.adapters.langgraph import CandorStore

    store = CandorStore(Candor())
    store.put(("users", "42"), "diet", {"text": "Rui eats no fish."})
    store.search(("users", "42"), query="what does Rui eat?")

An item is a memory that the agent writes: it passes every gate, has the agent's origin and trust, is ranked
and explained like any other, and a later value supersedes the one before, which stays in its history. A put
can be refused: `candor.Refused` says which gate and why. A deleted item is archived.

# Note [How an item is found]
A memory names its namespace and key in its metadata, and is that state of that entity by digests of both, so
that no spelling brings two together. A namespace's prefix is found by `path`: its labels by their places.
"""

from __future__ import annotations

import asyncio
import json
import operator as operators
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from candor import models, requests
from candor.binding import Page, following
from candor.call import Call
from candor.client import AsyncCandor, Candor
from candor.errors import CandorError, NotFound
from candor.procedures import WIDTH
from candor.sending import Manner, Procedure, Together, perform

NOTE: Final = "langgraph"
"""The metadata key under which a memory says which item it is."""

KIND: Final = "working_state"

AT_ONCE: Final = 100
"""Memories asked for at a time."""

MOST_RECALLED: Final = 50
"""Most results of one recall; a search by meaning reaches no further."""


class Degraded(CandorError):
    """A search was answered by part of the service: what is missing proves nothing. Ask again."""


class CandorStore(BaseStore):
    """
    A store whose items are Candor's memories.

    client: for `batch` and what is not awaited. async_client: for `abatch`; without it the client works in a
    thread. ttl: LangGraph's configuration; an item without a time to live of its own has `default_ttl`, in
    minutes, and one that is read lives on from then unless `refresh_on_read` is false. fields: what of a
    value is its text, by LangGraph's paths; default: all of it. strict: raise Degraded where a channel of a
    search was out, rather than return what there is.
    """

    supports_ttl = True

    def __init__(
        self,
        client: Candor | None = None,
        async_client: AsyncCandor | None = None,
        *,
        ttl: TTLConfig | None = None,
        fields: Sequence[str] | None = None,
        strict: bool = False,
    ) -> None:
        self._client = client or (Candor() if async_client is None else None)
        self._async_client = async_client
        self._strict = strict
        self._fields = fields
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations; results come in their order. Of puts to one item the last counts."""
        if self._client is None:
            raise RuntimeError("This store has an AsyncCandor only: use abatch, aget, aput, asearch.")
        return self._client._run(self._carry_out(self._client._manner, list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same, awaited."""
        if self._async_client is None:
            return await asyncio.to_thread(self.batch, list(ops))
        return await self._async_client._run(self._carry_out(self._async_client._manner, list(ops)))

    def _carry_out(self, manner: Manner, ops: Sequence[Op]) -> Procedure[list[Result]]:
        results: list[Result] = []
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in ops:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
                results.append(None)
            else:
                results.append((yield from self._read(manner, op)))
        for op in puts.values():
            yield from self._put(manner, op)
        return results

    def _read(self, manner: Manner, op: Op) -> Procedure[Result]:
        if isinstance(op, GetOp):
            found = yield from self._find(manner, op.namespace, op.key)
            if found is None:
                return None
            yield from self._refresh(manner, [found], op.refresh_ttl)
            return Item(**_columns(found))
        if isinstance(op, SearchOp):
            return (yield from self._search(manner, op))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._namespaces(manner, op))
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _find(self, manner: Manner, namespace: tuple[str, ...], key: str) -> Procedure[models.Memory | None]:
        entity, concept = _keys(namespace, key)
        call = requests.list_memories(entity_key=entity, concept_key=concept, valid_at=_now(), limit=1)
        page = yield from perform(call, manner)
        return page.results[0] if page.results else None

    def _all(self, manner: Manner, wanted: Mapping[str, Any]) -> Procedure[list[models.Memory]]:
        """Return every item that holds this, the last written first."""
        rows: list[models.Memory] = []
        call: Call[Page[models.Memory]] | None = requests.list_memories(
            metadata=json.dumps({NOTE: wanted}), valid_at=_now(), limit=AT_ONCE
        )
        while call is not None:
            page = yield from perform(call, manner)
            rows += page.results
            call = following(call, page)
        return rows

    def _search(self, manner: Manner, op: SearchOp) -> Procedure[list[SearchItem]]:
        wanted: dict[str, Any] = {"path": _path(op.namespace_prefix)}
        if plain := {key: value for key, value in (op.filter or {}).items() if isinstance(value, str)}:
            wanted["value"] = plain
        most = op.offset + op.limit
        rows: dict[UUID, models.Memory] = {}
        scores: dict[UUID, float] = {}
        if op.query:
            scores = yield from self._recall(manner, op.query, wanted, most)
            rows = yield from self._get(manner, list(scores))
        if len(_wanted(rows.values(), op)) < most:
            # What recall shows once, or finds by no text, comes behind, without a score.
            everything = yield from self._all(manner, wanted)
            rows |= {row.id: row for row in everything if row.id not in rows}
        kept = _wanted(rows.values(), op)[op.offset : most]
        yield from self._refresh(manner, kept, op.refresh_ttl)
        return [SearchItem(**_columns(row), score=scores.get(row.id)) for row in kept]

    def _recall(
        self, manner: Manner, query: str, wanted: Mapping[str, Any], most: int
    ) -> Procedure[dict[UUID, float]]:
        """Return the scores of what answers best, best first. Raises Degraded, if that is wanted."""
        where = {"metadata": {NOTE: wanted}}
        call = requests.recall(query, k=max(1, min(MOST_RECALLED, most)), where=where, min_relevance=0)
        answer = yield from perform(call, manner)
        if answer.degraded and self._strict:
            raise Degraded(f"{Degraded.__doc__} Out: {', '.join(answer.degraded)}.")
        return {row.id: row.score for row in answer.results}

    def _get(self, manner: Manner, ids: Sequence[UUID]) -> Procedure[dict[UUID, models.Memory]]:
        got = yield Together([_one(manner, one) for one in ids], WIDTH)
        return {row.id: row for row in got if row is not None}

    def _namespaces(self, manner: Manner, op: ListNamespacesOp) -> Procedure[list[tuple[str, ...]]]:
        conditions = op.match_conditions or ()
        prefix = next((one.path for one in conditions if one.match_type == "prefix"), ())
        rows = yield from self._all(manner, {"path": _path(prefix)})
        found = {tuple(_note(row)["namespace"]) for row in rows}
        found = {one for one in found if all(_fits(condition, one) for condition in conditions)}
        if op.max_depth is not None:
            found = {one[: op.max_depth] for one in found}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _put(self, manner: Manner, op: PutOp) -> Procedure[None]:
        if op.value is None:
            found = yield from self._find(manner, op.namespace, op.key)
            if found is not None:
                yield from _archive(manner, found)
            return
        entity, concept = _keys(op.namespace, op.key)
        value = dict(op.value)
        minutes = op.ttl if op.ttl is not None else (self.ttl_config or {}).get("default_ttl")
        note = {
            "namespace": list(op.namespace), "path": _path(op.namespace), "key": op.key, "value": value,
            "ttl": minutes,
        }  # fmt: skip
        until: dict[str, Any] = (
            {} if minutes is None else {"valid_until": _minute() + timedelta(minutes=minutes)}
        )
        call = requests.create_memory(
            _text(op, value, self._fields), KIND, entity_key=entity, concept_key=concept,
            value=_digest([value, until]), cardinality="single", metadata={NOTE: note}, **until,
        )  # fmt: skip
        yield from perform(call, manner)

    def _refresh(
        self, manner: Manner, rows: Sequence[Any], refresh: bool | None
    ) -> Generator[Any, Any, None]:
        """Let items that were read live on, where that is wanted."""
        if refresh is None:
            refresh = (self.ttl_config or {}).get("refresh_on_read", True)
        if not refresh:
            return
        for row in rows:
            note = _note(row)
            if note.get("ttl") is not None:
                put = PutOp(tuple(note["namespace"]), note["key"], note["value"], None, note["ttl"])
                yield from self._put(manner, put)


def _archive(manner: Manner, row: models.Memory) -> Procedure[None]:
    """Archive a memory as an agent may: recalled in this session, by the hash of what it was shown."""
    session = f"store {uuid4()}"
    where = {"entity_key": row.entity_key, "concept_key": row.concept_key}
    asked = requests.recall(row.content, k=1, where=where, session=session, min_relevance=0)
    yield from perform(asked, manner)
    shown = yield from perform(requests.archive_memory(row.id, session=session), manner)
    yield from perform(requests.archive_memory(row.id, session=session, hash=shown.hash), manner)


def _one(manner: Manner, memory: UUID) -> Procedure[models.Memory | None]:
    try:
        return (yield from perform(requests.get_memory(memory), manner))
    except NotFound:  # since it was found
        return None


def _keys(namespace: tuple[str, ...], key: str) -> tuple[str, str]:
    """Return the entity and the concept that an item is a state of."""
    return f"store {_digest(list(namespace))}", f"item {_digest(key)}"


def _digest(of: Any) -> str:
    return sha256(json.dumps(of, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _path(labels: Sequence[str]) -> dict[str, str]:
    """Return labels by their places; a wildcard is any."""
    return {str(place): label for place, label in enumerate(labels) if label != "*"}


def _text(op: PutOp, value: Mapping[str, Any], fields: Sequence[str] | None) -> str:
    """Return what an item says, by which it is found; of one that is not to be found, its name."""
    name = f"{op.key} ({' / '.join(op.namespace)})"
    if op.index is False:
        return name
    paths = op.index or fields
    if paths:
        told = [text for path in paths for text in get_text_at_path(dict(value), tokenize_path(path))]
        return "\n".join(told) or name
    texts = [one for one in value.values() if isinstance(one, str)]
    if len(texts) == len(value) == 1:
        return texts[0]
    return json.dumps(value, ensure_ascii=False, default=str)


def _note(row: models.Memory) -> dict[str, Any]:
    """Return what a memory says of its item; empty: it is none of ours."""
    note = (row.metadata or {}).get(NOTE)
    return note if isinstance(note, dict) and isinstance(note.get("value"), dict) else {}


def _wanted(rows: Iterable[models.Memory], op: SearchOp) -> list[models.Memory]:
    notes = [(row, _note(row)) for row in rows]
    return [row for row, note in notes if note and _matches(note["value"], op.filter or {})]


def _columns(row: models.Memory) -> dict[str, Any]:
    note = _note(row)
    return {
        "namespace": tuple(note["namespace"]), "key": note["key"], "value": note["value"],
        "created_at": row.created_at, "updated_at": row.created_at,
    }  # fmt: skip


def _fits(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return not path or all(wanted in ("*", label) for wanted, label in zip(path, part, strict=False))


def _matches(value: Any, wanted: Any) -> bool:
    """Compare as LangGraph's own stores do: operators, then objects key by key, then lists, then equality."""
    if isinstance(wanted, Mapping):
        if any(key.startswith("$") for key in wanted):
            return all(_holds(value, operator, bound) for operator, bound in wanted.items())
        return isinstance(value, Mapping) and all(
            _matches(value.get(key), one) for key, one in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(wanted)
            and all(_matches(one, other) for one, other in zip(value, wanted, strict=False))
        )
    return bool(value == wanted)


def _holds(value: Any, operator: str, bound: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return (value == bound) is (operator == "$eq")
    if operator not in _ORDER:
        raise ValueError(f"Unsupported operator: {operator}")
    try:
        return _ORDER[operator](float(value), float(bound))
    except (TypeError, ValueError):
        return False


_ORDER: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "$gt": operators.gt, "$gte": operators.ge, "$lt": operators.lt, "$lte": operators.le,
}  # fmt: skip


def _now() -> datetime:
    return datetime.now(timezone.utc)


def _minute() -> datetime:
    """Return the end of this minute: items that are read again within it have not changed."""
    return _now().replace(second=0, microsecond=0) + timedelta(minutes=1)
