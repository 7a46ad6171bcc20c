"""What the operator's commands share: whom they act as, how they fail, what they print."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from security.classification import Classification
from security.keys import SCOPES
from tenants.create import SlugTaken
from tenants.read import find_tenant, get_agent, get_project
from tenants.scope import NotFound, Viewer, pipeline_viewer, tenant_scope

CLASSES = [rank.label for rank in Classification]


class OperatorCommand(BaseCommand):
    """A command that prints lines for people, or one JSON object with `--json`."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take `--json`."""
        parser.add_argument("--json", action="store_true", help="print one JSON object, for scripts")

    def tell(self, facts: dict[str, Any], text: str, *, as_json: bool) -> None:
        """Print the facts as JSON, or the text."""
        self.stdout.write(json.dumps(facts, ensure_ascii=False, default=str) if as_json else text)


@contextmanager
def operator_scope(tenant: str) -> Iterator[Viewer]:
    """Work within the tenant of this slug as the operator at the console. Raises CommandError."""
    with plain_errors():
        found = find_tenant_or_say(tenant)
        viewer = pipeline_viewer(found, actor_kind="operator", actor_id="console")
        with tenant_scope(replace(viewer, scopes=frozenset(SCOPES))) as scoped:
            yield scoped


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what a verb refuses into a line that says so."""
    try:
        yield
    except SlugTaken as error:
        raise CommandError(str(error)) from error
    except ValidationError as error:
        raise CommandError("; ".join(error.messages)) from error


def find_tenant_or_say(slug: str) -> Any:
    """Return the tenant's id. Raises CommandError."""
    try:
        return find_tenant(slug).id
    except NotFound:
        raise CommandError(f"There is no tenant «{slug}». Make one: manage.py create_tenant {slug}") from None


def project_or_say(slug: str | None) -> Any:
    """Return the project's id, None for None. Raises CommandError."""
    try:
        return get_project(slug).id if slug else None
    except NotFound:
        raise CommandError(f"There is no project «{slug}» in this tenant; see create_project.") from None


def agent_or_say(slug: str | None) -> Any:
    """Return the agent's id, None for None. Raises CommandError."""
    try:
        return get_agent(slug).id if slug else None
    except NotFound:
        raise CommandError(f"There is no agent «{slug}» in this tenant; see create_agent.") from None
