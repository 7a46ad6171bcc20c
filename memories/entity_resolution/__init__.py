"""Entities: which names are one, who is mentioned, and what is said of them (SPEC M-10)."""
