"""
Move a tenant's vectors to another space or another shelf while everybody reads and writes (SPEC M-14).

The steps: `open_home`, from when on store writes to both; `fill_home`, killed and begun again at will;
`switch_home`, when nothing is lacking; then `roll_back`, or `drop_home` for the former one. Readers read
one home and never two, before the switch the former and after it the new one.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4

from memories.calibration import Pairing
from memories.candidates import told_text
from memories.embedders import Embedder, get_embedder_of
from memories.storage.neighbours import vector_text
from memories.vectors import (
    ACTIVE,
    BUILDING,
    HOMES,
    KEPT,
    Home,
    add_home,
    read_homes,
    settle_homes,
)
from security import audit
from tenants.scope import tenant_in_force, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

BATCH: Final = 200
"""Memories of one transaction of filling: some 0.1 s in which no other may store in the tenant."""

OWN_SHELF_FROM: Final = 50_000
"""Live memories from which a tenant is due for its own shelf: exact search takes 23 ms."""

LEASE_SECONDS: Final = 120
"""How long a batch may take before another process may go on in its place."""

PAIRINGS: Final[tuple[Pairing, ...]] = ("passage-passage", "query-passage", "query-turn")


class CannotMove(RuntimeError):
    """The tenant's vectors cannot be moved now. The message says why and what to do."""


