"""Go through a tenant's memories in parts that hurt nobody, and go on where the last night stopped."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from evolution.steps.contract import Night, StepOutcome
from tenants.scope import unit_of_work
from tenants.sql import Queries

BATCH: Final = 5_000
"""Memories of one transaction where one statement sees to all of them: some 0.2 s."""

NIL: Final = UUID(int=0)
LAST: Final = UUID(int=(1 << 128) - 1)

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "walk.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Memories by id: above `after`, up to and with `upto`."""

    after: UUID = NIL
    upto: UUID = LAST


Visit = Callable[[Span], Mapping[str, int]]
"""Sees to the memories of a span inside the caller's unit of work, and tells what it did how often."""


def walk(night: Night, visit: Visit, *, batch: int = BATCH) -> StepOutcome:
    """
    Visit all memories of the tenant, each span in a unit of work of its own.

    Stops when the night's slice of time is over; the outcome then says where the next one goes on. Killed in
    between, nothing is lost but the place: what was visited already is visited again.
    """
    after, done, counts = UUID(night.resume_from or NIL.hex), 0, Counter[str]()
    with unit_of_work():
        total = int(_SQL.run("count_all")[0]["size"])
    while True:
        with unit_of_work():
            found = _SQL.run("find_span", after=after, most=batch)[0]
            if found["upto"] is None:
                return StepOutcome(counts=dict(counts))
            span = Span(after=after, upto=found["upto"])
            counts.update(visit(span))
        after, done = span.upto, done + int(found["size"])
        night.progress(done, total)
        if int(found["size"]) < batch:
            return StepOutcome(counts=dict(counts))
        if night.is_over():
            return StepOutcome(counts=dict(counts), resume_from=after.hex)
