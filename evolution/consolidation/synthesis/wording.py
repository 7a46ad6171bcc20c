"""
Word what several findings say together: by a language model held to them, or by the rules (SPEC E-03).

Whoever words it, each sentence names the findings it rests on, and says nothing that they do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from evolution.consolidation.synthesis.answer import SYNTHESIS, read_answer
from evolution.consolidation.synthesis.rules import Cited, quote_centre
from memories.llms import LanguageModel, ModelError, Spent
from memories.llms.prompts import number_notes
from memories.llms.remote import RemoteModel

__all__ = ["BY_RULES", "Cited", "Source", "Synthesis", "may_be_asked", "synthesise"]

BY_RULES: Final = "rules"

MOST_TOLD: Final = 20
"""Findings that a model is told of at once; of more, the central one is quoted."""


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
    quoted: UUID | None = None  #: the finding whose words these are; None: they are a model's

    @property
    def replaces(self) -> bool:
        """Whether findings may stand back for it: only a model's words say what all of them say."""
        return self.quoted is None


def may_be_asked(model: LanguageModel) -> bool:
    """Tell whether the model can word anything: the built-in rules only read talk."""
    return isinstance(model, RemoteModel)


def synthesise(
    sources: Sequence[Source], *, centre: int = 0, model: LanguageModel | None = None
) -> Synthesis:
    """
    Word the findings, oldest first, as one text.

    centre: the place of the one that is most like the others. model: None asks nobody. What a model answers
    is refused whole if any part of it is unsound, and the central finding is quoted then; so it is when the
    model cannot be had. Never to be called in a transaction.
    """
    texts = [source.content for source in sources]
    if not isinstance(model, RemoteModel) or len(sources) > MOST_TOLD:
        return _quote(sources, centre, Spent())
    try:
        cited, spent = model.answer(
            SYNTHESIS, [number_notes(texts)], lambda answer: read_answer(answer, texts)
        )
    except ModelError as error:
        return replace(_quote(sources, centre, error.spent), fell_back=True)
    return _synthesis(cited, sources, made_by=model.name, spent=spent)


def _quote(sources: Sequence[Source], centre: int, spent: Spent) -> Synthesis:
    cited = quote_centre([source.content for source in sources], centre)
    return replace(_synthesis(cited, sources, made_by=BY_RULES, spent=spent), quoted=sources[centre].id)


def _synthesis(cited: Sequence[Cited], sources: Sequence[Source], *, made_by: str, spent: Spent) -> Synthesis:
    return Synthesis(
        content=" ".join(sentence.text for sentence in cited),
        cites=tuple(tuple(sources[place].id for place in sentence.places) for sentence in cited),
        made_by=made_by,
        spent=spent,
    )
