"""What happens in a simulation: steps drawn from a seed, and how far the work goes on between them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final

LENGTH: Final = 45

PRELUDE: Final = ("say", "say", "say", "say", "say", "say", "rest")
"""What every plan begins with: where nothing is remembered, nothing can be recalled, judged or forgotten."""

KINDS: Final[Mapping[str, float]] = {
    "say": 10, "retry": 3, "echo": 3, "work": 12, "rest": 2, "lose": 2, "sweep": 3, "jump": 4, "recall": 5,
    "judge": 4,
    "forget": 1, "forget_person": 1, "withdraw": 1, "give_back": 1, "correct": 2, "reinstate": 1,
    "classify": 1, "archive": 1, "settle": 2, "document": 1, "night": 1, "embedder": 1,
    "broker": 1, "model": 1, "kill": 4,
}  # fmt: skip
"""Step → how often, where all are drawn."""

ALWAYS: Final = frozenset({"say", "work", "recall", "rest"})
JUMPS: Final = (1, 5, 45, 400, 400, 400, 3_600, 90_000)
"""Seconds: within a pause, past one, past a lease, past all leases, an hour, more than a day."""

MOST_TURNS: Final = 40
"""A capture takes some 50, a recall 8."""

FEW_TURNS: Final = 4
"""So that what comes next meets what was just begun."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens. `pick` and the like are taken modulo what there is to pick from."""

    number: int
    kind: str
    turns: int  #: turns that are given before the next step
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def told(self) -> dict[str, Any]:
        """Return it for a report."""
        return asdict(self)


def make_plan(seed: int, *, length: int = LENGTH) -> list[Step]:
    """
    Return the steps of this seed.

    Each seed leaves out a part of the kinds, another part each time: what only shows where nothing else
    happens is found as well as what needs all of it («swarm testing», Groce et al., ISSTA 2012).
    """
    rng = Random(f"plan {seed}")
    kinds = [kind for kind in KINDS if kind in ALWAYS or rng.random() < 0.7]
    weights = [KINDS[kind] for kind in kinds]
    drawn = [*PRELUDE, *rng.choices(kinds, weights, k=length)]
    return [_draw(rng, number, kind) for number, kind in enumerate(drawn)]


def _draw(rng: Random, number: int, kind: str) -> Step:
    args: dict[str, Any] = {"pick": rng.randrange(1_000), "tenant": rng.choice("aaab"), "also": rng.random()}
    args |= {"form": rng.randrange(1_000)}
    if kind == "say":
        args |= {"value": rng.randrange(6), "rank": rng.choice((0, 1, 1, 3))}
    elif kind == "jump":
        args |= {"seconds": rng.choice(JUMPS)}
    turns = rng.randrange(FEW_TURNS if rng.random() < 0.4 else MOST_TURNS)
    return Step(number=number, kind=kind, turns=turns, args=args)


def without(steps: Sequence[Step], gone: range) -> list[Step]:
    """Return the steps but those at these places."""
    return [step for place, step in enumerate(steps) if place not in gone]
