"""Strands' memory manager and agent over Candor's memory store."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from strands import Agent
from strands.memory import MemoryManager
from strands.memory.types import AddMessagesContext
from strands.models import Model

from candor import AsyncCandor
from candor.adapters.strands import CandorMemoryStore
from tests.client.frameworks.told import ASKED, TOLD, captured


class Scripted(Model):  # type: ignore[misc]
    """Says how often it was asked; keeps what it was sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def update_config(self, **model_config: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:
        self.sent.append(str(messages))
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": f"I was asked {len(self.sent)} times about depots."}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


async def main() -> None:
    async with AsyncCandor() as client:
        store = CandorMemoryStore(client, person="rui", extraction=True, strict=True)
        manager = MemoryManager(stores=[store])
        result = {"toolUseId": "1", "status": "success", "content": [{"text": "Porto: rain from noon."}]}
        messages: list[Any] = [
            {"role": "user", "content": [{"text": TOLD}]},
            {"role": "user", "content": [{"toolResult": result}]},
        ]
        for _ in range(2):  # at least once
            await store.add_messages(messages, AddMessagesContext(sequence_numbers=[0, 1]))
        assert await captured(client, "rui") == [("user", TOLD), ("tool", "Porto: rain from noon.")]

        [entry, *_] = await manager.search(ASKED)
        assert (entry.content, entry.store_name) == (TOLD, "candor")
        assert len(await store.search("depot", {"max_search_results": 1})) == 1
        other = CandorMemoryStore(client, person="ann", strict=True)
        assert await other.search(ASKED) == []

        model = Scripted()
        agent = Agent(model=model, memory_manager=MemoryManager(stores=[store]), callback_handler=None)
        await agent.invoke_async(ASKED)
        assert TOLD in model.sent[-1], model.sent[-1]

        await manager.add("The Lisbon depot has no ramp.")
        assert (await captured(client, "rui"))[-1] == ("assistant", "The Lisbon depot has no ramp.")
        assert (store.failures, store.degraded) == ([], ())


asyncio.run(main())
