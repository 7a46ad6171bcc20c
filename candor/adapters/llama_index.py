"""
A memory block for LlamaIndex: `pip install 'candor[llama-index]'`.

    from llama_index.core.memory import Memory
    from candor import AsyncCandor
    from candor.adapters.llama_index import CandorMemoryBlock

    block = CandorMemoryBlock(AsyncCandor(), person="rui")
    memory = Memory.from_defaults(session_id="chat-7", memory_blocks=[block])

LlamaIndex keeps the latest turns, and hands over those that its short-term memory has no room for: these are
captured with who said them. What is known of the last question stands before the turns. To have every turn
captured at once, call `block.aput([message])` yourself, and make the block with
`accept_short_term_memory=False`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import PrivateAttr

from candor.adapters.talk import Remembering, Talk, spoken
from candor.client import AsyncCandor


class CandorMemoryBlock(Remembering, BaseMemoryBlock[str]):  # type: ignore[misc] # without the framework
    """
    LlamaIndex's `BaseMemoryBlock`.

    person: the end user who is talked with. session: where a message names none. strict, and what `failures`
    and `degraded` tell: see `candor.adapters.talk`. Other arguments are LlamaIndex's own.
    """

    name: str = "candor"
    description: str | None = "What is known from earlier conversations."
    priority: int = 1

    _talk: Talk = PrivateAttr()
    _person: str | None = PrivateAttr()
    _session: str | None = PrivateAttr()

    def __init__(
        self,
        client: AsyncCandor | None = None,
        *,
        person: str | None = None,
        session: str | None = None,
        strict: bool = False,
        **block: Any,
    ) -> None:
        super().__init__(**block)
        self._talk = Talk(client or AsyncCandor(), strict=strict)
        self._person = person
        self._session = session

    async def _aget(self, messages: Sequence[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [one.content for one in messages or [] if one.role == "user" and one.content]
        if not asked:
            return ""
        session = block_kwargs.get("session_id") or self._session
        return await self._talk.know(asked[-1], session=session, person=self._person)

    async def _aput(self, messages: Sequence[ChatMessage]) -> None:
        for message in messages:
            session = message.additional_kwargs.get("session_id") or self._session
            said = spoken(message.role.value, message.content)
            await self._talk.hear(said, session=session, person=self._person)
