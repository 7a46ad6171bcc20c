"""
Google ADK's memory service, kept by Candor: `pip install 'candor[google-adk]'`.

    from google.adk.runners import Runner
    from candor import AsyncCandor
    from candor.adapters.google_adk import CandorMemoryService

    memory = CandorMemoryService(AsyncCandor())
    runner = Runner(app_name="travel", agent=agent, session_service=sessions, memory_service=memory)
    await memory.add_session_to_memory(session)

What users, agents and tools said in a session's events is captured with who said it; what is known is found
by `load_memory` and `preload_memory`, ADK's own tools. An ADK user of an app is an end user of Candor
(`app/user`), whose words no other user sees.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types

from candor import models
from candor.adapters.items import archive_by_id
from candor.adapters.talk import Remembering, Said, Talk, spoken
from candor.client import AsyncCandor

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session


class CandorMemoryService(Remembering, BaseMemoryService):  # type: ignore[misc] # without the framework
    """
    ADK's `BaseMemoryService`.

    person: the end user of an app's user; default: `app/user`. most: results of one search. strict, and what
    `failures` and `degraded` tell: see `candor.adapters.talk`.
    """

    def __init__(
        self,
        client: AsyncCandor | None = None,
        *,
        person: Callable[[str, str], str] = lambda app, user: f"{app}/{user}",
        most: int = 10,
        strict: bool = False,
    ) -> None:
        self._talk = Talk(client or AsyncCandor(), strict=strict)
        self._person = person
        self._most = most

    async def add_session_to_memory(self, session: Session) -> None:
        """Capture what was said in a session; an event that was captured before is not captured again."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Capture what was said in events."""
        said = [one for event in events for one in _said(event, f"{app_name}/{user_id}/{session_id}")]
        await self._talk.hear(said, session=session_id, person=self._person(app_name, user_id))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Capture what the agent wants remembered, as its own word; only an author `user` is the user's."""
        said = [
            one
            for entry in memories
            for one in spoken("user" if entry.author == "user" else "assistant", _text(entry.content.parts))
        ]
        await self._talk.hear(said, session=None, person=self._person(app_name, user_id))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Return what answers a question, best first."""
        found = await self._talk.find(query, most=self._most, person=self._person(app_name, user_id))
        return SearchMemoryResponse(memories=[_entry(one) for one in found])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Archive a memory by the id that a search told: people may bring it back."""
        if memory_id is None:
            raise ValueError("Name the memory by the id that search_memory told.")
        client = self._talk.of(self._person(app_name, user_id))
        await client._run(archive_by_id(client._manner, memory_id))


def _said(event: Event, within: str) -> Iterator[Said]:
    """Yield what was said in an event: by the user, the agent, or a tool that answered it."""
    parts = (event.content.parts if event.content is not None else None) or []
    clock = datetime.fromtimestamp(event.timestamp, timezone.utc)
    role = "user" if event.author == "user" else "assistant"
    yield from spoken(role, _text(parts), key=f"adk {within}/{event.id}", clock=clock)
    for place, part in enumerate(parts):
        if part.function_response is not None:
            told = json.dumps(part.function_response.response, ensure_ascii=False, default=str)
            yield from spoken("tool", told, key=f"adk {within}/{event.id}/{place}", clock=clock)


def _text(parts: Sequence[Any] | None) -> str:
    """Return what parts say: neither thoughts nor calls."""
    return "\n".join(part.text for part in parts or [] if part.text and not part.thought)


def _entry(row: models.RecallResult) -> MemoryEntry:
    return MemoryEntry(
        id=str(row.id),
        content=types.Content(role="user", parts=[types.Part(text=row.content)]),
        author=row.speaker or row.provenance,
        timestamp=row.occurred_at.isoformat(),
        custom_metadata={
            "score": row.score, "trust": row.trust, "provenance": row.provenance, "kind": row.kind,
            "session": row.session,
        },
    )  # fmt: skip
