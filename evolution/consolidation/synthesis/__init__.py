"""The wording of a pattern: by rules or by a language model, whose answer is checked (SPEC E-03)."""

from evolution.consolidation.synthesis.checks import find_fault
from evolution.consolidation.synthesis.wording import Source, Synthesis, may_be_asked, synthesise

__all__ = [
    "Source",
    "Synthesis",
    "find_fault",
    "may_be_asked",
    "synthesise",
]
