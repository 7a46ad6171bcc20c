"""
Two ways to try something as the service, with one answer: how many rows, or which refusal.

`ServiceDoor` is the real one: the service's own login, `tenant_scope`, `unit_of_work`, and a commit.
`DisguisedDoor` is a superuser's transaction that takes the service's role for each try and undoes it
afterwards: the only way to try something against a wall that was broken in that very transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from django.db import DatabaseError, connection, transaction

from tenants.roles import APP_ROLE
from tenants.scope import TELL, Viewer, as_told, tenant_scope, unit_of_work

REFUSED = "42501"
"""insufficient_privilege: a missing grant, a policy's WITH CHECK, or not being the owner."""

COPY_UNSUPPORTED = "0A000"
"""feature_not_supported: PostgreSQL takes no COPY FROM into a table with row security."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One SQL statement; `data` is what a COPY FROM is fed with."""

    sql: str
    params: dict[str, Any] | None = None
    data: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a try: rows read or written by its last statement, or the error that ended it."""

    rows: int = 0
    sqlstate: str | None = None
    message: str = ""
    constraint: str | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was read or written, without an error."""
        return self.sqlstate is None and self.rows == 0

    def __str__(self) -> str:
        return f"{self.rows} rows" if self.sqlstate is None else f"{self.sqlstate} {self.message}"


class Door(Protocol):
    """A way to try statements as the service for a viewer."""

    def attempt(self, viewer: Viewer, *statements: Statement, undo: bool = False) -> Outcome:
        """Run the statements in one transaction; `undo` takes back what succeeded."""


class ServiceDoor:
    """The service's own login; what succeeds is committed."""

    def attempt(self, viewer: Viewer, *statements: Statement, undo: bool = False) -> Outcome:
        """Run the statements in one unit of work of the viewer."""
        try:
            with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
                rows = _run(cursor, statements)
                if undo:
                    transaction.set_rollback(True)
                return Outcome(rows=rows)
        except DatabaseError as error:
            return _refusal(error.__cause__)
        except psycopg.Error as error:  # COPY goes past Django's wrapping of errors
            return _refusal(error)


class DisguisedDoor:
    """A superuser's open transaction in the service's role; every try is undone."""

    def __init__(self, superuser: psycopg.Connection[Any]) -> None:
        self.superuser = superuser

    def attempt(self, viewer: Viewer, *statements: Statement, undo: bool = False) -> Outcome:
        """Run the statements under a savepoint, bound to the viewer as `unit_of_work` binds it."""
        with self.superuser.cursor() as cursor:
            cursor.execute("SAVEPOINT attempt")
            try:
                cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
                cursor.execute(
                    TELL,
                    as_told(viewer),
                )
                return Outcome(rows=_run(cursor, statements))
            except psycopg.Error as error:
                return _refusal(error)
            finally:
                cursor.execute("ROLLBACK TO SAVEPOINT attempt")


def _run(cursor: Any, statements: Sequence[Statement]) -> int:
    for statement in statements:
        if statement.sql.startswith("COPY"):
            rows = _copy(cursor, statement)
        else:
            cursor.execute(statement.sql, statement.params)
            rows = max(cursor.rowcount, 0)
    return rows


def _copy(cursor: Any, statement: Statement) -> int:
    with cursor.copy(statement.sql, statement.params) as copy:
        if statement.data is None:
            return sum(bytes(block).count(b"\n") for block in copy)
        copy.write(statement.data)
    return statement.data.count(b"\n")


def _refusal(error: BaseException | None) -> Outcome:
    assert isinstance(error, psycopg.Error), f"not PostgreSQL's refusal: {error!r}"
    return Outcome(
        sqlstate=error.sqlstate or "unknown",
        message=str(error.diag.message_primary),
        constraint=error.diag.constraint_name,
    )
