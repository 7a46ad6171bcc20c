"""Every pattern that meets a tenant's text costs what the text is long, whatever the text is."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from security.patterns import bound_repeats, bounded
from security.screening.skeleton import squeeze
from tests.adversary import (
    UNITS,
    Shape,
    cpu,
    fill,
    house_patterns,
    possessive_groups,
    shapes_for,
    tree_of,
)

LENGTH: Final = 20_000
"""Characters of the longest text that a request may carry."""

BUSY: Final = 3
"""By how much a machine that others use may be slower than a quiet core, on which the bars were set."""

MOST_SECONDS: Final = 0.2 * BUSY
MOST_GROWTH: Final = 2.8
"""For twice the text: 2 is linear, 4 the square; on a quiet core 2.2 holds."""

NOISE: Final = 0.05 * BUSY
"""CPU seconds below which a doubling is not compared."""

MOST_SECONDS_A_PIECE: Final = 0.05 * BUSY
"""CPU seconds of a pattern that only meets pieces (LENGTHS), for the longest of them."""

LOOKS: Final = (240, 1_000, 5_000)
"""Characters of the first looks. What takes the square and still stays below the bar at LENGTH is let go:
most patterns are let go at the first look, and only suspicious ones meet long texts."""

LENGTHS: Final = {
    "memories.llms.rules.english": 300,  # clauses: `english.LONGEST`
    "memories.llms.rules.chinese": 120,  # clauses: `chinese.LONGEST`
    "memories.llms.rules.phrases": 300,  # parts of clauses
    "memories.llms.rules.keys": 300,
    "memories.llms.rules.kinds": 400,  # sentences: `kinds.LONGEST`
    "memories.llms.rules.model:_CODE": LENGTH,
    "memories.llms.rules": 1_000,  # sentences: `model.LONGEST_NOTE`
    "memories.language.cues": 1_000,
    "memories.llms.dates": 1_000,
    "security.screening.noise": 400,  # pieces of a text with at most MOST_LETTERS letters
    "security.screening.secrets.values": 2_000,  # one value that a rule has caught
    "security.screening.secrets.redaction:_QUOTED": 2_000,
    "security.screening.secrets.wrappings:_TAIL": 400,  # the end of a line: a window of so many characters
    "security.screening.secrets.announced": 160,  # what stands around a noun: `NEIGHBOURHOOD`
    "security.patterns:_PIECE": 1,  # our own patterns
    "memories.language.entity_types": 200,  # names
    "memories.comparison.difference": 4_000,  # `difference.LONGEST_COMPARED`
    "memories.restated": 1_000,
    "memories.quantities.durations:_PART": 400,  # what `_ENGLISH` has found
    "memories.quantities.durations:_CJK_PART": 400,  # what `_CHINESE` has found
    "memories.quantities.durations:130": 400,  # one part of those
    "memories.language.tokens:_IDENTIFIER": 200,  # words: `tokens.LONGEST_KEYWORD`
}
"""Patterns that meet pieces and not whole texts: characters of the longest piece."""

SQUEEZED: Final = ("memories.llms.rules",)
"""Where patterns meet sentences whose runs of blanks are cut: `rules.model`."""

WHOLE: Final = (
    "memories.llms.rules.english:3",
    "security.screening.noise",
    "security.screening.secrets.values",
    "security.screening.secrets.announced",
    "memories.language.sentences:_GOES_ON",
    "memories.comparison.reading:_IDENTIFIER",
    "memories.language.tokens:_IDENTIFIER",
    "memories.language.entity_types",
)
"""Where patterns are asked of a piece as a whole, by `match` or `fullmatch`, and not looked for inside it."""


def longest(place: str) -> int:
    return next((length for start, length in LENGTHS.items() if place.startswith(start)), LENGTH)


def faults(place: str, pattern: "re.Pattern[Any]") -> Iterator[str]:
    """Yield in which shapes a pattern is slow, or slower by more than the text is longer."""
    for shape in (*(("", unit) for unit in UNITS), ("x", "\n"), *shapes_for(pattern)):
        fault = fault_of(
            pattern,
            shape,
            most=longest(place),
            whole=place.startswith(WHOLE),
            squeezed=place.startswith(SQUEEZED),
        )
        if fault:
            yield f"{place} {shape!r}: {fault}"


def fault_of(
    pattern: "re.Pattern[Any]",
    shape: Shape,
    *,
    most: int = LENGTH,
    whole: bool = False,
    squeezed: bool = False,
) -> str:
    """
    Return what is wrong; empty if nothing. most: characters of the longest piece it is ever given.

    A pattern that meets pieces has a bar for one piece. Of the shortest pieces that are many, clauses of 400
    characters, a text of LENGTH is at most 50: each such pattern may take 2.5 s of it at the very worst.
    """

    def ask(length: int) -> Callable[[], object]:
        text: Any = fill(shape, length)
        text = squeeze(text) if squeezed else text
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        if whole:
            return lambda: (pattern.match(text), pattern.fullmatch(text))
        return lambda: deque(pattern.finditer(text), maxlen=0)

    bar = MOST_SECONDS if most == LENGTH else MOST_SECONDS_A_PIECE
    for length in (look for look in LOOKS if look < most):
        work, enough = ask(length), bar / BUSY * (length / most) ** 2
        if cpu(work, tries=1) <= enough or (seconds := cpu(work, tries=3)) <= enough:
            return ""
        if seconds > 10 * bar * length / most:
            return f"{seconds:.2f} s for {length} characters"  # never mind how it goes on
    work = ask(most)
    if (seconds := cpu(work, tries=1)) <= (NOISE if most == LENGTH else bar):
        return ""
    if (seconds := min(seconds, cpu(work, tries=3))) > bar:
        return f"{seconds:.2f} s for {most} characters"
    if most < LENGTH:
        return ""
    # Over two doublings: one alone is noise. What is linear looks so in one of some tries.
    for _ in range(4):
        grown = (seconds / max(cpu(ask(most // 4), tries=1), 1e-9)) ** 0.5
        if grown <= MOST_GROWTH:
            return ""
        seconds = cpu(work, tries=1)
    return f"{grown:.1f} times as long for twice the text"


@pytest.mark.spec("S-07")
def test_every_pattern_of_the_house_is_linear() -> None:
    patterns = house_patterns()
    assert len(patterns) > 800
    assert [fault for place, pattern in patterns.items() for fault in faults(place, pattern)] == []


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python 3.11.0 to 3.11.4 match too much then: every word kept the full stop behind it."""
    assert list(possessive_groups(tree_of(re.compile(r"a(?:b|[.](?=b))*+")))) != []
    found = {
        place: groups
        for place, pattern in house_patterns().items()
        if (groups := list(possessive_groups(tree_of(pattern))))
    }
    assert found == {}


def test_a_pattern_that_takes_the_square_would_be_found() -> None:
    square = re.compile(r"^\s*x", re.MULTILINE)
    assert fault_of(square, ("y", "\n")) != ""
    # What is slow is found in one of some tries: the first looks are short, and noise blurs them.
    assert any(list(faults("a pattern", square)) for _ in range(20))
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
