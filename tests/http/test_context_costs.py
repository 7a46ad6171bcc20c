"""What a context's cards cost beside the text they carry, over the sample fleet (SPEC C-01)."""

import json
import re
from typing import Any

import pytest

from bench.corpora.sample_fleet import FLEET, read_lines
from memories.embedders import get_embedder
from security.rest.throttles import BUCKETS
from tenants.scope import Viewer
from tests.cards import cards_of
from tests.http.conftest import Caller, caller
from tests.http.saying import say

AGENT = "atlas"
MOST = 1.3  # tokens of a card for each of its text


@pytest.fixture
def fleet(ada: Viewer) -> Caller:
    """A tenant to whom all was said that one agent of the sample fleet heard."""
    for line in read_lines(FLEET / "captures.jsonl"):
        if line["agent"] == AGENT:
            BUCKETS.forget()
            say(
                ada, **{name: value for name, value in line.items() if name not in ("id", "agent", "project")}
            )
    return caller(ada)


@pytest.mark.spec("C-01")
def test_cards_cost_no_more_than_1_3_of_their_text_and_a_context_is_full_of_them(fleet: Caller) -> None:
    questions = [one for one in read_lines(FLEET / "questions.jsonl") if one["agent"] == AGENT]
    contexts = [_context(fleet, one) for one in questions]

    cards = [line for context in contexts for line in _card_lines(context["text"])]
    count = get_embedder().count_tokens
    spent, said = (sum(map(count, each)) for each in zip(*cards, strict=True))

    assert spent <= MOST * said
    assert len(cards) == sum(len(items) for one in contexts for items in one["sections"].values())
    assert len(cards) >= 8 * len(questions)
    assert max(context["tokens"] for context in contexts) <= 800


def _context(asking: Caller, question: dict[str, Any]) -> dict[str, Any]:
    BUCKETS.forget()
    asked = {"query": question["q"], "now": question["now"], "timezone": question["timezone"]}
    answer = asking.post("context", asked)
    assert answer.status_code == 200, answer.content
    context: dict[str, Any] = json.loads(answer.content)
    assert context["tokens"] == get_embedder().count_tokens(context["text"])
    return context


def _card_lines(block: str) -> list[tuple[str, str]]:
    """Return each card as it stands in the block, and the text in it."""
    references = {card.reference for card in cards_of(block)}
    lines = [line for line in re.split(r"\n(?!  )", block) if line.split(" ")[0] in references]
    return [(line, line.split(": ", 1)[1]) for line in lines]
