"""`retention`: for how long a tenant keeps its records, and letting go now what is older."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from evolution.maintenance import retain
from evolution.steps import Night
from security import audit
from security.management.operator import OperatorCommand, operator_scope
from tenants.retention import RECORDS, BadDays, UnknownRecords, read_retention, set_retention
from tenants.scope import Viewer, acting_for, tenant_scope, unit_of_work


class Command(OperatorCommand):
    """Show, set and carry out a tenant's rules of retention (SPEC O-06)."""

    help = (
        "Show for how many days a tenant keeps records, and set it. Without a rule they are kept. "
        + " ".join(f"{name}: {meaning}." for name, meaning in RECORDS.items())
        + " The nights let go what is older; --run does so now. Memories, the audit trail and what was "
        "learnt are never let go by a rule."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, its rules, and whether they are carried out now."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="its slug")
        parser.add_argument(
            "--keep", nargs="+", default=[], metavar="RECORDS=DAYS",
            help="at least 7 days; RECORDS=ever takes the rule away",
        )  # fmt: skip
        parser.add_argument("--run", action="store_true", help="let go now what is older")
        parser.add_argument("--dry-run", action="store_true", help="count what would go, and change nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set rules, if any are named, carry them out, if that is asked for, and show them."""
        wanted = dict(_read(options["keep"]))
        with operator_scope(options["tenant"]) as viewer:
            if wanted and not options["dry_run"]:
                _set(viewer, wanted)
            rules = {name: rule.days for name, rule in read_retention().items()}
            gone = self._carry_out(viewer, options) if options["run"] or options["dry_run"] else {}
        facts: dict[str, Any] = {"days": rules}
        facts |= {"would_go" if options["dry_run"] else "gone": gone} if gone or options["run"] else {}
        lines = [f"{name}\t{rules.get(name, 'ever')}" for name in RECORDS]
        lines += [f"{'would go' if options['dry_run'] else 'gone'}\t{name}\t{n}" for name, n in gone.items()]
        self.tell(facts, "\n".join(lines), as_json=options["json"])

    def _carry_out(self, viewer: Viewer, options: Mapping[str, Any]) -> dict[str, int]:
        night = Night(tenant_id=viewer.tenant_id, now=datetime.now(UTC), dry_run=options["dry_run"])
        with tenant_scope(acting_for(viewer)):
            return retain(night).counts


def _read(words: Iterable[str]) -> Iterable[tuple[str, int | None]]:
    for word in words:
        name, _, days = word.partition("=")
        if days != "ever" and not days.isdecimal():
            raise CommandError(f"{word}: write it like recalls=90 or recalls=ever.")
        yield name, None if days == "ever" else int(days)


def _set(viewer: Viewer, wanted: Mapping[str, int | None]) -> None:
    with unit_of_work():
        before = {name: rule.days for name, rule in read_retention().items()}
        try:
            after = {name: rule.days for name, rule in set_retention(wanted).items()}
        except (UnknownRecords, BadDays) as error:
            raise CommandError(str(error)) from error
        if after != before:
            audit.append(
                "retention.set", object_type="tenant", object_id=viewer.tenant_id, now=datetime.now(UTC),
                detail={"days": after, "before": before},
            )  # fmt: skip
