"""Secrets in a text: found by shape, by maker, by what is said before them, and replaced (SPEC W-07)."""

from security.screening.secrets.redaction import redact
from security.screening.secrets.tree import redact_named, redact_tree
from security.screening.secrets.values import RANDOM_ENTROPY, SHORTEST_TOKEN, TOKEN_ENTROPY

__all__ = [
    "RANDOM_ENTROPY",
    "SHORTEST_TOKEN",
    "TOKEN_ENTROPY",
    "redact",
    "redact_named",
    "redact_tree",
]
