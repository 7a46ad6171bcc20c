"""`manage.py replay_erasures`: erase again what a restore brought back; or export the receipts."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from evolution.erasure import export_receipts, import_receipts, read_receipts, replay_erasures
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope


class Command(BaseCommand):
    """Hold a restored database to what people had forgotten since its backup was made."""

    help = (
        "A backup brings back what was forgotten after it was made. Export the receipts regularly to "
        "where no backup is (--export FILE). After a restore, before the service starts, run this with "
        "--list FILE: the receipts are put back, and what they speak of is erased again. They hold "
        "digests and no content, and are known again under the SECRET_KEY they were made with, or one of "
        "its fallbacks."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenants and the file."""
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--tenant", metavar="SLUG", help="the tenant's slug")
        whose.add_argument("--all", action="store_true", help="every tenant, one after the other")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--list", metavar="FILE", help="put back the receipts in this file first")
        what.add_argument("--export", metavar="FILE", help="write the receipts to this file, and do no more")

    def handle(self, *_: Any, **options: Any) -> None:
        """Go through the tenants."""
        if options["export"]:
            self._export(options)
            return
        try:
            lines = read_receipts(Path(options["list"])) if options["list"] else []
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        for slug, tenant_id in _tenants(options):
            with tenant_scope(pipeline_viewer(tenant_id, actor_kind="operator", actor_id="console")):
                restored = import_receipts(lines)
                done = replay_erasures(now=datetime.now(UTC), progress=self._tell)
            self.stdout.write(json.dumps({"tenant": slug, "receipts": restored, **asdict(done)}))

    def _tell(self, what: str, done: int) -> None:
        self.stderr.write(f"{done} of {what}")

    def _export(self, options: Any) -> None:
        count = 0
        with Path(options["export"]).open("w", encoding="utf-8") as file:
            for _slug, tenant_id in _tenants(options):
                with tenant_scope(pipeline_viewer(tenant_id, actor_kind="operator", actor_id="console")):
                    for receipt in export_receipts():
                        file.write(json.dumps(receipt) + "\n")
                        count += 1
        self.stdout.write(json.dumps({"receipts": count}))


def _tenants(options: Any) -> Iterator[tuple[str, UUID]]:
    if options["all"]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT slug, tenant_id FROM candor_list_tenants() ORDER BY slug")
            yield from cursor.fetchall()
        return
    try:
        yield options["tenant"], find_tenant(options["tenant"]).id
    except NotFound:
        raise CommandError(f"There is no tenant «{options['tenant']}».") from None
