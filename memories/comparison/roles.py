"""Tell whether two texts give the same words other parts to play: «A pays B», «B pays A» (SPEC W-11)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from security.patterns import bounded

MOST_TOKENS: Final = 400
"""Longest text whose order is compared, in tokens: passages are of 500 to 1 000 characters."""

_JOINING: Final = frozenset(("and", "or", "with", "&", *",，、和或及"))
"""What joins equals: «A and B» is «B and A»."""

_PASSIVE: Final = bounded(
    r"\b(?:is|are|was|were|been|being|be|get|gets|got)\s(?:\w+\s){1,3}by\b", re.IGNORECASE
)
_PASSIVE_CHINESE: Final = bounded(
    r"(?P<patient>[\u3400-\u9fffA-Za-z]{1,2})被(?P<agent>[\u3400-\u9fffA-Za-z]{2})"
)


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of tokens that both texts have once, and its neighbours in each text; None at an end."""

    start: int  #: in the first text
    end: int
    start_there: int  #: in the second
    end_there: int

    def around(self, tokens: Sequence[str], *, there: bool) -> tuple[str | None, str | None]:
        start, end = (self.start_there, self.end_there) if there else (self.start, self.end)
        return (tokens[start - 1] if start else None), (tokens[end] if end < len(tokens) else None)


def roles_differ(left: Sequence[str], right: Sequence[str], left_text: str, right_text: str) -> bool:
    """
    Say whether two runs of words have changed places around the same relation.

    left, right: tokens in their order, as a `Reading` has them. A passive beside an active turns the places
    round by itself: there it is the kept order that makes the difference.
    """
    if max(len(left), len(right)) > MOST_TOKENS:
        return False
    if _is_passive(left_text) != _is_passive(right_text):
        return _keeps_places(left, right, left_text, right_text)
    blocks = _blocks(left, right)
    inverted = ((x, y) for x, y in combinations(blocks, 2) if x.start_there > y.start_there)
    return any(_exchanged(left, right, x, y) for x, y in inverted)


def _blocks(left: Sequence[str], right: Sequence[str]) -> list[_Block]:
    """Return the longest runs of tokens, each of them once in either text, that stand together in both."""
    ours, theirs = Counter(left), Counter(right)
    place = {token: at for at, token in enumerate(right) if theirs[token] == 1}
    blocks: list[_Block] = []
    for at, token in enumerate(left):
        there = place.get(token) if ours[token] == 1 and token not in _JOINING else None
        if there is None:
            continue
        last = blocks[-1] if blocks else None
        if last is not None and last.end == at and last.end_there == there:
            blocks[-1] = _Block(last.start, at + 1, last.start_there, there + 1)
        else:
            blocks.append(_Block(at, at + 1, there, there + 1))
    return blocks


def _exchanged(left: Sequence[str], right: Sequence[str], x: _Block, y: _Block) -> bool:
    """Say whether each of two blocks stands where the other stood: 3 of their 4 neighbours are the same."""
    between = left[x.end : y.start]
    if between and between[0] in _JOINING and between[-1] in _JOINING:
        return False
    x_here, y_here = x.around(left, there=False), y.around(left, there=False)
    x_there, y_there = x.around(right, there=True), y.around(right, there=True)
    same = sum(one == other for one, other in zip((*x_here, *y_here), (*y_there, *x_there), strict=True))
    return same >= 3


def _is_passive(text: str) -> bool:
    return _PASSIVE.search(text) is not None or _PASSIVE_CHINESE.search(text) is not None


def _keeps_places(left: Sequence[str], right: Sequence[str], left_text: str, right_text: str) -> bool:
    """Say whether who did it and whom it was done to stand in one order in an active and a passive text."""
    for passive, active in ((left_text, right_text), (right_text, left_text)):
        if (match := _PASSIVE_CHINESE.search(passive)) is not None:
            patient, agent = active.find(match["patient"]), active.find(match["agent"])
            return 0 <= patient < agent
    return [word for word in left if word != "by"] == [word for word in right if word != "by"]
