"""
Bring a tenant's file into a database, whole or not at all.

# Note [Rows as they were]
Rows come in as they were, past the triggers that a row said anew would go through, and past row security: so
this takes a superuser's login, in one transaction of which nobody sees anything before it is committed. Other
tenants go on working. What the triggers would have seen to is proven at the end of it: every foreign key
leads to a row, and the tenant, read again, gives the same bytes. The file of its signed checkpoints is on
disk before the rows are committed, as it always is (`security.audit.checkpoints`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.types.json import Json

from config.embedded.layout import write_file
from config.transfer.catalogue import (
    AT_ONCE,
    Connection,
    Reference,
    TenantTable,
    plain_values,
    read_references,
    read_tables,
    schema_digest,
)
from config.transfer.errors import TransferError
from config.transfer.form import CHECKPOINT, Header, Total, checkpoint_line, read_header, read_line
from config.transfer.write import LineTally, Progress, row_lines
from security.audit import book_of
from tenants.scope import FULL_CLEARANCE

_ACCOUNT: Final = """
INSERT INTO auth_user
    (username, password, is_active, is_staff, is_superuser, first_name, last_name, email, date_joined)
VALUES (%s, '!', false, false, false, '', '', '', now())
"""
"""«!» is no hash: nobody logs in by it."""

_PERMISSION: Final = """
SELECT p.id FROM auth_permission p JOIN django_content_type c ON c.id = p.content_type_id
WHERE c.app_label || '.' || c.model || '.' || p.codename = %s
"""

MOST_BYTES: Final = 8 * 1024 * 1024
"""Of lines that are brought in by one statement, the last one's bytes apart."""

MOST_NAMED: Final = 10
"""Of names or keys, those told in an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What came in."""

    header: Header
    total: Total
    accounts: tuple[str, ...]  #: people who had no account here; theirs is closed until somebody opens it
    checkpoints: tuple[str, ...]  #: of the audit trail, as they were signed


def load_tenant(
    lines: Iterator[tuple[int, bytes]],
    *,
    admin_url: str,
    database: str,
    secrets: Collection[str] | None,
    same_people: bool = False,
    keep: bool = True,
    progress: Progress = lambda _line: None,
) -> Arrival:
    """
    Bring in a tenant, and prove that it is what was written. keep: False looks and leaves nothing.

    admin_url: of a superuser; database: the one that the service uses. secrets: the marks of the service's
    secret keys; None takes a file of another. same_people: who has an account of the same name here is the
    same person. Raises TransferError, with nothing changed.
    """
    first = next(lines, (1, b""))[1]
    header = read_header(first)
    try:
        with psycopg.connect(admin_url, dbname=database) as connection:
            arrival = _Arriving(connection, header, same_people, progress).take(lines, secrets)
            if keep:
                _put_checkpoints(UUID(header.tenant), arrival.checkpoints)
            else:
                connection.rollback()
    except psycopg.Error as error:
        raise TransferError(f"The database refused: {str(error).strip()}") from error
    return arrival


