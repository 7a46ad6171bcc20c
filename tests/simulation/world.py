"""The world of a simulation: tenants, their callers, workers and clocks, and what was promised to whom."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

import time_machine
from django.db import connection
from django.http import HttpResponse

from evolution.sleep import SLEEP_TASK
from evolution.tasks import sleep_tenant
from memories.ingestion import PROCESS_TASK, notify
from memories.tasks import process, sweep
from recall.tasks import PREFETCH_TASK, prefetch_next
from security.keys.lifecycle import SCOPES
from security.rest.throttles import BUCKETS
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_tenant
from tests.http.conftest import Caller, caller
from tests.simulation.outside import WEATHER, Broker, Message
from tests.simulation.plan import Step
from tests.simulation.stage import Actor, Stage

RANKS: Final = ("public", "internal", "restricted", "confidential")

TASKS: Final[Mapping[str, Any]] = {
    PROCESS_TASK: process,
    SLEEP_TASK: sleep_tenant,
    PREFETCH_TASK: prefetch_next,
}

Answers = set[int]

Deed = Callable[["World", Step, "House"], None]

IDS: Final = r"[0-9a-f]{8}-[0-9a-f-]{27}|key-\d+"

MOST_ALIVE: Final = 5
"""Actors at once: more than a web process and its workers have in the same rows."""

RETRIED: Final = timedelta(hours=20)
"""How long a caller tries again: keys are kept for a day."""

ROUNDS: Final = 40

LONG_OUTAGES: Final = 0.25
"""Share of seeds at whose end the embedder is out for longer than a capture has attempts."""

ROUNDS_OUT: Final = 7


@dataclass(slots=True)
class Said:
    """A capture that was asked for."""

    body: dict[str, Any]
    key: str
    by: str
    mark: str
    at: datetime
    least: int  #: class that the session had read when it was asked for
    id: UUID | None = None  #: once it was acknowledged
    answers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Shown:
    """An answer to a recall."""

    ceiling: int
    session: str
    person: str
    id: UUID
    results: list[dict[str, Any]]


@dataclass(slots=True)
class House:
    """A tenant with its callers."""

    viewer: Viewer
    callers: dict[str, Caller]
    letter: str
    said: list[Said] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    gone: dict[UUID, str] = field(default_factory=dict)  #: memory → words that were to go with it
    gone_persons: dict[str, datetime] = field(default_factory=dict)  #: person → when all of theirs was gone
    documents: list[str] = field(default_factory=list)  #: texts that were asked to be kept
    withdrawn: list[str] = field(default_factory=list)  #: ids by which it is given back

    @property
    def acknowledged(self) -> list[Said]:
        """What the service has said it keeps."""
        return [one for one in self.said if one.id is not None]


AGENTS_MAY: Final = ("capture", "recall", "feedback", "read", "write")

CALLERS: Final[Mapping[str, int]] = {"ines": 3, "vera": 3, "nils": 1}
"""Who asks → class up to which their key reads; Vera and Nils are agents."""


def ask(house: House, sql: str, **params: Any) -> list[tuple[Any, ...]]:
    """Run a statement as the tenant's pipeline, and return its rows."""
    with tenant_scope(house.viewer), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(sql, {**params, "tenant": house.viewer.tenant_id})
        return list(cursor.fetchall()) if cursor.description else []


