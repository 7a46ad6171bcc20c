"""
The file view: files that an agent writes and reads, each of them a memory.

    from candor import Candor
    from candor.adapters.files import Files

    files = Files(Candor())
    file = files.write("/notes/rui.md", "Rui eats no fish.")
    files.write("/notes/rui.md", "Rui eats fish again.", expected=file.sha256)
    [version.text for version in files.versions("/notes/rui.md")]

A file is an item (`candor.adapters.items`): it passes the gates, it is found by recall, and each version
stays in its history. Secrets are taken out before anything is kept, so what is read may differ from what was
written; `sha256` is that of what is kept. A directory is where files lie; there is none without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, TypeVar
from urllib.parse import unquote
from uuid import UUID, uuid4

from candor import models
from candor.adapters.items import Items, archive, now, path_of
from candor.client import AsyncCandor, Candor
from candor.errors import CandorError
from candor.wire.binding import Awaiting, Blocking, procedure
from candor.wire.sending import Manner, Procedure

T = TypeVar("T")

ITEMS: Final = Items("file", "directory")

ABSENT: Final = ""
"""The hash of a file that is not there, where `write` expects none."""

LONGEST: Final = 8_000
"""Characters of a file: a memory's text has 10 000, and so has what it says of itself."""

DEEPEST: Final = 22
"""Names in a path: the 20 that Anthropic's stores have, in a directory of their own."""


class FileProblem(CandorError):
    """A file cannot be read or written as asked; the text says why and what to do."""


class PathRefused(FileProblem):
    """A path leads out of the view, or is none."""


class PreconditionFailed(FileProblem):
    """The file is not the one that the writer has read: read it again, then write."""


