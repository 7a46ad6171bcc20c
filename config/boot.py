"""In production a process that would work on an unsafe database ends before it begins (SPEC T-02)."""

import sys

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from tenants.checks import UNREACHABLE, check_databases


def refuse_unsafe() -> None:
    """
    End this process with exit code 1 when the database's login, version or walls do not hold.

    One that cannot be reached is waited for: readiness says so until it is there. Only in production:
    elsewhere readiness alone says what is wrong, so that one can look around.
    """
    if not settings.PRODUCTION:
        return
    faults = [message for message in check_databases([DEFAULT_DB_ALIAS]) if message.is_serious()]
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()
    refused = [f"{message.id}: {message.msg}" for message in faults if message.id != UNREACHABLE]
    if refused:
        sys.exit("Candor does not start on this database. " + " ".join(refused))
