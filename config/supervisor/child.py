"""One program that is kept running: started, started again when it ends, ended."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from config.supervisor.processes import describe_end, has_ended, kill_group


@dataclass(frozen=True, slots=True, kw_only=True)
class Pauses:
    """
    Seconds before a program that ended is started again.

    `first`, doubled each time up to `longest`; `first` again for a program that lived `steady` seconds.
    """

    first: float = 1.0
    longest: float = 30.0
    steady: float = 30.0


class Child:
    """
    Keeps one program running. `tend` it often, `ask_to_end` and then `wait_for_end` at the last.

    Time is the caller's monotonic clock, in seconds.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], subprocess.Popen[bytes]],
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        pauses: Pauses | None = None,
    ) -> None:
        self.name = name
        self._start = start
        self._stop_signal = stop_signal
        self._pauses = pauses or Pauses()
        self._pause = self._pauses.first
        self._start_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    def tend(self, now: float) -> list[str]:
        """Start the program, or start it again, when it is time; answer what happened."""
        news = []
        if self.process is not None and has_ended(self.process):
            news.append(self._note_end(self.process, now))
        if self.process is None and now >= self._start_at:
            news.append(self._begin(now))
        return news

    def seconds_to_start(self, now: float) -> float | None:
        """Answer how long until `tend` will start the program; None while it runs."""
        return self._start_at - now if self.process is None else None

    def _begin(self, now: float) -> str:
        try:
            self.process = self._start()
        except OSError as error:
            self._put_off(now)
            return f"{self.name} cannot be started: {error}"
        self.started_at = now
        return f"{self.name} started as process {self.process.pid}"

    def _note_end(self, process: subprocess.Popen[bytes], now: float) -> str:
        if now - self.started_at >= self._pauses.steady:
            self._pause = self._pauses.first
        pause = self._put_off(now)
        self.process = None
        return f"{self.name} ended ({describe_end(process.returncode)}); starting it again in {pause:g} s"

    def _put_off(self, now: float) -> float:
        pause, self._start_at = self._pause, now + self._pause
        self._pause = min(self._pause * 2, self._pauses.longest)
        return pause

    def ask_to_end(self) -> None:
        """Send the program its stop signal, if it runs."""
        if self.process is not None:
            self.process.send_signal(self._stop_signal)

    def has_ended(self) -> bool:
        """Ask whether the program is gone."""
        return self.process is None or has_ended(self.process)

    def kill(self) -> None:
        """Kill the program and its process group, and wait for its end."""
        if self.process is not None and not self.has_ended():
            kill_group(self.process)
            self.process.wait()

    def wait_for_end(self, seconds: float) -> str | None:
        """Wait for the end of a program that was asked to, kill it afterwards; answer how it ended."""
        if self.process is None:
            return None
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        return f"{self.name} stopped ({describe_end(self.process.returncode)})"
