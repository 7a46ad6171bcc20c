"""
Note how high was read, by whatever door (SPEC S-01: no write down).

# Note [Every answer is looked through]
What is shown of a class says so in a field. So each answer is looked through for it as it leaves, and the
highest is noted for the session that the request names in the header `Candor-Session`, or for all sessions of
whose key it is. A door that shows content without its class would leave no mark: a test opens every one of
them. What is noted is `memories`' table, written by a function of the database; here it is only called.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote
from uuid import UUID

from django.db import connection

from security.classification import Classification
from security.screening.secrets import redact
from tenants.scope import Viewer, unit_of_work

HEADER: Final = "Candor-Session"

LONGEST_SESSION: Final = 200

NOTED_SECONDS: Final = 300.0
"""How long a mark that this process has noted is not noted again; less than the database's ten minutes."""

MOST_NOTED: Final = 10_000

MAY_LOWER: Final = "declassify"

_FIELDS: Final = frozenset({"classification", "former"})
"""Fields of an answer that tell of which class something is, or was when it was asked about."""

_RANKS: Final = {rank.label: int(rank) for rank in Classification}

Place = tuple[UUID, UUID, str]
"""Tenant, whose session it is, and its name."""


class Noted:
    """What this process has noted lately; a mark never falls, so that it is known is always true."""

    def __init__(self) -> None:
        self._noted: OrderedDict[Place, tuple[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def covers(self, place: Place, rank: int, *, now: float) -> bool:
        """Tell whether this class or a higher one was noted there a moment ago."""
        with self._lock:
            known, at = self._noted.get(place, (0, 0.0))
        return known >= rank and now - at < NOTED_SECONDS

    def add(self, place: Place, rank: int, *, now: float) -> None:
        """Note it."""
        with self._lock:
            self._noted[place] = (rank, now)
            self._noted.move_to_end(place)
            while len(self._noted) > MOST_NOTED:
                self._noted.popitem(last=False)


_NOTED: Final = Noted()


def highest_class(body: Any) -> int:
    """Return the highest class that an answer's body shows, 0 where it shows none."""
    return max(_classes(body), default=0)


def _classes(body: Any) -> Iterator[int]:
    if isinstance(body, dict):
        for name, value in body.items():
            if name in _FIELDS and isinstance(value, str):
                yield _RANKS.get(value, 0)
            else:
                yield from _classes(value)
    elif isinstance(body, list | tuple):
        for one in body:
            yield from _classes(one)


def named_session(header: str) -> str:
    """Return the session that a request names, decoded and without secrets, as captures name theirs."""
    return redact(unquote(header)).text.replace("\0", "")[:LONGEST_SESSION]


def mark_read(viewer: Viewer, rank: int, *, session: str) -> None:
    """
    Note that the viewer was shown what is of this class; in a unit of work of its own.

    A key of no agent that may write down marks nobody but itself, so nothing is noted for it.
    """
    holder = viewer.agent_id or viewer.key_id
    if rank < 1 or viewer.key_id is None or holder is None:
        return
    if viewer.agent_id is None and MAY_LOWER in viewer.scopes:
        return
    place, now = (viewer.tenant_id, holder, session), time.monotonic()
    if _NOTED.covers(place, rank, now=now):
        return
    with unit_of_work(), connection.cursor() as cursor:
        params = [viewer.agent_id, viewer.key_id, session, rank]
        cursor.execute("SELECT candor_mark_read(%s::uuid, %s::uuid, %s::text, %s::smallint)", params)
    _NOTED.add(place, rank, now=now)
