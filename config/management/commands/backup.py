"""`backup`: write the database of one moment to a folder, with what proves a restore."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from config.backup import BackupError, check_files, drop_old, make_backup, read_manifest, write_keys
from security.audit import private_key
from security.management.operator import OperatorCommand


class Command(OperatorCommand):
    """Make a backup, or read one through (SPEC O-05)."""

    help = "Write a backup into a new folder below FOLDER, or look through one. See docs/backup.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the folder and how to go about it."""
        parser.add_argument("folder", type=Path, help="where backups lie; with --check: the backup itself")
        parser.add_argument(
            "--check", action="store_true", help="read every file, compare it, and do no more"
        )
        parser.add_argument("--jobs", type=int, default=2, help="tables written at a time; default: 2")
        parser.add_argument("--keep", type=int, default=0, help="then delete all but the newest so many")
        parser.add_argument("--keys", type=Path, help="write SECRET_KEY and the audit's key to this new file")
        super().add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it. Raises CommandError."""
        try:
            facts = self._check(options["folder"]) if options["check"] else self._make(options)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.tell(facts, facts.pop("told"), as_json=options["json"])

    def _check(self, folder: Path) -> dict[str, Any]:
        manifest = read_manifest(folder)
        check_files(folder, manifest, progress=self.stderr.write)
        told = f"{folder}: whole, of {manifest.made_at}"
        return {"folder": str(folder), "made_at": manifest.made_at, "whole": True, "told": told}

    def _make(self, options: dict[str, Any]) -> dict[str, Any]:
        folder, keys = options["folder"], options["keys"]
        if keys is not None and keys.resolve().is_relative_to(folder.resolve()):
            raise BackupError("The keys do not belong beside the backups: who finds one would have both.")
        if not settings.BACKUP_DATABASE_URL:
            raise BackupError("Set BACKUP_DATABASE_URL, the address of the login candor_backup.")
        made = make_backup(
            folder, address=settings.BACKUP_DATABASE_URL, secret_key=settings.SECRET_KEY,
            audit=settings.AUDIT_DIR, jobs=options["jobs"], bin_folder=settings.PG_BIN,
            progress=self.stderr.write,
        )  # fmt: skip
        if keys is not None:
            write_keys(keys, secret_key=settings.SECRET_KEY, audit_key=(private_key(make=False) or b"").hex())
        gone = drop_old(folder, keep=options["keep"])
        manifest = read_manifest(made)
        size = sum(size for size, _ in manifest.files.values())
        rows = sum(count for by_tenant in manifest.rows.values() for count, _ in by_tenant.values())
        told = f"{made}: {rows} rows of {len(manifest.tenants)} tenants, {size / 1e6:.1f} MB"
        return {
            "folder": str(made), "made_at": manifest.made_at, "rows": rows, "bytes": size,
            "tenants": len(manifest.tenants), "dropped": [str(one) for one in gone], "told": told,
        }  # fmt: skip
