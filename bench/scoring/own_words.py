"""
Is a statement found by its own words? Pure, and the same definitions for every measurement that asks.

They are those of the data's README («kept», «intact»), so that figures of different sources compare.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

Row = Mapping[str, Any]

KEPT: Final = 0.9
"""Share of a statement's tokens that one result has to hold for the statement to be kept."""

SHOWN: Final = 0.8
"""Share of a statement's tokens from which a result counts as showing it."""

DEPTH: Final = 10
"""Results looked at when a statement is searched by its own words."""

LONGEST_QUESTION: Final = 1900
"""Characters of a statement that are asked with: what a recall takes by default, with room to spare."""

TEXT_FIELDS: Final = ("content", "quote", "said")
"""Where a result may hold words: its text, and the span that is shown beside it."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9À-ÿ]+|[぀-ヿ㐀-鿿]")

_WIDE: Final = r"\w./:\\#@%$€£+-"
_EXACT: Final = re.compile(
    # Numbers with all that is written without a space around them: 9:15, v2.4.1, €3,000, p99.
    rf"(?<![{_WIDE}])(?>(?:(?:[^\W\d]|[./:\\#@%$€£+-])*+\d)+)[\w./:%$€£+-]*+"
    r"|https?://\S+"
    r"|(?<![\w.-])\.*+(?P<path>[\w-]++\.[\w.-]++/\S*)"
    r"|/[\w/.-]{3,}"
    r"|`[^`]+`"
)
"""The data's pattern for what must not change by a character, written so that it stays linear."""

_EDGES: Final = ".,;:!?)（）。，"


def tokens(text: str) -> Counter[str]:
    """Count the tokens of a text, lower-cased: Latin words and numbers, single kana and Han characters."""
    return Counter(token.lower() for token in _TOKEN.findall(text))


def coverage(statement: str, text: str) -> float:
    """Return the share of the statement's tokens that the text holds, in [0, 1]; 1 for no tokens."""
    wanted, found = tokens(statement), tokens(text)
    total = wanted.total()
    return (wanted & found).total() / total if total else 1.0


def result_text(result: Row) -> str:
    """Return all words that a recall shows for a result."""
    return " \n ".join(str(result.get(field) or "") for field in TEXT_FIELDS)


def best_text(statement: str, results: Sequence[Row]) -> str | None:
    """Return the text of the result that holds most of the statement, the first of equals; None for none."""
    return max(map(result_text, results), key=lambda text: coverage(statement, text), default=None)


def is_kept(statement: str, results: Sequence[Row]) -> bool:
    """Tell whether one of the results holds the statement."""
    best = best_text(statement, results)
    return best is not None and coverage(statement, best) >= KEPT


def is_intact(statement: str, results: Sequence[Row]) -> bool:
    """Tell whether the result that holds most of a statement has its numbers and paths as they were said."""
    best = best_text(statement, results)
    return best is not None and all(part in best.lower() for part in exact_parts(statement))


def exact_parts(text: str) -> list[str]:
    """Return the numbers, addresses, paths and quoted code of a text, lower-cased, in order."""
    found = (match["path"] or match[0] for match in _EXACT.finditer(text))
    return [part.strip(_EDGES).lower() for part in found]
