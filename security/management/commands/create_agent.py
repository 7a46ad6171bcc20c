"""`create_agent`: take an AI employee in."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from security.classification import Classification
from security.keys import enrol_agent
from security.management.operator import CLASSES, OperatorCommand, operator_scope, project_or_say


class Command(OperatorCommand):
    """Make an agent of a tenant."""

    help = "Make an agent (an AI employee) of a tenant. Next: create_key --agent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, slug, name, ceiling, domains and project."""
        super().add_arguments(parser)
        parser.add_argument("slug", help="a–z, 0–9 and «-»; how requests name the agent")
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument("--name", help="the agent's name; default: the slug")
        parser.add_argument("--ceiling", choices=CLASSES, default="internal", help="highest class it may see")
        parser.add_argument("--domain", action="append", default=[], help="a domain of its work; repeatable")
        parser.add_argument("--project", help="slug of the project it is bound to; default: none")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it."""
        slug = options["slug"]
        with operator_scope(options["tenant"]):
            agent = enrol_agent(
                slug,
                name=options["name"] or slug,
                ceiling=int(Classification.named(options["ceiling"])),
                domains=options["domain"],
                project_id=project_or_say(options["project"]),
                now=timezone.now(),
            )
        self.tell({"id": agent.id, "slug": slug}, f"Agent {slug} made: {agent.id}", as_json=options["json"])
