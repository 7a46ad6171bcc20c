"""`manage.py deliver_webhooks`: send tenants' webhooks what happened, until it is stopped."""

import signal
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand

from evolution.events import Courier


class Command(BaseCommand):
    """Run the courier."""

    help = (
        "Send webhooks what happened, as it happens, until SIGTERM or Ctrl-C. `up` runs one; where the "
        "service is run in parts, run one or more of it. See docs/events.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whether to end."""
        parser.add_argument("--once", action="store_true", help="deliver what is due now, tell how much, end")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run it."""
        courier = Courier()
        if options["once"]:
            self.stdout.write(f"events taken\t{courier.run_once()}")
            return

        def end(_number: int, _frame: FrameType | None) -> None:
            courier.stop()

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        courier.run()
