"""Secrets in a text: found by shape, by maker, by what is said before them, and replaced (SPEC W-07)."""

from security.screening.secrets.redaction import redact
from security.screening.secrets.tree import redact_named, redact_tree

__all__ = [
    "redact",
    "redact_named",
    "redact_tree",
]
