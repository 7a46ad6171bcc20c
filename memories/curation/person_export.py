"""Hand an end user what is kept of them, as lines of JSON (SPEC K-09)."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from memories.ingestion import CaptureView, list_captures
from memories.storage import MemoryFilter, MemoryView, list_memories
from security.classification import Classification
from security.rest import MOST_PAGE


def export_person(person: str) -> Iterator[dict[str, Any]]:
    """
    Yield the captures of an end user, then their memories, newest first, as the viewer in force may see them.

    Superseded and archived memories are among them: all that is kept is theirs to have.
    """
    for capture in _captures(person):
        yield {"type": "capture", **_plain(capture)}
    for memory in _memories(person):
        yield {"type": "memory", **_plain(memory)}


def _captures(person: str) -> Iterator[CaptureView]:
    after = None
    while found := list_captures(person=person, after=after, most=MOST_PAGE):
        yield from found
        after = (found[-1].created_at, found[-1].id)


def _memories(person: str) -> Iterator[MemoryView]:
    wanted, after = MemoryFilter(person=person, standings=(), archived=None), None
    while found := list_memories(wanted, after=after, most=MOST_PAGE):
        yield from found
        after = (found[-1].created_at, found[-1].id)


def _plain(view: CaptureView | MemoryView) -> dict[str, Any]:
    return {**asdict(view), "classification": Classification(view.classification).label}
