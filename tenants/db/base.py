"""
Django's PostgreSQL back end, with two things of our own.

A pool that looks whether a connection has ended without asking the server: see `check_unless_silent`. And no
connection is kept that does not commit by itself any more: see `DatabaseWrapper.set_autocommit`.

# Note [A silent check]
The driver's own check is an empty query: a round trip before each request, a third of a millisecond on a
machine whose cores are busy. A connection that waits in the pool has nothing to tell. Where its socket can be
read all the same, the server has ended it or says that it will: then the driver's own check has the word.
"""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

from tenants.db.statement_batch import Trip
from tenants.db.statement_spans import tell_statements
from tenants.telemetry.tracing import is_listening


def check_unless_silent(driver: psycopg.Connection[Any]) -> None:
    """
    Return if the connection has not ended. Raises psycopg's error when it has; the pool opens another.

    See Note [A silent check].
    """
    poll = select.poll()
    poll.register(driver.fileno(), select.POLLIN)
    if poll.poll(0):
        ConnectionPool.check_connection(driver)


def _tell(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    """Run a statement and tell it. Of a round trip its sender tells: the driver is not asked yet here."""
    if not is_listening() or isinstance(context["cursor"].cursor, Trip):
        return execute(sql, params, many, context)
    return tell_statements([str(sql)], lambda: execute(sql, params, many, context))


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with both; and each statement is told as a span where anybody listens."""

    def __init__(self, *args: Any, **how: Any) -> None:
        """Prepare; nothing is opened yet."""
        super().__init__(*args, **how)
        self.execute_wrappers.append(_tell)

    @property
    def pool(self) -> Any:
        """Return the pool, or None where none is asked for."""
        pool = super().pool
        if pool is not None and pool._check is not None:
            pool._check = check_unless_silent
        return pool

    def set_autocommit(self, autocommit: bool, *args: Any, **how: Any) -> None:
        """
        Begin or end a transaction's mode as Django does; where that fails, let the connection go.

        Kept as it is, Django would take the thread's next unit of work for a part of its caller's
        transaction: it would run, end without an error, and never be committed.
        """
        try:
            super().set_autocommit(autocommit, *args, **how)
        except BaseException:
            if not self.in_atomic_block:
                self.close()
            raise
