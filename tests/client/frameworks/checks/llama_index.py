"""LlamaIndex's memory with Candor's block."""

import asyncio

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from candor import AsyncCandor
from candor.adapters.llama_index import CandorMemoryBlock
from tests.client.frameworks.told import ASKED, TOLD, captured


async def main() -> None:
    async with AsyncCandor() as client:
        block = CandorMemoryBlock(client, person="rui", strict=True)
        memory = Memory.from_defaults(
            session_id="chat-7", memory_blocks=[block], token_limit=60, chat_history_token_ratio=0.4,
            token_flush_size=10,
        )  # fmt: skip
        await memory.aput(ChatMessage(role="user", content=TOLD))
        for number in range(4):
            await memory.aput(ChatMessage(role="assistant", content=f"Noted as number {number} of the day."))
            await memory.aput(
                ChatMessage(role="user", content=f"Then write down number {number} of tomorrow.")
            )
        said = await captured(client, "rui", "chat-7")
        assert said[0] == ("user", TOLD), said
        assert ("assistant", "Noted as number 0 of the day.") in said

        await memory.aput(ChatMessage(role="user", content=ASKED))
        wide = Memory.from_defaults(session_id="chat-8", memory_blocks=[block])
        await wide.aput(ChatMessage(role="user", content=ASKED))
        told = "\n".join(str(message.content) for message in await wide.aget())
        assert TOLD in told, told

        ann = CandorMemoryBlock(client, person="ann", strict=True)
        assert await ann.aget([ChatMessage(role="user", content=ASKED)]) == ""
        assert await block.aget([]) == ""
        assert (block.failures, block.degraded) == ([], ())


asyncio.run(main())
