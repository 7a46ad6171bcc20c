"""
Whose text is next, where texts are read one after the other: turns between tenants by cost.

# Note [Turns by cost]
A turn is one pass of the engine, at most one window, or one long text that is taken, and what it costs is its
tokens or bytes. Among those who wait, a tenant's next turn starts where its last one ended in the lane's own
time, which stands at the start of the turn served last (start-time fair queueing: Goyal, Vin and Cheng,
SIGCOMM 1996). So who comes with one short question is served before the hundredth window of another, whatever
number of requests either has sent, and nobody saves up turns by staying away.
"""

import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Final

from tenants.scope import Overloaded

PATIENCE: Final = 8
"""Turns of questions after which a waiting passage has one: else who asks without end would stop writing."""

MOST_WAITING: Final = 8
"""Long texts of one tenant that may wait for a turn in a process: half of the threads of a web one."""


class ReaderBusy(Overloaded):
    """So many long texts of this tenant wait to be read that no other is taken. Try again shortly."""


@dataclass(slots=True, eq=False)
class _Waiter:
    tenant: Hashable
    is_question: bool
    start: float
    granted: Event = field(default_factory=Event)


class Lane:
    """
    So many turns at a time, at most one of them a tenant's; safe to use from several threads.

    Within a tenant questions and passages go in the order they came, each before the other's as stated above.
    """

    def __init__(self, *, at_once: int, most_waiting: int | None = None, rest: float = 0.0) -> None:
        """
        Prepare a lane.

        most_waiting: of one tenant, beyond it ReaderBusy is raised; None: no bound. rest: how long the lane
        does nothing after a turn, as a multiple of the processor's time that its thread took for it.
        """
        self._at_once = at_once
        self._rest = rest
        self._rests_until = 0.0
        self._most_waiting = most_waiting
        self._lock = Lock()
        self._waiting: list[_Waiter] = []
        self._running: Counter[Hashable] = Counter()
        self._ends: dict[Hashable, float] = {}
        self._time = 0.0
        self._passed_over = 0

    @contextmanager
    def turn(self, tenant: Hashable, *, cost: int, is_question: bool) -> Iterator[None]:
        """Wait for a turn and hold it while the block runs. cost: tokens or bytes. Raises ReaderBusy."""
        waiter = self._line_up(tenant, cost, is_question)
        try:
            waiter.granted.wait()
            with self._between_rests() if self._rest else nullcontext():
                yield
        finally:
            self._leave(waiter)

    @contextmanager
    def _between_rests(self) -> Iterator[None]:
        """Wait out the rest from the turn before, run the block, and begin the rest from this one."""
        time.sleep(max(0.0, self._rests_until - time.monotonic()))
        began = time.thread_time()
        try:
            yield
        finally:
            self._rests_until = time.monotonic() + self._rest * (time.thread_time() - began)

    def waiting(self) -> int:
        """Return how many wait for a turn."""
        with self._lock:
            return len(self._waiting)

    def _line_up(self, tenant: Hashable, cost: int, is_question: bool) -> _Waiter:
        with self._lock:
            waiting = sum(one.tenant == tenant for one in self._waiting)
            if self._most_waiting is not None and waiting >= self._most_waiting:
                raise ReaderBusy(ReaderBusy.__doc__)
            start = max(self._time, self._ends.get(tenant, 0.0))
            self._ends[tenant] = start + cost
            waiter = _Waiter(tenant=tenant, is_question=is_question, start=start)
            self._waiting.append(waiter)
            self._grant()
        return waiter

    def _leave(self, waiter: _Waiter) -> None:
        with self._lock:
            if waiter.granted.is_set():
                self._running[waiter.tenant] -= 1
                self._running += Counter()  # drops who has none
            else:  # interrupted while it waited
                self._waiting.remove(waiter)
            self._grant()

    def _grant(self) -> None:
        while self._running.total() < self._at_once and (chosen := self._next()) is not None:
            self._waiting.remove(chosen)
            self._running[chosen.tenant] += 1
            self._time = max(self._time, chosen.start)
            chosen.granted.set()
        # A time that lies behind is no different from none.
        self._ends = {tenant: end for tenant, end in self._ends.items() if end > self._time}

    def _next(self) -> _Waiter | None:
        able = [one for one in self._waiting if not self._running[one.tenant]]
        questions = [one for one in able if one.is_question]
        passages = [one for one in able if not one.is_question]
        if questions and passages and self._passed_over < PATIENCE:
            self._passed_over += 1
            return min(questions, key=_start)
        if passages:
            self._passed_over = 0
        chosen = passages or questions
        return min(chosen, key=_start) if chosen else None


def _start(waiter: _Waiter) -> float:
    return waiter.start
