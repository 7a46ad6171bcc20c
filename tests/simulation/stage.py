"""
A stage for actors that take turns: one runs at a time, from one SQL statement to the next.

# Note [Turns]
Every actor is a thread with a connection of its own. Before each statement, before each commit and once at
the end of its work it gives the turn back, and goes on when the scheduler hands it the turn again. So what
interleaves is decided by a seed, and so is who dies: an actor that is killed rolls back and loses its
connection, and no line of its work runs any more.

An actor that waits for a lock of PostgreSQL cannot give the turn back. The scheduler sees that in `pg_locks`
and goes on with another; whoever lets go of the lock wakes the waiting one, which then runs up to its next
statement before anything else is done.
"""

import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import psycopg
from django.db import connection

Condition = Literal["ready", "running", "done", "killed", "failed"]

SETTLED_SECONDS: Final = 0.002
"""How often it is looked whether who runs waits for a lock."""

STUCK_SECONDS: Final = 20.0
"""Nothing here takes so long: PostgreSQL ends a deadlock after one second."""

GONE: Final = ("done", "killed", "failed")


class Killed(BaseException):
    """The process that this actor stands for has died. Not an Exception: nobody may catch it."""


class Stuck(RuntimeError):
    """Nobody can go on: every actor waits for a lock, or one runs on without a statement."""


@dataclass(slots=True, eq=False)
class Actor:
    """Somebody at work: a request, a worker with a message, the beat."""

    name: str
    work: Callable[[], Any]
    then: Callable[[Any], None]
    condition: Condition = "ready"
    statements: int = 0
    backend: int = 0  #: process of PostgreSQL that serves it
    error: BaseException | None = None
    doomed: bool = False
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    thread: threading.Thread | None = None


class Stage:
    """The actors, and whose turn it is."""

    def __init__(self, locks: psycopg.Connection[Any]) -> None:
        """locks: a connection in autocommit, by which waiting is seen."""
        self.actors: list[Actor] = []
        self.turns = 0
        self._locks = locks
        self._changed = threading.Event()

    @property
    def alive(self) -> list[Actor]:
        """Those that have not come to an end, eldest first."""
        return [one for one in self.actors if one.condition not in GONE]

    @property
    def ready(self) -> list[Actor]:
        """Those that can be given the turn, eldest first."""
        return [one for one in self.actors if one.condition == "ready"]

    def enter(
        self, name: str, work: Callable[[], Any], then: Callable[[Any], None] = lambda _: None
    ) -> Actor:
        """
        Let an actor on the stage; it does nothing before its first turn.

        then: called with what the work returned, unless the actor dies first: as a caller gets an answer.
        """
        actor = Actor(name=name, work=work, then=then)
        actor.thread = threading.Thread(target=self._live, args=(actor,), name=name, daemon=True)
        self.actors.append(actor)
        actor.thread.start()
        return actor

    def give_turn(self, actor: Actor, *, kill: bool = False) -> None:
        """Let a ready actor go on to its next statement, or die where it stands. Raises Stuck."""
        actor.doomed = actor.doomed or kill
        actor.condition = "running"
        self.turns += 1
        self._changed.clear()
        actor.go.release()
        self._settle()

    def leave(self) -> None:
        """Kill who is still there, and let the finished go."""
        latest = time.monotonic() + STUCK_SECONDS
        while self.alive and time.monotonic() < latest:
            for actor in self.ready:
                with suppress(Stuck):
                    self.give_turn(actor, kill=True)
            self._changed.wait(SETTLED_SECONDS)

    def _settle(self) -> None:
        """Return when everybody is ready, gone, or waits for a lock."""
        latest = time.monotonic() + STUCK_SECONDS
        while running := [one for one in self.actors if one.condition == "running"]:
            self._changed.wait(SETTLED_SECONDS)
            self._changed.clear()
            running = [one for one in running if one.condition == "running"]
            if not running:
                continue
            if self.ready and self._wait_for_locks(running):
                return
            if time.monotonic() > latest:
                places = "; ".join(f"{one.name} in {_place_of(one)}" for one in running)
                raise Stuck(f"no turn was given back within {STUCK_SECONDS:.0f} s: {places}")

    def _wait_for_locks(self, actors: Sequence[Actor]) -> bool:
        backends = [one.backend for one in actors]
        asked = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid = ANY(%s)"
        found = self._locks.execute(asked, [backends]).fetchone()
        return found is not None and found[0] == len(backends)

    def _live(self, actor: Actor) -> None:
        actor.go.acquire()
        commit = connection._commit  # type: ignore[attr-defined]

        def commit_in_turn() -> None:
            self._wait_for_turn(actor)
            commit()

        connection._commit = commit_in_turn  # type: ignore[attr-defined]
        try:
            with connection.execute_wrapper(self._statement_of(actor)):
                result = actor.work()
            self._wait_for_turn(actor)
            actor.then(result)
            condition: Condition = "done"
        except BaseException as error:  # noqa: BLE001 - told by the invariants
            # To clean up a connection that was cut off may fail in its own way: it is dead all the same.
            condition = "killed" if actor.doomed else "failed"
            actor.error = None if actor.doomed else error
        with suppress(Exception, Killed):
            connection.close()
        actor.condition = condition
        self._changed.set()

    def _statement_of(self, actor: Actor) -> Callable[..., Any]:
        def pause(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
            raw = connection.connection
            actor.backend = raw.info.backend_pid if raw is not None else 0
            self._wait_for_turn(actor)
            actor.statements += 1
            return execute(sql, params, many, context)

        return pause

    def _wait_for_turn(self, actor: Actor) -> None:
        if actor.doomed:  # what runs after a death is Python's own clean-up: it must reach nothing
            raise Killed
        actor.condition = "ready"
        self._changed.set()
        actor.go.acquire()
        if actor.doomed:
            _cut_off()
            raise Killed


def _place_of(actor: Actor) -> str:
    """Return where in the code an actor is, innermost last."""
    frame = sys._current_frames().get(actor.thread.ident or 0) if actor.thread else None
    return " > ".join(
        f"{Path(one.filename).name}:{one.lineno}" for one in traceback.extract_stack(frame)[-6:]
    )


def _cut_off() -> None:
    """End the connection as the death of a process does: what was not committed is gone."""
    raw = connection.connection
    if raw is None:
        return
    with suppress(psycopg.Error):
        raw.rollback()
    with suppress(psycopg.Error):
        raw.close()