class World:
    """Runs steps, and remembers what was promised."""

    def __init__(self, seed: int, stage: Stage, clock: time_machine.Traveller) -> None:
        self.stage, self.clock, self.seed = stage, clock, seed
        self.broker = Broker()
        self.faults: list[str] = []
        self.log: list[str] = []
        self.answers: Counter[str] = Counter()  # what was asked for, and with what it was answered
        self.carried: dict[Actor, Message] = {}
        self.killed = 0
        self.houses = {letter: self._make_house(letter) for letter in "ab"}

    def _make_house(self, letter: str) -> House:
        tenant = make_tenant(f"sim-{letter}")
        asking: dict[str, Caller] = {}
        for name, ceiling in CALLERS.items():
            agent = None if name == "ines" else make_agent(tenant=tenant, slug=name, ceiling=ceiling).id
            scopes = AGENTS_MAY if agent else SCOPES
            asking[name] = caller(tenant, agent=agent, ceiling=ceiling, scopes=scopes)
        return House(viewer=tenant, callers=asking, letter=letter)

    def take(self, step: Step, deed: Deed) -> None:
        """Let a step happen, and give the turns that follow it."""
        BUCKETS.forget()
        notify._quiet_until = 0.0
        deed(self, step, self.houses[step.args["tenant"]])
        rng = Random(f"turns {self.seed} {step.number}")
        for _ in range(step.turns):
            if not self._turn(rng):
                break
        while len(self.stage.alive) > MOST_ALIVE and self._turn(rng):
            pass

    def finish(self) -> None:
        """Let everything that was begun, sent or left lying come to its end, with nothing out any more."""
        WEATHER.clear_up()
        rng = Random(f"end {self.seed}")
        self._run_all(rng)
        WEATHER.embedder_out = rng.random() < LONG_OUTAGES
        for _ in range(ROUNDS_OUT if WEATHER.embedder_out else 0):
            self._sweep_and_work(rng)
        WEATHER.embedder_out = False
        for _ in range(ROUNDS):
            if not self._sweep_and_work(rng):
                return
        self.faults.append(f"work goes on after {ROUNDS} rounds of sweep and work")

    def _sweep_and_work(self, rng: Random) -> bool:
        """Let all leases end, sweep, and work on what is due; tell whether anything was."""
        self.jump(400)
        notify._quiet_until = 0.0
        self.stage.enter("beat", sweep)
        self._run_all(rng)
        was_due = bool(self.broker.waiting)
        self.rest(rng)
        return was_due

    def rest(self, rng: Random) -> None:
        """Let everybody come to an end, and workers have all messages."""
        self._run_all(rng)
        while self.broker.waiting:
            self.deliver(0)
            self._run_all(rng)

    def jump(self, seconds: int) -> None:
        """Let time pass: for Python by its clock, for leases in the database by moving them."""
        self.clock.shift(timedelta(seconds=seconds))
        for house in self.houses.values():
            for table in ("capture", "sleep_state"):
                ask(house, _PASSES.format(table=table), seconds=seconds)

    def _run_all(self, rng: Random) -> None:
        while self.stage.alive:
            if not self._turn(rng):
                self.faults.append("everybody waits for a lock")
                return

    def _turn(self, rng: Random) -> bool:
        """Give a turn to somebody who can take it; tell whether there was anybody."""
        ready = self.stage.ready
        if not ready:
            return False
        self._give(rng.choice(ready))
        return True

    def _give(self, actor: Actor, *, kill: bool = False) -> None:
        self.clock.shift(0.001)
        self.stage.give_turn(actor, kill=kill)
        self.log.append(f"{actor.name} {actor.statements} {actor.condition}")
        for one in [one for one in self.stage.actors if one.condition in ("done", "killed", "failed")]:
            self._see_off(one)

    def _see_off(self, actor: Actor) -> None:
        self.stage.actors.remove(actor)
        self.carried.pop(actor, None)
        if actor.error is not None:
            self.faults.append(f"{actor.name} ended with {type(actor.error).__name__}: {actor.error}")

    # For what is done (`deeds.py`)

    def request(
        self,
        work: Callable[[], HttpResponse],
        then: Callable[[HttpResponse], None],
        *,
        name: str,
        may: Answers,
    ) -> None:
        """Let somebody ask over HTTP. then: called with an answer; one that is not in `may` is a fault."""

        def answer(response: HttpResponse) -> None:
            self.answers[f"{re.sub(IDS, '…', name)} {response.status_code}"] += 1
            if response.status_code not in may:
                said = response.content[:300].decode(errors="replace")
                self.faults.append(f"{name} was answered with {response.status_code}: {said}")
            then(response)

        self.stage.enter("web", work, answer)

    def deliver(self, place: int, *, twice: bool = False) -> None:
        """Let a worker have the message at this place; twice: it will come again."""
        message = self.broker.waiting.pop(place)
        if twice:
            self.broker.waiting.append(message)
        task = TASKS[message.task]
        actor = self.stage.enter("worker", lambda: task.run(*message.args))
        self.carried[actor] = message

    def kill(self, actor: Actor, *, comes_again: bool) -> None:
        """Kill an actor where it stands. comes_again: the broker has its message still."""
        message = self.carried.pop(actor, None)
        self._give(actor, kill=True)
        self.killed += 1
        if message is not None and comes_again:
            self.broker.waiting.append(message)


_PASSES: Final = """
UPDATE {table} t SET leased_until = leased_until - make_interval(secs => %(seconds)s)
WHERE (t.tenant_id, t.id) IN (
    SELECT d.tenant_id, d.id FROM {table} d
    WHERE d.tenant_id = %(tenant)s AND d.leased_until IS NOT NULL FOR UPDATE SKIP LOCKED
)
"""
