"""Make a backup: a dump at one snapshot, the audit's checkpoints, and a manifest of what there was."""

import json
import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from hmac import digest as hmac_digest
from pathlib import Path
from typing import Final

import psycopg

from config.backup.contents import count_rows, migrations, schema_digest
from config.backup.errors import BackupError
from config.backup.manifest import Manifest, Progress, describe_files, write_manifest
from config.backup.programs import find_programs, run
from config.embedded.layout import write_file

DUMP: Final = "dump"
AUDIT: Final = "audit"
"""Folders of a backup: pg_dump's directory format, and the files of signed checkpoints."""

PARTIAL: Final = ".partial"
"""Ends the name of a folder while it is written. One that keeps it was cut short, and is no backup."""


def make_backup(
    folder: Path, *, address: str, secret_key: str, audit: Path, jobs: int = 1, bin_folder: str = "",
    progress: Progress = lambda _line: None,
) -> Path:  # fmt: skip
    """
    Write a backup into a new folder below this one, and return it.

    address: of the login that reads past row security. audit: the folder of the checkpoints. Capturing and
    recalling go on meanwhile: the backup is of one moment. Raises BackupError.
    """
    started = datetime.now(UTC)
    done = folder / started.strftime("candor-%Y%m%dT%H%M%S.%fZ")
    new = done.with_name(done.name + PARTIAL)
    try:
        new.mkdir(mode=0o700, parents=True)
        manifest = _write(new, address, secret_key, audit, jobs, bin_folder, progress)
        write_manifest(new, manifest)
        _to_disk([*new.rglob("*"), new])
        new.rename(done)
        _to_disk([folder])
    except psycopg.Error as error:
        raise BackupError(f"The database refused: {str(error).strip()}") from error
    except OSError as error:
        raise BackupError(f"{new} cannot be written ({error.strerror}).") from error
    return done


def _write(
    new: Path, address: str, secret_key: str, audit: Path, jobs: int, bin_folder: str, progress: Progress
) -> Manifest:
    with psycopg.connect(address) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        # The snapshot is held while the dump is written, however long that takes.
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        asked = "SELECT now(), pg_export_snapshot(), current_setting('server_version')"
        [(moment, snapshot, version)] = connection.execute(asked).fetchall()
        programs = find_programs(connection.info.server_version // 10_000, folder=bin_folder)
        progress(f"dumping as of {moment.isoformat()}")
        arguments = ["--format=directory", f"--jobs={jobs}", f"--snapshot={snapshot}", "--no-comments"]
        run(programs / "pg_dump", [*arguments, "--file", new / DUMP], address, progress=progress)
        rows = count_rows(connection, progress=progress)
        ran = migrations(connection)
        # Read behind the snapshot: it may have a line more than was counted, never less.
        shutil.copytree(audit, new / AUDIT) if audit.is_dir() else (new / AUDIT).mkdir()
    return Manifest(
        made_at=moment.isoformat(), server=str(version), migrations=ran, rows=rows,
        schema=schema_digest(programs, address), secret=secret_mark(secret_key), files=describe_files(new),
    )  # fmt: skip


def secret_mark(secret_key: str) -> str:
    """Return what tells one SECRET_KEY from another and gives none away."""
    return hmac_digest(secret_key.encode(), b"candor.backup", sha256).hex()[:16]


def write_keys(path: Path, *, secret_key: str, audit_key: str) -> None:
    """Write what a backup must not hold into a new file, readable by its owner alone. Raises BackupError."""
    told = json.dumps({"CANDOR_SECRET_KEY": secret_key, "CANDOR_AUDIT_KEY": audit_key}, indent=1)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(told + "\n")
    except OSError as error:
        raise BackupError(f"The keys cannot be written to {path} ({error.strerror}).") from error


def put_audit_key_back(keys: Path, place: Path) -> None:
    """Write the audit's key of such a file to its place, unless there is one. Raises BackupError."""
    try:
        key = str(json.loads(keys.read_text("utf-8"))["CANDOR_AUDIT_KEY"])
        if key and not place.exists():
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(place, key)
    except (OSError, ValueError, KeyError) as error:
        raise BackupError(f"The keys in {keys} cannot be put back: {error}") from error


def drop_old(folder: Path, *, keep: int) -> list[Path]:
    """Delete all but the newest backups, and what was cut short before; return what went. keep: 0 for all."""
    if keep == 0:
        return []
    made = sorted(path for path in folder.glob("candor-*Z") if path.is_dir())
    old = made[:-keep]
    cut = [path for path in folder.glob(f"candor-*Z{PARTIAL}") if made and path.name < made[-1].name]
    for path in (*old, *cut):
        shutil.rmtree(path)
    return [*old, *cut]


def _to_disk(paths: Sequence[Path]) -> None:
    """Wait until these files and folders are on disk."""
    for path in paths:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
