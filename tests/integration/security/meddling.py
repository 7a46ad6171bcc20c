"""A superuser who changes what was written, with every guard of the database off, and puts it back."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.isolation.witness import breaking

TABLES = ("audit_event", "audit_link")


class Meddler:
    """Changes rows of the trail past triggers and constraints, and puts them back."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def run(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Any]:
        """Run a statement and return its rows, if it has any."""
        cursor = self._connection.execute(sql, params)
        return cursor.fetchall() if cursor.description else []

    def restore(self) -> None:
        """Put every row back as it was."""
        for table in TABLES:
            self.run(f"DELETE FROM {table}")
            self.run(f"INSERT INTO {table} SELECT * FROM aside.{table}")


@contextmanager
def meddling() -> Iterator[Meddler]:
    """Come in as a superuser; at the end everything is as it was."""
    with breaking() as connection:
        meddler = Meddler(connection)
        meddler.run("SET session_replication_role = replica")
        meddler.run("CREATE SCHEMA aside")
        try:
            for table in TABLES:
                meddler.run(f"CREATE TABLE aside.{table} AS TABLE {table}")
            yield meddler
            meddler.restore()
        finally:
            meddler.run("DROP SCHEMA aside CASCADE")
