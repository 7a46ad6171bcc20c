"""
Run several programs side by side until told to end, in one thread and without Django.

Their output comes out line by line under their names, one that ends is started again with growing pauses,
and a SIGINT, SIGTERM or SIGHUP ends them all.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from config.supervisor.child import Child, Pauses
from config.supervisor.processes import Bell, spawn

__all__ = ["Pauses", "Program", "Supervisor", "Watch"]

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

WATCH_SECONDS = 1.0
"""How often each watch looks; it also bounds how late a program's end is noticed where SIGCHLD got lost."""

LAST_WORDS = 20
"""Lines kept of a quiet program, told when it ends against its will."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program to keep running. `env` is its whole environment."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Something else to keep an eye on: `look` is called every second and answers the news, if any."""

    name: str
    look: Callable[[], Iterable[str]]


@dataclass(slots=True, kw_only=True)
class _Output:
    """What comes out of one run of a program, up to the end of its last line."""

    name: str
    rest: bytes = b""
    last: deque[str] = field(default_factory=lambda: deque(maxlen=LAST_WORDS))


class Supervisor:
    """
    Keeps programs running until a signal says end.

    say: called with a program's name and a line, for its output and for news of it.
    quiet: output is told only when its program ends against its will, and then the last lines of it.
    stop_seconds: how long programs get for a clean end before they are killed; a second signal kills at once.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        *,
        say: Callable[[str, str], None],
        watches: Sequence[Watch] = (),
        quiet: bool = False,
        pauses: Pauses | None = None,
        stop_seconds: float = 15.0,
    ) -> None:
        self._say = say
        self._watches = watches
        self._quiet = quiet
        self._stop_seconds = stop_seconds
        self._children = [Child(program.name, self._starter(program), pauses=pauses) for program in programs]
        self._selector = selectors.DefaultSelector()
        self._outputs: dict[str, _Output] = {}
        self._look_at = 0.0

    def run(self) -> None:
        """Run everything; return after a signal came and all has ended. Call it in the main thread."""
        with Bell([*END_SIGNALS, signal.SIGCHLD]) as bell, self._selector:
            self._selector.register(bell, selectors.EVENT_READ)
            try:
                while not set(END_SIGNALS) & set(bell.take()):
                    self._tend()
                    self._hear(self._seconds_to_sleep())
            finally:
                self._end(bell)

    def _starter(self, program: Program) -> Callable[[], subprocess.Popen[bytes]]:
        def start() -> subprocess.Popen[bytes]:
            process = spawn(
                program.argv,
                death_signal=signal.SIGTERM,
                env=program.env,
                output=subprocess.PIPE,
                cwd=program.cwd,
            )
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            output = self._outputs[program.name] = _Output(name=program.name)
            self._selector.register(process.stdout, selectors.EVENT_READ, output)
            return process

        return start

    def _tend(self) -> None:
        for child in self._children:
            former = self._outputs.get(child.name)
            news = child.tend(time.monotonic())
            if self._quiet and former is not None and any("ended" in line for line in news):
                for line in former.last:
                    self._say(child.name, line)
            for line in news:
                self._say(child.name, line)
        if time.monotonic() >= self._look_at:
            for watch in self._watches:
                for line in watch.look():
                    self._say(watch.name, line)
            self._look_at = time.monotonic() + WATCH_SECONDS

    def _seconds_to_sleep(self) -> float:
        now = time.monotonic()
        starts = [child.seconds_to_start(now) for child in self._children]
        return max(0.0, min([self._look_at - now, *(seconds for seconds in starts if seconds is not None)]))

    def _hear(self, seconds: float) -> bool:
        """Read what programs wrote, waiting so long for it; answer whether there was anything."""
        keys = [key for key, _ in self._selector.select(seconds) if isinstance(key.data, _Output)]
        for key in keys:
            self._read(key)
        return bool(keys)

    def _read(self, key: selectors.SelectorKey) -> None:
        output: _Output = key.data
        chunk = os.read(key.fd, 65536)
        *lines, output.rest = (output.rest + chunk).split(b"\n")
        for line in lines:
            self._tell(output, line)
        if not chunk:
            self._close(key)

    def _close(self, key: selectors.SelectorKey) -> None:
        if key.data.rest:
            self._tell(key.data, key.data.rest)
        self._selector.unregister(key.fileobj)
        key.fileobj.close()  # type: ignore[union-attr]  # a pipe, never a bare descriptor

    def _tell(self, output: _Output, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if self._quiet:
            output.last.append(text)
        else:
            self._say(output.name, text)

    def _end(self, bell: Bell) -> None:
        for child in self._children:
            child.ask_to_end()
        deadline = time.monotonic() + self._stop_seconds
        # Output is still read: a program that cannot write does not end.
        while not all(child.has_ended() for child in self._children):
            if time.monotonic() > deadline or set(END_SIGNALS) & set(bell.take()):
                for child in self._children:
                    child.kill()
            self._hear(0.1)
        while self._hear(0.0) and time.monotonic() < deadline + WATCH_SECONDS:
            pass  # what they wrote last; one that got away into a session of its own is not waited for
        for key in list(self._selector.get_map().values()):
            if isinstance(key.data, _Output):
                self._close(key)
        for child in self._children:
            news = child.wait_for_end(0.0)
            if news is not None:
                self._say(child.name, news)
