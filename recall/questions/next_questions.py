"""
What a session will likely ask next, by what followed such a question in earlier sessions (SPEC R-15). Pure.

A routine repeats word for word, or with other names in it: who asked of one customer's order and then of
their invoice asks of the next one's the same way.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from recall.questions.follow_ups import (
    AskedBefore,
    Name,
    exchange_names,
    find_antecedent,
    find_pointer,
    said_names,
)

_BLANK: Final = "\N{WHITE SQUARE}"
"""Stands for a name in a question that is compared without it."""

Step = tuple[str, str]
"""A question and the one that came right after it in its session."""


def predict_next(asked: AskedBefore, steps: Sequence[Step], known: Sequence[Name], *, most: int) -> list[str]:
    """
    Return at most `most` questions as they will be searched for, the likeliest first.

    steps: of earlier sessions. A question that is the same but for its one name counts like the same; the
    name in what followed is exchanged, and where that was a follow-up, it is put in. known: names that these
    questions say.
    """
    counts: Counter[str] = Counter()
    own = asked.named(known)
    frame = _frame(asked.query, own)
    for query, after in steps:
        former = said_names(query, known)
        if query == asked.query:
            counts[_understood(after, asked, known)] += 1
        elif len(own) == len(former) == 1 and _frame(query, former) == frame:
            counts[_understood(exchange_names(after, former, own[0]), asked, known)] += 1
    counts.pop(asked.query, None)
    likeliest = sorted(counts, key=lambda query: (-counts[query], query))
    return likeliest[:most]


def _frame(query: str, names: Sequence[str]) -> str:
    """Return a question without its names."""
    return exchange_names(query, names, _BLANK).casefold()


def _understood(query: str, asked: AskedBefore, known: Sequence[Name]) -> str:
    pointer = find_pointer(query)
    if pointer is None or pointer.kind in ("item", "thing") or pointer.earlier:
        return query  # what it points at is in an answer that nobody has given yet
    found = find_antecedent(pointer, query, [asked], known=known)
    return query if found is None else found.query
