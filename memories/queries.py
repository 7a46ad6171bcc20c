"""Read SQL files in which every statement has a name and a description, and run them."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import psycopg
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from psycopg.rows import dict_row

from tenants.scope import tenant_in_force

_NAME: Final = re.compile(r"^-- (?P<name>[a-z][a-z0-9_]*) --\s*$", re.MULTILINE)


def load_queries(path: Path) -> dict[str, str]:
    """
    Return the statements of a file by name, without their comments; one begins at its line `-- name --`.

    Raises ValueError when a name stands twice or a statement is empty.
    """
    parts = _NAME.split(path.read_text("utf-8"))
    found: dict[str, str] = {}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        statement = _without_comments(text).rstrip(";")
        if name in found or not statement:
            raise ValueError(f"{path.name}: the statement {name} stands twice or is empty")
        found[name] = statement
    return found


def _without_comments(text: str) -> str:
    """
    Drop the lines that describe a statement.

    A comment that names a parameter would get its value put in, and a line break in that value would end the
    comment and let the rest run as SQL.
    """
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--")).strip()


Statement = tuple[str, Mapping[str, Any]]
"""A statement's name and its parameters."""


# Note [Prepared statements]
# Django's own cursor puts values into the text, so that PostgreSQL parses and plans every statement anew: for
# find_neighbours 1.4 of 2.0 ms of its time. Here the server binds the values, the driver prepares what comes
# again (CANDOR_PREPARE_THRESHOLD), and the server keeps the plan until the tables' statistics change. A
# parameter's type must be plain from the statement then: where it stands in no comparison, it is cast.


class Queries:
    """
    The statements of some files. They are run inside `unit_of_work`, for the tenant in force: `tenant`.

    prepared: keep their plans, see Note [Prepared statements]. Raises ValueError when a name stands twice.
    """

    def __init__(self, *paths: Path, prepared: bool = False) -> None:
        self._text: Final[dict[str, str]] = {}
        for path in paths:
            found = load_queries(path)
            if twice := found.keys() & self._text.keys():
                raise ValueError(f"{path.name}: {', '.join(sorted(twice))} stands in another file, too")
            self._text.update(found)
        self._prepared: Final = prepared

    def __getitem__(self, name: str) -> str:
        """Return a statement as it stands in the file. Raises KeyError for a name that is none."""
        return self._text[name]

    def run(self, name: str, **params: Any) -> list[dict[str, Any]]:
        """Run a statement and return its rows, by column. Raises NoTenant, KeyError."""
        if not self._prepared:
            return run_text(self._text[name], params)
        with bound_cursor(by_column=True) as cursor:
            cursor.execute(self._text[name], {**params, "tenant": tenant_in_force()})
            return _found(cursor)

    def run_together(self, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
        """
        Run statements one after the other in one round trip, and return the rows of each.

        Each has its own snapshot, as if they were run apart; the first that fails ends the transaction. A
        round trip costs as much as a small statement, and who waits for the store lock waits for every one of
        them. The server binds the values. Raises NoTenant, KeyError.
        """
        tenant = tenant_in_force()
        cursors = [bound_cursor(by_column=True) for _ in statements]
        with connection.wrap_database_errors, connection.connection.pipeline():
            for cursor, (name, params) in zip(cursors, statements, strict=True):
                cursor.execute(self._text[name], {**params, "tenant": tenant})
        return [_found(cursor) for cursor in cursors]


def run_text(statement: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run a statement that was put together of named ones, as `Queries.run` does. Raises NoTenant."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {**params, "tenant": tenant_in_force()})
        return _rows(cursor)


def to_json(value: object) -> str:
    """Return a value as the text that a jsonb column takes."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def bound_cursor(*, by_column: bool = False) -> Any:
    """
    Return a cursor whose values the server binds, beside Django's own, and as closely watched.

    by_column: rows are dictionaries and come in binary: those of find_neighbours are read in 0.2, not 0.5 ms.
    """
    connection.ensure_connection()
    cursor: Any = psycopg.Cursor(connection.connection)
    if by_column:
        cursor.row_factory, cursor.format = dict_row, psycopg.pq.Format.BINARY
    watch = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    return watch(cursor)


def _found(cursor: Any) -> list[dict[str, Any]]:
    """Return the rows of a cursor that has them by column; none of a statement that answers none."""
    return [] if cursor.description is None else list(cursor.fetchall())


def _rows(cursor: Any) -> list[dict[str, Any]]:
    """Return the rows of the statement that was run last, by column; none of one that answers none."""
    if cursor.description is None:
        return []
    columns = [column.name for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


_OWN: Final = Path(__file__).parent / "sql"
_WRITE: Final = Queries(_OWN / "queries.sql", _OWN / "entities.sql", prepared=True)

run: Final = _WRITE.run
run_together: Final = _WRITE.run_together
run_entities: Final = run
"""What is built beside the memories stands in a file of its own."""
