"""The gate for keys from outside: shut by causes, opened by a person after a shadow run (SPEC S-06)."""

from security.gate.engine import engine_in_force, use_engine
from security.gate.transitions import (
    CAUSES,
    GateView,
    TransitionRefused,
    close_gate,
    in_force,
    read_gate,
    validate_gate,
)

__all__ = [
    "CAUSES",
    "GateView",
    "TransitionRefused",
    "close_gate",
    "engine_in_force",
    "in_force",
    "read_gate",
    "use_engine",
    "validate_gate",
]
