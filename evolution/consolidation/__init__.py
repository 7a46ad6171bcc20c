"""Patterns: findings that say alike are clustered, worded and written, and taken apart again (SPEC E-03)."""
