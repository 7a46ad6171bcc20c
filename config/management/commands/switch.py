"""`switch`: let a tenant's write track do without one of its parts, or with it again."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from config.management.operator import OperatorCommand, operator_scope
from security import audit
from tenants.scope import unit_of_work
from tenants.switches import SWITCHES, set_switches, switched_off


class Command(OperatorCommand):
    """Show and set the switches of a tenant (SPEC W-20)."""

    help = "Show which parts of the write track a tenant has switched off, and switch them. " + " ".join(
        f"{name}: {meaning}." for name, meaning in SWITCHES.items()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and what to switch."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="its slug")
        parser.add_argument("--on", nargs="+", default=[], choices=list(SWITCHES), metavar="PART")
        parser.add_argument("--off", nargs="+", default=[], choices=list(SWITCHES), metavar="PART")
        parser.add_argument("--reason", default="", help="why; kept in the audit trail")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set them, if any is named, and show all."""
        with operator_scope(options["tenant"]) as viewer, unit_of_work():
            before = switched_off()
            off = (
                set_switches(on=options["on"], off=options["off"])
                if options["on"] or options["off"]
                else before
            )
            if off != before:
                audit.append(
                    "tenant.switch", object_type="tenant", object_id=viewer.tenant_id, now=datetime.now(UTC),
                    detail={"off": sorted(off), "before": sorted(before)}, reason=options["reason"],
                )  # fmt: skip
        facts = {name: "off" if name in off else "on" for name in SWITCHES}
        lines = (f"{name}\t{state}" for name, state in facts.items())
        self.tell(facts, "\n".join(lines), as_json=options["json"])
