"""Every pattern that meets a tenant's text costs what the text is long, whatever the text is (PROOFS 63)."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from security.patterns import bound_repeats, bounded
from tests.adversary import UNITS, Shape, cpu, fill, house_patterns, shapes_for

SIZES: Final = (5_000, 10_000, 20_000)
FIRST: Final = 2_000
"""Characters of a first look: what is quick there, and has no unbounded repeat, is quick beyond."""

SMALL: Final = 250
AT_ONCE: Final = 0.02
"""CPU seconds for so few characters that nothing longer is tried."""

QUICK: Final = 0.002
MOST_SECONDS: Final = 0.2
MOST_GROWTH: Final = 2.2
NOISE: Final = 0.05
"""CPU seconds below which a doubling is not compared."""

LENGTHS: Final = {
    "memories.llms.relations": 400,  # clauses: `relations.LONGEST`
    "memories.llms.rules_": 1_000,  # sentences: `rules_text.LONGEST_NOTE`
    "memories.llms.cue": 1_000,
    "memories.llms.dates": 1_000,
    "security.screening.noise": 400,  # pieces of a text with at most MOST_LETTERS letters
    "security.screening.secret_values": 2_000,  # one value that a rule has caught
    "security.screening.secrets:_QUOTED": 2_000,
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
    "memories.entity_types",
)
"""Where patterns are asked of a piece as a whole, by `match` or `fullmatch`, and not looked for inside it."""


def longest(place: str) -> int:
    return next((length for start, length in LENGTHS.items() if place.startswith(start)), SIZES[-1])


def faults(place: str, pattern: "re.Pattern[Any]") -> Iterator[str]:
    """Yield in which shapes a pattern is slow, or slower by more than the text is longer."""
    for shape in (*(("", unit) for unit in UNITS), ("x", "\n"), *shapes_for(pattern)):
        if fault := fault_of(pattern, shape, most=longest(place), whole=place.startswith(WHOLE)):
            yield f"{place} {shape!r}: {fault}"


def fault_of(pattern: "re.Pattern[Any]", shape: Shape, *, most: int, whole: bool = False) -> str:
    def ask(length: int) -> Callable[[], object]:
        text: Any = fill(shape, length)
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        if whole:
            return lambda: (pattern.match(text), pattern.fullmatch(text))
        return lambda: sum(1 for _ in pattern.finditer(text))

    if (seconds := cpu(ask(min(SMALL, most)), tries=2)) > AT_ONCE:
        return f"{seconds:.2f} s for {SMALL} characters"
    pieces = SIZES[-1] // most
    if cpu(ask(min(FIRST, most)), tries=1) * (pieces if most < FIRST else 1) <= QUICK:
        return ""
    if most < SIZES[0]:
        seconds = cpu(ask(most)) * pieces
        return f"{seconds:.2f} s for a text of such pieces" if seconds > MOST_SECONDS else ""
    times = [cpu(ask(size)) for size in SIZES if size <= most]
    if times[-1] > MOST_SECONDS:
        return f"{times[-1]:.2f} s"
    grown = (times[-1] / times[0]) ** (1 / max(1, len(times) - 1))  # over all doublings: one alone is noise
    return (
        f"{grown:.1f} times as long for twice the text" if times[-1] > NOISE and grown > MOST_GROWTH else ""
    )


@pytest.mark.spec("S-07")
def test_every_pattern_of_the_house_is_linear() -> None:
    patterns = house_patterns()
    assert len(patterns) > 900
    assert [fault for place, pattern in patterns.items() for fault in faults(place, pattern)] == []


def test_a_pattern_that_takes_the_square_would_be_found() -> None:
    square = re.compile(r"^\s*x", re.MULTILINE)
    assert fault_of(square, ("y", "\n"), most=SIZES[-1]) != ""
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
