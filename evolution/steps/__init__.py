"""What every step of a night is made with: its contract, a walk by batches, and what is due (SPEC E-04)."""

from evolution.steps.batch_walk import Span, walk
from evolution.steps.contract import Night, Step, StepOutcome, tell_nobody
from evolution.steps.due_batches import QUERIES, find_due, note_seen

__all__ = [
    "QUERIES",
    "Night",
    "Span",
    "Step",
    "StepOutcome",
    "find_due",
    "note_seen",
    "tell_nobody",
    "walk",
]
