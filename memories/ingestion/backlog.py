"""How much may wait: a tenant whose captures nobody can keep up with is asked to come again (SPEC O-04)."""

from typing import Final

from django.conf import settings

from memories.queries import run

WAIT_SECONDS: Final = 10
"""When to try again: two sweeps, in which workers take some hundreds of captures from a full backlog."""


PASSAGE_BYTES: Final = 750
"""Of a passage, which has 500 to 1 000 characters; in other scripts more is counted than comes."""


class BacklogFull(RuntimeError):
    """Too many captures of this tenant wait to be worked on. Nothing was kept of this one: send it again."""


def require_room() -> None:
    """
    Raise BacklogFull when as many captures of the tenant wait as may; exact under the CAPTURE lock.

    A document is taken whole: with the last free place it may go beyond by its passages, and until it is cut
    it counts as about as many as it will bring.
    """
    if run("find_last_place", most=settings.TENANT_BACKLOG, passage_bytes=PASSAGE_BYTES):
        raise BacklogFull(BacklogFull.__doc__)
