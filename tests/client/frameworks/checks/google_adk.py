"""ADK's runner, sessions and its own memory tools, over Candor's memory service."""

import asyncio
from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import load_memory
from google.genai import types

from candor import AsyncCandor
from candor.adapters.google_adk import CandorMemoryService
from tests.client.frameworks.told import ASKED, TOLD, captured


class Scripted(BaseLlm):  # type: ignore[misc]
    """Calls `load_memory` with the question, then says what it was told."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is None:
            call = types.FunctionCall(name="load_memory", args={"query": last.text})
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=call)]))
        else:
            text = f"It is known: {last.function_response.response}"
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


async def ask(runner: Runner, user: str, session: str, text: str) -> str:
    """Return the agent's last words."""
    message = types.Content(role="user", parts=[types.Part(text=text)])
    said = ""
    async for event in runner.run_async(user_id=user, session_id=session, new_message=message):
        if event.is_final_response() and event.content:
            said = event.content.parts[0].text
    return said


async def main() -> None:
    async with AsyncCandor() as client:
        memory = CandorMemoryService(client, strict=True)
        sessions = InMemorySessionService()
        agent = LlmAgent(name="atlas", model=Scripted(), tools=[load_memory])
        runner = Runner(app_name="depots", agent=agent, session_service=sessions, memory_service=memory)

        first = await sessions.create_session(app_name="depots", user_id="rui")
        event = Event(author="user", content=types.Content(role="user", parts=[types.Part(text=TOLD)]))
        await sessions.append_event(first, event)
        for _ in range(2):
            await memory.add_session_to_memory(first)
        await CandorMemoryService(client, strict=True).add_session_to_memory(first)  # another process
        assert await captured(client, "depots/rui") == [("user", TOLD)]

        [entry, *_] = (await memory.search_memory(app_name="depots", user_id="rui", query=ASKED)).memories
        assert entry.content.parts[0].text == TOLD
        assert entry.custom_metadata["provenance"] == "user_stated", entry
        for app, user in (("depots", "ann"), ("other", "rui")):
            other = await memory.search_memory(app_name=app, user_id=user, query=ASKED)
            assert other.memories == [], other

        second = await sessions.create_session(app_name="depots", user_id="rui")
        said = await ask(runner, "rui", second.id, ASKED)
        assert TOLD in said, said
        second = await sessions.get_session(app_name="depots", user_id="rui", session_id=second.id)
        await memory.add_session_to_memory(second)
        roles = [role for role, _ in await captured(client, "depots/rui")]
        assert roles == ["user", "user", "tool", "assistant"], roles

        note = types.Content(role="user", parts=[types.Part(text="The Lisbon depot has no ramp.")])
        await memory.add_memory(app_name="depots", user_id="rui", memories=[MemoryEntry(content=note)])
        assert (await captured(client, "depots/rui"))[-1] == ("assistant", "The Lisbon depot has no ramp.")

        await memory.delete_memory(app_name="depots", user_id="rui", memory_id=entry.id)
        left = await memory.search_memory(app_name="depots", user_id="rui", query=ASKED)
        assert entry.id not in {one.id for one in left.memories}
        assert memory.failures == []
        assert memory.degraded == ()


asyncio.run(main())
