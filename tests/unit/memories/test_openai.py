"""What is OpenAI's own, and what the servers that speak like it take; the rest is in test_remote_models."""

from collections.abc import Iterator

import pytest

from memories.llms.prompts.schema import ANSWER_SCHEMA, strict_schema
from tests.wire.asking import KEY, MOVED, NOTE, Asked, answer
from tests.wire.openai_server import OpenAIServer


@pytest.fixture
def own() -> Iterator[OpenAIServer]:
    """OpenAI itself."""
    with OpenAIServer(api_key=KEY, is_own=True) as server:
        yield server
        assert server.complaints == []


@pytest.fixture
def other() -> Iterator[OpenAIServer]:
    """A server of one's own, which wants no key."""
    with OpenAIServer(api_key="") as server:
        yield server
        assert server.complaints == []


@pytest.mark.spec("W-08")
def test_openai_is_told_where_to_cache_and_to_keep_nothing(own: OpenAIServer) -> None:
    own.will_answer(own.message(answer(MOVED)))

    Asked(own, dialect="openai", effort="low", max_tokens=2000).extract()

    sent = own.received[0].body
    extras = ("model", "max_completion_tokens", "reasoning_effort", "prompt_cache_key", "store")
    assert [sent[name] for name in extras] == ["gpt-6-luna", 2000, "low", "candor-extract", False]
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]


@pytest.mark.spec("W-08")
def test_another_server_is_asked_without_a_key_and_without_openais_extras(other: OpenAIServer) -> None:
    other.will_answer(other.message(answer(MOVED)))

    reflection = Asked(other, model="qwen3:8b").extract()

    assert sorted(other.received[0].body) == ["max_tokens", "messages", "model", "response_format"]
    assert (reflection.notes, reflection.priced) == ((NOTE,), False)


@pytest.mark.spec("W-08")
def test_cached_tokens_are_counted_and_cheaper(own: OpenAIServer) -> None:
    details = {"cached_tokens": 1000, "cache_write_tokens": 300}
    usage = {"prompt_tokens": 1410, "completion_tokens": 90, "prompt_tokens_details": details}
    own.will_answer(own.message(answer(MOVED), usage=usage))

    reflection = Asked(own, dialect="openai").extract()

    # 110 fresh, 300 kept, 1000 cached and 90 written tokens at 0.10, 0.125, 0.01 and 0.50 dollars a million.
    assert (reflection.tokens_in, reflection.tokens_out) == (1410, 90)
    assert reflection.cost_usd == pytest.approx(0.0001035)


def test_a_long_prompt_is_priced_as_one(own: OpenAIServer) -> None:
    own.will_answer(own.message(answer(MOVED), usage={"prompt_tokens": 272_001, "completion_tokens": 1_000}))

    cost = Asked(own, dialect="openai", model="gpt-6-luna-2026-09-22").extract().cost_usd

    assert cost == pytest.approx(272_001 * 0.2e-6 + 1_000 * 0.75e-6)


def test_an_answer_without_usage_is_still_an_answer(other: OpenAIServer) -> None:
    other.will_answer(other.message(answer(MOVED), usage={"prompt_tokens_details": None}))

    assert Asked(other).extract().notes == (NOTE,)


@pytest.mark.parametrize("reason", ["content_filter", "tool_calls", "length"])
def test_an_answer_that_did_not_end_by_itself_is_not_read(other: OpenAIServer, reason: str) -> None:
    other.will_answer(other.message(answer(MOVED), finish_reason=reason), other.message(answer(MOVED)))

    assert Asked(other).extract().attempts == 2


def test_a_strict_schema_tells_its_limits_in_words() -> None:
    note = strict_schema(ANSWER_SCHEMA)["properties"]["notes"]["items"]

    assert note["properties"]["content"] == {"type": "string", "description": "minLength: 1, maxLength: 4000"}
    assert note["required"] == list(note["properties"])
    assert note["properties"]["value"]["anyOf"][1] == {"type": "null"}
