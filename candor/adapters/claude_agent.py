"""
A session store of the Claude Agent SDK that remembers beyond its transcripts. Needs nothing but the client.

    from claude_agent_sdk import ClaudeAgentOptions, InMemorySessionStore
    from candor import AsyncCandor
    from candor.adapters.claude_agent import remembering

    store = remembering(InMemorySessionStore(), AsyncCandor(), person="rui")
    options = ClaudeAgentOptions(session_store=store)

A store of the SDK keeps the transcripts, entry by entry. Candor is told what was said in them and by whom: an
entry once, however often the SDK sends it. As the hooks for Claude Code do, it leaves out what a program put
there, what tools returned (whole files, often), and the talk of sub-agents. To tell the model
what is known, use the hooks of `candor install-hooks` or the MCP server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from candor.adapters.talk import Remembering, Said, Talk, spoken
from candor.client import AsyncCandor
from candor.hooks.turns import read_entry


class Transcripts(Protocol):
    """What is needed of a session store of the SDK."""

    async def append(self, key: Any, entries: list[Any]) -> None:
        """Add entries."""

    async def load(self, key: Any) -> list[Any] | None:
        """Return all entries, or None."""


def remembering(
    transcripts: Transcripts,
    client: AsyncCandor | None = None,
    *,
    person: str | None = None,
    strict: bool = False,
) -> CandorSessionStore:
    """
    Return a store that keeps transcripts as the given one does, and captures what is said.

    It has the optional methods that the given store has, and no other: the SDK asks which there are.
    """
    given = [name for name in OPTIONAL if _has(transcripts, name)]
    made = type("CandorSessionStore", (CandorSessionStore,), {name: _passed_on(name) for name in given})
    return made(transcripts, client or AsyncCandor(), person, strict)  # type: ignore[no-any-return]


OPTIONAL = ("list_sessions", "list_session_summaries", "delete", "list_subkeys")


class CandorSessionStore(Remembering):
    """The SDK's `SessionStore`; made by `remembering`."""

    def __init__(
        self, transcripts: Transcripts, client: AsyncCandor, person: str | None, strict: bool
    ) -> None:
        self._transcripts = transcripts
        self._talk = Talk(client, strict=strict)
        self._person = person

    async def append(self, key: Mapping[str, Any], entries: Sequence[Any]) -> None:
        """Keep entries, and capture what is said in them."""
        await self._transcripts.append(key, list(entries))
        if not key.get("subpath"):
            said = [one for entry in entries for one in _said(entry)]
            await self._talk.hear(said, session=str(key["session_id"]), person=self._person)

    async def load(self, key: Mapping[str, Any]) -> list[Any] | None:
        """Return all entries of a session, or None."""
        return await self._transcripts.load(key)


def _has(transcripts: Transcripts, name: str) -> bool:
    """Return whether a store has a method of its own: the Protocol's raise NotImplementedError."""
    method = getattr(type(transcripts), name, None)
    return method is not None and not method.__qualname__.startswith("SessionStore.")


def _passed_on(name: str) -> Any:
    async def method(self: CandorSessionStore, *args: Any) -> Any:
        return await getattr(self._transcripts, name)(*args)

    method.__name__ = method.__qualname__ = name
    return method


def _said(entry: Mapping[str, Any]) -> Iterator[Said]:
    """Yield what was said in an entry."""
    turn = read_entry(entry)
    if turn is not None:
        key = f"claude {turn.uuid}" if turn.uuid else None
        yield from spoken(turn.role, turn.text, key=key, clock=turn.said_at)
