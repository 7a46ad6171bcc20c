"""
The file: one JSON object a line.

    {"candor": "tenant", "version": 1, "tenant": …, "slug": …, "clearance": …, "schema": …, "secret": …}
    {"table": "memory", "row": {…}}
    {"table": "checkpoint", "row": {"line": …}}
    {"rows": {"memory": 31, …}, "digest": …}

The first line says what follows, the last that it is all there; checkpoints of the audit trail are lines of
its file, as they were signed. Nothing depends on when or where it was written: two exports of the same rows
are the same bytes.
"""

import gzip
import json
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from config.transfer.errors import TransferError

VERSION: Final = 1
"""Of the form of the file. Which tables and columns there are is said by `Header.schema`."""

LONGEST_LINE: Final = 256 * 1024 * 1024
"""Bytes of a line: an upload that waits to be read stands in one, twice as long as the file."""

CHECKPOINT: Final = "checkpoint"
"""Stands for a table where a line is no row but a signed checkpoint of the audit trail."""

_PACKED: Final = ".gz"

Writes = IO[bytes] | gzip.GzipFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a file is of."""

    tenant: str  #: its id
    slug: str
    clearance: int  #: rank of the highest class in it; below the highest it is no whole tenant
    schema: str  #: digest of the tables and columns
    secret: str  #: tells one CANDOR_SECRET_KEY from another, and gives none away


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What a file has."""

    rows: dict[str, int]  #: table → rows; those without are left out
    digest: str  #: SHA-256 of the lines of the rows


def header_line(header: Header) -> bytes:
    """Return the first line."""
    return _line({"candor": "tenant", "version": VERSION, **asdict(header)})


def total_line(total: Total) -> bytes:
    """Return the last line."""
    return _line(asdict(total))


def row_line(table: str, row: str) -> bytes:
    """Return the line of a row. row: JSON, as PostgreSQL writes it."""
    return b'{"table": "%s", "row": %s}\n' % (table.encode(), row.encode())


def checkpoint_line(line: str) -> bytes:
    """Return the line of a checkpoint."""
    return row_line(CHECKPOINT, json.dumps({"line": line}))


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def read_header(line: bytes) -> Header:
    """Read the first line. Raises TransferError when it is none, or of another version."""
    try:
        told = json.loads(line)
        if told.pop("candor") != "tenant":
            raise ValueError(line)
        version = told.pop("version")
        if version != VERSION:
            raise TransferError(
                f"The file is of version {version} of its form; this Candor reads version {VERSION}. "
                "Import it with the Candor that wrote it."
            )
        return Header(**{**told, "clearance": int(told["clearance"])})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TransferError("This is no export of a tenant: its first line does not say so.") from None


def read_line(number: int, line: bytes) -> tuple[str, dict[str, Any]] | Total:
    """Read a line after the first: a table and its row, or the total. Raises TransferError."""
    try:
        told = json.loads(line)
        if "table" in told:
            row = told["row"]
            if not isinstance(row, dict):
                raise ValueError(row)
            return str(told["table"]), row
        return Total(**told)
    except (ValueError, KeyError, TypeError):
        raise TransferError(f"Line {number} is not what was written: {line[:60]!r} …") from None


@contextmanager
def open_to_read(path: Path) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Yield the numbered lines of a file; packed, if its name ends in .gz. Raises TransferError."""
    try:
        with gzip.open(path) if path.suffix == _PACKED else path.open("rb") as file:
            yield enumerate(_lines(file), start=1)
    except (OSError, EOFError, zlib.error) as error:
        raise TransferError(f"{path} cannot be read: {error}") from error


def _lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        if not line.endswith(b"\n"):
            raise TransferError(
                "The file ends in the middle of a line: it was cut short. Export it again, or copy it anew."
            )
        yield line


@contextmanager
def open_to_write(path: Path) -> Iterator[Writes]:
    """
    Yield a file that takes its name when the block ends well, its owner's alone; «-»: standard output.

    Raises TransferError when it is there already or cannot be written.
    """
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    if path.exists():
        raise TransferError(f"{path} is there already. Name another, or take it away first.")
    partial = path.with_name(path.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            if path.suffix == _PACKED:
                with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
                    yield packed
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    except OSError as error:
        raise TransferError(f"{path} cannot be written ({error.strerror}).") from error
    finally:
        partial.unlink(missing_ok=True)
