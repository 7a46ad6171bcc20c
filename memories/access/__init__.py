"""What may be seen: by viewer, by time, by session, and what was erased for good (SPEC T-07, M-06, S-05)."""

from memories.access.bitemporal import held_at, held_during, known_at
from memories.access.sessions import SessionView, end_session, get_session
from memories.access.tombstones import (
    EXPIRED,
    FEWEST_WORDS,
    FORGOTTEN,
    GATE,
    REASON,
    TextForgotten,
    digest,
    digests,
    normalised,
    telling_sentences,
)
from memories.access.visibility import readable, readable_projects, visible_params

__all__ = [
    "EXPIRED",
    "FEWEST_WORDS",
    "FORGOTTEN",
    "GATE",
    "REASON",
    "SessionView",
    "TextForgotten",
    "digest",
    "digests",
    "end_session",
    "get_session",
    "held_at",
    "held_during",
    "known_at",
    "normalised",
    "readable",
    "readable_projects",
    "telling_sentences",
    "visible_params",
]
