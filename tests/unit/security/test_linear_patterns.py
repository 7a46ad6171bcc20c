"""Every pattern that meets a tenant's text costs what the text is long, whatever the text is (PROOFS 63)."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from memories.llms.rules_forms import PLEASANTRY
from security.patterns import bound_repeats, bounded
from tests.adversary import UNITS, Shape, cpu, fill, house_patterns, shapes_for

LENGTH: Final = 20_000
"""Characters of the longest text that a request may carry."""

MOST_SECONDS: Final = 0.2
MOST_GROWTH: Final = 2.2
NOISE: Final = 0.05
"""CPU seconds below which a doubling is not compared."""

LOOKS: Final = (250, 1_000, 5_000)
"""Characters of the first looks. What takes the square and still stays below the bar at LENGTH is let go:
most patterns are let go at the first look, and only suspicious ones meet long texts."""

LENGTHS: Final = {
    "memories.llms.relations": 400,  # clauses: `relations.LONGEST`
    "memories.llms.rules_patterns": 400,  # clauses from their beginning: `rules_text.fits`
    "memories.llms.rules_forms:PLEASANTRY": 1_000,
    "memories.llms.rules_": 1_000,  # sentences: `rules_text.LONGEST_NOTE`
    "memories.llms.cue": 1_000,
    "memories.llms.dates": 1_000,
    "security.screening.noise": 400,  # pieces of a text with at most MOST_LETTERS letters
    "security.screening.secret_values": 2_000,  # one value that a rule has caught
    "security.screening.secrets:_QUOTED": 2_000,
    "security.screening.secret_wrappings:_TAIL": 400,  # the end of a line: a window of so many characters
    "security.screening.secret_announced": 160,  # what stands around a noun: `NEIGHBOURHOOD`
    "security.patterns:_PIECE": 1,  # our own patterns
    "memories.entity_types": 200,  # names
    "memories.differ": 4_000,  # `differ.LONGEST_COMPARED`
    "memories.restated": 1_000,
}
"""Patterns that meet pieces and not whole texts: characters of the longest piece."""


WHOLE: Final = (
    "memories.llms.relations",
    "security.screening.noise",
    "security.screening.secret_values",
    "security.screening.secret_announced",
    "memories.llms.rules_asked:SAID",
    "memories.llms.rules_patterns",
    "memories.llms.rules_forms:PLEASANTRY",
    "memories.differ_reading:_IDENTIFIER",
    "memories.entity_types",
)
"""Where patterns are asked of a piece as a whole, by `match` or `fullmatch`, and not looked for inside it."""


def longest(place: str) -> int:
    return next((length for start, length in LENGTHS.items() if place.startswith(start)), LENGTH)


def faults(place: str, pattern: "re.Pattern[Any]") -> Iterator[str]:
    """Yield in which shapes a pattern is slow, or slower by more than the text is longer."""
    for shape in (*(("", unit) for unit in UNITS), ("x", "\n"), *shapes_for(pattern)):
        if fault := fault_of(pattern, shape, most=longest(place), whole=place.startswith(WHOLE)):
            yield f"{place} {shape!r}: {fault}"


def fault_of(pattern: "re.Pattern[Any]", shape: Shape, *, most: int = LENGTH, whole: bool = False) -> str:
    """Return what is wrong; empty if nothing. most: characters of the longest piece it is ever given."""

    def ask(length: int) -> Callable[[], object]:
        text: Any = fill(shape, length)
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        if whole:
            return lambda: (pattern.match(text), pattern.fullmatch(text))
        return lambda: deque(pattern.finditer(text), maxlen=0)

    def took(length: int, tries: int) -> float:
        """Return CPU seconds for a text of LENGTH, if it is made of pieces so long and no longer."""
        return cpu(ask(length), tries=tries) * (LENGTH / most)

    for length in (look for look in LOOKS if look < most):
        seconds = took(length, 2)
        if seconds <= MOST_SECONDS * (length / most) ** 2:
            return ""
        if seconds > 10 * MOST_SECONDS * length / most:
            return f"{seconds:.2f} s for {length} characters"  # never mind how it goes on
    if (seconds := took(most, 1)) <= (NOISE if most == LENGTH else MOST_SECONDS):
        return ""
    if (seconds := min(seconds, took(most, 3))) > MOST_SECONDS:
        return f"{seconds:.2f} s"
    if most < LENGTH:
        return ""
    # Over two doublings: one alone is noise. What is linear looks so in one of some tries.
    grown = min((took(most, 1) / max(took(most // 4, 3), 1e-9)) ** 0.5 for _ in range(4))
    return f"{grown:.1f} times as long for twice the text" if grown > MOST_GROWTH else ""


@pytest.mark.spec("S-07")
def test_every_pattern_of_the_house_is_linear() -> None:
    patterns = house_patterns()
    assert len(patterns) > 900
    assert [fault for place, pattern in patterns.items() for fault in faults(place, pattern)] == []


@pytest.mark.parametrize("unit", ["to hear a", "hallo Aa", "Hallo ", "for all ", "how are you ", "haha"])
def test_a_row_of_pleasantries_is_not_read_in_every_way(unit: str) -> None:
    text = fill(("", unit), 400)
    assert cpu(lambda: PLEASANTRY.match(text)) <= MOST_SECONDS


def test_a_pattern_that_takes_the_square_would_be_found() -> None:
    square = re.compile(r"^\s*x", re.MULTILINE)
    assert fault_of(square, ("y", "\n")) != ""
    assert list(faults("a pattern", square)) != []
    assert list(faults("a pattern", bounded(r"^\s*x", re.MULTILINE))) == []


@pytest.mark.parametrize(
    ("written", "compiled"),
    [
        (r"^\s*x", r"^\s{0,64}x"),
        (r"[a-z]+?b*+c", r"[a-z]{1,300}?b{0,300}+c"),
        (r"(?:a+|b{2,})*c", r"(?:a{1,300}|b{2,300}){0,64}c"),
        (r"\++[*+]+\{", r"\+{1,300}[*+]{1,300}\{"),
        (r"a{3,5}b?c+", r"a{3,5}b?c+"),
        (r"[^\n]+", r"[^\n]+"),
    ],
)
def test_repeats_without_an_end_get_one_but_the_last(written: str, compiled: str) -> None:
    assert bound_repeats(written) == compiled
    re.compile(compiled)
