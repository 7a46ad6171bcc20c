"""The language model of the examples: Claude, where there is a key for it, else a stand-in, offline."""

import os
import re
from collections.abc import Callable

Model = Callable[[str, str], str]
"""What is known and what is asked, to an answer."""


def choose_model() -> Model:
    """Return Claude, if ANTHROPIC_API_KEY is set, else the stand-in."""
    return _ask_claude if os.environ.get("ANTHROPIC_API_KEY") else say_the_nearest_card


def say_the_nearest_card(known: str, asked: str) -> str:
    """Return the card of what is known that has most words of the question, the first of several."""
    _, _, told = known.partition("<memories>")
    memories, _, _ = told.partition("</memories>")
    cards = re.findall(r"^\w{3,} \d\d[^:\n]*: (.*(?:\n  .*)*)", memories, re.MULTILINE)
    words = _words(asked)
    best = max(cards, key=lambda card: len(words & _words(card)), default="")
    return " ".join(best.split()) or "I do not know."


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


def _ask_claude(known: str, asked: str) -> str:
    from anthropic import Anthropic
    from anthropic.types import TextBlock

    answer = Anthropic().messages.create(
        model=os.environ.get("ANTHROPIC_MODEL", "claude-haiku-5-5"),
        max_tokens=300,
        system=f"Answer in one sentence, from what is known:\n{known}",
        messages=[{"role": "user", "content": asked}],
    )
    return "".join(block.text for block in answer.content if isinstance(block, TextBlock))
