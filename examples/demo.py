"""
Start everything, load a sample fleet, ask real questions, keep serving until Ctrl-C.

`python -m examples.demo [--once] [--data FILE] [--port N]`; `make demo` calls it.
"""

import argparse
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

import httpx

from bench.corpora.conversations import Conversation, read_conversations
from bench.rig.accounts import KeyFile
from bench.rig.client import ApiError
from bench.rig.intake import Stuck
from bench.rig.service import CommandFailed, Service, ServiceFailed, choose_port, port_number
from examples.conversations import measure_conversations
from examples.next_steps import tell_next
from examples.printing import heading, say
from examples.tour import give_tour

PORT: Final = 8000
KEYS: Final = "demo-keys.json"
FAILURES: Final = (ServiceFailed, CommandFailed, ApiError, Stuck, httpx.HTTPError)


def main(argv: list[str] | None = None) -> int:
    """Run the demo; return 0 when all went well, 1 when something failed, 2 for a file of another format."""
    arguments = _parser().parse_args(argv)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    conversations = None
    if arguments.data is not None:
        if not arguments.data.is_file():
            say(f"skipped: no data at {arguments.data}")
            return 0
        try:
            conversations = read_conversations(arguments.data)
        except (ValueError, KeyError, TypeError) as wrong:
            say(f"{arguments.data} is not a file of conversations: {type(wrong).__name__} {wrong}")
            return 2
    try:
        return _run(arguments, conversations)
    except FAILURES as failure:
        say(f"The demo failed. {failure}", "red")
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
        return 130


def _run(arguments: argparse.Namespace, conversations: list[Conversation] | None) -> int:
    began = time.monotonic()
    port = arguments.port or choose_port((PORT,))
    if port not in (arguments.port, PORT):
        say(
            f"Port {PORT} is in use, so this one serves at port {port}; PORT=8010 would choose one.", "yellow"
        )
    with Service(port=port, say=lambda line: say(f"  {line}", "dim")) as service:
        heading(f"Starting PostgreSQL, Valkey, web server, worker and beat in {service.home}")
        service.wait_ready()
        keys = KeyFile(service.home / KEYS)
        if conversations is None:
            done = give_tour(service, keys)
        else:
            done = measure_conversations(service, keys, arguments.data, conversations)
        tell_next(service, keys, done)
        say(f"\nAll this took {time.monotonic() - began:.0f} s.")
        for fault in done.faults:
            say(f"Failed: {fault}.", "red")
        if not arguments.once:
            _serve(service)
    return 1 if done.faults else 0


def _serve(service: Service) -> None:
    """Wait for Ctrl-C. Raises ServiceFailed when the service ends by itself."""
    say("Serving until Ctrl-C.", "bold")
    try:
        while service.is_running():
            time.sleep(0.5)
    except KeyboardInterrupt:
        say("\nStopping …")
        return
    raise ServiceFailed(f"The service ended by itself:\n{service.last_lines()}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="stop everything and exit when all is shown")
    parser.add_argument("--data", type=Path, help="a file of conversations, instead of the sample fleet")
    parser.add_argument(
        "--port", type=port_number, help=f"default: {PORT}, or any free one when that is in use"
    )
    return parser


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
