"""
The steps of a night, in their order (SPEC E-04).

To add one: write `run(night: Night) -> Outcome` in a module of its own and put its line here. A step must
keep what `evolution.steps.contract` asks for; the orchestrator knows nothing else of it.
"""

from collections.abc import Sequence
from typing import Final

from evolution.consolidation import consolidate
from evolution.interests import count_interests
from evolution.maintenance import (
    age_memories,
    prune,
    reconcile,
    relink,
    retag,
    retain,
    settle,
    write_summaries,
)
from evolution.reasoning import reason, retract
from evolution.steps import Step
from evolution.verification import check_watermarks, count_lint

STEPS: Final[tuple[Step, ...]] = (
    Step(name="settle", cost="cheap", run=settle),
    Step(name="reconcile", cost="cheap", run=reconcile),
    Step(name="watermarks", cost="cheap", run=check_watermarks),
    Step(name="retract", cost="cheap", run=retract),
    Step(name="retag", cost="cheap", run=retag),
    Step(name="relink", cost="cheap", run=relink),
    Step(name="prune", cost="cheap", run=prune),
    Step(name="retain", cost="cheap", run=retain),
    Step(name="tiers", cost="cheap", run=age_memories),
    Step(name="summaries", cost="cheap", run=write_summaries),
    Step(name="consolidation", cost="dream", run=consolidate),
    Step(name="reasoning", cost="dream", run=reason),
    Step(name="interests", cost="dream", run=count_interests),
    Step(name="lint", cost="dream", run=count_lint),
)
"""Cheap steps first; what a step reads of another's work stands after it (tiers count links)."""

STEP_NAMES: Final = tuple(step.name for step in STEPS)


class UnknownStep(ValueError):
    """There is no such step; see `evolution.sleep.registry`."""


def choose_steps(names: Sequence[str], *, dream: bool) -> tuple[Step, ...]:
    """
    Return the steps of a cycle in their order: those named, or all, the dear ones only in a dream.

    A dear step that is named is run, whatever the gate says. Raises UnknownStep.
    """
    if unknown := set(names) - set(STEP_NAMES):
        raise UnknownStep(
            f"There is no step {', '.join(sorted(unknown))}. There are {', '.join(STEP_NAMES)}."
        )
    if names:
        return tuple(step for step in STEPS if step.name in names)
    return tuple(step for step in STEPS if dream or step.cost == "cheap")
