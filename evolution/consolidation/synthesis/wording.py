"""
Word what several findings say together: by a language model held to them, or by the rules (SPEC E-03).

Whoever words it, each sentence names the findings it rests on, and says nothing that they do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from evolution.consolidation.synthesis.answer import SYNTHESIS, read_answer, write_question
from evolution.consolidation.synthesis.rules import Cited, word_by_rules
from memories.llms import LanguageModel, ModelError, Spent
from memories.llms.remote import RemoteModel

__all__ = ["BY_RULES", "Cited", "Source", "Synthesis", "may_be_asked", "synthesise"]

BY_RULES: Final = "rules"

MOST_TOLD: Final = 20
"""Findings that a model is told of at once; of more, the rules choose what stands for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A finding that is to go into a pattern."""

    id: UUID
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """What the findings say together."""

    content: str
    cites: tuple[tuple[UUID, ...], ...]  #: of each sentence, the findings it rests on
    made_by: str  #: «rules», or the name of the model
    spent: Spent
    fell_back: bool = False  #: a model was asked, and gave nothing that could be used


def may_be_asked(model: LanguageModel) -> bool:
    """Tell whether the model can word anything: the built-in rules only read talk."""
    return isinstance(model, RemoteModel)


def synthesise(sources: Sequence[Source], *, model: LanguageModel | None = None) -> Synthesis:
    """
    Word the findings, oldest first, as one text.

    model: None asks nobody. What a model answers is refused whole if any part of it is unsound, and the rules
    word it then; so they do when it cannot be had. Never to be called in a transaction.
    """
    texts = [source.content for source in sources]
    if not isinstance(model, RemoteModel) or len(sources) > MOST_TOLD:
        return _synthesis(word_by_rules(texts), sources, made_by=BY_RULES, spent=Spent())
    try:
        cited, spent = model.answer(
            SYNTHESIS, [write_question(texts)], lambda answer: read_answer(answer, texts)
        )
    except ModelError as error:
        return _synthesis(word_by_rules(texts), sources, made_by=BY_RULES, spent=error.spent, fell_back=True)
    return _synthesis(cited, sources, made_by=model.name, spent=spent)


def _synthesis(
    cited: Sequence[Cited], sources: Sequence[Source], *, made_by: str, spent: Spent, fell_back: bool = False
) -> Synthesis:
    return Synthesis(
        content=" ".join(sentence.text for sentence in cited),
        cites=tuple(tuple(sources[place].id for place in sentence.places) for sentence in cited),
        made_by=made_by,
        spent=spent,
        fell_back=fell_back,
    )
