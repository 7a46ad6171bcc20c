"""Secrets in a text: found by shape, by maker, by what is said before them, and replaced (SPEC W-07)."""
