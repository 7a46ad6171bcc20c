"""Move a tenant's vectors to a shelf of its own and back, in one go that may be killed and begun again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.storage.reindex import count_lacking, drop_home, fill_home, open_home, switch_home
from memories.vectors import (
    BUILDING,
    Home,
    build_index,
    count_frequent_terms,
    drop_leaf,
    find_leaf,
    look_at_homes,
    make_leaf,
    tidy_leaf,
)
from tenants.scope import tenant_in_force

MOST_ROUNDS: Final = 5
"""Times filling is gone back to when something was lacking at the switch."""

Say = Callable[[str], None]
Check = Callable[[Home, Home], None]
"""Called with the active home and the one to switch to, before the switch; raises CannotMove against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a move has to do: from which home to which space, on a shelf of its own or the shared one."""

    active: Home
    space: str
    dimensions: int
    own_shelf: bool
    vectors: int  #: in the active home


def plan_move(space: str, dimensions: int, *, own_shelf: bool) -> Move:
    """Return what a move would do; changes nothing."""
    active = look_at_homes()[0]
    vectors = count_lacking(active.space, active.shelf).vectors
    return Move(active=active, space=space, dimensions=dimensions, own_shelf=own_shelf, vectors=vectors)


def prepare_home(move: Move, *, now: datetime, say: Say) -> Home:
    """
    Return the home to move to, filled, indexed and read by nobody yet.

    Every step finds what is done already. Raises CannotMove.
    """
    shelf = make_leaf(tenant_in_force(), move.space) if move.own_shelf else 0
    home = open_home(Home(space=move.space, shelf=shelf, dimensions=move.dimensions, state=BUILDING), now=now)
    say(f"{home.space} on shelf {home.shelf} is written from now on")
    fill_up(move.vectors, say=say)
    if shelf:
        say("building the index")
        build_index(home)
        tidy_leaf(shelf)
        say("counting the frequent words")
        count_frequent_terms()
    return home


def fill_up(vectors: int, *, say: Say) -> int:
    """Fill the home that is being built and tell each tenth; return how many vectors were written."""
    written, told = 0, 0
    for part in fill_home():
        written += part
        if vectors and written * 10 // vectors > told:
            told = written * 10 // vectors
            say(f"{written} of {vectors} vectors")
    return written


def switch_when_whole(home: Home, check: Check, *, now: datetime, say: Say, reason: str = "") -> Home:
    """Switch to a home that was prepared, filling up what it lacks by now. Raises CannotMove."""
    check(look_at_homes()[0], home)
    for _ in range(MOST_ROUNDS - 1):
        if not count_lacking(home.space, home.shelf).lacking:
            break
        fill_up(0, say=say)
    return switch_home(now=now, reason=reason)


def clear_home(space: str, shelf: int, *, now: datetime) -> int:
    """Give a home up that nobody reads, with vectors and shelf; return how many vectors there were."""
    gone = drop_home(space, shelf, now=now)
    if shelf:
        drop_leaf(shelf)
    return gone


def move_to_shelf(*, now: datetime, say: Say, own_shelf: bool) -> Home:
    """
    Move the tenant's vectors, in the space they are in, to a shelf of its own or back to the shared one.

    Safe to call again after it was killed anywhere. Raises CannotMove.
    """
    homes = look_at_homes()
    active = homes[0]
    if bool(active.shelf) != own_shelf:
        move = plan_move(active.space, active.dimensions, own_shelf=own_shelf)
        switch_when_whole(prepare_home(move, now=now, say=say), _no_check, now=now, say=say)
        say("everybody reads the new place")
    left = _left_behind(own_shelf=own_shelf)
    if left is not None:
        clear_home(active.space, left, now=now)
        say("the former place is cleared")
    return look_at_homes()[0]


def _left_behind(*, own_shelf: bool) -> int | None:
    """Return the shelf that the tenant's vectors were moved from: the shared one, or one that was its own."""
    space = look_at_homes()[0].space
    return 0 if own_shelf else find_leaf(tenant_in_force(), space)


def _no_check(_active: Home, _new: Home) -> None:
    """A copy in the same space needs none."""
