"""A fact with the handle that it is bound to, and the statements on both (SPEC E-07, E-09)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from memories.domain import Handle
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "watermarks.sql", prepared=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A fact that is bound to a handle that was reported."""

    memory_id: UUID
    handle: Handle
    value: str  #: digest with which the fact is known to hold
    seen: str  #: digest that was reported last
    reported: str  #: digest that is reported now
    classification: int
