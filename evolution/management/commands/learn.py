"""`learn`: say from the log what other weights would have done, and draft those that did better."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from evolution.off_policy import NoSupport, compare_policy, propose
from recall.policies import BadPolicy, UnknownPolicy
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """Estimate weights from logged recalls and verdicts; change nothing but a draft (SPEC E-12)."""

    help = (
        "Estimate from a tenant's logged recalls and verdicts what other weights would have been worth. With "
        "--policy, those of one version. Without, weights around those in force are tried, and with --draft "
        "the best are kept as a draft if they are surely better on questions that the search did not see. "
        "What is in force stays: a draft is proven by a shadow run, as any other."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, what to compare, and of which time."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--policy", metavar="LABEL", help="compare this version's weights: tuned@1")
        which.add_argument(
            "--draft", metavar="NAME", help="keep what is surely better as a draft of this name"
        )
        parser.add_argument("--since", metavar="MOMENT", help="recalls from this ISO-8601 moment on")
        parser.add_argument("--seed", type=int, default=1, help="of the search; the same seed tries the same")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it and say what came of it."""
        with operator_scope(options["tenant"]), _said_plainly():
            since = _moment(options["since"])
            if options["policy"]:
                facts = compare_policy(options["policy"], since=since).facts()
            else:
                found = propose(options["draft"], seed=options["seed"], now=timezone.now(), since=since)
                facts = found.facts() | {"is_better": found.is_better}
                if found.draft is not None:
                    facts["draft"] = found.draft
        self.tell(facts, _text(facts), as_json=options["json"])


def _text(facts: dict[str, Any]) -> str:
    weights = ", ".join(f"{name} {value:.3f}" for name, value in facts["weights"].items())
    rows = [
        "\t".join([name, *(f"{one[each]:.4f}" for each in ("now", "then", "gain", "low", "high"))])
        for name, one in facts["by"].items()
    ]
    lines = [
        f"in force: {facts['in_force']}",
        f"compared: {weights}",
        f"{facts['recalls']} recalls, {facts['questions']} questions, {facts['verdicts']} verdicts "
        f"(worth {facts['effective']:.0f}), {facts['unsupported']:.1%} never shown",
        "estimate\tnow\tthen\tgain\tlow\thigh",
        *rows,
    ]
    if "draft" in facts:
        lines.append(f"drafted: {facts['draft']}. Prove it by a shadow run before it ranks.")
    elif facts.get("is_better") is False:
        lines.append("Not surely better than what is in force: nothing was drafted.")
    return "\n".join(lines)


def _moment(told: str | None) -> datetime | None:
    if told is None:
        return None
    try:
        moment = datetime.fromisoformat(told)
    except ValueError as error:
        raise CommandError(f"{told!r} is no ISO-8601 moment, such as 2026-05-01T00:00:00Z.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@contextmanager
def _said_plainly() -> Iterator[None]:
    """Tell what cannot be done without a traceback."""
    try:
        yield
    except (NoSupport, BadPolicy, UnknownPolicy) as error:
        raise CommandError(str(error)) from error
