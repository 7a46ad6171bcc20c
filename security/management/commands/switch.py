"""`switch`: let a tenant do without a part of the write track, memory in prompts, or the guard."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from security import audit
from security.management.operator import OperatorCommand, operator_scope
from tenants.scope import Viewer, unit_of_work
from tenants.switches import GUARD, SWITCHES, set_guard, set_switches, switched_off


class Command(OperatorCommand):
    """Show and set the switches of a tenant (SPEC W-20)."""

    help = (
        "Show what a tenant has switched off, and switch it. "
        + " ".join(f"{name}: {meaning}." for name, meaning in SWITCHES.items())
        + " --guard is the operator's: off, instructions and disguises are noted and no longer quarantined."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and what to switch."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="its slug")
        parser.add_argument("--on", nargs="+", default=[], choices=list(SWITCHES), metavar="PART")
        parser.add_argument("--off", nargs="+", default=[], choices=list(SWITCHES), metavar="PART")
        parser.add_argument("--guard", choices=["on", "off"], help="screening of instructions; with --reason")
        parser.add_argument("--reason", default="", help="why; kept in the audit trail")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set them, if any is named, and show all."""
        if options["guard"] and not options["reason"].strip():
            raise CommandError("The guard is switched for a reason, which the audit trail keeps: --reason.")
        with operator_scope(options["tenant"]) as viewer, unit_of_work():
            if options["on"] or options["off"]:
                _switch(viewer, options)
            if options["guard"]:
                _switch_guard(viewer, options)
            off = switched_off()
        facts = {name: "off" if name in off else "on" for name in (*SWITCHES, GUARD)}
        lines = (f"{name}\t{state}" for name, state in facts.items())
        self.tell(facts, "\n".join(lines), as_json=options["json"])


def _switch(viewer: Viewer, options: dict[str, Any]) -> None:
    before = switched_off()
    off = set_switches(on=options["on"], off=options["off"])
    if off != before:
        audit.append(
            "tenant.switch", object_type="tenant", object_id=viewer.tenant_id, now=datetime.now(UTC),
            detail={"off": sorted(off), "before": sorted(before)}, reason=options["reason"],
        )  # fmt: skip


def _switch_guard(viewer: Viewer, options: dict[str, Any]) -> None:
    before = switched_off()
    if set_guard(on=options["guard"] == "on") != before:
        audit.append(
            "tenant.guard", object_type="tenant", object_id=viewer.tenant_id, now=datetime.now(UTC),
            detail={"guard": options["guard"]}, reason=options["reason"],
        )  # fmt: skip
