"""`run`: one program of the service by itself, for whoever keeps it running: systemd, a container."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from config.supervisor import Program, programs
from config.supervisor.readiness import port_number

PROGRAMS: Final[dict[str, Callable[[dict[str, Any]], Program]]] = {
    "web": lambda given: programs.web(
        host=given["host"], port=given["port"], workers=given["processes"] or 2
    ),
    "worker": lambda given: programs.worker(concurrency=given["processes"] or 2),
    "long": lambda given: programs.long_worker(concurrency=given["processes"] or 1),
    "courier": lambda _given: programs.courier(),
    "beat": lambda given: programs.beat(schedule=given["schedule"]),
}


class Command(BaseCommand):
    """Become one of the programs that `up` starts, on servers of one's own."""

    help = (
        "Become one program of the service: web, worker (what is short), long (documents and nights), "
        "courier (webhooks) or beat (one of it, anywhere). `up` runs all of them on one machine; this is for "
        "whoever keeps programs running otherwise, with DATABASE_URL and BROKER_URL. See docs/deploy.md."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the program, and its size."""
        parser.add_argument("program", choices=list(PROGRAMS))
        parser.add_argument("--host", default="127.0.0.1", help="web: where it listens")
        parser.add_argument("--port", type=port_number, default=8000, help="web: default 8000")
        parser.add_argument("--processes", type=int, help="web, worker: default 2; long: 1")
        parser.add_argument(
            "--schedule", type=Path, default=Path(tempfile.gettempdir()) / "celerybeat-schedule",
            help="beat: where it notes what it sent last",
        )  # fmt: skip
        parser.add_argument("--print", action="store_true", help="print the command line and end")

    def handle(self, **options: Any) -> None:
        """Become it."""
        program = PROGRAMS[options["program"]](options)
        if options["print"]:
            self.stdout.write(shlex.join(program.argv))
            return
        os.chdir(program.cwd or ".")
        os.execve(program.argv[0], list(program.argv), dict(program.env))  # noqa: S606 - our own words
