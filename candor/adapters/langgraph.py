"""
LangGraph's store, kept by Candor: `pip install 'candor[langgraph]'`.

    from candor import Candor
    from candor.adapters.langgraph import CandorStore

    store = CandorStore(Candor())
    store.put(("users", "42"), "diet", {"text": "Rui eats no fish."})
    store.search(("users", "42"), query="what does Rui eat?")

What an item is, and how it is found, says `candor.adapters.items`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import operator as operators
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

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

from candor import models
from candor.adapters.items import Degraded, Items, archive, path_of
from candor.client import AsyncCandor, Candor
from candor.errors import Refused
from candor.wire.sending import Manner, Procedure

__all__ = ["CandorStore", "Copied", "Degraded", "copy_items"]

ITEMS: Final = Items("langgraph", "store")

PAGE: Final = 100
"""Items that are copied at a time."""


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
            found = yield from ITEMS.find(manner, op.namespace, op.key)
            if found is None:
                return None
            yield from self._refresh(manner, [found], op.refresh_ttl)
            return Item(**_columns(found))
        if isinstance(op, SearchOp):
            return (yield from self._search(manner, op))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._namespaces(manner, op))
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _search(self, manner: Manner, op: SearchOp) -> Procedure[list[SearchItem]]:
        wanted: dict[str, Any] = {"path": path_of(op.namespace_prefix)}
        if plain := {key: value for key, value in (op.filter or {}).items() if isinstance(value, str)}:
            wanted["value"] = plain
        most = op.offset + op.limit
        rows: dict[UUID, models.Memory] = {}
        scores: dict[UUID, float] = {}
        if op.query:
            scores = yield from ITEMS.recall(manner, op.query, wanted, most, strict=self._strict)
            rows = yield from ITEMS.get(manner, list(scores))
        if len(_wanted(rows.values(), op)) < most:
            # What recall shows once, or finds by no text, comes behind, without a score.
            everything = yield from ITEMS.find_all(manner, wanted)
            rows |= {row.id: row for row in everything if row.id not in rows}
        kept = _wanted(rows.values(), op)[op.offset : most]
        yield from self._refresh(manner, kept, op.refresh_ttl)
        return [SearchItem(**_columns(row), score=scores.get(row.id)) for row in kept]

    def _namespaces(self, manner: Manner, op: ListNamespacesOp) -> Procedure[list[tuple[str, ...]]]:
        conditions = op.match_conditions or ()
        prefix = next((one.path for one in conditions if one.match_type == "prefix"), ())
        rows = yield from ITEMS.find_all(manner, {"path": path_of(prefix)})
        found = {tuple(ITEMS.note_of(row)["namespace"]) for row in rows}
        found = {one for one in found if all(_fits(condition, one) for condition in conditions)}
        if op.max_depth is not None:
            found = {one[: op.max_depth] for one in found}
        return sorted(found)[op.offset : op.offset + op.limit]

    def _put(self, manner: Manner, op: PutOp) -> Procedure[None]:
        if op.value is None:
            found = yield from ITEMS.find(manner, op.namespace, op.key)
            if found is not None:
                yield from archive(manner, found)
            return
        value = dict(op.value)
        minutes = op.ttl if op.ttl is not None else (self.ttl_config or {}).get("default_ttl")
        text = _text(op, value, self._fields)
        yield from ITEMS.put(manner, op.namespace, op.key, value, text=text, ttl=minutes)

    def _refresh(
        self, manner: Manner, rows: Sequence[Any], refresh: bool | None
    ) -> Generator[Any, Any, None]:
        """Let items that were read live on, where that is wanted."""
        if refresh is None:
            refresh = (self.ttl_config or {}).get("refresh_on_read", True)
        if not refresh:
            return
        for row in rows:
            note = ITEMS.note_of(row)
            if note.get("ttl") is not None:
                put = PutOp(tuple(note["namespace"]), note["key"], note["value"], None, note["ttl"])
                yield from self._put(manner, put)


@dataclass(frozen=True)
class Copied:
    """What `copy_items` did: how many items came over, and what a gate refused, by namespace and key."""

    count: int
    refused: Mapping[tuple[tuple[str, ...], str], Refused]


def copy_items(source: BaseStore, target: CandorStore, *, prefix: tuple[str, ...] = ()) -> Copied:
    """
    Bring the items of any of LangGraph's stores into this one; run again, it changes nothing.

    prefix: of the namespaces that are copied. The source must stand still meanwhile.
    """
    count, refused = 0, dict[tuple[tuple[str, ...], str], Refused]()
    for offset in itertools.count(0, PAGE):
        items = source.search(prefix, limit=PAGE, offset=offset)
        for item in items:
            try:
                target.put(item.namespace, item.key, item.value)
            except Refused as error:
                refused[item.namespace, item.key] = error
            else:
                count += 1
        if len(items) < PAGE:
            break
    return Copied(count, refused)


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


def _wanted(rows: Iterable[models.Memory], op: SearchOp) -> list[models.Memory]:
    notes = [(row, ITEMS.note_of(row)) for row in rows]
    return [row for row, note in notes if note and _matches(note["value"], op.filter or {})]


def _columns(row: models.Memory) -> dict[str, Any]:
    note = ITEMS.note_of(row)
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
