"""How sure an arbiter must be of a verdict for it to act (SPEC K-05); below, it is a link."""

from typing import Final

SURE: Final = 0.80
"""
Confidence from which the verdict of a language or decision model acts.

Ours: four right in five, by the model's own account. What acts wrongly is undone in one step and loses no
word; what does not act is told all the same. The local arbiter publishes none: it tells, and never acts.
"""

TOLD_FROM: Final = 0.50
"""Confidence from which such a verdict is kept at all: more likely so than not."""
