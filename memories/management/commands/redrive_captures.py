"""`manage.py redrive_captures`: put captures that ended without a memory back into the queue."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memories.ingestion import REDRIVEN, hint, redrive_captures
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope


class Command(BaseCommand):
    """Put captures that ended without a memory back into the queue, once what stopped them is mended."""

    help = "Put dead (or quarantined, discarded) captures of a tenant back into the queue."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--tenant", required=True, help="slug of the tenant")
        parser.add_argument(
            "--state", action="append", choices=REDRIVEN, help="which; may be repeated; default: dead"
        )
        parser.add_argument("--reason", default="", help="why, for the audit trail")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run it and say how many."""
        try:
            tenant = find_tenant(options["tenant"])
        except NotFound:
            raise CommandError(f"There is no tenant «{options['tenant']}».") from None
        operator = pipeline_viewer(tenant.id, actor_kind="operator", actor_id="command line")
        with tenant_scope(operator):
            driven = redrive_captures(
                states=options["state"] or ["dead"], now=datetime.now(UTC), reason=options["reason"]
            )
            for capture_id in driven:
                hint(tenant.id, capture_id, is_short=False)
        self.stdout.write(f"{len(driven)} captures of {tenant.slug} wait in the queue again.")
