"""
The keeper of one home: a detached process that runs PostgreSQL and Valkey while somebody uses them.

It starts them in the foreground (Note [Dying with the parent]), starts one again that ends, and ends with
them when nobody has used them for a while. SIGUSR1: end as soon as nobody uses them. SIGTERM, SIGINT,
SIGHUP: end now. It keeps to one thread.

Run as `python -m config.embedded.keeper HOME`, after `layout.json` was written there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from config.embedded import locks, postgres, valkey
from config.embedded.layout import Layout, load_layout
from config.supervisor.child import Child, Pauses
from config.supervisor.processes import Bell, spawn

UNUSED_SECONDS = 20.0
"""How long the servers outlive their last user: longer than the pause between two commands typed by hand."""

STOP_SECONDS = 60.0
"""How long a server gets for a clean end; a killed one recovers from its log at the next start."""

PAUSES = Pauses(first=0.1, longest=5.0, steady=10.0)

SOCKET_SECONDS = 2.0
"""A server older than this has made its socket; where there is none now, somebody took it away."""

HASTE_SECONDS = 3.0
"""How long a SIGUSR1 counts: at its coming somebody may just be trying the lock, which looks like use."""

LOG_BYTES = 5_000_000
"""A log longer than this is set aside when the keeper starts; one former log is kept."""

END_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}


class Keeper:
    """Runs the servers of one layout until nobody uses them or a signal says so."""

    def __init__(self, layout: Layout, *, lock: int, unused_seconds: float = UNUSED_SECONDS) -> None:
        self._layout = layout
        self._lock = lock
        self._unused_seconds = unused_seconds
        self._used_at = time.monotonic()
        self._hasty_until = 0.0
        self._servers = {server.socket(layout): self._make_child(server) for server in (postgres, valkey)}

    def run(self) -> None:
        """Keep the servers running; return after both have ended."""
        with Bell([*END_SIGNALS, signal.SIGUSR1, signal.SIGCHLD]) as bell:
            while not self._is_over(set(bell.take())):
                for socket, server in self._servers.items():
                    self._look_after(server, socket)
                now = time.monotonic()
                starts = [server.seconds_to_start(now) for server in self._servers.values()]
                bell.wait(min([1.0, *(seconds for seconds in starts if seconds is not None)]))
            for server in self._servers.values():
                server.ask_to_end()
            for server in self._servers.values():
                say(server.wait_for_end(STOP_SECONDS))
            with suppress(OSError):
                self._layout.sockets.rmdir()

    def _is_over(self, rung: set[signal.Signals]) -> bool:
        if rung & END_SIGNALS:
            say("told to end")
            return True
        if not locks.is_named(self._layout.home / "keeper.lock", self._lock):
            say("the home was taken away")
            return True
        now = time.monotonic()
        if signal.SIGUSR1 in rung:
            self._hasty_until = now + HASTE_SECONDS
        unused = locks.try_exclusive(self._layout.home / "users.lock")
        if unused is None:
            self._used_at = now
            return False
        if now < self._hasty_until or now - self._used_at >= self._unused_seconds:
            # The lock stays ours until we are gone: a newcomer waits for that, and then starts afresh.
            say("nobody uses the servers")
            return True
        os.close(unused)
        return False

    def _look_after(self, server: Child, socket: Path) -> None:
        now = time.monotonic()
        for line in server.tend(now):
            say(line)
        if server.process is not None and now - server.started_at > SOCKET_SECONDS and not socket.exists():
            say(f"{server.name}: {socket} was taken away")
            server.ask_to_end()

    def _make_child(self, server: ModuleType) -> Child:
        log = open_log(self._layout.home, server.NAME)
        return Child(server.NAME, self._starter(server, log), stop_signal=server.STOP_SIGNAL, pauses=PAUSES)

    def _starter(self, server: ModuleType, log: BinaryIO) -> Callable[[], subprocess.Popen[bytes]]:
        def start() -> subprocess.Popen[bytes]:
            self._layout.restore_sockets()
            server.clear_away_former(self._layout)
            return spawn(
                server.command(self._layout),
                death_signal=server.STOP_SIGNAL,
                env=postgres.environment(),
                output=log,
                cwd="/",
                **self._layout.account.popen_arguments(),
            )

        return start


def say(text: str | None) -> None:
    """Write a line with the time to the keeper's log; nothing for None."""
    if text is not None:
        print(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} {text}", flush=True)


def open_log(home: Path, name: str) -> BinaryIO:
    """Open a log of the home for appending, setting a long one aside first."""
    path = home / "log" / f"{name}.log"
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".1.log"))
    return path.open("ab", buffering=0)


def main(home: Path) -> int:
    """Detach, become the one keeper of the home, and keep its servers. Answers the exit code."""
    if os.fork() != 0:
        return 0  # whoever started us waits for this process only, and is left no zombie
    os.umask(0o077)
    os.chdir("/")
    lock = locks.try_exclusive(home / "keeper.lock")
    layout = load_layout(home)
    if lock is None or layout is None:
        return 1
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    log = open_log(home, "keeper")
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    say(f"keeper of {home} is process {os.getpid()}")
    unused_seconds = float(os.environ.get("CANDOR_UNUSED_SECONDS") or UNUSED_SECONDS)
    Keeper(layout, lock=lock, unused_seconds=unused_seconds).run()
    say("keeper ends")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
