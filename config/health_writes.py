"""Can PostgreSQL write, and has the home room? (SPEC O-03)"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction

KEPT_SECONDS: Final = 5.0
"""How long a look is kept: the probe writes, and anybody may ask for it."""

FULL: Final = "53100"
"""SQLSTATE disk_full."""

_STATE: Final = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean"

_SPILL: Final = (
    "SELECT count(*) FROM (SELECT repeat(md5(n::text), 8) AS filler FROM generate_series(1, 4000) AS g (n) "
    "ORDER BY filler OFFSET 0) AS sorted"
)
"""A sort of a megabyte in 64 kB of memory: it goes to a file of the server's, and touches no row of ours."""

_LOGGED: Final = "SELECT pg_logical_emit_message(true, 'candor', 'ready')"
"""A record of the write-ahead log, so that the commit has to reach the disk; nobody reads it."""


class Kept:
    """The faults that a look found, kept for some seconds; safe to use from several threads."""

    def __init__(self, look: Callable[[], list[str]]) -> None:
        self._look = look
        self._lock = Lock()
        self._until = 0.0
        self._faults: list[str] = []

    def __call__(self) -> list[str]:
        """Return the faults; who comes while another one looks waits for what they find."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._faults = self._look()
                self._until = time.monotonic() + KEPT_SECONDS
            return list(self._faults)

    def forget(self) -> None:
        """Look again at the next call."""
        self._until = 0.0


def _look_at_writes() -> list[str]:
    """Return `read_only`, `full` or `refused` when a transaction that writes does not come through."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_STATE)
            if cursor.fetchone()[0]:
                return ["read_only"]
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute(_SPILL)
            cursor.execute(_LOGGED)
    except DatabaseError as error:
        return ["full" if getattr(error.__cause__, "sqlstate", None) == FULL else "refused"]
    return []


def _look_at_disk() -> list[str]:
    """Return `low` while a place where the service keeps files has less room than the setting asks for."""
    places = {settings.AUDIT_DIR, settings.AUDIT_KEY_FILE.parent}
    return ["low"] if min(map(_free_bytes, places)) < settings.LEAST_FREE_BYTES else []


def _free_bytes(place: Path) -> int:
    """Return what is free to us on the file system of a folder, or of the one it will be made in."""
    while not place.exists() and place != place.parent:
        place = place.parent
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize


writes: Final = Kept(_look_at_writes)
disk: Final = Kept(_look_at_disk)
