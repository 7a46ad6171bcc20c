"""What a backup says of itself: its files with their digests, and what the database was when it was made."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from config.backup.errors import BackupError

FORM: Final = "candor-backup-1"
FILE: Final = "manifest.json"

Rows = Mapping[str, Mapping[str, tuple[int, str]]]
"""Table → tenant, or "" for rows of none → (number of rows, digest of all of them)."""

Progress = Callable[[str], object]
"""Is told what is being done, a line at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What lies in a backup's folder beside this file, and what must be there again after a restore."""

    made_at: str  #: ISO-8601: the moment of the snapshot
    server: str  #: version of PostgreSQL
    migrations: tuple[str, ...]  #: as «app.name», all that had run
    schema: str  #: digest of tables, walls, grants, functions and triggers
    secret: str  #: tells whether a SECRET_KEY is the one of then
    rows: Rows
    files: Mapping[str, tuple[int, str]]  #: path within the folder → (bytes, SHA-256)
    form: str = FORM

    @property
    def tenants(self) -> list[str]:
        """The ids of the tenants that have rows."""
        return sorted({tenant for by_tenant in self.rows.values() for tenant in by_tenant if tenant})


def describe_files(folder: Path) -> dict[str, tuple[int, str]]:
    """Return every file of the folder but the manifest: path within it → (bytes, SHA-256)."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, _digest(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != FILE
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it down, readable by its owner alone."""
    path = folder / FILE
    path.touch(mode=0o600)
    path.write_text(json.dumps(asdict(manifest), indent=1), "utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return what the backup in this folder says of itself. Raises BackupError."""
    try:
        told: dict[str, Any] = json.loads((folder / FILE).read_text("utf-8"))
        if told["form"] != FORM:
            raise BackupError(f"{folder} is of the form «{told['form']}», and this version reads {FORM}.")
        rows = {
            table: {tenant: (int(count), str(digest)) for tenant, (count, digest) in by_tenant.items()}
            for table, by_tenant in told["rows"].items()
        }
        files = {name: (int(size), str(digest)) for name, (size, digest) in told["files"].items()}
        return Manifest(**told | {"rows": rows, "files": files, "migrations": tuple(told["migrations"])})
    except FileNotFoundError:
        raise BackupError(
            f"{folder} is no backup: it has no {FILE}. One that was cut short has none."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder / FILE} cannot be read ({error}). Take another backup.") from error


def check_files(folder: Path, manifest: Manifest, *, progress: Progress = lambda _line: None) -> None:
    """Compare every file with the manifest. Raises BackupError, which names the first that differs."""
    for name, (size, digest) in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise BackupError(f"{path} is missing. Take another backup.")
        found = path.stat().st_size
        if found != size:
            raise BackupError(f"{path} has {found} bytes, and had {size}. Take another backup.")
        if _digest(path) != digest:
            raise BackupError(f"{path} is not what was written. Take another backup.")
    progress(f"{len(manifest.files)} files are as they were written")
