"""Write a tenant as lines of JSON, as the service's own login sees it: no wall is passed."""

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from config.transfer.catalogue import (
    Connection,
    TenantTable,
    plain_values,
    read_rows,
    read_tables,
    schema_digest,
)
from config.transfer.form import (
    CHECKPOINT,
    Header,
    Total,
    Writes,
    checkpoint_line,
    header_line,
    row_line,
    total_line,
)
from security.audit import book_of
from tenants.scope import unit_of_work

TELL_EVERY: Final = 20_000
"""Rows between two lines of progress."""

Progress = Callable[[str], None]


def write_tenant(file: Writes, *, slug: str, secret: str, progress: Progress = lambda _line: None) -> Total:
    """
    Write everything the tenant in force owns, of one moment, and return what there was.

    What lies above the viewer's clearance is not in it. Nobody is held up meanwhile.
    """
    with transaction.atomic():
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        with unit_of_work() as viewer:
            raw: Any = connections[DEFAULT_DB_ALIAS].connection
            plain_values(raw)
            tables = read_tables(raw)
            header = Header(
                tenant=str(viewer.tenant_id), slug=slug, clearance=viewer.clearance,
                schema=schema_digest(tables), secret=secret,
            )  # fmt: skip
            file.write(header_line(header))
            total = LineTally(file, progress)
            for line in row_lines(raw, tables, viewer.tenant_id):
                total.add(*line)
            # Read behind the rows: it may have a line more than was counted, never less.
            for signed in book_of(viewer.tenant_id).lines():
                total.add(CHECKPOINT, checkpoint_line(signed.decode()))
            file.write(total_line(total.total()))
    return total.total()


def row_lines(connection: Connection, tables: list[TenantTable], tenant: UUID) -> Iterator[tuple[str, bytes]]:
    """Yield each row's table and line, in the order of the file."""
    for table in tables:
        for row in read_rows(connection, table, tenant):
            yield table.name, row_line(table.name, row)


class LineTally:
    """Counts lines of rows and takes their digest; passes them on to a file, where there is one."""

    def __init__(self, file: Writes | None, progress: Progress) -> None:
        self._file, self._progress = file, progress
        self._rows: Counter[str] = Counter()
        self._digest = sha256()
        self._count = 0

    def add(self, table: str, line: bytes) -> None:
        """Take a line."""
        if self._file is not None:
            self._file.write(line)
        self._digest.update(line)
        self._rows[table] += 1
        self._count += 1
        if self._count % TELL_EVERY == 0:
            self._progress(f"{self._count} rows, at {table}")

    def total(self) -> Total:
        """Return what was taken so far."""
        return Total(rows=dict(sorted(self._rows.items())), digest=self._digest.hexdigest())
