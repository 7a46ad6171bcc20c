"""Read SQL files in which every statement has a name and a description, and run them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import psycopg
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction

from tenants.db import number_names, send_together
from tenants.scope import TELL, as_told, tenant_in_force, unit_of_work, viewer_in_force

_NAME: Final = re.compile(r"^-- (?P<name>[a-z][a-z0-9_]{0,64}) --\s{0,64}$", re.MULTILINE)


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
"""A statement's name, or its text, and its parameters."""


# Note [Round trips]
# On a machine whose cores are busy embedding each answer of PostgreSQL waits for a core twice: a millisecond
# or two a round trip, many times what a statement takes. So statements go together unless one is made of
# another's answer, and what opens a unit of work (BEGIN, and who asks) goes with its first statements. Those
# that are sent together outside of a transaction are one transaction by themselves: it ends with the trip.


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
        return run_texts_together([(self._text[name], params)])[0]

    def texts(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return statements by name as statements by text. Raises KeyError."""
        return [(self._text[name], params) for name, params in statements]

    def run_together(self, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
        """Run statements by name as `run_texts_together` does its texts. Raises NoTenant, KeyError."""
        return run_texts_together(self.texts(statements))

    def run_alone(self, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
        """
        Run statements as `run_together` does, as a unit of work of their own: one round trip in all.

        See Note [Round trips]. Raises NoTenant, KeyError.
        """
        if connection.in_atomic_block:
            with unit_of_work():
                return self.run_together(statements)
        return _run_telling(self.texts(statements))

    @contextmanager
    def unit_that_runs(self, statements: Sequence[Statement]) -> Iterator[list[list[dict[str, Any]]]]:
        """Open a unit of work as the function `unit_that_runs_texts` does, with statements by name."""
        with unit_that_runs_texts(self.texts(statements)) as found:
            yield found


_TELL: Final = TELL + ", set_config('plan_cache_mode', 'force_generic_plan', true)"
"""Who asks, as `unit_of_work` says it; and to keep to one plan a statement, as keep_plans does."""


@contextmanager
def unit_that_runs_texts(statements: Sequence[Statement]) -> Iterator[list[list[dict[str, Any]]]]:
    """
    Open a unit of work, run statements in the same round trip, and yield their rows.

    See Note [Round trips]. Raises NoTenant.
    """
    if connection.in_atomic_block:
        with unit_of_work():
            yield run_texts_together(statements)
        return
    viewer = viewer_in_force()
    with transaction.atomic():
        try:
            connection.candor_viewer = viewer  # type: ignore[attr-defined]
            yield _run_telling(statements)
        finally:
            connection.candor_viewer = None  # type: ignore[attr-defined]


def _run_telling(statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """Run statements after telling PostgreSQL who asks, as `unit_of_work` does."""
    viewer = viewer_in_force()
    own = ((text, {**params, "tenant": viewer.tenant_id}) for text, params in statements)
    return send_together(connection, [(_TELL, as_told(viewer)), *own])[1:]


def run_text(statement: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run a statement that was put together of named ones, as `Queries.run` does. Raises NoTenant."""
    with connection.cursor() as cursor:
        cursor.execute(statement, {**params, "tenant": tenant_in_force()})
        return _rows(cursor)


def run_texts_together(statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """
    Run statements one after the other in one round trip, and return the rows of each.

    Each has its own snapshot, as if they were run apart; the first that fails ends the transaction. A
    round trip costs as much as a small statement, and who waits for the store lock waits for every one of
    them. The server binds the values. Raises NoTenant.
    """
    tenant = tenant_in_force()
    return send_together(connection, [(text, {**params, "tenant": tenant}) for text, params in statements])


def run_texts_and_end(statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """
    Run the last statements of a unit of work as `run_texts_together` does, and commit it in that round trip.

    A unit inside another one does not end here. What is run after it is told nobody, and sees nothing.
    Raises NoTenant.
    """
    if len(connection.atomic_blocks) > 1:
        return run_texts_together(statements)
    tenant = tenant_in_force()
    own = ((text, {**params, "tenant": tenant}) for text, params in statements)
    found = send_together(connection, [*own, ("COMMIT", {})])[:-1]
    connection.candor_viewer = None  # type: ignore[attr-defined]
    return found


def to_json(value: object) -> str:
    """Return a value as the text that a jsonb column takes."""
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


class _Bound(psycopg.RawCursor[Any]):
    """A cursor whose values the server binds, by name. The driver would read a long text anew each time."""

    def execute(self, query: Any, params: Any = None, **how: Any) -> "_Bound":
        """Run a statement with named parameters; others than it names are left out. Raises KeyError."""
        text, names = number_names(query)
        return super().execute(cast("Any", text), [params[name] for name in names] if names else None, **how)


def bound_cursor() -> Any:
    """
    Return a cursor whose values the server binds, beside Django's own, and as closely watched.

    All rows come in binary: find_neighbours' are read in 0.2, not 0.5 ms.
    """
    connection.ensure_connection()
    cursor: Any = _Bound(connection.connection)
    cursor.format = psycopg.pq.Format.BINARY
    watch = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    return watch(cursor)


def _rows(cursor: Any) -> list[dict[str, Any]]:
    """Return the rows of the statement that was run last, by column; none of one that answers none."""
    if cursor.description is None:
        return []
    columns = [column.name for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
