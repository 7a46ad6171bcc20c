"""The Claude Agent SDK's own conformance tests, and what is captured beside them."""

import asyncio
from typing import Any

from claude_agent_sdk import InMemorySessionStore
from claude_agent_sdk.testing import run_session_store_conformance

from candor import AsyncCandor
from candor.adapters.claude_agent import remembering
from tests.client.frameworks.told import captured

KEY: Any = {"project_key": "depots", "session_id": "chat-7"}
RESULT = {
    "type": "tool_result",
    "tool_use_id": "1",
    "content": [{"type": "text", "text": "Porto: rain from noon."}],
}
TURNS: list[Any] = [
    {"type": "user", "uuid": "u1", "timestamp": "2026-11-02T09:00:00.000Z",
     "message": {"role": "user", "content": "The Porto depot opens at six."}},
    {"type": "user", "uuid": "u2", "isMeta": True, "message": {"role": "user", "content": "Caveat."}},
    {"type": "assistant", "uuid": "a1", "message": {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Noted for the Porto depot."},
        {"type": "tool_use", "id": "1", "name": "weather", "input": {}}]}},
    {"type": "user", "uuid": "u3", "message": {"role": "user", "content": [RESULT]}},
    {"type": "summary", "summary": "Depots"},
]  # fmt: skip


async def main() -> None:
    async with AsyncCandor() as client:
        await run_session_store_conformance(lambda: remembering(InMemorySessionStore(), client, strict=True))
        assert (await client.list_captures()).results == [], "the conformance tests say nothing"

        store = remembering(InMemorySessionStore(), client, person="rui", strict=True)
        for _ in range(2):  # at least once
            await store.append(KEY, TURNS)
        await store.append({**KEY, "subpath": "subagents/agent-1"}, TURNS)
        again = remembering(InMemorySessionStore(), client, person="rui", strict=True)  # another process
        await again.append(KEY, TURNS)
        assert await captured(client, "rui", "chat-7") == [
            ("user", "The Porto depot opens at six."),
            ("assistant", "Noted for the Porto depot."),
        ]
        said = await client.for_person("rui").recall("when does the Porto depot open?")
        assert said.results[0].occurred_at.isoformat().startswith("2026-11-02T09:00:00"), said
        assert (await store.load(KEY) or [])[0] == TURNS[0]
        assert store.failures == []


asyncio.run(main())
