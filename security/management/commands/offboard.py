"""`manage.py offboard`: delete a tenant with all it has, and certify it."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tenants.offboard import count_rows, is_genuine, offboard
from tenants.read import find_tenant
from tenants.scope import NotFound


class Command(BaseCommand):
    """Let a customer go: every row in every table, found in the catalogue."""

    help = (
        "Delete a tenant: its keys are revoked, then every row of it goes, table by table, as the owner "
        "of the tables. It cannot be taken back; killed, the same command goes on. A certificate is "
        "printed as JSON. Backups hold the tenant until they are gone themselves; the shared cache "
        "forgets it within a day."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, and whether it is meant."""
        parser.add_argument("--tenant", metavar="SLUG", help="the tenant's slug")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--dry-run", action="store_true", help="print how many rows would go, by table")
        what.add_argument("--yes", action="store_true", help="delete them")
        what.add_argument("--check", metavar="FILE", help="tell whether a certificate is genuine")

    def handle(self, *_: Any, **options: Any) -> None:
        """Count, delete, or check a certificate."""
        if options["check"]:
            self._check(Path(options["check"]))
            return
        try:
            tenant = find_tenant(options["tenant"] or "")
        except NotFound:
            raise CommandError(f"There is no tenant «{options['tenant'] or ''}».") from None
        if options["dry_run"]:
            told = {"tenant": str(tenant.id), "slug": tenant.slug, "rows": count_rows(tenant.id)}
            self.stdout.write(json.dumps(told))
            return
        certificate = offboard(
            tenant.id,
            slug=tenant.slug,
            clock=lambda: datetime.now(UTC),
            progress=lambda name, done: self.stderr.write(f"{tenant.slug}: {done} of {name}"),
        )
        self.stdout.write(json.dumps(asdict(certificate)))

    def _check(self, path: Path) -> None:
        try:
            certificate = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"The certificate cannot be read: {error}") from error
        if not is_genuine(certificate):
            raise CommandError("The certificate is not what was signed.")
        self.stdout.write(json.dumps({"genuine": True, "slug": certificate["slug"]}))
