"""
Where the tenant's vectors are: which space is read, which are written (SPEC M-14).

# Note [One space for a question]
A vector may only be compared with those of its own space. Texts and questions are embedded before a
transaction, by the homes as this process last saw them; inside it the homes are read anew, under store's lock
or with a recall's first statement. Whoever finds others than it embedded for raises `HomesMoved`, nothing is
compared or written, and the caller embeds again. So a stale view costs one embedding and mixes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from memories.embedders import Embedder, get_embedder_of, space_of
from memories.models import VectorHome
from memories.queries import run
from tenants.models import new_id
from tenants.scope import tenant_in_force, unit_of_work
from tenants.sql import Queries

HOMES: Final = Queries(Path(__file__).parents[1] / "sql" / "homes.sql")

ACTIVE, BUILDING, KEPT = VectorHome.ACTIVE, VectorHome.BUILDING, VectorHome.KEPT


class HomesMoved(RuntimeError):
    """The tenant's vectors moved to another space after the text was embedded. Embed it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """One space on one shelf."""

    space: str
    shelf: int = 0  #: 0: shared by small tenants; n: a big tenant's own
    dimensions: int
    state: str = ACTIVE


_last_seen: Final[dict[UUID, tuple[Home, ...]]] = {}
"""Tenant → its homes when this process last looked: see Note [One space for a question]."""


def first_home() -> Home:
    """Return the home of a tenant that has none on record: the default embedder's space, shared."""
    space = space_of()
    return Home(space=space.name, dimensions=space.dimensions)


def read_homes() -> tuple[Home, ...]:
    """Return the homes of the tenant in force, the active one first, and remember them. Raises NoTenant."""
    return remember(_homes(run("read_homes")))


def _homes(rows: Iterable[Mapping[str, Any]]) -> tuple[Home, ...]:
    found = tuple(Home(**row) for row in rows)
    return found if found and found[0].state == ACTIVE else (first_home(), *found)


def remember(homes: tuple[Home, ...]) -> tuple[Home, ...]:
    """Note the homes of the tenant in force for what is embedded next, and return them."""
    tenant = tenant_in_force()
    if homes == (first_home(),):
        _last_seen.pop(tenant, None)  # as if never seen: most tenants take no room
    else:
        _last_seen[tenant] = homes
    return homes


def homes_in_sight() -> tuple[Home, ...]:
    """Return the homes as last seen, the active one first: what to embed for. They may have moved since."""
    return _last_seen.get(tenant_in_force()) or (first_home(),)


def active_embedder() -> Embedder:
    """Return the embedder of the space that the tenant in force reads, as last seen. Raises NoEmbedder."""
    return get_embedder_of(homes_in_sight()[0].space)


def other_embedders() -> tuple[Embedder, ...]:
    """Return those of the further spaces that the tenant in force writes, as last seen. Raises NoEmbedder."""
    homes = homes_in_sight()
    spaces = dict.fromkeys(home.space for home in homes if home.space != homes[0].space)
    return tuple(get_embedder_of(space) for space in spaces)


def look_at_homes() -> tuple[Home, ...]:
    """Read the homes in a transaction of their own."""
    with unit_of_work():
        return read_homes()


def settle_homes(*, now: datetime, found: Sequence[Mapping[str, Any]] | None = None) -> tuple[Home, ...]:
    """
    Return the homes that store has to write to; put on record where a tenant's first vector goes.

    To be called under store's lock, which every change of the homes takes, too. From then on the tenant's
    space is its own, whatever the default becomes. found: the rows of `read_homes`, if read already.
    """
    rows = run("read_homes") if found is None else found
    homes = _homes(rows)
    if len(homes) > len(rows):
        add_home(homes[0], now=now)
    return remember(homes)


def add_home(home: Home, *, now: datetime) -> None:
    """Put a home on record, unless the tenant has it."""
    HOMES.run(
        "add_home", id=new_id(), space=home.space, shelf=home.shelf, dimensions=home.dimensions,
        state=home.state, now=now,
    )  # fmt: skip
