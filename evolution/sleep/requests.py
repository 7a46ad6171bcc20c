"""Ask for a night by hand, and look at the ones there were (SPEC E-04)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from evolution.models import SleepRun, SleepStep
from evolution.sleep.registry import choose_steps
from memories.ingestion import send_hint
from security import audit
from tenants.managers import page_of
from tenants.models import new_id
from tenants.scope import FULL_CLEARANCE, NotFound, tenant_in_force, unit_of_work, viewer_in_force

SLEEP_TASK: Final = "evolution.tasks.sleep_tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """What one step did."""

    name: str
    cost: str  #: cheap or dream
    state: str  #: running, done, unfinished, failed, interrupted
    counts: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    error: str  #: what went wrong, without content
    started_at: datetime
    milliseconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One night."""

    id: UUID
    state: str  #: waiting, running, done, failed (a step did), interrupted
    trigger: str  #: beat or hand
    asked_by: str
    dreamt: bool
    gate: Mapping[str, Any]  #: what the gate saw, and its answer
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    steps: tuple[StepView, ...]


def ask_for_night(
    *,
    steps: Sequence[str] = (),
    dream: bool | None = None,
    wanted: Sequence[UUID] = (),
    now: datetime,
    hinted: bool = True,
) -> RunView:
    """
    Put a night on record, to be run at once by whoever has time; return it.

    steps: only these; none: all that are due. dream: whether the dear ones are run; None: as the gate says.
    wanted: memories that a step which sees to single ones shall see to. hinted: the workers are told; who
    does not have them told runs it. Raises UnknownStep.
    """
    choose_steps(steps, dream=False)
    viewer = viewer_in_force()
    with unit_of_work():
        run = SleepRun(
            id=new_id(), state="waiting", trigger="hand", asked_by=viewer.actor_id, steps=list(steps),
            dream=dream, wanted=[str(one) for one in wanted], created_at=now,
        )  # fmt: skip
        run.save(force_insert=True)
        audit.append(
            "sleep.ask", object_type="sleep_run", object_id=run.id, now=now,
            detail={"steps": list(steps), "dream": dream},
        )  # fmt: skip
        if hinted:
            transaction.on_commit(partial(send_hint, SLEEP_TASK, viewer.tenant_id, run.id))
        return _view(run, [])


def find_waiting() -> list[UUID]:
    """Return the nights that were asked for and not begun, oldest first: a hint may have been lost."""
    with unit_of_work():
        waiting = SleepRun.objects.filter(state="waiting").order_by("created_at", "id")
        return list(waiting.values_list("id", flat=True))


def get_night(run_id: UUID) -> RunView:
    """Return a night with its steps. Raises NotFound."""
    with unit_of_work():
        found = _with_steps(SleepRun.objects.filter(id=run_id))
    if not found:
        raise NotFound(NotFound.__doc__)
    return found[0]


def list_nights(*, after: tuple[datetime, UUID] | None, most: int) -> list[RunView]:
    """Return at most `most` nights, newest first; after: (created_at, id) of the last one had already."""
    with unit_of_work():
        rows = page_of(SleepRun.objects.all(), by="created_at", after=after)
        return _with_steps(rows[:most])


def _with_steps(runs: "QuerySet[SleepRun]") -> list[RunView]:
    rows = list(runs)
    steps: dict[UUID, list[SleepStep]] = {row.id: [] for row in rows}
    for step in SleepStep.objects.filter(tenant_id=tenant_in_force(), run_id__in=steps).order_by("place"):
        steps[step.run_id].append(step)
    return [_view(row, steps[row.id]) for row in rows]


def _view(run: SleepRun, steps: Sequence[SleepStep]) -> RunView:
    counts = viewer_in_force().clearance == FULL_CLEARANCE
    return RunView(
        id=run.id, state=run.state, trigger=run.trigger, asked_by=run.asked_by, dreamt=run.dreamt,
        gate=run.gate if counts else {}, created_at=run.created_at, started_at=run.started_at,
        finished_at=run.finished_at,
        steps=tuple(_step_view(step, counts=counts) for step in steps),
    )  # fmt: skip


def _step_view(step: SleepStep, *, counts: bool) -> StepView:
    """counts: what was counted is told; a night goes over all classes, so to those who may see them all."""
    return StepView(
        name=step.name, cost=step.cost, state=step.state, counts=step.counts if counts else {},
        tokens_in=step.tokens_in if counts else 0, tokens_out=step.tokens_out if counts else 0,
        error=step.error, started_at=step.started_at, milliseconds=step.milliseconds,
    )  # fmt: skip
