"""Does a good new memory get its chance among veterans that everybody likes? (SPEC R-04)"""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import numpy as np

from bench.answering.learning_history import History

VETERANS: Final = 200
CHANCES: Final = 10
FIRST: Final = 5
WALK_OVERS: Final = 2
"""Places from the top whose rows stay in the first five however well others are liked."""


class Asked(Protocol):
    """A conversation that can be asked."""

    gold: list[set[str]]

    def everybody(self) -> set[str]:
        """Return all its memories."""

    def ask(self, number: int, k: int, *, explores: bool = True, seed: int = 0) -> list[str]:
        """Return the first k memories of the answer."""


def newcomers(asked: Sequence[Asked], history: History, seeds: Iterable[int]) -> dict[str, float]:
    """
    Return the share of seeds in which a good newcomer is among the first five within ten recalls.

    Good is the one memory that answers the question, where it has one of the places 3 to 5 as long as nothing
    is known of any: near enough to be shown, and not so near that nobody could keep it out. Then 200 others
    have been found helpful in half of their uses or more, it has not.
    """
    places = [_chances(asked[number % len(asked)], history, seed) for number, seed in enumerate(seeds)]
    return {
        "exploring": _share([any(chances) for chances, _ in places]),
        "not exploring": _share([at_once for _, at_once in places]),
    }


def _chances(asking: Asked, history: History, seed: int) -> tuple[list[bool], bool]:
    """Return whether it was shown at each recall, and whether it would have been without exploration."""
    rng = np.random.default_rng(seed)
    number, newcomer = _choose(asking, history, rng)
    at_once = newcomer in asking.ask(number, FIRST, explores=False)
    history.make_new(newcomer)
    shown: list[bool] = []
    while not any(shown) and len(shown) < CHANCES:
        shown.append(newcomer in asking.ask(number, FIRST, seed=seed * CHANCES + len(shown)))
    return shown, at_once


def _choose(asking: Asked, history: History, rng: np.random.Generator) -> tuple[int, str]:
    """Return a question with its newcomer, surrounded by veterans. Raises LookupError for none."""
    every = sorted(set().union(*asking.gold, asking.everybody()))
    for number in rng.permutation(len(asking.gold)).tolist():
        if len(asking.gold[number]) != 1:
            continue
        [newcomer] = asking.gold[number]
        others = [memory for memory in every if memory != newcomer]
        veterans = [others[place] for place in rng.permutation(len(others))[:VETERANS].tolist()]
        history.wipe()
        history.keep_only([*veterans, newcomer])
        if newcomer in asking.ask(number, FIRST, explores=False)[WALK_OVERS:]:
            history.make_veterans(veterans, rng)
            history.make_new(newcomer)
            return number, newcomer
    raise LookupError("No question of this conversation is answered by one memory in places 3 to 5.")


def _share(found: Sequence[bool]) -> float:
    return round(sum(found) / len(found), 4)
