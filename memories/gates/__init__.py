"""The gates a text passes before it may become memory, in their fixed order (SPEC W-04)."""

from memories.gates.earlier_turns import read_turns_before
from memories.gates.run import (
    GateRefused,
    is_judged,
    is_read_by_model,
    judge_quality,
    normalise_text,
    pass_quality,
    read_rows,
    reflect_turn,
    screen_text,
)

__all__ = [
    "GateRefused",
    "is_judged",
    "is_read_by_model",
    "judge_quality",
    "normalise_text",
    "pass_quality",
    "read_rows",
    "read_turns_before",
    "reflect_turn",
    "screen_text",
]
