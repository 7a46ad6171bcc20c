"""
Run one night of a tenant: the steps of the registry, each by itself and on record (SPEC E-04).

# Note [One night at a time]
A row of the tenant is leased by a token for as long as the night lasts, and kept with every step; a lock of a
session would be lost behind a pooler. Two beats, or a beat and a hand, so never run one tenant twice. A
killed worker's lease runs out, and the next night finds its run and marks it as interrupted. Should a step
outlast the lease and another night begin, nothing is harmed: a step is made so that it may be run twice.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from evolution.models import SleepRun, SleepStep
from evolution.sleep.dream_gate import FEWEST_SESSIONS, Corpus, may_dream
from evolution.sleep.metrics import count_night, count_step
from evolution.sleep.registry import choose_steps
from evolution.steps import Night, Step, StepOutcome, tell_nobody
from tenants.models import new_id
from tenants.scope import tenant_in_force, unit_of_work
from tenants.sql import Queries
from tenants.telemetry.tracing import span

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 1_800
"""How long a step may take before another night may begin in its place."""

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "sleep.sql")


class NightTaken(RuntimeError):
    """Another worker is at this tenant's night. It does what is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How a night is run: by whose watch, how long at a step, and who is told."""

    clock: Callable[[], float]  #: seconds that only rise
    slice_seconds: float  #: of a cheap step
    dream_seconds: float  #: of a dear one
    step_begins: Callable[[str], None] = lambda _name: None
    progress: Callable[[int, int], None] = tell_nobody

    def until(self, step: Step) -> Callable[[], bool]:
        """Return what says that the step's time is over, beginning now."""
        ends_at = self.clock() + (self.slice_seconds if step.cost == "cheap" else self.dream_seconds)
        return lambda: self.clock() >= ends_at


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A night that is ours."""

    run: SleepRun
    token: UUID
    places: Mapping[str, str]  #: step → where it goes on
    now: datetime
    pace: Pace
    began: float  #: by the pace's clock

    def moment(self) -> datetime:
        """Return what time it is by now."""
        return self.now + timedelta(seconds=self.pace.clock() - self.began)


def sleep(run_id: UUID, *, now: datetime, pace: Pace) -> SleepRun | None:
    """
    Run a night: the one that was asked for under this id, or one that the beat begins.

    Returns its record, or None when it was run already. A step that fails is on record and stops none of the
    others. Raises NightTaken while another worker is at a night of this tenant.
    """
    held = _take(run_id, now=now, pace=pace)
    if held is None:
        return None
    try:
        steps = choose_steps(held.run.steps, dream=held.run.dreamt)
        return _finish(held, [_run_step(place, step, held) for place, step in enumerate(steps, start=1)])
    finally:
        with unit_of_work():
            _SQL.run("end_lease", token=held.token)


def rehearse(steps: Sequence[str], *, dream: bool, now: datetime, pace: Pace) -> dict[str, StepOutcome]:
    """Return what the steps would do, by their names, without writing anything, a record included."""
    told = {}
    for step in choose_steps(steps, dream=dream):
        pace.step_begins(step.name)
        night = Night(tenant_id=tenant_in_force(), now=now, dry_run=True, progress=pace.progress)
        told[step.name] = step.run(night)
    return told


def _take(run_id: UUID, *, now: datetime, pace: Pace) -> _Held | None:
    """Take the lease and begin the run; None when it was begun already. Raises NightTaken."""
    token = uuid4()
    with unit_of_work():
        leased = _lease(token)
        _SQL.run("mark_interrupted", now=now)
        run: SleepRun | None = SleepRun.objects.filter(id=run_id).first()
        if run is not None and run.state != "waiting":
            _SQL.run("end_lease", token=token)
            return None
        run = run or SleepRun(id=run_id, trigger="beat", created_at=now)
        run.gate = _look(leased["dreamt_at"], now=now)
        may = run.gate["answer"] == "dream" and not run.steps
        run.dreamt = may if run.dream is None else run.dream
        run.state, run.started_at = "running", now
        run.save()
    return _Held(
        run=run, token=token, places=json.loads(leased["places"]), now=now, pace=pace, began=pace.clock()
    )


def _lease(token: UUID) -> dict[str, Any]:
    leased = _SQL.run("take_lease", id=new_id(), token=token, seconds=LEASE_SECONDS)
    if not leased:
        raise NightTaken(NightTaken.__doc__)
    return leased[0]


def _look(dreamt_at: datetime | None, *, now: datetime) -> dict[str, Any]:
    """Return what the gate sees, and its answer."""
    [row] = _SQL.run("look_at_corpus", dreamt_at=dreamt_at, enough=FEWEST_SESSIONS)
    corpus = Corpus(since=row["since"], sessions=row["sessions"], memories=row["memories"])
    answer = may_dream(corpus, local=now.astimezone(ZoneInfo(row["time_zone"])))
    return {"answer": answer, "since": corpus.since, "sessions": corpus.sessions, "memories": corpus.memories}


def _run_step(place: int, step: Step, held: _Held) -> str:
    """Run one step and return its state; its record is begun before and ended after it."""
    record = SleepStep(
        run_id=held.run.id, place=place, name=step.name, cost=step.cost, state="running",
        started_at=held.moment(),
    )  # fmt: skip
    with unit_of_work():
        _lease(held.token)
        record.save(force_insert=True)
    held.pace.step_begins(step.name)
    began = held.pace.clock()
    try:
        with span(f"night.{step.name}", {"candor.run_id": str(held.run.id)}):
            outcome = step.run(_night(step, held))
    except Exception as error:
        logger.exception("step %s of a night failed", step.name)
        record.state, record.error = "failed", describe_error(error)
        outcome = StepOutcome(counts={})
    else:
        record.state = "unfinished" if outcome.resume_from else "done"
    record.milliseconds = round((held.pace.clock() - began) * 1000)
    _note(record, outcome, held.token)
    count_step(step.name, record.state, milliseconds=record.milliseconds)
    return record.state


def _night(step: Step, held: _Held) -> Night:
    return Night(
        tenant_id=tenant_in_force(), now=held.now, progress=held.pace.progress,
        is_over=held.pace.until(step), resume_from=held.places.get(step.name, ""),
        wanted=tuple(UUID(one) for one in held.run.wanted),
    )  # fmt: skip


def _note(record: SleepStep, outcome: StepOutcome, token: UUID) -> None:
    record.counts = {name: count for name, count in outcome.counts.items() if count}
    record.tokens_in, record.tokens_out = outcome.tokens_in, outcome.tokens_out
    with unit_of_work():
        record.save(force_update=True)
        if record.state != "failed":
            _SQL.run("note_place", token=token, step=record.name, place=outcome.resume_from)


def _finish(held: _Held, states: Sequence[str]) -> SleepRun:
    run = held.run
    run.state, run.finished_at = ("failed" if "failed" in states else "done"), held.moment()
    with unit_of_work():
        run.save(force_update=True)
        if run.dreamt:
            _SQL.run("note_dream", token=held.token, now=held.now)
    count_night(run.state)
    return run


def describe_error(error: Exception) -> str:
    """Name an error without its message, which may hold what is remembered."""
    code = getattr(error.__cause__, "sqlstate", None)
    return f"{type(error).__name__} ({code})" if code else type(error).__name__
