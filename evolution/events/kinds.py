"""The kinds of events, and what of the trail each is made of. Pure: no database, no clock."""

from typing import Final

AUDITED: Final = "audit"
"""The scope without which no event of the trail is told that is about nothing one could look at."""

KINDS: Final = {
    "stored": ("memory.create",),
    "superseded": ("memory.supersede",),
    "contradiction": ("contradiction.open",),
    "resolved": ("contradiction.resolve",),
    "quarantine": ("capture.quarantine",),
    "dead": ("capture.dead",),
    "verify": ("verification.open",),
    "gate": ("gate.close", "gate.modify", "gate.validate", "gate.open"),
    "erased": ("memory.forget", "person.forget"),
}
"""Kind to the trail's actions that it is made of."""

KIND_OF: Final = {action: kind for kind, actions in KINDS.items() for action in actions}

FOR_AUDITORS: Final = frozenset({"gate", "erased"})
"""Kinds about what nobody can look at any more, or about the tenant as a whole: for who reads the trail."""


def actions_of(kinds: frozenset[str]) -> list[str]:
    """Return the trail's actions that events of these kinds are made of."""
    return [action for action, kind in KIND_OF.items() if kind in kinds]
