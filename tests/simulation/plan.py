"""What happens in a simulation: steps drawn from a seed, and how far the work goes on between them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final

LENGTH: Final = 45

KINDS: Final[Mapping[str, float]] = {
    "say": 10, "retry": 3, "echo": 3, "work": 12, "lose": 2, "sweep": 3, "jump": 3, "recall": 5, "judge": 4,
    "forget": 1, "settle": 2, "night": 1, "embedder": 1, "broker": 1, "model": 1, "kill": 4, "correct": 1,
    "archive": 1,
}  # fmt: skip
"""Step → how often, where all are drawn."""

ALWAYS: Final = frozenset({"say", "work", "recall"})
JUMPS: Final = (1, 5, 45, 400, 3_600, 90_000)
"""Seconds: within a pause, past one, past a lease, past all leases, an hour, more than a day."""

MOST_TURNS: Final = 14


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
    return [_draw(rng, number, rng.choices(kinds, weights)[0]) for number in range(length)]


def _draw(rng: Random, number: int, kind: str) -> Step:
    args: dict[str, Any] = {"pick": rng.randrange(1_000), "tenant": rng.choice("aaab"), "also": rng.random()}
    if kind == "say":
        args |= {"form": rng.randrange(1_000), "value": rng.randrange(6), "rank": rng.choice((0, 1, 1, 3))}
    elif kind == "jump":
        args |= {"seconds": rng.choice(JUMPS)}
    turns = 0 if rng.random() < 0.2 else rng.randrange(MOST_TURNS)
    return Step(number=number, kind=kind, turns=turns, args=args)


def without(steps: Sequence[Step], gone: range) -> list[Step]:
    """Return the steps but those at these places."""
    return [step for place, step in enumerate(steps) if place not in gone]
