"""An agent of Microsoft's Agent Framework with Candor's context provider."""

import asyncio
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from candor import AsyncCandor
from candor.adapters.agent_framework import CandorContextProvider
from tests.client.frameworks.told import ASKED, TOLD, captured


class Scripted(BaseChatClient):  # type: ignore[misc]
    """Says how often it was asked; keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        self.sent.append("\n".join(message.text for message in messages))

        async def answer() -> ChatResponse:
            said = Message("assistant", [f"I was asked {len(self.sent)} times about depots."])
            return ChatResponse(messages=[said])

        return answer()


async def main() -> None:
    async with AsyncCandor() as client:
        model = Scripted()
        provider = CandorContextProvider(client, person="rui", strict=True)
        agent = Agent(client=model, context_providers=[provider])
        await agent.run(TOLD)
        assert await captured(client, "rui") == [
            ("user", TOLD),
            ("assistant", "I was asked 1 times about depots."),
        ]

        session = agent.create_session()
        await agent.run(ASKED, session=session)
        assert TOLD in model.sent[-1], model.sent[-1]
        await agent.run("And the one in Lisbon?", session=session)
        said = [text for role, text in await captured(client, "rui") if role == "user"]
        assert said == [TOLD, ASKED, "And the one in Lisbon?"], said

        other = Scripted()
        ann = CandorContextProvider(client, person="ann", strict=True)
        await Agent(client=other, context_providers=[ann]).run(ASKED)
        assert TOLD not in other.sent[-1]
        assert (provider.failures, provider.degraded) == ([], ())


asyncio.run(main())
