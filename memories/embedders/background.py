"""Passes that give way to whatever else this process does: in a process of their own, or on a thread."""

import logging
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from memories.embedders.base import Vectors
from memories.embedders.engine import Engine
from memories.embedders.engine_process import EngineProcess

log = logging.getLogger(__name__)

LOWER_PRIORITY: Final = 10
"""
Nice value of what makes heavy passes: it has what others leave, and short texts do not feel it.

Two heavy passes beside it made a short question of 75 ms one of 271 ms, at this value one of 85 ms (2 cores).
"""


class Background:
    """
    An engine for heavy passes, one at a time.

    On a thread of its own with a lower priority or, for a process that answers others meanwhile, in a process
    apart (Note [Why a process]); where none can be started, on the thread after all.
    """

    def __init__(self, engine: Engine, *, apart: EngineProcess | None) -> None:
        """Prepare; nothing is started. engine: that of the thread. apart: None for the thread alone."""
        self._engine = engine
        self._apart = apart
        self._thread: ThreadPoolExecutor | None = None

    def query(self, text: str) -> Vectors:
        """Return a question's vector. Raises EngineLost."""
        return self._run("query", text)

    def passage(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages. Raises EngineLost."""
        return self._run("passage", texts)

    def disown(self) -> None:
        """In a forked child: begin anew, with no thread and no process."""
        self._thread = None
        if self._apart is not None:
            self._apart.disown()

    def _run(self, name: str, texts: str | Sequence[str]) -> Vectors:
        if self._apart is not None:
            try:
                made: Vectors = getattr(self._apart, name)(texts)
            except OSError:
                log.exception("no process can be started; long texts are embedded in this one")
                self._apart = None
            else:
                return made
        future: Any = self._low_thread().submit(getattr(self._engine, name), texts)
        on_thread: Vectors = future.result()
        return on_thread

    def _low_thread(self) -> ThreadPoolExecutor:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "embed-long", initializer=_lower_this_thread)
        return self._thread


def _lower_this_thread() -> None:
    with suppress(AttributeError, OSError):  # a priority for each thread: Linux alone has it
        current = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(current, LOWER_PRIORITY))
