"""Read SQL files in which every statement has a name and a description, and run them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.db import connection

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


_WRITE: Final = load_queries(Path(__file__).parent / "sql" / "queries.sql")


def run(name: str, **params: Any) -> list[dict[str, Any]]:
    """
    Run a statement of `sql/queries.sql` for the tenant in force and return its rows, by column.

    To be called inside `unit_of_work`. Raises NoTenant, KeyError for a name that is none.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WRITE[name], params | {"tenant": tenant_in_force()})
        return _rows(cursor)


Statement = tuple[str, Mapping[str, Any]]
"""A statement's name and its parameters."""


def run_together(statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """
    Run statements one after the other in one round trip, and return the rows of each.

    Each has its own snapshot, as if they were run apart; the first that fails ends the transaction. A round
    trip costs as much as a small statement, and who waits for the store lock waits for every one of them.
    The driver binds the values, as it does for `execute`.
    """
    tenant = tenant_in_force()
    with connection.cursor() as cursor:
        bound = [cursor.mogrify(_WRITE[name], {**params, "tenant": tenant}) for name, params in statements]
        cursor.execute(";\n".join(bound))
        found = [_rows(cursor)]
        while cursor.nextset():
            found.append(_rows(cursor))
        return found


def _rows(cursor: Any) -> list[dict[str, Any]]:
    """Return the rows of the statement that was run last, by column; none of one that answers none."""
    if cursor.description is None:
        return []
    columns = [column.name for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
