"""Run a grammar over a text: patterns with a reader each, the first that matches a place has it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from memories.temporal.cues import MONTH_NAME, WEEKDAY_NAME, guess_tense
from memories.temporal.mention import Placed, Reading, Setting, Tense
from security.patterns import bounded

Reader = Callable[[re.Match[str], Setting], Reading | None]
Rule = tuple[re.Pattern[str], Reader]

_YEAR_SAID: Final = bounded(
    r"(?:[a-z]{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\s[a-z]{3,9}),?\s((?:19|20)\d\d)\b"
    r"|\b((?:19|20)\d\d)(?:\s?年\s?\d|-\d\d-\d\d)",
    re.IGNORECASE,
)
_YEAR_REACH: Final = 300
_SENTENCE_BREAK: Final = bounded(r"[\n!?。！？;；]|\.(?=\s|$)")
_CLAUSE_BREAK: Final = bounded(r"[,，、:：]|\b(?:and|but|while|whereas|so|then)\b")
_SAYING: Final = bounded(
    r"\b(?!(?:on|in|at|from|to|by|of|the|this|until|till|since|for|about|around|early|late|mid|end|again|also"
    rf"|{WEEKDAY_NAME}|{MONTH_NAME}|st|nd|rd|th)\b)[a-z]{{2,}}\b"
    r"|[\u3400-\u9fff](?<![年月日号號周週的在从從到于於是了星期一二三四五六七八九十])",
    re.IGNORECASE,
)
_LEAST_WORDS: Final = 3
"""Words (in Chinese, characters) beside its dates from which a clause has a tense of its own. Our choice."""


def rules(*lines: tuple[str, Reader]) -> tuple[Rule, ...]:
    """
    Compile a grammar, minding no letter case.

    A pattern's group `say` is the place it reads, if it has one; what stands around it is context.
    """
    return tuple((bounded(pattern, re.IGNORECASE), reader) for pattern, reader in lines)


def read(text: str, grammar: Iterable[Rule], setting: Setting) -> list[Placed]:
    """Return what the grammar reads in the text, in order of place, without overlaps."""
    placed: list[Placed] = []
    taken = bytearray(len(text))
    context = _Context(text)
    for pattern, reader in grammar:
        group: int | str = "say" if "say" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            start, end = match.span(group)
            if any(taken[start:end]):
                continue
            reading = _try(reader, match, context.at(start, setting))
            if reading is not None:
                placed.append(((start, end), reading))
                taken[start:end] = b"\x01" * (end - start)
    return sorted(placed, key=lambda item: item[0])


class _Context:
    """The tense and the year that reign at each place of a text; looked up often, so each piece is judged
    once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences = [0, *(match.end() for match in _SENTENCE_BREAK.finditer(text)), len(text)]
        self._clauses = sorted({*self._sentences, *(match.end() for match in _CLAUSE_BREAK.finditer(text))})
        self._years = [(match.end(), int(match[1] or match[2])) for match in _YEAR_SAID.finditer(text)]
        self._tenses: dict[tuple[int, int], Tense] = {}
        self._alone: dict[tuple[int, int], bool] = {}

    def at(self, place: int, setting: Setting) -> Setting:
        """
        Return the setting as it is at a place.

        The tense is that of the clause if it shows one; that of the sentence where the clause is little more
        than the date («on 5 March, we met»), or says what is to come. A past in another clause tells nothing
        of a date («prices rose, so from 11 May deliveries go elsewhere»). The year is that of the last full
        date within the 300 characters before.
        """
        tense = self._tense(self._clauses, place)
        if tense == "open":
            whole = self._tense(self._sentences, place)
            tense = whole if whole == "future" or not self._stands_alone(place) else "open"
        earlier = bisect_right(self._years, (place, 0)) - 1
        said = earlier >= 0 and place - self._years[earlier][0] <= _YEAR_REACH
        return replace(setting, tense=tense, year_said=self._years[earlier][1] if said else None)

    def _piece(self, borders: list[int], place: int) -> tuple[int, int]:
        index = bisect_right(borders, place)
        return borders[index - 1], borders[min(index, len(borders) - 1)]

    def _stands_alone(self, place: int) -> bool:
        """Tell whether the clause says something beside its dates."""
        piece = self._piece(self._clauses, place)
        if piece not in self._alone:
            self._alone[piece] = len(_SAYING.findall(self._text[slice(*piece)])) >= _LEAST_WORDS
        return self._alone[piece]

    def _tense(self, borders: list[int], place: int) -> Tense:
        piece = self._piece(borders, place)
        if piece not in self._tenses:
            self._tenses[piece] = guess_tense(self._text[slice(*piece)])
        return self._tenses[piece]


def _try(reader: Reader, match: re.Match[str], setting: Setting) -> Reading | None:
    """Read a match; None for a day that no calendar has («February 30») or that lies past year 9999."""
    try:
        return reader(match, setting)
    except (ValueError, OverflowError, KeyError):
        return None


def gaps(text: str, placed: Iterable[Placed]) -> Iterator[str]:
    """Yield the pieces of text between the places."""
    end = 0
    for (start, stop), _ in placed:
        yield text[end:start]
        end = stop
    yield text[end:]
