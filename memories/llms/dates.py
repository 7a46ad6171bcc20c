"""When a sentence of a turn happened: the time it names itself, else the turn's."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from memories.llms.base import Turn
from memories.temporal import TimeMention
from security.patterns import bounded

_LIMIT_BEFORE: Final = bounded(
    r"(?:\b(?:until|till|til|before|by|due(?: on)?|no later than) (?:the )?|[到至])$", re.I
)
_BORDER: Final = bounded(r"[,;:，；：](?!\d)")
"""Behind it another clause begins, with times of its own."""
_LIMIT_BEHIND: Final = bounded(r" ?(?:之?前|以前|为止|截止)")


def find_time(
    turn: Turn, *, start: int, end: int, is_event: bool, value: str | None = None
) -> tuple[datetime, bool]:
    """
    Return when what stands in `turn.text[start:end]` happened, and whether the text resolves that.

    A time named in the sentence counts first. Without one, an event happened when the turn happened («We were
    in Porto yesterday. The kids swam.»); a state or an insight holds from when it was said.
    value: of a state; a day that it consists of («the fair is on 3 May»), lasts to («until Friday») or that a
    later clause names is not when it began.
    """
    for mention in _mentions_in(turn, start, end):
        if value is None or _begins(turn, start, end, mention, value):
            return mention.start, True
    if is_event:
        return turn.occurred_at, bool(turn.mentions)
    return turn.clock, False


def with_dates(turn: Turn, start: int, end: int, *, instead: bool = False) -> str:
    """
    Return the words of `turn.text[start:end]` with the days that they mean, in ISO 8601.

    A day stands in brackets behind the words that mean it, or, for forms that look for days, instead of them.
    """
    pieces, place = list[str](), start
    for mention in _mentions_in(turn, start, end):
        told = iso_of(mention)
        if mention.dated and told not in mention.text:
            pieces += (turn.text[place : mention.span[0] if instead else mention.span[1]],)
            pieces += (told if instead else f" ({told})",)
            place = mention.span[1]
    return "".join((*pieces, turn.text[place:end]))


def iso_of(mention: TimeMention) -> str:
    """Return the moment, day, month or year that a mention means; of another period its first day."""
    if mention.start == mention.end:
        return mention.start.strftime("%Y-%m-%d %H:%M")
    last = mention.end - timedelta(days=1)
    day = mention.start.date().isoformat()
    if mention.start.day != 1 or (last + timedelta(days=1)).day != 1:
        return day
    months = (last.year - mention.start.year) * 12 + last.month - mention.start.month + 1
    return day[:4] if months == 12 and mention.start.month == 1 else day[:7] if months == 1 else day


def _mentions_in(turn: Turn, start: int, end: int) -> Iterator[TimeMention]:
    return (mention for mention in turn.mentions if start <= mention.span[0] and mention.span[1] <= end)


def _begins(turn: Turn, start: int, end: int, mention: TimeMention, value: str) -> bool:
    """Tell whether a state may have begun at a time that its sentence names."""
    before, behind = with_dates(turn, start, mention.span[0], instead=True), turn.text[mention.span[1] : end]
    is_value = iso_of(mention) in value or mention.text.casefold() in value
    if is_value or _LIMIT_BEFORE.search(before) or _LIMIT_BEHIND.match(behind):
        return False
    _, _, between = before.casefold().rpartition(value)
    return between == before.casefold() or not _BORDER.search(between)
