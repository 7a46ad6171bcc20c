"""
What verdicts do to a memory's usefulness q: pure arithmetic (SPEC E-01; docs/decisions/0040).

# Note [Voices]
An agent decides by itself how often it recalls a memory and judges it, so the number of its verdicts says
nothing. Of one agent's verdicts on one memory, the first of each UTC day counts. And agents, however many,
move q within a band only: from 0.25 to 0.75, and not past where the memory began against what people and
outcomes from outside said. q follows from the verdicts that stand, in the order of their moments, and not
from the order in which they came in: said twice, late or by many at once, the outcome is one.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal

Outcome = Literal["helpful", "unhelpful", "used"]

Origin = Literal["explicit", "implicit", "outcome"]
"""How a verdict came: said of one memory, among what a session used, or by how the task ended."""

HELPFUL_STEP: Final = 0.1
"""α of SPEC E-01: the share of the way to 1 that a helpful use moves q."""

UNHELPFUL_FACTOR: Final = 0.95
"""What is left of q after a use that did not help (SPEC E-01)."""

OWN_PRAISE: Final = 0.25
"""How far an agent's own «helpful» counts (SPEC E-01); a person's or an outside outcome's counts in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said of one use of a memory."""

    outcome: Outcome
    weight: float  #: how far the word counts, in [0, 1]


def weight_of(actor_kind: str, outcome: Outcome) -> float:
    """
    Return how far an actor's word counts, in [0, 1].

    An agent's own «unhelpful» counts in full: praise is what it could inflate itself with, blame is not.
    """
    return OWN_PRAISE if actor_kind == "agent" and outcome == "helpful" else 1.0


def judge(q: float, verdict: Verdict) -> float:
    """
    Return q after the verdict; q in [0, 1], and so is what is returned.

    helpful: q + 0.1·w·(1 − q). unhelpful: q·(1 − 0.05·w). used: q, as no word on its use was said.
    """
    if verdict.outcome == "helpful":
        return q + HELPFUL_STEP * verdict.weight * (1.0 - q)
    if verdict.outcome == "unhelpful":
        return q * (1.0 - (1.0 - UNHELPFUL_FACTOR) * verdict.weight)
    return q


def replay(q: float, verdicts: Iterable[Verdict]) -> float:
    """Return q after the verdicts in their order: what it is once one among them no longer stands."""
    for verdict in verdicts:
        q = judge(q, verdict)
    return q


AGENTS_LEAST: Final = 0.25
AGENTS_MOST: Final = 0.75
"""Bounds of q that agents alone do not pass. Ours: halfway from the start to «no use» and to «sure»."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A verdict that stands, with who gave it and when."""

    id: Hashable
    verdict: Verdict
    agent: str | None  #: the agent's id; None: a person, or an outcome from outside
    at: datetime  #: aware

    @property
    def day(self) -> date:
        """Return the UTC day in which it counts once for its agent."""
        return self.at.astimezone(UTC).date()


def count_voices(said: Iterable[Said]) -> list[Said]:
    """Return the verdicts that count, by moment: of an agent's, the first of each day that moves q."""
    heard: set[tuple[str, date]] = set()
    counted = []
    for one in sorted(said, key=lambda one: (one.at, str(one.id))):
        if one.agent is not None and one.verdict.outcome != "used":
            if (one.agent, one.day) in heard:
                continue
            heard.add((one.agent, one.day))
        counted.append(one)
    return counted


def usefulness(start: float, counted: Sequence[Said]) -> float:
    """
    Return q after the verdicts that count, in their order; start and what is returned lie in [0, 1].

    See Note [Voices]. An agent's word never moves q towards a bound that q has passed already.
    """
    people = replay(start, (one.verdict for one in counted if one.agent is None))
    least = max(AGENTS_LEAST, start) if people > start else AGENTS_LEAST
    most = min(AGENTS_MOST, start) if people < start else AGENTS_MOST
    q = start
    for one in counted:
        moved = judge(q, one.verdict)
        if one.agent is not None:
            moved = max(moved, min(q, least)) if moved < q else min(moved, max(q, most))
        q = moved
    return q
