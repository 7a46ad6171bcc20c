"""Run the steps of a seed to their end, and shrink those that break something."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import psycopg
import time_machine
from celery import current_app
from django.db import connections
from django.test import override_settings

from config.health_outages import outages
from config.health_writes import disk, writes
from recall.answering import post_response
from security.keys.brute_force_limit import GUESSES
from security.rest.throttles import BUCKETS
from tests.conftest import empty_tables
from tests.simulation import outside
from tests.simulation.deeds import DEEDS
from tests.simulation.invariants import look
from tests.simulation.plan import Step, make_plan, without
from tests.simulation.stage import Stage, Stuck
from tests.simulation.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a simulation."""

    seed: int
    steps: tuple[Step, ...]
    faults: tuple[str, ...]  #: what does not hold; empty: all does
    log: tuple[str, ...]  #: every turn: who, at which statement, and what became of them
    turns: int
    answers: Mapping[str, int]  #: what was asked for and the status of its answer → how often


def simulate(seed: int, steps: Sequence[Step] | None = None) -> Outcome:
    """
    Run a seed on the emptied database, and look at what has to hold.

    steps: of the seed's plan, those to take; None: all.
    """
    chosen = tuple(make_plan(seed) if steps is None else steps)
    empty_tables()
    outside.WEATHER.clear_up()
    with ExitStack() as stack:
        stack.callback(_forget_outages)
        logging.disable(logging.CRITICAL)  # what is out or cut off is told thousands of times
        stack.callback(logging.disable, logging.NOTSET)
        stack.enter_context(override_settings(EMBEDDERS=outside.EMBEDDERS, LLMS=outside.LLMS))
        clock = stack.enter_context(time_machine.travel(datetime.now(UTC), tick=False))
        locks = stack.enter_context(psycopg.connect(**login(), autocommit=True))
        stage = Stage(locks)
        world = World(seed, stage, clock)
        app: Any = current_app._get_current_object()
        stack.enter_context(patch.object(app, "send_task", world.broker.send_task))
        executor = outside.TurnExecutor(stage.enter)
        stack.enter_context(patch.object(post_response, "_thread", lambda: executor))
        stack.enter_context(patch.object(post_response, "GATHER_SECONDS", 0.0))
        try:
            for step in chosen:
                world.take(step, DEEDS[step.kind])
            world.finish()
            faults = [*world.faults, *look(world)]
        except Stuck as stuck:
            faults = [*world.faults, f"stuck: {stuck}"]
        finally:
            stage.leave()
    return Outcome(
        seed=seed,
        steps=chosen,
        faults=tuple(faults),
        log=tuple(world.log),
        turns=stage.turns,
        answers=dict(world.answers),
    )


def _forget_outages() -> None:
    """Let the health of this process not tell of what was out in a simulation."""
    for kept in (outages, writes, disk, BUCKETS, GUESSES):
        kept.forget()


def shrink(broken: Outcome) -> Outcome:
    """
    Return an outcome of fewer steps that breaks the same thing: none of its parts can be left out.

    Delta debugging (Zeller and Hildebrandt, 2002): ever smaller runs of steps are left out.
    """
    name = broken.faults[0].split(":")[0]
    size = len(broken.steps) // 2
    while size:
        start = 0
        while start < len(broken.steps):
            tried = simulate(broken.seed, without(broken.steps, range(start, start + size)))
            if any(fault.startswith(name) for fault in tried.faults):
                broken = tried
            else:
                start += size
        size //= 2
    return broken


def login() -> dict[str, Any]:
    """Return how the service's own login connects to the database in use."""
    known = connections["default"].settings_dict
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    return {name: known[key] for name, key in names.items() if known[key]}
