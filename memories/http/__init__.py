"""Captures and memories over HTTP; memories/urls.py gives the addresses."""

from memories.http.views_memories import write_problems

__all__ = [
    "write_problems",
]
