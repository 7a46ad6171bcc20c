"""
Chinese passages with questions, as a file has them, and English questions of ours on the same passages.

A line is a store: {store, docs: [text], queries: [{q, gold: [place of a passage]}]}.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.corpora.conversations import Conversation, Query, Turn
from bench.corpora.passages_english import ENGLISH

CHINESE: Final = "chinese"
CROSS: Final = "cross"
"""Categories of questions: in the passages' language, and in English."""

READ_AT: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def read_passages(path: Path) -> list[Conversation]:
    """Read a file; each passage was read in a session of its own. Raises OSError, ValueError, KeyError."""
    with path.open(encoding="utf-8") as lines:
        return [_read_store(json.loads(line)) for line in lines if line.strip()]


def _read_store(row: Mapping[str, Any]) -> Conversation:
    name = str(row["store"])
    turns = tuple(
        Turn(
            id=str(place),
            session=f"{name}/{place}",
            clock=READ_AT + timedelta(minutes=place),
            speaker="",
            text=str(text),
        )
        for place, text in enumerate(row["docs"])
    )
    asked = [
        Query(text=one["q"], category=CHINESE, gold=tuple(map(str, one["gold"])), answer="")
        for one in row["queries"]
    ]
    crossing = [
        Query(text=text, category=CROSS, gold=(str(place),), answer="")
        for place, text in ENGLISH.get(name, {}).items()
        if place < len(turns)
    ]
    return Conversation(name=name, turns=turns, queries=(*asked, *crossing))
