"""
Long chats with an assistant, as a file has them: what the person wrote, with questions on it.

A line is a chat: {store, docs: [{id, when, text}], queries: [{q, cat, gold, answer}]}. `gold` names
messages, in lists or under what each stands for; those of the assistant are not in the file, nor to be found.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.corpora.conversations import Conversation, Query, Turn

BEGINS_AT: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""When a chat begins whose first message names no day."""


def read_chats(path: Path) -> list[Conversation]:
    """Read a file; questions without a message that answers them are left out. Raises OSError, ValueError."""
    with path.open(encoding="utf-8") as lines:
        return [_read_chat(json.loads(line)) for line in lines if line.strip()]


def _read_chat(row: Mapping[str, Any]) -> Conversation:
    name, clock, turns = str(row["store"]), BEGINS_AT, []
    for doc in row["docs"]:
        clock = read_day(doc["when"], after=clock)
        turns.append(Turn(id=str(doc["id"]), session=name, clock=clock, speaker="", text=str(doc["text"])))
    said = {turn.id for turn in turns}
    queries = []
    for query in row["queries"]:
        gold = tuple(dict.fromkeys(one for one in _messages(query["gold"]) if one in said))
        if gold:
            queries.append(
                Query(text=query["q"], category=query["cat"], gold=gold, answer=str(query["answer"] or ""))
            )
    return Conversation(name=name, turns=tuple(turns), queries=tuple(queries))


def _messages(gold: Any) -> Iterator[str]:
    """Yield the ids in a gold of any shape."""
    if isinstance(gold, Mapping):
        gold = list(gold.values())
    if isinstance(gold, list):
        for part in gold:
            yield from _messages(part)
    elif gold is not None:
        yield str(gold)


def read_day(when: str | None, *, after: datetime) -> datetime:
    """Return a message's clock: the day it names («March-15-2024»), else a minute after the one before."""
    if when is None:
        return after + timedelta(minutes=1)
    return datetime.strptime(when, "%B-%d-%Y").replace(tzinfo=UTC, hour=9)
