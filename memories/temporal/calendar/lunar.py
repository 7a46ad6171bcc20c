"""Days of the Chinese lunisolar calendar, 1900 to 2100, by a table of its months."""

from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).with_name("lunar.txt")
"""
A line for each lunar year: the year it begins in, its first day (MMDD), its months, Qingming in April,
midwinter in December.

Months in order: 0 has 29 days, 1 has 30; o and l are leap months of 29 and 30 days. Computed from Meeus,
«Astronomical Algorithms» (2nd ed.), chapters 25 and 49, for UTC+8; it agrees with the published calendars.
"""

QINGMING, MIDWINTER = 15, 270
"""Longitudes of the sun, in degrees, whose days the table tells."""


def lunar_day(year: int, month: int, day: int) -> date:
    """
    Return the day of such a lunar date, from the month's end if negative; leap months are never meant.

    year: that in which the lunar year begins. Raises ValueError if the month has no such day.
    """
    start, length = _months(year)[month - 1]
    if not 1 <= abs(day) <= length:
        raise ValueError("no such day in the month")
    return start + timedelta(days=day - 1 if day > 0 else length + day)


def solar_term_day(year: int, longitude: int) -> date:
    """Return the day of QINGMING or MIDWINTER in a year. Raises ValueError for years not known."""
    qingming, midwinter = _years()[_known(year)][2:]
    return date(year, 4, int(qingming)) if longitude == QINGMING else date(year, 12, int(midwinter))


@cache
def _months(year: int) -> tuple[tuple[date, int], ...]:
    """Return the first day and the length of each month of a lunar year, leap months left out."""
    first, months, *_ = _years()[_known(year)]
    start, found = date(year, int(first[:2]), int(first[2:])), []
    for month in months:
        length = 29 if month in "0o" else 30
        if month in "01":
            found.append((start, length))
        start += timedelta(days=length)
    return tuple(found)


@cache
def _years() -> dict[int, list[str]]:
    lines = (line.split() for line in _TABLE.read_text(encoding="ascii").splitlines())
    return {int(year): told for year, *told in lines}


def _known(year: int) -> int:
    if year not in _years():
        raise ValueError("no lunar year is known so far away")
    return year
