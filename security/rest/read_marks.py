"""
Note how high was read, by whatever door (SPEC S-01: no write down).

# Note [Every answer is looked through]
What is shown of a class says so in a field. So each answer is looked through for it as it leaves, and the
highest is noted for the session that the request names in the header `Candor-Session`, and for the person it
is for. A read that names no session is noted nowhere: what is written of it is held by what it cites.
A door that shows content without its class would leave no mark: a test opens every one of
them. What is noted is `memories`' table, written by a function of the database; here it is only called.
"""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from django.db import connection

from security.classification import Classification
from security.screening.secrets import redact
from tenants.scope import Viewer, unit_of_work

HEADER: Final = "Candor-Session"

LONGEST_SESSION: Final = 200

MAY_LOWER: Final = "declassify"

_MARK: Final = "SELECT candor_mark_read_v2(%s::uuid, %s::uuid, %s::text, %s::text, %s::text, %s::smallint)"

_FIELDS: Final = frozenset({"classification", "former"})
"""Fields of an answer that tell of which class something is, or was when it was asked about."""

_RANKS: Final = {rank.label: int(rank) for rank in Classification}


def classes_shown(body: Any) -> frozenset[int]:
    """Return the classes that an answer's body shows, but for what is public."""
    return frozenset(_classes(body)) - {0}


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


def kind_of_read(path: str) -> str:
    """Return the sort of read by its address: «memories», «entities» …"""
    return path.removeprefix("/api/v1/").partition("/")[0]


def named_session(header: str) -> str:
    """Return the session that a header names, decoded and without secrets, as captures name theirs."""
    return plain_session(unquote(header))


def plain_session(name: str) -> str:
    """Return a session's name without secrets, as captures name theirs."""
    return redact(name).text.replace("\0", "")[:LONGEST_SESSION]


def mark_read(viewer: Viewer, rank: int, *, session: str, person: str, kind: str) -> None:
    """
    Note that the viewer was shown what is of this class; in a unit of work of its own.

    kind: the sort of read, as the address names what was read.

    A key of no agent that may write down marks nobody but itself, so nothing is noted for it.
    """
    if rank < 1 or not session or viewer.key_id is None:
        return
    if viewer.agent_id is None and MAY_LOWER in viewer.scopes:
        return
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute(_MARK, [viewer.agent_id, viewer.key_id, session, person, kind, rank])
