"""What a verdict does to a memory's usefulness q: pure arithmetic (SPEC E-01)."""

from collections.abc import Iterable
from dataclasses import dataclass
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
