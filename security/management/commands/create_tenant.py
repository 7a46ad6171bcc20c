"""`create_tenant`: take a customer in."""

from argparse import ArgumentParser
from typing import Any
from zoneinfo import available_timezones

from django.core.management.base import CommandError

from security.management.operator import OperatorCommand, plain_errors
from tenants.create import create_tenant


class Command(OperatorCommand):
    """Make a tenant."""

    help = "Make a tenant (a customer). Next: create_agent, create_key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take slug, name and zone."""
        super().add_arguments(parser)
        parser.add_argument("slug", help="a–z, 0–9 and «-»; how commands and logs name the tenant")
        parser.add_argument("--name", help="the customer's name; default: the slug")
        parser.add_argument(
            "--timezone", default="UTC", help="IANA zone in which its nights fall (default UTC)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it."""
        slug, zone = options["slug"], options["timezone"]
        if zone not in available_timezones():
            raise CommandError(f"There is no time zone «{zone}»; write one such as Europe/Berlin.")
        with plain_errors():
            tenant = create_tenant(slug, name=options["name"] or slug, time_zone=zone)
        facts = {"id": tenant.id, "slug": tenant.slug}
        self.tell(facts, f"Tenant {slug} made: {tenant.id}", as_json=options["json"])
