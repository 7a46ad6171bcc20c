"""A session for the OpenAI Agents SDK: a history of the SDK's, and what was said in it is captured."""

import asyncio
import json
import warnings
from typing import Any

import httpx
import pytest

from candor import AsyncCandor, CandorError
from candor.adapters.openai_agents import BEGINS, CandorSession
from candor.wire.sending import Retries
from memories.models import Capture
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import key_of

pytestmark = pytest.mark.spec("I-02")

SCOPES = ["capture", "recall", "read"]

TURNS: list[Any] = [
    {"role": "system", "content": "You are a travel agent."},
    {"role": "user", "content": "I moved to Porto in May, and my bike is a red Brompton."},
    {"type": "function_call", "call_id": "1", "name": "weather", "arguments": '{"city": "Porto"}'},
    {"type": "function_call_output", "call_id": "1", "output": "Porto: 14 degrees, rain from noon."},
    {
        "type": "message", "role": "assistant", "id": "m1", "status": "completed",
        "content": [{"type": "output_text", "text": "Take a coat along today.", "annotations": []}],
    },
    {"role": "user", "content": [{"type": "input_image", "image_url": "data:"}]},
]  # fmt: skip


class Plain:
    """A history as the SDK has them, in memory."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.items: list[Any] = []

    async def get_items(self, limit: int | None = None) -> list[Any]:
        return self.items if limit is None else self.items[-limit:] if limit else []

    async def add_items(self, items: list[Any]) -> None:
        self.items += items

    async def pop_item(self) -> Any:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items.clear()


def captures(tenant: Viewer) -> list[tuple[str, str, str, str]]:
    with tenant_scope(pipeline_viewer(tenant.tenant_id)), unit_of_work():
        rows = Capture.objects.order_by("id")
        return [(row.role, row.text, row.session, row.person) for row in rows]


def test_what_is_said_is_captured_as_whose_word_it_is_and_the_history_stays_the_sdks(
    address: str, ada: Viewer
) -> None:
    key = key_of(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES)

    async def work() -> None:
        async with AsyncCandor(address, key) as client:
            session = CandorSession(Plain("chat-7"), client, person="rui", strict=True)
            await session.add_items(TURNS)
            assert session.session_id == "chat-7"
            assert await session.get_items() == TURNS
            assert await session.get_items(2) == TURNS[-2:]
            assert await session.pop_item() == TURNS[-1]
            await session.clear_session()
            assert (await session.get_items(), await session.pop_item()) == ([], None)

    asyncio.run(work())

    assert captures(ada) == [
        ("user", TURNS[1]["content"], "chat-7", "rui"),
        ("tool", TURNS[3]["output"], "chat-7", "rui"),
        ("assistant", "Take a coat along today.", "chat-7", "rui"),
    ]


@pytest.mark.spec("W-17")
def test_what_is_known_stands_before_the_new_turn_and_nowhere_else(
    address: str, ada: Viewer, worker: None
) -> None:
    asked, key = (
        [{"role": "user", "content": "Where do I live?"}],
        key_of(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES),
    )

    async def work() -> tuple[list[Any], list[Any], list[Any]]:
        async with AsyncCandor(address, key) as client:
            first = CandorSession(Plain("one"), client, person="rui", strict=True)
            nothing = await first.recall_into([], asked)
            await client.for_person("rui").capture(TURNS[1]["content"], "user", session="one", wait=20)
            second = CandorSession(Plain("two"), client, person="rui", strict=True)
            history: list[Any] = [{"role": "user", "content": "Good morning."}]
            told = await second.recall_into(history, asked)
            await second.add_items([*told[1:], {"role": "assistant", "content": "In Porto, since May."}])
            stranger = CandorSession(Plain("three"), client, person="ann", strict=True)
            assert await stranger.recall_into([], asked) == asked
            assert await second.recall_into(history, []) == history
            return nothing, told, await second.get_items()

    nothing, told, kept = asyncio.run(work())

    assert nothing == asked
    assert [told[0], told[2]] == [{"role": "user", "content": "Good morning."}, *asked]
    assert told[1]["role"] == "developer"
    assert told[1]["content"].startswith(BEGINS)
    assert "red Brompton" in told[1]["content"]
    assert kept == [*asked, {"role": "assistant", "content": "In Porto, since May."}]
    assert not [text for _, text, *_ in captures(ada) if "memory_context" in text]


class Partly(httpx.AsyncHTTPTransport):
    """The service, with one channel out by what it says."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        told = json.loads(await response.aread())
        return httpx.Response(response.status_code, json=told | {"degraded": ["semantic"]})


def test_what_part_of_the_service_answered_is_told_apart_from_nothing(address: str, ada: Viewer) -> None:
    key = key_of(ada)

    async def work() -> CandorSession:
        async with AsyncCandor(address, key, transport=Partly()) as client:
            session = CandorSession(Plain("chat"), client)
            assert session.degraded == ()
            await session.recall_into([], [{"role": "user", "content": "Where do I live?"}])
            return session

    session = asyncio.run(work())
    assert (session.degraded, session.failures) == (("semantic",), [])


def test_a_run_goes_on_without_its_memory_and_says_so(ada: Viewer) -> None:
    async def work() -> CandorSession:
        async with AsyncCandor("http://127.0.0.1:9", "cdr_none", retries=Retries(attempts=1)) as client:
            session = CandorSession(Plain("chat"), client)
            with pytest.warns(UserWarning, match="goes on without its memory"):
                await session.add_items(TURNS)
            with warnings.catch_warnings(action="error"):
                assert await session.recall_into([], TURNS) == TURNS
            assert await session.get_items() == TURNS
            with pytest.raises(CandorError):
                await CandorSession(Plain("chat"), client, strict=True).add_items(TURNS)
            return session

    assert len(asyncio.run(work()).failures) == 4


def test_a_long_text_is_captured_whole_in_parts_and_a_long_question_is_asked_by_its_end(
    address: str, ada: Viewer
) -> None:
    key = key_of(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES)
    lines = "".join(f"{number}: the tram to Foz left on time.\n" for number in range(1_500))

    async def work() -> list[Any]:
        async with AsyncCandor(address, key) as client:
            session = CandorSession(Plain("chat-8"), client, strict=True)
            said = [{"role": "user", "content": lines}]
            await session.add_items(said)
            return await session.recall_into([], said)

    answered = asyncio.run(work())
    told = [text for _, text, *_ in captures(ada)]
    assert len(told) == 3
    assert all(text.startswith(("0:", *(f"{number}:" for number in range(1_500)))) for text in told)
    assert "".join(text.strip() + "\n" for text in told) == lines
    assert answered[-1]["content"] == lines
