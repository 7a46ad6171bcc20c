"""`manage.py forget`: have a memory of a tenant forgotten for good, or see what would go with it."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from evolution.erasure import Forgetting, forget_memory
from memories.curation import OtherText
from memories.ingestion import BadCapture
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope


class Command(BaseCommand):
    """Take both steps of forgetting, or the first one only."""

    help = (
        "Erase a memory with its texts, vectors, words, names and links, what rests on it alone, and what"
        " was captured of it. It cannot be taken back. With --dry-run only what would go is printed. The "
        "text itself is never printed. The same by HTTP: POST /api/v1/memories/{id}/forget."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, the memory, and the reason."""
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="the tenant's slug")
        parser.add_argument("--memory", required=True, metavar="ID", help="the memory's id")
        parser.add_argument("--reason", default="", help="why, for the audit trail; it stays there")
        parser.add_argument("--dry-run", action="store_true", help="print what would go, and change nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Look, and unless it is a dry run forget what was looked at."""
        memory_id, now = _identifier(options["memory"]), datetime.now(UTC)
        try:
            viewer = pipeline_viewer(
                find_tenant(options["tenant"]).id, actor_kind="operator", actor_id="console"
            )
            with tenant_scope(viewer):
                self.stderr.write("looking for what goes with it")
                told = forget_memory(memory_id, now=now)
                if not options["dry_run"]:
                    self.stderr.write(f"erasing {sum(told.counts.values())} rows")
                    told = forget_memory(memory_id, now=now, reason=options["reason"], hash=told.hash)
        except NotFound:
            raise CommandError("There is no such tenant, or it has no such memory.") from None
        except (OtherText, BadCapture) as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(_line(told))


def _line(told: Forgetting) -> str:
    return json.dumps({**asdict(told), "content": ""}, default=str)


def _identifier(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandError(f"«{text}» is no memory's id.") from None
