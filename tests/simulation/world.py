"""The world of a simulation: tenants, their callers, workers and clocks, and what was promised to whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

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

FORMS: Final = (
    "Root cause: {mark} failed because its disk was full at night.",
    "The limit of {mark} is {number} requests a minute.",
    "We decided that {mark} moves to Lisbon.",
    "I live in {mark}.",
    "My favourite editor is {mark}.",
    "Please renew the certificate of {mark} by Friday.",
    "The wifi of floor {mark} is slow in winter.",
)
"""What people say; {mark} is a word that nothing else has, but in REPEATED, which say the same again."""

REPEATED: Final = 6
INVENTED: Final = ("My task is the audit of {mark}.", "The owner of {mark} is Dana.")
"""What agents say of themselves; nobody has told them."""

QUESTIONS: Final = (
    "Why did it fail at night?", "What is the limit of requests?", "Where do I live?", "What are my tasks?",
    "What moves to Lisbon?", "Which floor has slow wifi?",
)  # fmt: skip

TASKS: Final[Mapping[str, Any]] = {
    PROCESS_TASK: process,
    SLEEP_TASK: sleep_tenant,
    PREFETCH_TASK: prefetch_next,
}

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

    tenant: str
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

    tenant: str
    ceiling: int
    session: str
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
        self.carried: dict[Actor, Message] = {}
        self.killed = 0
        self._seen: dict[UUID, str] = {}  # memory → its text, before it went
        self.houses = {letter: self._make_house(letter) for letter in "ab"}
        self._marks = 0

    def _make_house(self, letter: str) -> House:
        tenant = make_tenant(f"sim-{letter}-{self.seed}-{uuid4().hex[:6]}")
        asking: dict[str, Caller] = {}
        for name, ceiling in CALLERS.items():
            agent = None if name == "ines" else make_agent(tenant=tenant, slug=name, ceiling=ceiling).id
            scopes = AGENTS_MAY if agent else SCOPES
            asking[name] = caller(tenant, agent=agent, ceiling=ceiling, scopes=scopes)
        return House(viewer=tenant, callers=asking, letter=letter)

    # Steps

    def take(self, step: Step) -> None:
        """Let a step happen, and give the turns that follow it."""
        BUCKETS.forget()
        notify._quiet_until = 0.0
        getattr(self, f"_{step.kind}")(step, self.houses[step.args["tenant"]])
        rng = Random(f"turns {self.seed} {step.number}")
        for _ in range(step.turns):
            if not self._turn(rng):
                break
        while len(self.stage.alive) > MOST_ALIVE:
            self._turn(rng)

    def finish(self) -> None:
        """Let everything that was begun, sent or left lying come to its end, with nothing out any more."""
        WEATHER.embedder_out, WEATHER.broker_out, WEATHER.model = False, False, "honest"
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
        while self.broker.waiting:
            self._deliver(0)
            self._run_all(rng)
        return was_due

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

    # What people and agents do

    def _say(self, step: Step, house: House) -> None:
        form = step.args["form"] % len(FORMS)
        self._marks += 1
        number = step.args["value"] if form == REPEATED else 100 + self._marks
        mark = f"q{house.letter}{'r' if form == REPEATED else 'x'}{number}z"
        text = FORMS[form].format(mark=mark, number=number)
        by = ("ines", "ines", "vera", "nils")[step.args["pick"] % 4]
        body = {"text": text, "role": "user", "speaker": ("Ines", "Tom")[step.args["pick"] % 2]}
        if step.args["also"] < 0.2:
            by = "nils" if by == "ines" else by
            mark = f"q{house.letter}i{100 + self._marks}z"
            text = INVENTED[form % len(INVENTED)].format(mark=mark)
            body |= {"text": text, "role": "assistant", "speaker": by.title()}
        body["classification"] = RANKS[min(step.args["rank"], CALLERS[by])]
        self._capture(house, by, body, mark, session=f"{by}-{step.args['pick'] % 3}")

    def _echo(self, step: Step, house: House) -> None:
        shown = [one for one in house.shown if one.results and one.session]
        if not shown:
            return
        one = shown[step.args["pick"] % len(shown)]
        result = one.results[step.args["pick"] % len(one.results)]
        by = one.session.split("-")[0]
        if by == "ines":
            return
        body = {
            "text": result["content"], "role": "assistant", "speaker": by.title(), "classification": "public",
        }  # fmt: skip
        if step.args["also"] < 0.5:
            body["references"] = [result["id"]]
        self._capture(house, by, body, "", session=one.session)

    def _capture(self, house: House, by: str, body: dict[str, Any], mark: str, *, session: str) -> None:
        body |= {"session": session, "clock": datetime.now(UTC).isoformat()}
        read = [
            RANKS.index(result["classification"])
            for one in house.shown if one.session == session for result in one.results
        ]  # fmt: skip
        said = Said(
            tenant=house.letter, body=body, key=f"key-{len(house.said)}", by=by, mark=mark,
            least=max(read, default=0), at=datetime.now(UTC),
        )  # fmt: skip
        house.said.append(said)
        self._send(house, said)

    def _send(self, house: House, said: Said) -> None:
        def answer(response: HttpResponse) -> None:
            told = response.json() if response.content else {}
            if response.status_code == 202:
                said.id = UUID(told["id"])
                # What took a request longer than a key is kept is another request.
                said.answers += [told["id"]] if datetime.now(UTC) < said.at + RETRIED else []
            self._note(f"capture {said.key}", response, {202, 409, 429, 503})

        headers = {"Idempotency-Key": f"{said.tenant}-{said.key}"}
        asked = house.callers[said.by]
        self.stage.enter("web", lambda: asked.post("captures", said.body, **headers), answer)

    def _retry(self, step: Step, house: House) -> None:
        lately = [one for one in house.said if one.at > datetime.now(UTC) - RETRIED]
        if lately:
            self._send(house, lately[step.args["pick"] % len(lately)])

    def _recall(self, step: Step, house: House) -> None:
        by = tuple(CALLERS)[step.args["pick"] % len(CALLERS)]
        session = f"{by}-{step.args['pick'] % 3}"
        body = {"query": QUESTIONS[step.args["pick"] % len(QUESTIONS)], "k": 5, "session": session}

        def answer(response: HttpResponse) -> None:
            self._note("recall", response, {200, 429, 503})
            if response.status_code == 200:
                told = response.json()
                house.shown.append(
                    Shown(
                        tenant=house.letter, ceiling=CALLERS[by], session=session,
                        id=UUID(told["recall_id"]), results=told["results"],
                    )
                )  # fmt: skip

        self.stage.enter("web", lambda: house.callers[by].post("recall", body), answer)

    def _judge(self, step: Step, house: House) -> None:
        shown = [one for one in house.shown if one.results]
        if not shown:
            return
        one = shown[-1 - step.args["pick"] % min(2, len(shown))]  # of a few, so that verdicts meet
        memory = one.results[0]["id"]
        by = one.session.split("-")[0]
        outcome = ("helpful", "unhelpful", "used")[step.args["pick"] % 3]
        body = {"memory": memory, "outcome": outcome}
        self._ask_for(house, by, f"recall/{one.id}/feedback", body, {200, 201, 404, 409})

    def _correct(self, step: Step, house: House) -> None:
        if memory := self._some_memory(step, house):
            self._ask_for(house, "ines", f"memories/{memory}/reinstate", {"reason": "seen"}, {200, 404, 409})

    def _archive(self, step: Step, house: House) -> None:
        if memory := self._some_memory(step, house):
            verb = "archive" if step.args["also"] < 0.5 else "unarchive"
            self._ask_for(house, "ines", f"memories/{memory}/{verb}", {"reason": "seen"}, {200, 404, 409})

    def _forget(self, step: Step, house: House) -> None:
        memory = self._some_memory(step, house)
        if memory is None:
            return
        asking = house.callers["ines"]
        path = f"memories/{memory}/forget"

        def forget() -> HttpResponse:
            first = asking.post(path, {"reason": "asked"})
            if first.status_code != 200:
                return first
            text = str(asking.get(f"memories/{memory}").json().get("content", ""))
            self._seen[memory] = text
            return asking.post(path, {"reason": "asked", "hash": first.json()["hash"]})

        def answer(response: HttpResponse) -> None:
            self._note("forget", response, {200, 404, 409})
            if response.status_code == 200:
                house.gone[memory] = self._seen[memory]

        self.stage.enter("web", forget, answer)

    def _some_memory(self, step: Step, house: House) -> UUID | None:
        sql = "SELECT id FROM memory WHERE tenant_id = %(tenant)s ORDER BY created_at, content"
        rows = ask(house, sql)
        return rows[step.args["pick"] % len(rows)][0] if rows else None

    def _settle(self, step: Step, house: House) -> None:
        sql = "SELECT id FROM contradiction WHERE tenant_id = %(tenant)s ORDER BY opened_at"
        rows = ask(house, sql)
        if not rows:
            return
        verdict = ("keep_old", "accept_new", "coexist")[step.args["pick"] % 3]
        path = f"contradictions/{rows[step.args['pick'] % len(rows)][0]}/resolve"
        self._ask_for(house, "ines", path, {"verdict": verdict, "reason": "asked"}, {200, 404, 409})

    def _ask_for(self, house: House, by: str, path: str, body: Mapping[str, Any], may: set[int]) -> None:
        self.stage.enter(
            "web", lambda: house.callers[by].post(path, body), lambda got: self._note(path, got, may)
        )

    def _note(self, what: str, response: HttpResponse, may: set[int]) -> None:
        if response.status_code not in may:
            said = response.content[:300].decode(errors="replace")
            self.faults.append(f"{what} was answered with {response.status_code}: {said}")

    # Workers, messages, time and what is out

    def _work(self, step: Step, _house: House) -> None:
        if self.broker.waiting:
            copy = step.args["also"] < 0.25
            self._deliver(step.args["pick"] % len(self.broker.waiting), twice=copy)

    def _deliver(self, place: int, *, twice: bool = False) -> None:
        message = self.broker.waiting.pop(place)
        if twice:
            self.broker.waiting.append(message)
        task = TASKS[message.task]
        actor = self.stage.enter("worker", lambda: task.run(*message.args))
        self.carried[actor] = message

    def _lose(self, step: Step, _house: House) -> None:
        if self.broker.waiting:
            self.broker.waiting.pop(step.args["pick"] % len(self.broker.waiting))

    def _sweep(self, _step: Step, _house: House) -> None:
        self.stage.enter("beat", sweep)

    def _jump(self, step: Step, _house: House) -> None:
        self.jump(step.args["seconds"])

    def _night(self, _step: Step, house: House) -> None:
        self.broker.waiting.append(Message(SLEEP_TASK, (str(house.viewer.tenant_id), str(uuid4()))))

    def _embedder(self, _step: Step, _house: House) -> None:
        WEATHER.embedder_out = not WEATHER.embedder_out

    def _broker(self, _step: Step, _house: House) -> None:
        WEATHER.broker_out = not WEATHER.broker_out

    def _model(self, step: Step, _house: House) -> None:
        WEATHER.model = ("honest", "lying", "out")[step.args["pick"] % 3]

    def _kill(self, step: Step, _house: House) -> None:
        ready = [one for one in self.stage.ready if one.name != "after"]
        if not ready:
            return
        actor = ready[step.args["pick"] % len(ready)]
        message = self.carried.pop(actor, None)
        self._give(actor, kill=True)
        self.killed += 1
        if message is not None and step.args["also"] < 0.7:  # else the broker forgets it, too
            self.broker.waiting.append(message)


_PASSES: Final = """
UPDATE {table} t SET leased_until = leased_until - make_interval(secs => %(seconds)s)
WHERE (t.tenant_id, t.id) IN (
    SELECT d.tenant_id, d.id FROM {table} d
    WHERE d.tenant_id = %(tenant)s AND d.leased_until IS NOT NULL FOR UPDATE SKIP LOCKED
)
"""
