"""Patterns: findings that say alike are clustered, worded and written, and taken apart again (SPEC E-03)."""

from evolution.consolidation.step import consolidate
from evolution.consolidation.synthesis import find_fault, may_be_asked
from evolution.consolidation.undo import NotConsolidated, unconsolidate

__all__ = [
    "NotConsolidated",
    "consolidate",
    "find_fault",
    "may_be_asked",
    "unconsolidate",
]
