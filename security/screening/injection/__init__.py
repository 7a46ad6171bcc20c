"""Orders to whoever reads a text, by patterns (SPEC W-04)."""

from security.screening.injection.instructions import REACH, detect_injection, find_instructions
from security.screening.injection.orders import find_orders

__all__ = [
    "REACH",
    "detect_injection",
    "find_instructions",
    "find_orders",
]
