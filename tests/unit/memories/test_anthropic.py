"""What is Anthropic's own: the cached rules, effort, prices; the rest is in test_remote_models."""

from collections.abc import Iterator

import pytest

from tests.wire.anthropic_server import AnthropicServer
from tests.wire.asking import KEY, MOVED, Asked, answer


@pytest.fixture
def wire() -> Iterator[AnthropicServer]:
    with AnthropicServer(api_key=KEY) as server:
        yield server
        assert server.complaints == []


@pytest.mark.spec("W-08")
def test_cached_tokens_are_counted_and_cheaper(wire: AnthropicServer) -> None:
    wire.will_answer(wire.message(answer(MOVED)))

    reflection = Asked(wire).extract()

    # 210 fresh, 1200 cached and 90 written tokens at 0.10, 0.01 and 0.50 dollars a million.
    assert (reflection.tokens_in, reflection.tokens_out) == (1410, 90)
    assert reflection.cost_usd == pytest.approx(0.000078)


@pytest.mark.spec("W-08")
def test_a_request_carries_the_rules_as_a_cached_part(wire: AnthropicServer) -> None:
    wire.will_answer(wire.message(answer()))

    Asked(wire, effort="low", max_tokens=2000).extract()

    sent = wire.received[0].body
    assert sorted(sent) == ["max_tokens", "messages", "model", "output_config", "system"]
    assert (sent["model"], sent["max_tokens"], sent["output_config"]["effort"]) == (
        "claude-haiku-5-5",
        2000,
        "low",
    )
    assert [block["cache_control"] for block in sent["system"]] == [{"type": "ephemeral"}]
    assert [message["role"] for message in sent["messages"]] == ["user"]


def test_a_long_prompt_is_priced_as_one(wire: AnthropicServer) -> None:
    usage = {"input_tokens": 100_001, "output_tokens": 1_000}
    wire.will_answer(wire.message(answer(MOVED), usage=usage))

    assert Asked(wire).extract().cost_usd == pytest.approx(100_001 * 0.5e-6 + 1_000 * 2.5e-6)
