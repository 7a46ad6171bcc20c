"""
The steps of a sleep cycle: what a step is given, and what it tells (SPEC E-04).

A step is a function of one tenant's memory. It runs inside the tenant's scope with the pipeline's viewer,
opens its own units of work, in batches small enough to hurt nobody, and leaves a state from which the next
run ends as if it had never been interrupted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Cost = Literal["cheap", "dream"]  #: every hour, or under the double gate


def tell_nobody(done: int, total: int) -> None:
    """Keep progress to oneself: nobody watches."""


def never() -> bool:
    """Say that there is time left: nobody waits."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """What every step of one cycle is given."""

    tenant_id: UUID
    now: datetime
    dry_run: bool = False  #: count what would be done, write nothing
    progress: Callable[[int, int], None] = tell_nobody  #: rows done, rows in all
    is_over: Callable[[], bool] = never  #: the step's slice of time is used up: stop after this batch
    resume_from: str = ""  #: where this step stopped the last time, in its own words; empty: begin anew
    wanted: tuple[UUID, ...] = ()  #: memories that somebody asks to be seen to now, where a step does so


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """What a step did."""

    counts: dict[str, int]  #: what was done → how often; the same names in a dry run
    tokens_in: int = 0
    tokens_out: int = 0
    resume_from: str = ""  #: where the next round goes on; empty: the step came to its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One part of the night, in the order of the registry (`evolution.sleep.registry`)."""

    name: str
    cost: Cost
    run: Callable[[Night], StepOutcome]
