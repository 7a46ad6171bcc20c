"""How sure an arbiter must be of a verdict for it to act (SPEC K-05); below, it is a link."""

from collections.abc import Mapping
from typing import Final

from memories.reconciliation.verdicts import Relation

SURE: Final = 0.80
"""
Confidence from which the verdict of a language or decision model acts.

Ours: four right in five, by the model's own account. What acts wrongly is undone in one step and loses no
word; what does not act is told all the same.
"""

TOLD_FROM: Final = 0.50
"""Confidence from which such a verdict is kept at all: more likely so than not."""

LOCAL_SURE: Final[Mapping[Relation, float]] = {}
"""The same for the local arbiter, by what it says; a relation that is not here never acts by its word."""


def is_sure(relation: Relation, confidence: float, *, is_local: bool) -> bool:
    """Tell whether a verdict acts."""
    if is_local:
        return relation in LOCAL_SURE and confidence >= LOCAL_SURE[relation]
    return confidence >= SURE
