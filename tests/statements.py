"""See which statements a block runs, as they are handed to PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def statements_run() -> Iterator[list[str]]:
    """
    Yield a list that fills with the text of each statement, values left out.

    Django's own log has no text of a statement that the server binds and has prepared.
    """
    run: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        run.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield run
