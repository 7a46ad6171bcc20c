"""
Which engine answers recalls in this process, as a digest: told from the floor above, asked by the gate.

Nobody has told: «», for which no gate opens.
"""

from collections.abc import Callable

_told: list[Callable[[], str]] = []


def use_engine(digest: Callable[[], str]) -> None:
    """Have the engine's digest asked of this function, as hexadecimal digits."""
    _told[:] = [digest]


def engine_in_force() -> str:
    """Return the digest of the engine, or «» when nobody has told it."""
    return _told[0]() if _told else ""
