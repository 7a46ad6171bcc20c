"""
By what a question narrows the memories that it looks through: every axis of a memory (SPEC M-03).

It narrows before anything is found, ranked or cut off, beside what the viewer may see and never in its place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.language import concept_spelling, entity_spelling
from security.screening.secrets import redact_tree
from tenants.sql import Queries, to_json

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "where.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What memories must be like; what is left None or empty narrows nothing."""

    cards: tuple[str, ...] = ()
    provenances: tuple[str, ...] = ()
    classification: int | None = None
    agent_id: UUID | None = None
    shared: bool | None = None
    domain: str | None = None
    person: str | None = None  #: the end user whose own they are
    layer: str | None = None
    session: str | None = None  #: in which they were said
    speaker: str | None = None
    capture_id: UUID | None = None
    document_id: UUID | None = None
    concept_key: str | None = None  #: in any spelling
    entity_key: str | None = None
    value: str | None = None
    cardinality: str | None = None
    entities: tuple[str, ...] = ()  #: every one of them
    metadata: str | None = None  #: JSON: what their own holds, among other things
    trust_from: float | None = None
    trust_to: float | None = None
    importance_from: int | None = None
    created_from: datetime | None = None  #: from here on; all that end in `to`: before it
    created_to: datetime | None = None
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    effective_from: datetime | None = None
    effective_to: datetime | None = None
    verified_before: datetime | None = None
    linked_to: UUID | None = None  #: a memory that they are linked with, either way
    named: Mapping[str, Any] = field(init=False, repr=False, compare=False)  #: what narrows, by name

    def __post_init__(self) -> None:
        # Read once: every recall asks several times, and nearly none is narrowed.
        told = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        named = {name: value for name, value in told.items() if value is not None and value != ()}
        object.__setattr__(self, "named", named)

    def __bool__(self) -> bool:
        """Return whether it narrows anything."""
        return bool(self.named)

    @property
    def condition(self) -> str:
        """A further condition on memory m, to stand behind another; empty: none."""
        return "".join(f"\n  AND {_SQL[name].rstrip().removesuffix(';')}" for name in self.named)

    def parameters(self) -> dict[str, Any]:
        """Return the values of `condition` by their names there."""
        spelled: Mapping[str, Any] = {
            "concept_key": concept_spelling(self.concept_key) or "",
            "entity_key": entity_spelling(self.entity_key) or "",
            "cards": list(self.cards),
            "provenances": list(self.provenances),
            "entities": list(self.entities),
        }
        return {f"where_{name}": spelled.get(name, value) for name, value in self.named.items()}


EVERYTHING: Final = Where()
_TYPES: Final = {one.name: one.type for one in fields(Where) if one.init}


def where_to_json(where: Where) -> dict[str, Any]:
    """Return it as a recall keeps it, without secrets."""
    return dict(redact_tree({name: _written(value) for name, value in where.named.items()}).value)


def where_from_json(kept: Mapping[str, Any]) -> Where:
    """Return what `where_to_json` told of."""
    return Where(**{name: _read(_TYPES[name], value) for name, value in kept.items() if name in _TYPES})


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, UUID) else value


def _read(kind: Any, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if kind == datetime | None:
        return datetime.fromisoformat(value)
    return UUID(value) if kind == UUID | None else value


def own_metadata(metadata: Mapping[str, Any]) -> str:
    """Return metadata as `Where` takes it."""
    return to_json(dict(metadata))
