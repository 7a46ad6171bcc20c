"""A model that burns CPU over some texts: what a slow pattern of tomorrow would do."""

import re

from memories.llms.base import Reflection, Turn
from memories.llms.rules import RulesModel

HOLDS = "Root cause: the interpreter is held, because a pattern takes the square."
SPINS = "Root cause: the loop never ends, because nothing tells it to."

_SQUARE = re.compile(r"^\s*x", re.MULTILINE)


class BurningModel(RulesModel):
    """The built-in rules, but for two texts."""

    def extract(self, turn: Turn) -> Reflection:
        """Burn CPU over the two texts, read all others."""
        if turn.original == HOLDS:
            _SQUARE.search("y" + "\n" * 200_000)  # some ten minutes in which no Python runs
        while turn.original == SPINS:
            pass
        return super().extract(turn)