@dataclass(frozen=True)
class File:
    """
    A file, or a version of one: id is its memory's, size in bytes, standing as of any memory.

    key: what all its versions share, wherever it is moved to. since: when the first one was written.
    """

    path: str
    text: str
    id: UUID
    created_at: datetime
    standing: str
    archived_at: datetime | None
    agent: UUID | None
    key: str
    since: datetime

    @property
    def archived(self) -> bool:
        """Whether it was deleted."""
        return self.archived_at is not None

    @property
    def sha256(self) -> str:
        """The hash of what is kept, in hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()

    @property
    def size(self) -> int:
        """Bytes of UTF-8."""
        return len(self.text.encode())


def labels_of(path: str) -> tuple[str, ...]:
    """
    Return the names on a path from the root. Raises PathRefused where it leads out of it, or is none.

    `.` and `..` are followed, as they stand and as a URL writes them.
    """
    if not path.startswith("/") or "\\" in path or any(ord(char) < 32 or ord(char) == 127 for char in path):
        raise PathRefused(f"{path!r} is no path: it begins with / and has no backslash or control character.")
    _followed(unquote(path), path)
    labels = _followed(path, path)
    if len(labels) > DEEPEST:
        raise PathRefused(f"{path} is deeper than {DEEPEST} names.")
    return labels


def read(manner: Manner, path: str) -> Procedure[File | None]:
    """Return a file, or None."""
    labels = labels_of(path)
    if not labels:
        return None
    row = yield from ITEMS.find(manner, labels[:-1], labels[-1])
    return None if row is None else _file(row)


def list_files(manner: Manner, prefix: str = "/") -> Procedure[list[File]]:
    """Return a file, or all files under a directory, by their paths."""
    rows = yield from _rows(manner, prefix)
    return sorted(map(_file, rows), key=lambda file: file.path)


def write(manner: Manner, path: str, text: str, *, expected: str | None = None) -> Procedure[File]:
    """
    Write a file and return it as it is kept.

    expected: the sha256 of what the writer has read, ABSENT for none; default: whatever is there.
    Raises PreconditionFailed, PathRefused, FileProblem, and Refused, where a gate keeps it out.
    """
    labels = labels_of(path)
    if not labels or path.endswith("/"):
        raise PathRefused(f"{path} is a directory.")
    if len(text) > LONGEST:
        raise FileProblem(
            f"{path} would have {len(text)} characters; a file has room for {LONGEST}. Write several."
        )
    if "\0" in text:
        raise FileProblem(f"The text of {path} has a NUL character.")
    found = yield from read(manner, path)
    if expected is not None and (found.sha256 if found is not None else ABSENT) != expected:
        raise PreconditionFailed(f"{path} has changed since it was read. Read it again, then write.")
    return (yield from _put(manner, labels, text, found))


def delete(manner: Manner, path: str) -> Procedure[int]:
    """Archive a file, or all files under a directory; return how many. People may bring them back."""
    rows = yield from _rows(manner, path)
    for row in rows:
        yield from archive(manner, row)
    return len(rows)


def rename(manner: Manner, old: str, new: str) -> Procedure[int]:
    """
    Move a file or a directory, and return how many files; each is written before it is archived.

    Raises FileProblem where `new` is there.
    """
    source, target = labels_of(old), labels_of(new)
    if target[: len(source)] == source:
        raise PathRefused(f"{old} cannot be moved into itself.")
    if (yield from list_files(manner, new)):
        raise FileProblem(f"{new} already exists.")
    rows = yield from _rows(manner, old)
    for row in rows:
        yield from _move(manner, row, target + _labels(row)[len(source) :])
    return len(rows)


def move(manner: Manner, file: File, new: str, text: str | None = None) -> Procedure[File]:
    """Write a file at another path, with another text if one is given, and archive it where it was."""
    labels = labels_of(new)
    row = yield from ITEMS.find(manner, labels_of(file.path)[:-1], labels_of(file.path)[-1])
    if row is None or not labels:
        raise FileProblem(f"{file.path} cannot be moved to {new}.")
    return (yield from _move(manner, row, labels, text))


def in_the_way(manner: Manner, root: str, path: str) -> Procedure[str | None]:
    """Return the path of a file that stands where `path` needs a directory below `root`, or None."""
    start, labels = len(labels_of(root)), labels_of(path)
    for deep in range(start + 1, len(labels)):
        above = _path(labels[:deep])
        if (yield from read(manner, above)) is not None:
            return above
    return None


def by_key(manner: Manner, directory: str, key: str) -> Procedure[File | None]:
    """Return the file below a directory that has this key, or None."""
    wanted = {"path": path_of(labels_of(directory)), "value": {"key": key}}
    rows = yield from ITEMS.find_all(manner, wanted)
    return max(map(_file, rows), key=lambda file: file.created_at, default=None)


def history(manner: Manner, directory: str, key: str | None = None) -> Procedure[list[File]]:
    """Return the versions of all files below a directory, or of the one with this key, the latest first."""
    of = {} if key is None else {"value": {"key": key}}
    rows = yield from ITEMS.all_versions(manner, {"path": path_of(labels_of(directory)), **of})
    return [_file(row) for row in rows if ITEMS.note_of(row)]


def versions(manner: Manner, path: str) -> Procedure[list[File]]:
    """Return what a file is and was, the latest first."""
    labels = labels_of(path)
    rows = (yield from ITEMS.versions(manner, labels[:-1], labels[-1])) if labels else []
    return [_file(row) for row in rows if ITEMS.note_of(row)]


class Methods:
    """What both objects do; one description for each, see `candor.wire.binding`."""

    read = procedure(read)
    list = procedure(list_files)
    write = procedure(write)
    delete = procedure(delete)
    rename = procedure(rename)
    versions = procedure(versions)


class Files(Methods, Blocking):
    """Files, read and written at once; one object may be used by several threads."""

    def __init__(self, client: Candor | None = None) -> None:
        self._client = client or Candor()
        self._manner = self._client._manner

    def _run(self, procedure: Procedure[T]) -> T:
        return self._client._run(procedure)


class AsyncFiles(Methods, Awaiting):
    """The same, awaited."""

    def __init__(self, client: AsyncCandor | None = None) -> None:
        self._client = client or AsyncCandor()
        self._manner = self._client._manner

    async def _run(self, procedure: Procedure[T]) -> T:
        return await self._client._run(procedure)


def _rows(manner: Manner, path: str) -> Procedure[list[models.Memory]]:
    """Return the memory of a file, or of all files under a directory."""
    labels = labels_of(path)
    one = (yield from ITEMS.find(manner, labels[:-1], labels[-1])) if labels else None
    if one is not None:
        return [one]
    found = yield from ITEMS.find_all(manner, {"path": path_of(labels)})
    return [row for row in found if ITEMS.note_of(row)]


def _move(
    manner: Manner, row: models.Memory, labels: Sequence[str], text: str | None = None
) -> Procedure[File]:
    """Each is written before it is archived: cut short in between, it is there twice and not lost."""
    was = _file(row)
    moved = yield from _put(manner, labels, was.text if text is None else text, was)
    yield from archive(manner, row)
    return moved


def _put(manner: Manner, labels: Sequence[str], text: str, was: File | None) -> Procedure[File]:
    """Write a file; was: what it was until now, whose key it keeps."""
    told = text.strip() or f"The file {_path(labels)} is empty."
    key, since = (uuid4().hex, now()) if was is None else (was.key, was.since)
    value = {"text": text, "key": key, "since": since.isoformat()}
    return _file((yield from ITEMS.put(manner, labels[:-1], labels[-1], value, text=told)))


def _followed(path: str, told: str) -> tuple[str, ...]:
    labels: list[str] = []
    for name in path.split("/"):
        if name == ".." and not labels:
            raise PathRefused(f"{told} leads out of the root.")
        if name == "..":
            labels.pop()
        elif name not in ("", "."):
            labels.append(name)
    return tuple(labels)


def _labels(row: models.Memory) -> tuple[str, ...]:
    note = ITEMS.note_of(row)
    return (*note["namespace"], note["key"])


def _path(labels: Iterable[str]) -> str:
    return "/" + "/".join(labels)


def _file(row: models.Memory) -> File:
    value = ITEMS.note_of(row)["value"]
    since = value.get("since")
    return File(
        path=_path(_labels(row)), text=str(value.get("text", "")), id=row.id, created_at=row.created_at,
        standing=row.standing, archived_at=row.archived_at, agent=row.agent_id,
        key=str(value.get("key") or row.id.hex),
        since=row.created_at if since is None else datetime.fromisoformat(since),
    )  # fmt: skip
