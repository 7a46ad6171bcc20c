"""`create_project`: give a tenant a topic folder."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from security.keys import enrol_project
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """Make a project of a tenant."""

    help = "Make a project of a tenant: a hard topic folder that memories and keys can be bound to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, slug and name."""
        super().add_arguments(parser)
        parser.add_argument("slug", help="a–z, 0–9 and «-»; how requests name the project")
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument("--name", help="the project's name; default: the slug")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it."""
        slug = options["slug"]
        with operator_scope(options["tenant"]):
            project = enrol_project(slug, name=options["name"] or slug, now=timezone.now())
        facts = {"id": project.id, "slug": slug}
        self.tell(facts, f"Project {slug} made: {project.id}", as_json=options["json"])
