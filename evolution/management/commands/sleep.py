"""`manage.py sleep`: run a tenant's night by hand, rehearse it, or say why a memory is where it is."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from time import monotonic
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from evolution.maintenance import read_scores
from evolution.sleep import (
    STEP_NAMES,
    NightTaken,
    Pace,
    UnknownStep,
    ask_for_night,
    get_night,
    rehearse,
    sleep,
)
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope

NO_HURRY = float("inf")
"""Seconds a step may take here: who waits at the console wants all of it."""


class Command(BaseCommand):
    """Run the steps of a night for one tenant or all of them, each on record."""

    help = (
        "Run a tenant's night now: the cheap steps, and the dream when its gate is open or with --dream. May "
        "run beside the service and again: what is in its place already is not written. Each step is on "
        "record (GET /api/v1/sleep-runs). Killed anywhere, the next night ends as if it had not been. "
        f"The steps: {', '.join(STEP_NAMES)}."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, the steps and how far to go."""
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--tenant", metavar="SLUG", help="the tenant's slug")
        whose.add_argument("--all", action="store_true", help="every tenant, one after the other")
        parser.add_argument(
            "--step", action="append", default=[], metavar="NAME", help="only this step; may be repeated"
        )
        parser.add_argument(
            "--dream", action="store_true", help="run the dear steps too, whatever their gate says"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="count what would be done, and write nothing"
        )
        parser.add_argument(
            "--explain", metavar="MEMORY", help="print the numbers that decide this memory's tier"
        )
        parser.add_argument(
            "--at",
            metavar="MOMENT",
            help="as of this ISO-8601 moment with its offset; a later one than now for --dry-run",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a tenant, for scripts")

    def handle(self, *_: Any, **options: Any) -> None:
        """Go through the tenants; end with an error when a step failed."""
        options["now"] = _moment(options["at"], may_be_later=options["dry_run"])
        failed = [slug for slug, tenant_id in _tenants(options) if not self._one(slug, tenant_id, options)]
        if failed:
            raise CommandError(f"A step failed for {', '.join(failed)}; the records and the log say which.")

    def _one(self, slug: str, tenant_id: UUID, options: Mapping[str, Any]) -> bool:
        """See to one tenant; return whether all steps came through."""
        viewer = pipeline_viewer(tenant_id, actor_kind="operator", actor_id="console")
        with tenant_scope(viewer), _plain_errors(slug):
            if options["explain"]:
                return self._explain(slug, options)
            if options["dry_run"]:
                return self._rehearse(slug, options)
            return self._sleep(slug, options)

    def _sleep(self, slug: str, options: Mapping[str, Any]) -> bool:
        dream = True if options["dream"] else None
        asked = ask_for_night(steps=options["step"], dream=dream, now=options["now"], hinted=False)
        sleep(asked.id, now=options["now"], pace=self._pace(slug))
        night = get_night(asked.id)
        lines = [
            _line(step.name, step.counts, f"{step.state} in {step.milliseconds} ms{_why(step.error)}")
            for step in night.steps
        ]
        if not night.dreamt and not options["step"]:
            lines.append(f"no dream: {night.gate['answer']}")
        self._tell(slug, {"run": asdict(night)}, lines, options)
        return night.state == "done"

    def _rehearse(self, slug: str, options: Mapping[str, Any]) -> bool:
        told = rehearse(options["step"], dream=options["dream"], now=options["now"], pace=self._pace(slug))
        facts = {"would": {name: outcome.counts for name, outcome in told.items()}}
        self._tell(slug, facts, [_line(name, counts, "") for name, counts in facts["would"].items()], options)
        return True

    def _explain(self, slug: str, options: Mapping[str, Any]) -> bool:
        found = read_scores([_identifier(options["explain"])], now=options["now"])
        if not found:
            raise CommandError(f"Tenant «{slug}» has no such live memory.")
        facts = asdict(found[0])
        self._tell(slug, {"memory": facts}, [f"{name}: {value}" for name, value in facts.items()], options)
        return True

    def _tell(
        self, slug: str, facts: Mapping[str, Any], lines: list[str], options: Mapping[str, Any]
    ) -> None:
        if options["json"]:
            self.stdout.write(json.dumps({"tenant": slug, **facts}, ensure_ascii=False, default=str))
        else:
            self.stdout.write("\n".join((f"{slug}:", *(f"  {line}" for line in lines))))

    def _pace(self, slug: str) -> Pace:
        return Pace(
            clock=monotonic, slice_seconds=NO_HURRY, dream_seconds=NO_HURRY,
            step_begins=lambda name: self.stderr.write(f"{slug}: {name}"),
            progress=lambda done, total: self.stderr.write(f"{slug}: {done} of {total}"),
        )  # fmt: skip


def _line(name: str, counts: Mapping[str, int], state: str) -> str:
    done = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing to do"
    return f"{name}: {done}" + (f" ({state})" if state else "")


def _why(error: str) -> str:
    return f": {error}" if error else ""


def _identifier(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandError(f"«{text}» is no memory's id.") from None


def _moment(text: str | None, *, may_be_later: bool) -> datetime:
    now = datetime.now(UTC)
    if text is None:
        return now
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"«{text}» is no moment; write one such as 2026-03-04T09:30:00+01:00.") from None
    if moment.tzinfo is None or (moment > now and not may_be_later):
        raise CommandError("A moment needs its offset, and may lie in the future with --dry-run only.")
    return moment


@contextmanager
def _plain_errors(slug: str) -> Iterator[None]:
    try:
        yield
    except UnknownStep as error:
        raise CommandError(str(error)) from error
    except NightTaken as error:
        raise CommandError(f"{slug}: {error}") from error


def _tenants(options: Mapping[str, Any]) -> list[tuple[str, UUID]]:
    if options["all"]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT slug, tenant_id FROM candor_list_tenants() ORDER BY slug")
            return list(cursor.fetchall())
    try:
        return [(options["tenant"], find_tenant(options["tenant"]).id)]
    except NotFound:
        raise CommandError(f"There is no tenant «{options['tenant']}».") from None
