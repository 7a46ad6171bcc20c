"""What a language model is told once and for all."""

import json
from dataclasses import replace

import pytest

from memories.extraction.reflection import reflect
from memories.language.sentences import split_sentences
from memories.llms.base import LanguageModel, Reflection, Turn
from memories.llms.prompts.examples import EXAMPLES, Example
from memories.llms.prompts.prompt import KIND_MEANINGS, system_prompt
from memories.llms.prompts.schema import STATES, parse_answer

LEAST_CACHED = 1024
"""Tokens from which on most providers cache a prompt at all."""


class Answering(LanguageModel):
    """A model that gives an example's own answer."""

    name = "example"

    def __init__(self, example: Example) -> None:
        self.answer = json.dumps(example.answer)

    def extract(self, turn: Turn) -> Reflection:
        notes = parse_answer(self.answer, turn, split_sentences(turn.text))
        return Reflection(notes=notes, model="example", tokens_in=0, tokens_out=0, cost_usd=0.0, attempts=1)


@pytest.mark.spec("W-08")
@pytest.mark.parametrize("example", [example for example in EXAMPLES if example.answer["notes"]])
def test_what_an_example_answers_keeps_every_rule_unchanged(example: Example) -> None:
    kept = reflect(example.turn, model=Answering(example)).notes

    asked = [(note["content"], note["assigned_by"], note["value"]) for note in example.answer["notes"]]
    assert [(note.content, note.assigned_by, note.value) for note in kept] == asked


def test_an_example_with_nothing_to_keep_is_there_and_is_read() -> None:
    (empty,) = [example for example in EXAMPLES if not example.answer["notes"]]

    assert parse_answer(json.dumps(empty.answer), empty.turn, split_sentences(empty.turn.text)) == ()


def test_the_standing_prompt_is_long_enough_to_be_cached() -> None:
    """English prose has some 4.5 characters a token; JSON and Chinese fewer."""
    assert len(system_prompt(states=STATES)) / 4.5 > LEAST_CACHED


def test_every_kind_is_explained_and_every_example_shown_with_its_sentences_numbered() -> None:
    told = system_prompt(states=STATES)

    assert [kind for kind in KIND_MEANINGS if f"  - {kind}: " not in told] == []
    assert told.count("<example>") == len(EXAMPLES)
    assert '<s id="2">我从2026-02-01起改吃素了，聚餐请避开肉类。</s>' in told


def test_an_example_with_a_foreign_sentence_would_be_found_out() -> None:
    example = EXAMPLES[0]
    short = replace(example.turn, text="Hi again!")

    with pytest.raises(Exception, match="cites a sentence number that the turn does not have"):
        reflect(short, model=Answering(example))
