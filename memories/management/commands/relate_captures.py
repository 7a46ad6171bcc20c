"""`manage.py relate_captures`: build what stands beside stored memories, where it was not built yet."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from memories.entity_resolution import (
    build_beside,
    build_beside_memories,
    find_unrelated,
    find_unrelated_memories,
)
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope


class Command(BaseCommand):
    """Build entities, triples and links beside memories whose capture is not marked as related."""

    help = (
        "Build entities, triples and links beside stored memories, where a crash, an error or an older "
        "version left them out. May run at any time, beside the service, and again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--tenant", metavar="SLUG", help="only this tenant; default: all of them")
        parser.add_argument("--dry-run", action="store_true", help="count, and build nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Go through the tenants; end with an error when something could not be built."""
        failed = sum(
            self._relate(tenant_id, slug, dry_run=options["dry_run"])
            for tenant_id, slug in _tenants(options["tenant"])
        )
        if failed:
            raise CommandError(
                f"{failed} could not be built; the log says why. Run it again after mending that."
            )

    def _relate(self, tenant_id: UUID, slug: str, *, dry_run: bool) -> int:
        with tenant_scope(pipeline_viewer(tenant_id, actor_kind="operator", actor_id="command line")):
            captures, memories = find_unrelated(), find_unrelated_memories()
            if dry_run:
                found = f"{len(captures)} captures and {len(memories)} memories written directly"
                self.stdout.write(f"{slug}: {found} would be related.")
                return 0
            failed = self._each(
                slug, "captures", captures, lambda one: build_beside(one, now=datetime.now(UTC))
            )
            failed += self._each(
                slug, "memories", memories, lambda one: build_beside_memories([one], now=datetime.now(UTC))
            )
        done = len(captures) + len(memories) - failed
        self.stdout.write(f"{slug}: {done} related, {failed} failed.")
        return failed

    def _each(self, slug: str, what: str, ids: Sequence[UUID], build: Callable[[UUID], bool]) -> int:
        failed = 0
        for place, one in enumerate(ids, start=1):
            failed += not build(one)
            if place == len(ids) or place * 10 // len(ids) > (place - 1) * 10 // len(ids):
                self.stderr.write(f"{slug}: {place} of {len(ids)} {what}")
        return failed


def _tenants(slug: str | None) -> list[tuple[UUID, str]]:
    if slug is not None:
        try:
            return [(find_tenant(slug).id, slug)]
        except NotFound:
            raise CommandError(f"There is no tenant «{slug}».") from None
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug FROM candor_list_tenants() ORDER BY slug")
        return list(cursor.fetchall())
