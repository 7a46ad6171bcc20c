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
        if cursor.description is None:
            return []
        columns = [column.name for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def run_each(name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Run a statement once for each of these parameters, in one round trip."""
    if rows:
        tenant = tenant_in_force()
        with connection.cursor() as cursor:
            cursor.executemany(_WRITE[name], [{**row, "tenant": tenant} for row in rows])
