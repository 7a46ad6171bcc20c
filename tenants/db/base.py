"""
A connection pool that looks whether a connection has ended, without asking the server.

The driver's own check is an empty query: a round trip before each request, a third of a millisecond on a
machine whose cores are busy. A connection that waits in the pool has nothing to tell. Where its socket can be
read all the same, the server has ended it or says that it will: then the driver's own check has the word.
"""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


def check_unless_silent(driver: psycopg.Connection[Any]) -> None:
    """Return if the connection has not ended. Raises psycopg's error when it has; the pool opens another."""
    poll = select.poll()
    poll.register(driver.fileno(), select.POLLIN)
    if poll.poll(0):
        ConnectionPool.check_connection(driver)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with that check."""

    @property
    def pool(self) -> Any:
        """Return the pool, or None where none is asked for."""
        pool = super().pool
        if pool is not None and pool._check is not None:
            pool._check = check_unless_silent
        return pool
