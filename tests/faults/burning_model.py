"""A model that burns CPU over some texts: what a slow pattern of tomorrow would do."""

import hashlib

from memories.llms.base import Reflection, Turn
from memories.llms.rules import RulesModel

HOLDS = "Root cause: the interpreter is held, because a call into C is slow."
SPINS = "Root cause: the loop never ends, because nothing tells it to."


class BurningModel(RulesModel):
    """The built-in rules, but for two texts."""

    def extract(self, turn: Turn) -> Reflection:
        """Burn CPU over the two texts, read all others."""
        if turn.original == HOLDS:
            hashlib.pbkdf2_hmac("sha256", b"y", b"n", 10**9)  # some ten minutes in which no Python runs
        while turn.original == SPINS:
            pass
        return super().extract(turn)
