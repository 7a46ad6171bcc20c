"""
Stop work that burns more CPU than it may have, whatever it is doing.

# Note [Two alarms]
The first alarm raises `CpuExceeded` in Python code, so that the attempt is given back with its reason. A
call into C that runs away holds the interpreter: no handler of Python's runs before it is done (the regular
expressions of the standard library look for signals, those of others may not). So a second alarm follows,
some seconds of CPU later, whose action is the system's own: it ends the process. In a Celery child that is
one attempt at one capture. The attempt was counted before it began, the parent starts another child, and
after the last attempt the capture is `dead`. Both count CPU and not the clock, so a slow model or database
does not set them off.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

GRACE_SECONDS: Final = 2.0
"""Seconds of CPU between the first alarm and the end of the process."""

_AGAIN_SECONDS: Final = 0.5
"""The first alarm rings on: a library that swallows every exception would swallow ours, too."""


class CpuExceeded(Exception):
    """This work took more CPU than it may have."""


@contextmanager
def cpu_budget(seconds: float, *, grace: float = GRACE_SECONDS) -> Iterator[None]:
    """
    Give what is inside so many seconds of the process's CPU.

    Raises CpuExceeded when they are used up, and ends the process `grace` seconds of CPU later.
    Alarms are the process's: outside its main thread, as in a web server, nothing is bounded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(signal.SIGVTALRM, _raise)
    fatal = signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN_SECONDS)
    signal.setitimer(signal.ITIMER_PROF, seconds + grace)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGVTALRM, former)
        signal.signal(signal.SIGPROF, fatal)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise CpuExceeded(CpuExceeded.__doc__)
