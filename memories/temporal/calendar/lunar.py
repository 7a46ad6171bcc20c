"""Days of the Chinese lunisolar calendar, 1900 to 2100, as it is published (the `borax` package)."""

from datetime import date, timedelta
from typing import Final

from borax.calendars.lunardate import LCalendars, LunarDate, TermUtils

QINGMING, MIDWINTER = 15, 270
"""Longitudes of the sun, in degrees, whose days are told."""

_TERMS: Final = {QINGMING: "清明", MIDWINTER: "冬至"}


def lunar_day(year: int, month: int, day: int) -> date:
    """
    Return the day of such a lunar date, from the month's end if negative; leap months are never meant.

    year: that in which the lunar year begins. Raises ValueError if the month has no such day, and for years
    that are not known.
    """
    length = LCalendars.ndays(year, month, 0)
    if not 1 <= abs(day) <= length:
        raise ValueError("no such day in the month")
    first: date = LunarDate(year, month, 1, 0).to_solar_date()
    return first + timedelta(days=day - 1 if day > 0 else length + day)


def solar_term_day(year: int, longitude: int) -> date:
    """Return the day of QINGMING or MIDWINTER in a year. Raises ValueError for years not known."""
    told: date = TermUtils.day_start_from_term(year, _TERMS[longitude])
    return told