class _Arriving:
    """A file on its way in; its transaction is the connection's."""

    def __init__(self, connection: Connection, header: Header, same_people: bool, progress: Progress) -> None:
        self._connection, self._header, self._progress = connection, header, progress
        self._same_people = same_people
        self._tenant = _id_of(header)
        self._numbers: dict[tuple[str, str], int] = {}
        self._accounts: list[str] = []
        self._checkpoints: list[str] = []
        self._tables = {table.name: table for table in read_tables(connection)}

    def take(self, lines: Iterator[tuple[int, bytes]], secrets: Collection[str] | None) -> Arrival:
        """Look first, then bring in every row, then prove it."""
        self._look_first(secrets)
        plain_values(self._connection)
        self._connection.execute("SET LOCAL session_replication_role = replica")
        total = self._bring_in(lines)
        self._connection.execute("SET LOCAL session_replication_role = origin")
        self._prove(total)
        return Arrival(
            header=self._header, total=total, accounts=tuple(sorted(self._accounts)),
            checkpoints=tuple(self._checkpoints),
        )  # fmt: skip

    def _look_first(self, secrets: Collection[str] | None) -> None:
        header = self._header
        if header.clearance < FULL_CLEARANCE:
            raise TransferError(
                "The file was written at a lower clearance: it is to be read, and no whole tenant. "
                "Export it without --clearance."
            )
        if header.schema != schema_digest(list(self._tables.values())):
            raise TransferError(
                "The file is of another version of Candor: its tables are not those here. Import it with the "
                "version that wrote it, migrate there, and export it again."
            )
        if secrets is not None and header.secret not in secrets:
            raise TransferError(
                "The file is of a service with another CANDOR_SECRET_KEY, under which it is known what was "
                "forgotten: here that could be told and kept again. Name it in CANDOR_SECRET_KEY_FALLBACKS; "
                "--other-secret takes the file all the same."
            )
        here = self._connection.execute(
            "SELECT slug FROM tenant WHERE id = %s OR slug = %s", [self._tenant, header.slug]
        ).fetchone()
        if here:
            raise TransferError(
                f"There is a tenant «{here[0]}» here already, and an import overwrites nothing. "
                "Take it away first (manage.py offboard), or import elsewhere."
            )

    def _bring_in(self, lines: Iterator[tuple[int, bytes]]) -> Total:
        tally, batch, of, size = LineTally(None, self._progress), list[dict[str, Any]](), "", 0
        for number, line in lines:
            read = read_line(number, line)
            if isinstance(read, Total):
                self._insert(of, batch)
                return _require_whole(read, tally.total(), lines)
            table, row = read
            tally.add(table, line)
            if table == CHECKPOINT:
                self._checkpoints.append(str(row.get("line")))
                continue
            self._check(number, table, row)
            if table != of or len(batch) == AT_ONCE or size > MOST_BYTES:
                self._insert(of, batch)
                batch, of, size = [], table, 0
            batch.append(row)
            size += len(line)
        raise TransferError("The file has no end: it was cut short. Export it again, or copy it anew.")

    def _check(self, number: int, name: str, row: dict[str, Any]) -> None:
        """Put this database's numbers for names. Raises TransferError."""
        table = self._tables.get(name)
        if table is None or row.keys() != set(table.columns):
            raise TransferError(f"Line {number} is of no table of this version: {name!r}.")
        if row[table.whose] != str(self._tenant):
            raise TransferError(f"Line {number} is another tenant's.")
        for column, of in table.named.items():
            if row[column] is not None:
                row[column] = self._number_of(of, str(row[column]))

    def _number_of(self, table: str, name: str) -> int:
        known = self._numbers.get((table, name))
        if known is None:
            find = self._person if table == "auth_user" else self._permission
            known = self._numbers[table, name] = find(name)
        return known

    def _person(self, username: str) -> int:
        """Return the number of who has this account, or of one made for them."""
        asked = "SELECT id FROM auth_user WHERE username = %s"
        found = self._connection.execute(asked, [username]).fetchone()
        if found is None:
            self._connection.execute(_ACCOUNT, [username])
            self._accounts.append(username)
            found = self._connection.execute(asked, [username]).fetchone()
        elif not self._same_people and username not in self._accounts:
            raise TransferError(
                f"«{username}» has rights in the tenant, and somebody here has an account of that name. "
                "Where all such are the same people, say so with --same-people; else rename the account."
            )
        return int(found[0])  # type: ignore[index]  # it was made just now

    def _permission(self, name: str) -> int:
        found = self._connection.execute(_PERMISSION, [name]).fetchone()
        if found is None:
            raise TransferError(f"There is no right {name!r} here: the file is of another version of Candor.")
        return int(found[0])

    def _insert(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            self._connection.execute(_insert(self._tables[name]), [Json(list(rows))])

    def _prove(self, total: Total) -> None:
        tables = list(self._tables.values())
        self._progress("every row is in; reading the tenant again")
        for reference in read_references(self._connection, tables):
            if self._connection.execute(_lost(reference, self._tables), [self._tenant]).fetchone():
                raise TransferError(
                    f"A row of {reference.table} refers to one of {reference.to} that is not in the file "
                    f"({reference.name}): it was changed after it was written. Export the tenant again."
                )
        tally = LineTally(None, self._progress)
        for line in row_lines(self._connection, tables, self._tenant):
            tally.add(*line)
        for signed in self._checkpoints:
            tally.add(CHECKPOINT, checkpoint_line(signed))
        if tally.total() != total:
            differing = _differing(tally.total().rows, total.rows)
            raise TransferError(f"What was imported is not what was exported: {differing}. Report this.")


def _id_of(header: Header) -> UUID:
    try:
        return UUID(header.tenant)
    except ValueError:
        raise TransferError("This is no export of a tenant: its first line names none.") from None


def _put_checkpoints(tenant: UUID, signed: Sequence[str]) -> None:
    """Write the file of checkpoints. Raises TransferError where there is another."""
    book = book_of(tenant)
    there = [line.decode() for line in book.lines()]
    if there and there != list(signed):
        raise TransferError(
            f"{book.path} has other checkpoints of this tenant, of when it was here before. Move it away."
        )
    if signed:
        settings.AUDIT_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(book.path, "".join(f"{line}\n" for line in signed))


def _require_whole(told: Total, read: Total, rest: Iterator[tuple[int, bytes]]) -> Total:
    if told != read or next(rest, None) is not None:
        raise TransferError(
            "The file is not what was written: its lines do not come to what its last one says. "
            "Copy it anew, or export the tenant again."
        )
    return told


def _differing(here: Mapping[str, int], there: Mapping[str, int]) -> str:
    names = [name for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
    return ", ".join(names[:MOST_NAMED]) or "the same rows with other values"


def _insert(table: TenantTable) -> sql.Composed:
    columns = [*table.columns, *table.placed]
    values: list[sql.Composable] = [sql.SQL("x.{}").format(sql.Identifier(one)) for one in table.columns]
    values += [sql.Literal(value) for value in table.placed.values()]
    return sql.SQL("INSERT INTO {0} ({1}) SELECT {2} FROM json_populate_recordset(NULL::{0}, %s) x").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(values),
    )


def _lost(reference: Reference, tables: Mapping[str, TenantTable]) -> sql.Composed:
    """Return the statement that finds a row of the tenant whose reference leads nowhere."""
    pairs = list(zip(reference.columns, reference.keys, strict=True))
    join = [sql.SQL("r.{} = t.{}").format(sql.Identifier(key), sql.Identifier(own)) for own, key in pairs]
    given = [sql.SQL("t.{} IS NOT NULL").format(sql.Identifier(own)) for own in reference.columns]
    return sql.SQL(
        "SELECT 1 FROM {table} t WHERE t.{whose} = %s AND {given}"
        " AND NOT EXISTS (SELECT FROM {to} r WHERE {join}) LIMIT 1"
    ).format(
        table=sql.Identifier(reference.table), whose=sql.Identifier(tables[reference.table].whose),
        given=sql.SQL(" AND ").join(given), to=sql.Identifier(reference.to), join=sql.SQL(" AND ").join(join),
    )  # fmt: skip
