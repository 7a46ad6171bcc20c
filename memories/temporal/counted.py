"""Times counted from the clock in more than one unit or in halves: «2 weeks and 2 days ago», 两个半小时后."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from memories.quantities import DurationMention, find_durations
from memories.temporal.calendar import read_day, read_instant, shift_months
from memories.temporal.cues import counts_within
from memories.temporal.mention import Placed, Reading, Setting
from security.patterns import bounded

_DAY: Final = 86_400
_AGO: Final = bounded(r"\s(?:ago|earlier)\b|(?:以|之)?前(?![期端台])", re.IGNORECASE)
_HENCE: Final = bounded(
    r"\s(?:from\s(?:now(?!\son\b)|today)|hence)\b|(?:以|之)?[后後](?![期端台])", re.IGNORECASE
)
_IN: Final = bounded(r"\bin\s(?:about\s|around\s|another\s|exactly\s)?$", re.IGNORECASE)
_NO_IN: Final = bounded(r"\s(?:of|ago|or|before|after|old|from)\b", re.IGNORECASE)
_FOR: Final = bounded(r"\bfor\s$", re.IGNORECASE)
_REACH: Final = 16


def read_counted(text: str, placed: Sequence[Placed], setting: Setting) -> list[Placed]:
    """Add the times counted from the clock whose counting the grammars leave or read in part only."""
    result = list(placed)
    for duration in find_durations(text):
        span, side = _side(text, duration)
        inside = [item for item in result if span[0] < item[0][1] and item[0][0] < span[1]]
        wider = all(span[0] <= start and stop <= span[1] for (start, stop), _ in inside)
        told = any((start, stop) == span for (start, stop), _ in inside)
        if not side or told or not wider or (side > 0 and setting.tense == "past"):
            continue
        reading = _read(duration, side, setting)
        if reading is not None:
            result = [item for item in result if item not in inside]
            result.append((span, reading))
    return sorted(result, key=lambda item: item[0])


def _side(text: str, duration: DurationMention) -> tuple[tuple[int, int], int]:
    """Return the whole place of a counted time, and -1 for ago, 1 for ahead, 0 for a mere length."""
    start, end = duration.span
    for pattern, side in ((_AGO, -1), (_HENCE, 1)):
        match = pattern.match(text, end)
        if match and not (match[0].endswith("today") and _FOR.search(text[max(0, start - _REACH) : start])):
            return (start, match.end()), side
    lead = _IN.search(text[max(0, start - _REACH) : start])
    if lead and not (_NO_IN.match(text, end) or counts_within(text, start)):
        return (start - len(lead[0]), end), 1
    return (start, end), 0


def _read(duration: DurationMention, side: int, setting: Setting) -> Reading | None:
    """Read a length away from the clock: to the minute below a day, else to the day."""
    months, seconds = duration.months, duration.seconds
    if months != int(months):
        seconds, months = seconds + (months - int(months)) * 30 * _DAY, Fraction(int(months))
    try:
        if not months and (seconds < _DAY or seconds % _DAY):
            return read_instant(setting.now + timedelta(seconds=float(side * seconds)))
        day: date = shift_months(setting.today, side * int(months))
        return read_day(day + timedelta(days=side * int(seconds // _DAY)))
    except (OverflowError, ValueError):
        return None  # before the first year of the calendar, or past its last
