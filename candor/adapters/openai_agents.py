"""
A session of the OpenAI Agents SDK that remembers beyond its own history. Needs nothing but the client.

    from agents import Agent, RunConfig, Runner, SQLiteSession
    from candor import AsyncCandor
    from candor.adapters.openai_agents import CandorSession

    session = CandorSession(SQLiteSession("chat-7"), AsyncCandor(), person="rui")
    config = RunConfig(session_input_callback=session.recall_into)
    await Runner.run(agent, "Where do I live?", session=session, run_config=config)

The SDK's own session keeps the history, item by item; it may pop and clear it. Candor is told what was said
and by whom, and nothing of what the SDK takes back: that something was said stays true. What is recalled goes
to the model with one turn alone: it is in no history, and is not captured as if somebody said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from candor.adapters.talk import BEGINS, Remembering, Said, Talk, spoken
from candor.client import AsyncCandor


class History(Protocol):
    """What is needed of an SDK session: SQLiteSession and the others have it."""

    session_id: str

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the latest items, oldest first."""

    async def add_items(self, items: list[Any]) -> None:
        """Add items."""

    async def pop_item(self) -> Any:
        """Take the last item out and return it."""

    async def clear_session(self) -> None:
        """Take every item out."""


class CandorSession(Remembering):
    """
    The SDK's `Session`: a history of its own making, whose turns are captured.

    history: any session of the SDK. person: the end user who is talked with. strict: raise what goes wrong
    with the memory. Otherwise a run goes on without it, `failures` has what went wrong, and the first warns.
    `degraded` names the channels that were out for the last recall: what is missing then proves nothing.
    """

    def __init__(
        self, history: History, client: AsyncCandor, *, person: str | None = None, strict: bool = False
    ) -> None:
        self._history = history
        self._person = person
        self._talk = Talk(client, strict=strict)
        self.session_id = history.session_id
        self.session_settings = getattr(history, "session_settings", None)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the latest items of the history, oldest first."""
        return await self._history.get_items(limit)

    async def add_items(self, items: list[Any]) -> None:
        """Add items to the history, and tell Candor what was said in them, in their order."""
        kept = [item for item in items if not _is_ours(item)]
        await self._history.add_items(kept)
        await self._talk.hear(_spoken(kept), session=self.session_id, person=self._person)

    async def pop_item(self) -> Any:
        """Take the last item out of the history and return it; what was said in it stays known."""
        return await self._history.pop_item()

    async def clear_session(self) -> None:
        """Empty the history; what was said in it stays known. To forget, see `forget_person`."""
        await self._history.clear_session()

    async def recall_into(self, history: list[Any], new: list[Any]) -> list[Any]:
        """Return the model's input, what is known of the question before it: a `session_input_callback`."""
        asked = [one.text for one in _spoken(new) if one.role == "user"]
        if not asked:
            return [*history, *new]
        text = await self._talk.know(asked[-1], session=self.session_id, person=self._person)
        known = [{"role": "developer", "content": text}] if text else []
        return [*history, *known, *new]


def _is_ours(item: Any) -> bool:
    return isinstance(item, Mapping) and str(item.get("content", "")).startswith(BEGINS)


def _spoken(items: Sequence[Any]) -> Iterator[Said]:
    """Yield who said what: people, the agent, and tools."""
    for item in items:
        if not isinstance(item, Mapping):
            continue
        if item.get("type") == "function_call_output":
            yield from spoken("tool", item.get("output"))
        else:
            yield from spoken(item.get("role"), item.get("content"))
