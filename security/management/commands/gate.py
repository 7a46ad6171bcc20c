"""`gate`: look at a tenant's gate for keys from outside, close it, have it validated."""

from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from security.gate import GateView, TransitionRefused, close_gate, read_gate, validate_gate
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """Show, close or validate the gate (SPEC S-06). It is opened by a person: in the admin or over HTTP."""

    help = "Show, close or validate the gate for keys from outside. A person opens it. See docs/gate.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what to do, and with which tenant."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="show|close|validate")
        told = {
            "show": "show whether it is open, and if not, why",
            "close": "close it from the next request on; it takes a new shadow run to open it",
            "validate": "have it validated by a shadow run of what is in force, which passed",
        }
        for verb, meaning in told.items():
            one = verbs.add_parser(verb, help=meaning, description=meaning)
            one.add_argument("--tenant", required=True, help="its slug")
            super().add_arguments(one)
            if verb == "close":
                one.add_argument("--reason", required=True, help="why, for the trail")
            if verb == "validate":
                one.add_argument("--run", type=UUID, required=True, help="the shadow run's id")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it."""
        with operator_scope(options["tenant"]):
            gate = _step(options, datetime.now(UTC))
        self.tell(asdict(gate), _told(gate), as_json=options["json"])


def _step(options: dict[str, Any], now: datetime) -> GateView:
    try:
        if options["verb"] == "close":
            return close_gate(reason=options["reason"], now=now)
        if options["verb"] == "validate":
            return validate_gate(options["run"], now=now)
        return read_gate()
    except TransitionRefused as refused:
        raise CommandError(str(refused)) from refused


def _told(gate: GateView) -> str:
    lines = [
        f"{gate.state}{f': {gate.says}' if gate.says else ''}",
        f"keys for outside in force: {gate.keys}",
    ]
    if gate.reason:
        lines.append(f"reason: {gate.reason}")
    if gate.changed_at:
        lines.append(f"last change by {gate.changed_by} at {gate.changed_at:%Y-%m-%d %H:%M:%S}")
    if gate.changers:
        lines.append(f"not opened by: {', '.join(gate.changers)}")
    return "\n".join(lines)
