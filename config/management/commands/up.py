"""`up`: everything on one machine by one command."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.embedded import EmbeddedError, default_home, export_endpoints, home_in_use, stop
from config.embedded.watch import ServersWatch
from config.supervisor import Program, Supervisor, Watch, programs
from config.supervisor.processes import describe_end, spawn
from config.supervisor.readiness import Readiness, port_number, why_not_free
from config.supervisor.terminal import Terminal


class Command(BaseCommand):
    help = "Run the servers (embedded ones where none are configured), the web server, a worker and the beat."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        cores = os.cpu_count() or 1
        parser.add_argument("--host", default="127.0.0.1", help="where the web server listens")
        parser.add_argument("--port", type=port_number, default=8000, help="default: 8000")
        parser.add_argument(
            "--workers-web", type=int, default=min(cores, 2), help="processes of the web server"
        )
        parser.add_argument("--worker-concurrency", type=int, default=2, help="processes of the worker")
        parser.add_argument(
            "--long-concurrency", type=int, default=1, help="processes of the worker for what is long"
        )
        parser.add_argument(
            "--no-beat", action="store_true", help="when another machine already runs the beat"
        )
        parser.add_argument(
            "--quiet", action="store_true", help="tell what starts, ends and fails, nothing more"
        )

    def handle(self, **options: Any) -> None:
        """Run until Ctrl-C or SIGTERM. Raises CommandError when something needed cannot be had."""
        reason = why_not_free(options["host"], options["port"])
        if reason is not None:
            raise CommandError(
                f"Port {options['port']} of {options['host']} cannot be used ({reason}). "
                "Choose another one: make run PORT=8010, or manage.py up --port 8010."
            )
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGHUP, _interrupt)
        terminal = Terminal(sys.stdout)
        try:
            export_endpoints()
            _share_metrics(home_in_use() or default_home())
            _migrate(terminal)
            _supervise(terminal, options)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            pass  # it came before the supervisor listened
        finally:
            _let_go(terminal)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _let_go(terminal: Terminal) -> None:
    home = home_in_use()
    if home is None:
        return
    with suppress(KeyboardInterrupt):  # a second Ctrl-C: the servers end all the same, unwatched
        stopped = stop(home)
        terminal.say(
            "servers", "stopped" if stopped else "another process uses them; they stay until it ends"
        )


def _share_metrics(home: Path) -> None:
    """Give the programs an empty folder for what they count, if anybody may read it."""
    if not os.environ.get("CANDOR_METRICS_TOKEN"):
        return
    folder = Path(os.environ.setdefault("CANDOR_METRICS_DIR", str(home / "metrics")))
    for one in folder.glob("*.db"):
        one.unlink()


def _migrate(terminal: Terminal) -> None:
    terminal.say("migrate", "bringing the database up to date")
    argv = programs.manage("migrate", "--noinput", "--verbosity", "0")
    child = spawn(argv, death_signal=signal.SIGTERM, env=os.environ, output=None)
    if child.wait() != 0:
        raise CommandError(f"`manage.py migrate` failed ({describe_end(child.returncode)}); see above.")


def _supervise(terminal: Terminal, options: dict[str, Any]) -> None:
    home = home_in_use()
    readiness = Readiness(host=options["host"], port=options["port"])
    watches = [Watch(name="web", look=readiness.look)]
    if home is not None:
        watches.append(Watch(name="servers", look=ServersWatch(home).look))
    Supervisor(
        _programs(home or default_home(), options),
        say=terminal.say,
        watches=watches,
        quiet=options["quiet"],
    ).run()


def _programs(home: Path, options: dict[str, Any]) -> list[Program]:
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    wanted = [
        programs.web(host=options["host"], port=options["port"], workers=options["workers_web"]),
        programs.worker(concurrency=options["worker_concurrency"]),
        programs.long_worker(concurrency=options["long_concurrency"]),
        programs.courier(),
    ]
    return wanted if options["no_beat"] else [*wanted, programs.beat(schedule=home / "celerybeat-schedule")]
