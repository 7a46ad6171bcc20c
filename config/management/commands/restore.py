"""`restore`: bring a backup into an empty place, and prove that it is what was."""

import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.migrations.loader import MigrationLoader

from config.backup import BackupError, Destination, bring_back, put_audit_key_back
from evolution.erasure import import_receipts, read_receipts, replay_erasures
from memories.models import Memory
from memories.reconciliation import CURRENT
from recall.answering import recall
from recall.channels import RecallUnavailable
from recall.questions import Question
from security.audit import verify
from security.management.operator import OperatorCommand, operator_scope
from tenants.read import list_tenants
from tenants.scope import unit_of_work

ASKED: Final = 300
"""Characters of a memory by which it is asked for, to see that search finds it."""


class Command(OperatorCommand):
    """Bring a backup back, erase again what was forgotten since, and prove it (SPEC O-05, S-05)."""

    help = (
        "Bring the backup in FOLDER into an empty database, before anything is started there, and prove it: "
        "files, rows, walls and grants as they were; what was forgotten since erased again; the audit's "
        "chains; a search. See docs/backup.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the backup and the receipts."""
        parser.add_argument("folder", type=Path, help="the backup")
        since = parser.add_mutually_exclusive_group(required=True)
        since.add_argument(
            "--receipts",
            type=Path,
            metavar="FILE",
            help="what was forgotten since, by `replay_erasures --export`: it is erased again",
        )
        since.add_argument(
            "--no-receipts", action="store_true", help="nothing was forgotten since, or nobody can say"
        )
        parser.add_argument(
            "--jobs", type=int, default=2, help="tables and indexes made at a time; default: 2"
        )
        parser.add_argument(
            "--keys", type=Path, metavar="FILE", help="what `backup --keys` wrote: the audit's key"
        )
        super().add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it. Raises CommandError: what is wrong, and what to do."""
        began = time.monotonic()
        try:
            receipts = read_receipts(options["receipts"]) if options["receipts"] else []
            if not settings.BACKUP_DATABASE_URL:
                raise BackupError("Set BACKUP_DATABASE_URL, the address of the login candor_backup.")
            manifest = bring_back(
                options["folder"], _place(), jobs=options["jobs"], bin_folder=settings.PG_BIN,
                progress=self.stderr.write,
            )  # fmt: skip
            if options["keys"]:
                put_audit_key_back(options["keys"], settings.AUDIT_KEY_FILE)
        except (BackupError, OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        restored = time.monotonic() - began
        call_command("migrate", verbosity=0, interactive=False)
        tenants = {tenant.slug: self._prove(tenant.slug, receipts) for tenant in list_tenants()}
        facts = {
            "made_at": manifest.made_at, "tenants": tenants, "restored_s": round(restored, 1),
            "seconds": round(time.monotonic() - began, 1),
        }  # fmt: skip
        lines = [f"restored as of {manifest.made_at} in {restored:.1f} s; proven in {facts['seconds']} s"]
        lines += [f"{slug}\t{_told(facts)}" for slug, facts in tenants.items()]
        self.tell(facts, "\n".join(lines), as_json=options["json"])
        if wrong := [slug for slug, facts in tenants.items() if facts["breaks"] or facts["found"] is False]:
            raise CommandError(f"restored, and not as it should be: {', '.join(wrong)}. See above.")

    def _prove(self, slug: str, receipts: list[dict[str, Any]]) -> dict[str, Any]:
        with operator_scope(slug):
            put_back = import_receipts(receipts)
            again = replay_erasures(
                now=datetime.now(UTC),
                progress=lambda what, done: self.stderr.write(f"{slug}: {done} of {what}"),
            )
            report = verify()
            return {
                "receipts": put_back, "erased_again": again.memories + again.captures,
                "events": report.events, "breaks": report.broken, "found": _is_found(),
            }  # fmt: skip


def _is_found() -> bool | None:
    """Return whether a search for the tenant's newest memory finds it; None where there is none."""
    with unit_of_work():
        newest = Memory.objects.filter(standing=CURRENT, person="", archived_at=None).order_by("-id").first()
    if newest is None:
        return None
    question = Question(query=newest.content[:ASKED], k=10, min_relevance=0.0)
    try:
        answer = recall(question, now=datetime.now(UTC))
    except RecallUnavailable:
        return False
    return str(newest.id) in {str(result.id) for result in answer.results}


def _told(facts: dict[str, Any]) -> str:
    found = {None: "nothing to search for", True: "found", False: "NOT FOUND"}[facts["found"]]
    chain = f"{facts['events']} events hold" if not facts["breaks"] else f"BROKEN in {facts['breaks']} places"
    return f"{chain}, {facts['erased_again']} erased again, newest memory {found}"


def _place() -> Destination:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return Destination(
        owner=settings.OWNER_DATABASE_URL, backup=settings.BACKUP_DATABASE_URL, audit=settings.AUDIT_DIR,
        secret_keys=tuple(map(str, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))),
        known=frozenset(f"{app}.{name}" for app, name in loader.disk_migrations),
    )  # fmt: skip
