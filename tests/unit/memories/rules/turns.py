"""Turns for the built-in reader."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from memories.llms.base import Note, Turn
from memories.llms.rules import RulesModel
from memories.temporal import normalise

LISBON: Final = ZoneInfo("Europe/Lisbon")
CLOCK: Final = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def make_turn(text: str, **fields: Any) -> Turn:
    """Return a turn of Mara's, normalised at CLOCK."""
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text, original=text, role="user", speaker="Mara", clock=CLOCK, zone=LISBON,
        mentions=said.mentions, occurred_at=said.occurred_at,
    )  # fmt: skip
    return replace(turn, **fields)


def read(text: str, **fields: Any) -> tuple[Note, ...]:
    """Return what the built-in reader makes of a turn."""
    return RulesModel().extract(make_turn(text, **fields)).notes
