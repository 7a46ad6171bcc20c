"""`model_budget`: tokens a day that a tenant's language and decision models may take."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from security import audit
from security.management.operator import OperatorCommand, operator_scope
from tenants.model_budget import read_budget, set_budget
from tenants.scope import Viewer, unit_of_work


class Command(OperatorCommand):
    """Show and set a tenant's budget for models (SPEC K-07)."""

    help = "Show how many tokens a tenant's models may take a day and have taken today, and set it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and its budget."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="its slug")
        wanted = parser.add_mutually_exclusive_group()
        wanted.add_argument("--tokens-a-day", type=int, metavar="N", help="0: its models are not asked")
        wanted.add_argument("--default", action="store_true", help="as CANDOR_MODEL_TOKENS_A_DAY has it")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set it, if that is asked for, and show it."""
        with operator_scope(options["tenant"]) as viewer, unit_of_work():
            if options["tokens_a_day"] is not None or options["default"]:
                _set(viewer, options["tokens_a_day"])
            budget = read_budget()
        facts = {"tokens_a_day": budget.a_day, "taken_today": budget.taken}
        lines = (f"{name}\t{number}" for name, number in facts.items())
        self.tell(facts, "\n".join(lines), as_json=options["json"])


def _set(viewer: Viewer, tokens: int | None) -> None:
    before = read_budget().a_day
    try:
        after = set_budget(tokens).a_day
    except ValueError as error:
        raise CommandError(str(error)) from error
    if after != before:
        audit.append(
            "tenant.model_budget", object_type="tenant", object_id=viewer.tenant_id, now=datetime.now(UTC),
            detail={"tokens_a_day": after, "before": before},
        )  # fmt: skip
