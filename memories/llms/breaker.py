"""
A circuit breaker: what failed several times in a row is left alone for a while, then tried once.

After Nygard, «Release It!» (2007): closed, open, half open. One breaker belongs to one provider and is shared
by all threads of a process; other processes find out for themselves.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

logger = logging.getLogger(__name__)

State = Literal["closed", "open", "half_open"]

MOST_FAILURES: Final = 5
"""Failures in a row that open it: five at most are allowed."""

PAUSE_SECONDS: Final = 30.0
"""How long it stays open: a short outage is over by then, a long one costs two requests a minute."""


class BreakerOpen(Exception):
    """The provider failed too often and is left alone for now; nothing was sent."""

    def __init__(self, seconds: float) -> None:
        super().__init__(BreakerOpen.__doc__)
        self.seconds = seconds  #: until it may be asked again, at least 0


class Attempt:
    """One request that the breaker let through. It counts as failed unless somebody says otherwise."""

    def __init__(self) -> None:
        self.is_answered = False

    def answered(self) -> None:
        """Say that the provider is alive, whatever one may think of its answer."""
        self.is_answered = True


class Breaker:
    """Counts failures in a row and stands between a model and its provider. Thread-safe."""

    def __init__(
        self,
        name: str,
        *,
        most_failures: int = MOST_FAILURES,
        pause_seconds: float = PAUSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start closed. `name` is for the log; `clock` counts seconds and never goes back."""
        self._name = name
        self._most_failures = most_failures
        self._pause_seconds = pause_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._opened_at: float | None = None
        self._is_probing = False
        self._generation = (
            0  #: counts changes of state: what began before one says nothing about the time after
        )

    @property
    def state(self) -> State:
        """`closed`, `open`, or `half_open`: the pause is over and one request may find out."""
        with self._lock:
            return self._state()

    @property
    def rest_seconds(self) -> float:
        """Seconds until it lets a request through, at least 0."""
        with self._lock:
            return self._rest()

    @contextmanager
    def attempt(self) -> Iterator[Attempt]:
        """
        Let one request through; it failed unless its `answered` was called.

        Raises BreakerOpen instead, while open, and while half open for all but the first who asks.
        """
        generation = self._enter()
        attempt = Attempt()
        try:
            yield attempt
        finally:
            self._leave(generation, is_answered=attempt.is_answered)

    def _state(self) -> State:
        if self._opened_at is None:
            return "closed"
        return "half_open" if self._clock() - self._opened_at >= self._pause_seconds else "open"

    def _rest(self) -> float:
        if self._opened_at is None:
            return 0.0
        return max(0.0, self._opened_at + self._pause_seconds - self._clock())

    def _enter(self) -> int:
        with self._lock:
            state = self._state()
            if state == "open" or (state == "half_open" and self._is_probing):
                raise BreakerOpen(self._rest())
            self._is_probing = state == "half_open"
            return self._generation

    def _leave(self, generation: int, *, is_answered: bool) -> None:
        with self._lock:
            if generation != self._generation:
                return
            if is_answered:
                self._close()
            else:
                self._failures += 1
                if self._is_probing or self._failures >= self._most_failures:
                    self._open()

    def _close(self) -> None:
        self._failures = 0
        if self._opened_at is not None:
            logger.warning("%s answers again", self._name)
            self._opened_at = None
            self._is_probing = False
            self._generation += 1

    def _open(self) -> None:
        logger.warning("%s failed and is left alone for %s s", self._name, self._pause_seconds)
        self._opened_at = self._clock()
        self._is_probing = False
        self._generation += 1