class LeaseLost(RuntimeError):
    """Another process fills this home. Nothing more is written here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """How far a home is from holding all that the active one holds."""

    vectors: int  #: in the active home
    lacking: int  #: of these, how many memories have none in the other


def open_home(home: Home, *, now: datetime) -> Home:
    """
    Begin to move to a home: what is stored from now on is written to it, too. Safe to repeat.

    Raises CannotMove: it is the active one, another one is being filled, or its space cannot be used.
    """
    _check_space(home.space)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        homes = settle_homes(now=now)
        found = find_home(homes, home.space, home.shelf)
        others = [one for one in homes if one.state != ACTIVE and one != found]
        if found is not None and found.state == ACTIVE:
            raise CannotMove(f"The tenant reads {home.space} on shelf {home.shelf} already.")
        if others:
            raise CannotMove(
                f"{others[0].space} on shelf {others[0].shelf} stands beside it: drop that first."
            )
        if found is None and _has_vectors(home):
            raise CannotMove(
                f"Vectors of a former home are left in {home.space} on shelf {home.shelf}: drop it."
            )
        if found is None:
            add_home(replace(home, state=BUILDING), now=now)
        elif found.state == KEPT:
            _set_state(found, BUILDING)
        if found is None or found.state == KEPT:
            _note("vectors.open", home, now=now)
        read_homes()
        return replace(home, state=BUILDING)


def _check_space(space: str) -> None:
    """Make sure that there is an embedder with similarity tables: cosines of others say nothing."""
    embedder = get_embedder_of(space)
    for pairing in PAIRINGS:
        embedder.calibration(pairing)


def fill_home(*, batch: int = BATCH) -> Generator[int, None, None]:
    """
    Fill the tenant's home that is being built, and yield how many vectors each batch wrote.

    Ends when nothing was lacking; stopped or killed in between it goes on where it stood. Raises CannotMove
    when another process fills it or none is being built, LeaseLost when one took over.
    """
    token = uuid4()
    try:
        while (written := _fill_batch(token, batch)) is not None:
            yield written
    finally:
        with unit_of_work():
            HOMES.run("end_lease", token=token)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    active: Home
    home: Home
    memories: list[UUID]
    texts: list[dict[str, Any]]  #: only where another space needs them


def _fill_batch(token: UUID, most: int) -> int | None:
    """Find what is lacking, embed it, write it; None when nothing is."""
    found = _find_batch(token, most)
    if not found.memories:
        return None
    place: dict[str, Any] = {"space": found.home.space, "shelf": found.home.shelf}
    made = _embed(found.texts, get_embedder_of(found.home.space)) if found.texts else {}
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        if found.home.space == found.active.space:
            rows = HOMES.run(
                "copy_vectors", memories=found.memories, active_shelf=found.active.shelf, **place
            )
        else:
            rows = HOMES.run("add_vectors", **made, **place)
        written = int(rows[0]["written"])
        if not HOMES.run("note_filled", token=token, filled_to=found.memories[-1], written=written):
            raise LeaseLost(LeaseLost.__doc__)
    return written


def _find_batch(token: UUID, most: int) -> _Batch:
    """Take or keep the lease; return the next memories that lack a vector, from the start after the last."""
    with unit_of_work():
        leased = HOMES.run("lease_home", token=token, seconds=LEASE_SECONDS)
        if not leased:
            raise CannotMove("No home is being filled here, or another process fills it already.")
        row = leased[0]
        active = read_homes()[0]
        home = Home(space=row["space"], shelf=row["shelf"], dimensions=row["dimensions"], state=BUILDING)
        places = {"after": row["filled_to"], "most": most, **_between(active, home)}
        lacking = HOMES.run("find_lacking", **places)
        if not lacking and row["filled_to"] is not None:
            lacking = HOMES.run("find_lacking", **places | {"after": None})
        memories = [one["memory_id"] for one in lacking]
        is_other = home.space != active.space
        texts = HOMES.run("read_texts", memories=memories) if is_other and memories else []
    return _Batch(active=active, home=home, memories=memories, texts=texts)


def _embed(texts: list[dict[str, Any]], embedder: Embedder) -> dict[str, Any]:
    """Return the vectors of stored texts with what they were made of, as `add_vectors` takes them."""
    told = [
        told_text(
            row["content"], kind=row["kind"], speaker=row["speaker"], said_at=row["effective_at"],
            zone=row["zone"], title=row["title"],
        )
        for row in texts
    ]  # fmt: skip
    return {
        "memories": [row["id"] for row in texts],
        "versions": [row["version"] for row in texts],
        "vectors": [vector_text(vector) for vector in embedder.embed_passages(told)],
    }


def count_lacking(space: str, shelf: int) -> Lacking:
    """Return how much a home lacks of what the active one has."""
    with unit_of_work():
        return _count_lacking(read_homes()[0], space, shelf)


def switch_home(*, now: datetime, reason: str = "") -> Home:
    """
    Let everybody read the home that was being filled; the former one is kept and still written.

    Raises CannotMove when none is being filled or a memory lacks a vector there: fill it again, then.
    """
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        homes = read_homes()
        new = next((one for one in homes if one.state == BUILDING), None)
        if new is None:
            raise CannotMove("No home is being filled, so there is nothing to switch to.")
        return _exchange(homes[0], new, "vectors.switch", now=now, reason=reason)


def roll_back(*, now: datetime, reason: str = "") -> Home:
    """
    Let everybody read the former home again; the other one is kept and still written.

    One call, at once: the former one never ceased to be written. Raises CannotMove when none is kept.
    """
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        homes = read_homes()
        former = next((one for one in homes if one.state == KEPT), None)
        if former is None:
            raise CannotMove("No former home is kept, so there is no way back.")
        return _exchange(homes[0], former, "vectors.roll_back", now=now, reason=reason)


def _exchange(active: Home, other: Home, action: str, *, now: datetime, reason: str) -> Home:
    lack = _count_lacking(active, other.space, other.shelf)
    if lack.lacking:
        raise CannotMove(f"{lack.lacking} of {lack.vectors} memories have no vector there yet.")
    _set_state(active, KEPT)
    _set_state(other, ACTIVE)
    _note(action, other, now=now, reason=reason, former=active.space, former_shelf=active.shelf)
    return read_homes()[0]


def drop_home(space: str, shelf: int, *, now: datetime, batch: int = 2_000) -> int:
    """
    Give a home up that nobody reads, and delete its vectors in batches; return how many there were.

    Killed in between, it is called again. Raises CannotMove when it is the active one.
    """
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        homes = read_homes()
        if (homes[0].space, homes[0].shelf) == (space, shelf):
            raise CannotMove(f"The tenant reads {space} on shelf {shelf}: switch to another home first.")
        if (found := find_home(homes, space, shelf)) is not None:
            HOMES.run("drop_home", space=space, shelf=shelf)
            _note("vectors.drop", found, now=now)
            read_homes()
    gone = 0
    while True:
        with unit_of_work():
            last = int(HOMES.run("delete_vectors", space=space, shelf=shelf, most=batch)[0]["gone"])
        gone += last
        if last < batch:
            return gone


def is_due_for_shelf() -> bool:
    """Tell whether the tenant has grown so big that its vectors are better off on a shelf of their own."""
    with unit_of_work():
        return int(HOMES.run("count_memories")[0]["documents"]) >= OWN_SHELF_FROM


def find_home(homes: tuple[Home, ...], space: str, shelf: int) -> Home | None:
    """Return the home in this place, or None."""
    return next((one for one in homes if (one.space, one.shelf) == (space, shelf)), None)


def _has_vectors(home: Home) -> bool:
    """Tell whether vectors lie in a place that is no home: nobody wrote them on, so they may be stale."""
    return bool(HOMES.run("count_vectors", space=home.space, shelf=home.shelf)[0]["vectors"])


def _set_state(home: Home, state: str) -> None:
    HOMES.run("set_state", space=home.space, shelf=home.shelf, state=state)


def _count_lacking(active: Home, space: str, shelf: int) -> Lacking:
    other = Home(space=space, shelf=shelf, dimensions=active.dimensions)
    row = HOMES.run("count_lacking", **_between(active, other))[0]
    return Lacking(vectors=int(row["vectors"]), lacking=int(row["lacking"]))


def _between(active: Home, other: Home) -> dict[str, Any]:
    return {
        "active_space": active.space, "active_shelf": active.shelf, "space": other.space,
        "shelf": other.shelf,
    }  # fmt: skip


def _note(action: str, home: Home, *, now: datetime, reason: str = "", **detail: Any) -> None:
    audit.append(
        action, object_type="tenant", object_id=tenant_in_force(), now=now, reason=reason,
        detail={"space": home.space, "shelf": home.shelf, **detail},
    )  # fmt: skip
