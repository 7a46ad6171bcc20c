"""`manage.py rederive_memories`: give memories stored in a reader's words those of their captures."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from memories.curation import find_reworded, rederive
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope


class Command(BaseCommand):
    """Give memories the words of their captures, where these are still there."""

    help = (
        "Give memories that an older version stored in its own words those of their captures; the former "
        "text stays as a note and a version. May run at any time, beside the service, and again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--tenant", metavar="SLUG", help="only this tenant; default: all of them")
        parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Go through the tenants."""
        for tenant_id, slug in _tenants(options["tenant"]):
            with tenant_scope(pipeline_viewer(tenant_id, actor_kind="operator", actor_id="command line")):
                found = find_reworded()
                if options["dry_run"]:
                    self.stdout.write(f"{slug}: {len(found)} memories are no span of their capture.")
                    continue
                done = sum(rederive(one, now=datetime.now(UTC)) for one in found)
            self.stdout.write(f"{slug}: {done} given the words of their capture, {len(found) - done} not.")


def _tenants(slug: str | None) -> list[tuple[Any, str]]:
    if slug is not None:
        try:
            return [(find_tenant(slug).id, slug)]
        except NotFound:
            raise CommandError(f"There is no tenant «{slug}».") from None
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug FROM candor_list_tenants() ORDER BY slug")
        return list(cursor.fetchall())
