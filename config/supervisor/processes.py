"""
Child processes that live no longer than their parent, and signals as something one can wait for.

# Note [Dying with the parent]
On Linux a child asks the kernel for a signal at its parent's death (PR_SET_PDEATHSIG, prctl(2)). Three
traps: the wish is forgotten when the process changes its user, so it is made after that (`subprocess` calls
preexec_fn last); it is tied to the *thread* that started the child, so children are started from a main
thread that lives as long as its process; and the parent may be gone before the wish is made, hence the look
at getppid(). Elsewhere than on Linux nothing is done: a parent ended by SIGKILL leaves its children behind.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import IO, Any, Self

PR_SET_PDEATHSIG = 1
"""prctl(2), <linux/prctl.h>."""

_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(death_signal: signal.Signals) -> Callable[[], None]:
    """Answer a preexec function after which the child gets `death_signal` when this process ends."""
    parent = os.getpid()

    def ask_the_kernel() -> None:
        if _LIBC is not None:
            _LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return ask_the_kernel


def spawn(
    argv: Sequence[str],
    *,
    death_signal: signal.Signals,
    env: Mapping[str, str],
    output: IO[bytes] | int | None,
    cwd: str | None = None,
    **popen_arguments: Any,
) -> subprocess.Popen[bytes]:
    """
    Start a program that dies with this process, in a session of its own (no Ctrl-C from the terminal).

    output: where its stdout and stderr go, a file, subprocess.PIPE or None (where ours goes).
    Call it in the main thread. Raises OSError.
    """
    return subprocess.Popen(  # noqa: S603 the callers' own command lines, no shell
        argv,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=dict(env),
        cwd=cwd,
        start_new_session=True,
        # Safe: between fork and exec it calls nothing but prctl and getppid, in a libc loaded beforehand.
        preexec_fn=die_with_parent(death_signal),
        **popen_arguments,
    )


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """
    Ask whether a child started by `spawn` has ended; what it left behind in its process group is killed.

    A web server killed outright would otherwise leave its workers, and they the port.
    """
    if process.returncode is None and hasattr(os, "waitid"):
        # WNOWAIT leaves the child unreaped, so its number cannot have become another group's before the kill.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return False
        kill_group(process)
    return process.poll() is not None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child that is not yet reaped, and its process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def describe_end(code: int) -> str:
    """Say how a process ended, from its return code as `subprocess` gives it."""
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


class Bell:
    """
    Signals that ring instead of interrupting: wait for them with `wait`, read them with `take`.

    It installs handlers, so it is used in the main thread; leaving the `with` block restores the former ones.
    """

    def __init__(self, signals: Iterable[signal.Signals]) -> None:
        self._signals = tuple(signals)
        self._rung: list[signal.Signals] = []

    def __enter__(self) -> Self:
        self._ear, self._rope = socket.socketpair()
        self._ear.setblocking(False)
        self._rope.setblocking(False)
        self._former_rope = signal.set_wakeup_fd(self._rope.fileno(), warn_on_full_buffer=False)
        self._former = {number: signal.signal(number, self._ring) for number in self._signals}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._former_rope)
        self._ear.close()
        self._rope.close()

    def _ring(self, number: int, _frame: FrameType | None) -> None:
        self._rung.append(signal.Signals(number))

    def fileno(self) -> int:
        """Answer the descriptor that becomes readable when a signal came."""
        return self._ear.fileno()

    def wait(self, seconds: float) -> None:
        """Sleep until a signal comes, at most so many seconds."""
        select.select([self], [], [], max(seconds, 0.0))

    def take(self) -> list[signal.Signals]:
        """Answer the signals that came since the last call, oldest first."""
        with suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass
        rung, self._rung = self._rung, []
        return rung
