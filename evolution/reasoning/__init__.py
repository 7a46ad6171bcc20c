"""Reasoning: what follows from what was stated, stored with what it rests on, and taken back (SPEC E-10)."""

from evolution.reasoning.step import reason, retract

__all__ = ["reason", "retract"]
