"""
The step that settles what trust decides by itself; all else waits for a person (SPEC H-02, E-04).

Trust moves after a question was asked: a watermark moved, something was corroborated. It is looked at as it
is now. Whoever is trusted less never takes the other's place.
"""

from pathlib import Path
from typing import Final

from evolution.steps import Night, StepOutcome
from memories.candidates import TRUST_GAP
from memories.storage import settle_by_trust
from tenants.scope import unit_of_work
from tenants.sql import Queries

MOST_SETTLED: Final = 20
"""Contradictions settled in one cycle (SPEC E-04)."""

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "arbitration.sql")


def reconcile(night: Night) -> StepOutcome:
    """
    Settle the oldest open contradictions whose gap of trust is `TRUST_GAP` or more, each with its reason.

    counts: questions settled, and questions left to a person or to the next cycle.
    """
    with unit_of_work():
        found = [row["id"] for row in _SQL.run("find_settleable", gap=TRUST_GAP, most=MOST_SETTLED)]
        waiting = int(_SQL.run("count_waiting")[0]["waiting"])
    settled = 0
    for done, contradiction_id in enumerate(found):
        if night.is_over():
            break
        settled += night.dry_run or settle_by_trust(contradiction_id, now=night.now) is not None
        night.progress(done + 1, len(found))
    return StepOutcome(counts={"settled": settled, "waiting": waiting - settled})
