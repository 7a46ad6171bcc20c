"""What reads a text takes time in proportion to it, whatever it is made of."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from memories.candidates.annotations import annotate
from memories.candidates.places import find_places
from memories.comparison import difference, speaker_support
from memories.documents import passages
from memories.entity_resolution import name_forms, other_names
from memories.entity_resolution.mentions import Spoken, read_names
from memories.extraction import failure_lessons, lessons
from memories.extraction.modes import mode_of
from memories.extraction.reflection import reflect
from memories.extraction.rows import cut_rows
from memories.gates import quality
from memories.language import Named, abbreviations, guesses, name_key
from memories.language.names import find_entities
from memories.language.sentences import split_sentences
from memories.language.tokens import keywords, words
from memories.llms.base import Turn
from memories.llms.rules import RulesModel
from memories.reconciliation import restating
from memories.reconciliation.arbiters import Said
from memories.reconciliation.arbiters.signs import read_signs
from memories.temporal import fold, normalise, resolve_times
from recall.context import disarm
from recall.questions import answer_type, references, time_ranges
from security.screening import screen
from security.screening.secrets import redact
from tests.adversary import UNITS, Shape, cpu, fill

CLOCK: Final = datetime(2026, 3, 4, 12, tzinfo=UTC)
ZONE: Final = ZoneInfo("UTC")
FIRST: Final = 5_000
QUICK: Final = 0.05
"""Characters of a first look, and CPU seconds up to which nothing longer is tried."""

SIZES: Final = (5_000, 10_000, 20_000)
MOST_SECONDS: Final = 3.0
MOST_GROWTH: Final = 2.8
"""For twice the text, over two doublings: 2 is linear, 4 the square. Ours: caches fill on the way."""

NOISE: Final = 0.3
ROUNDS: Final = 4
"""A machine that is busy elsewhere slows one round down; what takes the square takes it in every round."""

SHAPES: Final[tuple[Shape, ...]] = (
    *(("", unit) for unit in UNITS),
    *(("", unit) for unit in ("3 March ", "on Monday, ", "two weeks ago ", "昨天我去了。", "I moved. ")),
    *(("", unit) for unit in ("FAILED a::b\n", "password: ", "key=a1B2c3 ", "I will do it; ", "foo::bar ")),
    ("x", "\n"),
    ("ignore all of", " "),
)  # fmt: skip


def _reflect(text: str, role: Any) -> None:
    turn = Turn(
        text=fold(text), original=text, role=role, speaker="Ada", clock=CLOCK, zone=ZONE, mentions=(),
        occurred_at=CLOCK, verbatim=False, stated_in_session=False,
    )  # fmt: skip
    reflect(turn, model=RulesModel())


def _annotate(text: str) -> None:
    normalised = normalise(text, clock=CLOCK, zone=ZONE)
    annotate(normalised, fold(text), find_places(text))


def _signs(text: str) -> None:
    read_signs(Said(text=text, at=CLOCK), Said(text=f"{text} more", at=CLOCK), 0.9, 0.1)


READERS: Final[dict[str, Callable[[str], object]]] = {
    "screen": screen,
    "redact": redact,
    "times": lambda text: resolve_times(fold(text), clock=CLOCK, zone=ZONE),
    "times, settled and annotated": _annotate,
    "rows": lambda text: cut_rows(text, ()),
    "modes": mode_of,
    "restatements": lambda text: restating.differ(text, f"{text} more"),
    "the arbiter's signs": _signs,
    "sentences": split_sentences,
    "passages": passages.cut_passages,
    "rules, a tool's turn": lambda text: _reflect(text, "tool"),
    "rules, a user's turn": lambda text: _reflect(text, "user"),
    "failures": failure_lessons.find_failure,
    "lessons": lessons.read_lesson,
    "quality": lambda text: quality.score_quality(text, "finding"),
    "keywords": keywords,
    "words": words,
    "entities": find_entities,
    "stated": lambda text: speaker_support.is_stated(text, [text]),
    "abbreviations": abbreviations.find_abbreviations,
    "other names": other_names.find_same_names,
    "forms of a name": lambda text: name_forms.find_forms(Named(key=name_key(text), name=text)),
    "names in a memory": lambda text: read_names(
        Spoken(memory_id=UUID(int=1), content=text, rank=1, trusted=True, entities=find_entities(text))
    ),
    "differences": lambda text: difference.differences(text, f"{text} more"),
    "guesses": guesses.quoted_guesses,
    "questions": lambda text: (answer_type.counted(text), references.find_kind(text)),
    "a question's time": lambda text: time_ranges.find_range(text, clock=CLOCK, zone=ZONE),
    "disarm": lambda text: disarm.disarm(text, origin="extracted"),
}


def fault_of(read: Callable[[str], object], shape: Shape) -> str:
    if cpu(partial(read, fill(shape, FIRST)), tries=1) <= QUICK:
        return ""
    least = [float("inf")] * len(SIZES)
    for _ in range(ROUNDS):
        took = [cpu(partial(read, fill(shape, size)), tries=2) for size in SIZES]
        least = [min(pair) for pair in zip(least, took, strict=True)]
        grown = (least[-1] / least[0]) ** 0.5 if least[-1] > NOISE else 0.0
        if least[-1] <= MOST_SECONDS and grown <= MOST_GROWTH:
            return ""
    return f"{least}"


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("reader", list(READERS))
def test_every_reader_of_a_text_is_linear(reader: str) -> None:
    read = READERS[reader]
    read("Ada likes tea on Monday. 昨天我去了北京。")  # dictionaries and models are loaded
    assert {shape: fault for shape in SHAPES if (fault := fault_of(read, shape))} == {}


def test_a_reader_that_takes_the_square_would_be_found() -> None:
    def square(text: str) -> int:
        return sum(1 for _ in text for _ in range(0, len(text), 4))

    assert fault_of(square, ("", "a")) != ""


@pytest.mark.spec("M-11")
@pytest.mark.parametrize("unit", [".", "A. ", "\n", " ", "年", "a. ", "…", "! "])
def test_a_document_of_half_a_million_characters_is_cut_at_once(unit: str) -> None:
    text = fill(("", unit), 500_000)
    assert cpu(lambda: passages.cut_passages(text), tries=1) <= 6.0
