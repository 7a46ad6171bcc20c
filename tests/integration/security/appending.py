"""Processes that append to audit chains at once; some roll back, some are killed half-way."""

import os
import random
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import connection, connections

from memories.tasks import close_pools
from security import audit
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW

End = Literal["commit", "roll back", "die"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One transaction."""

    tenant: Viewer
    objects: tuple[str, ...]  #: one event of each
    end: End


Script = list[Step]


class RolledBackError(Exception):
    """A transaction was meant to be rolled back."""


def make_script(
    seed: int, child: int, tenants: Sequence[Viewer], *, appends: int, kill: float = 0.01
) -> Script:
    """Return what a child does: one transaction in five is rolled back, and `kill` of all kill it."""
    drawn = random.Random(f"{seed} {child}")
    script = []
    for number in range(appends):
        names = tuple(f"{child}-{number}-{part}" for part in range(drawn.choice((1, 1, 3))))
        end: End = "die" if drawn.random() < kill else "roll back" if drawn.random() < 0.2 else "commit"
        script.append(Step(tenant=drawn.choice(tenants), objects=names, end=end))
    if kill and child == 0:
        script[appends // 2] = Step(tenant=tenants[0], objects=("lost",), end="die")
    return script


def expected(scripts: Sequence[Script], tenant: Viewer) -> list[str]:
    """Return what stands in the tenant's trail after all scripts."""
    found: list[str] = []
    for script in scripts:
        for step in script:
            if step.end == "die":
                break
            if step.end == "commit" and step.tenant == tenant:
                found += step.objects
    return found


def append_in_children(scripts: Sequence[Script]) -> list[str]:
    """Run each script in a process of its own, all at once; return what errors they met."""
    close_pools()
    connections["owner"].close()
    children = [_start(script) for script in scripts]
    errors = []
    for child, reading in children:
        with os.fdopen(reading) as told:
            errors += told.read().splitlines()
        os.waitpid(child, 0)
    return errors


def _start(script: Script) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    # A pool starts threads, and the fork of a process with threads may find their locks held for ever.
    connection.settings_dict["OPTIONS"].pop("pool", None)
    try:
        for step in script:
            try:
                _take(step)
            except RolledBackError:
                pass
            except Exception as error:  # noqa: BLE001 - told to the parent, whatever it is
                line = f"{type(error).__name__}: {str(error).splitlines()[0]}\n"
                os.write(writing, line.encode())
    finally:
        os._exit(0)


def _take(step: Step) -> None:
    events = [audit.Event(action="a", object_type="b", object_id=name) for name in step.objects]
    with tenant_scope(step.tenant), unit_of_work():
        audit.append_all(events, now=NOW)
        if step.end == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if step.end == "roll back":
            raise RolledBackError
