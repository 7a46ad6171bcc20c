"""
A memory store for Strands Agents, kept by Candor. Needs nothing but the client.

    from strands import Agent
    from strands.memory import MemoryManager
    from candor import AsyncCandor
    from candor.adapters.strands import CandorMemoryStore

    store = CandorMemoryStore(AsyncCandor(), person="rui", extraction=True)
    agent = Agent(memory_manager=MemoryManager(stores=[store]))

With `extraction` the manager hands over each turn, and Candor's pipeline decides what is worth remembering; a
turn that is handed over twice is captured once. What the `add_memory` tool adds is the agent's own word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from candor import models
from candor.adapters.talk import Remembering, Said, Talk, spoken, text_of
from candor.client import AsyncCandor

try:
    from strands.memory.types import MemoryEntry
except ImportError:  # where the store is used by itself

    class MemoryEntry(NamedTuple):  # type: ignore[no-redef]
        """What a search returns."""

        content: str
        store_name: str | None = None
        metadata: dict[str, Any] | None = None


class CandorMemoryStore(Remembering):
    """
    Strands' `MemoryStore`.

    person: the end user who is talked with. session: the conversation's name; default: one of its own.
    max_search_results: of one search, where the manager names no number. strict, and what `failures` and
    `degraded` tell: see `candor.adapters.talk`.
    """

    def __init__(
        self,
        client: AsyncCandor | None = None,
        *,
        name: str = "candor",
        description: str | None = "What is remembered of earlier conversations, with who said it.",
        person: str | None = None,
        session: str | None = None,
        max_search_results: int = 10,
        extraction: Any = None,
        strict: bool = False,
    ) -> None:
        self.name = name
        self.description = description
        self.max_search_results = max_search_results
        self.writable = True
        self.extraction = extraction
        self._talk = Talk(client or AsyncCandor(), strict=strict)
        self._person = person
        self._run = uuid4()
        self._session = session or f"strands {self._run}"

    async def initialize(self) -> None:
        """Do nothing: there is nothing to set up."""

    async def search(self, query: str, options: Mapping[str, Any] | None = None) -> list[MemoryEntry]:
        """Return what answers a question, best first."""
        most = (options or {}).get("max_search_results") or self.max_search_results
        found = await self._talk.find(query, most=most, session=self._session, person=self._person)
        return [_entry(one) for one in found]

    async def add(self, content: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Capture what the agent wants remembered, as its own word."""
        await self._talk.hear(spoken("assistant", content), session=self._session, person=self._person)

    async def add_messages(self, messages: Sequence[Mapping[str, Any]], context: Any = None) -> None:
        """Capture what was said, with who said it; a message with a sequence number is captured once."""
        numbers = getattr(context, "sequence_numbers", None) or [None] * len(messages)
        said = [
            one
            for message, number in zip(messages, numbers, strict=True)
            for one in _said(message, None if number is None else f"strands {self._run} {number}")
        ]
        await self._talk.hear(said, session=self._session, person=self._person)

    def get_tools(self) -> list[Any]:
        """Return no tools: the manager's own search and add."""
        return []


def _said(message: Mapping[str, Any], key: str | None) -> Iterator[Said]:
    """Yield what was said in a message; a tool's result stands in a user's, and is the tool's word."""
    blocks = message.get("content") or []
    yield from spoken(message.get("role"), blocks, key=key)
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    for place, result in enumerate(results):
        yield from spoken("tool", text_of(result.get("content")), key=key and f"{key} {place}")


def _entry(row: models.RecallResult) -> MemoryEntry:
    metadata = {
        "id": str(row.id), "score": row.score, "trust": row.trust, "provenance": row.provenance,
        "speaker": row.speaker, "occurred_at": row.occurred_at.isoformat(),
    }  # fmt: skip
    return MemoryEntry(content=row.content, metadata=metadata)
