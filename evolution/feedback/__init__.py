"""Verdicts on what was recalled: taken, counted as voices, and learnt from (SPEC E-01, E-13)."""
