"""Plain arithmetic of the calendar, of which readings of every language are made. Pure; days are local."""

import calendar
from datetime import date, datetime, time, timedelta
from typing import Final

from memories.temporal.mention import Reading, Setting, Tense

_MONTHS_OF: Final = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}

_PAST_DISCOUNT: Final = 4
"""
A date without year or tense is one that is over only if that lies four times nearer: some 70 days.

Notes name what is to come more often than what was; on 12 February «31 October» is the coming one.
"""


def read_day(day: date) -> Reading:
    """Return the reading of a whole day."""
    start = datetime.combine(day, time())
    return Reading(start=start, end=start + timedelta(days=1), resolution="day")


def read_instant(moment: datetime) -> Reading:
    """Return the reading of a point in time."""
    return Reading(start=moment, end=moment, resolution="instant")


def read_span(first: date, after: date) -> Reading | None:
    """Return the reading of the days from `first` to before `after`; None if there are none."""
    start, end = datetime.combine(first, time()), datetime.combine(after, time())
    return Reading(start=start, end=end, resolution="range") if first < after else None


def read_unit(day: date, unit: str, step: int = 0) -> Reading | None:
    """Return the reading of the calendar week, month, … of a day, or of one some steps away."""
    return read_span(*unit_of(day, unit, step))


def read_month(year: int, month: int) -> Reading | None:
    """Return the reading of a month. Raises ValueError if no calendar has it."""
    return read_unit(date(year, month, 1), "month")


def read_year(year: int) -> Reading | None:
    """Return the reading of a year. Raises ValueError outside 1 to 9998."""
    return read_unit(date(year, 1, 1), "year")


def unit_of(day: date, unit: str, step: int = 0) -> tuple[date, date]:
    """Return the first day of a calendar unit of a day, or of one some steps away, and the day after it."""
    if unit in ("week", "weekend", "workweek"):
        monday = monday_of(day) + timedelta(weeks=step)
        first, days = {"week": (0, 7), "weekend": (5, 2), "workweek": (0, 5)}[unit]
        return monday + timedelta(days=first), monday + timedelta(days=first + days)
    months = _MONTHS_OF[unit]
    year, month = divmod(((day.year * 12 + day.month - 1) // months + step) * months, 12)
    return date(year, month + 1, 1), shift_months(date(year, month + 1, 1), months)


def shift_months(day: date, months: int) -> date:
    """Return the same day some months later or earlier, or the month's last day if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def shift(setting: Setting, number: float, unit: str) -> Reading:
    """Read a number of units away from the clock: hours and less to the minute, others to the day."""
    if unit in _MONTHS_OF:
        return read_day(shift_months(setting.today, int(number * _MONTHS_OF[unit])))
    if unit in ("hour", "minute", "second"):
        return read_instant(setting.now + timedelta(**{f"{unit}s": number}))
    return read_day(setting.today + timedelta(days=number * {"day": 1, "week": 7, "fortnight": 14}[unit]))


def read_rolling(setting: Setting, number: int, unit: str) -> Reading | None:
    """Read «the last 3 weeks» (-3) as the days up to today, «the next 3» as those after it."""
    if unit == "quarter":  # nobody counts quarters from a day
        first, _ = unit_of(setting.today, "quarter", min(number, 1))
        return read_span(first, shift_months(first, 3 * abs(number)))
    edge = shift(setting, number, unit)
    if edge.resolution == "instant":
        start, end = sorted((setting.now, edge.start))
        return Reading(start=start, end=end, resolution="range")
    day = edge.start.date()
    if number < 0:
        return read_span(day, setting.today)
    return read_span(setting.today + timedelta(days=1), day + timedelta(days=1))


def monday_of(day: date) -> date:
    """Return the Monday of the day's week (ISO weeks, Monday first)."""
    return day - timedelta(days=day.weekday())


def nth_weekday(first: date, after: date, weekday: int, nth: int) -> date | None:
    """Return the nth such weekday from `first` to before `after`, counted from their end if negative."""
    if nth > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=nth - 1)
    else:
        last = after - timedelta(days=1)
        day = last - timedelta(days=(last.weekday() - weekday) % 7, weeks=-nth - 1)
    return day if first <= day < after else None


def nth_week(first: date, after: date, nth: int) -> date:
    """Return the Monday of the nth week that has most of its days in a period, from its end if negative."""
    if nth > 0:
        return monday_of(first + timedelta(days=3)) + timedelta(weeks=nth - 1)
    return monday_of(after - timedelta(days=4)) + timedelta(weeks=nth + 1)


def nearest_month(month: int, setting: Setting) -> date:
    """Return the first day of such a month, chosen as in `nearest_year`; the clock's own month is both."""
    year, this = setting.today.year, setting.today.month
    if setting.year_said:
        year = setting.year_said
    elif setting.tense == "past" and month > this:
        year -= 1
    elif setting.tense == "future" and month < this:
        year += 1
    return date(year, month, 1)


def nearest_day_of_month(day: int, setting: Setting) -> date:
    """Return the last or next such day of a month, as the tense says. Raises ValueError if none."""
    step = -1 if setting.tense == "past" else 1
    for months in range(0, 4 * step, step):
        first = shift_months(setting.today.replace(day=1), months)
        if day <= calendar.monthrange(first.year, first.month)[1]:
            candidate = first.replace(day=day)
            if (candidate - setting.today).days * step >= 0:
                return candidate
    raise ValueError("no month has the day")


def nearest_weekday(today: date, weekday: int, tense: Tense) -> date:
    """Return the last or the next such weekday seen from today, today left out; 0 is Monday."""
    if tense == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def nearest_year(month: int, day: int, setting: Setting) -> date:
    """
    Return such a day in the year told before, else the last or next one, as the tense says, else the nearest.

    The 29th of February goes to the nearest leap year. Raises ValueError if no year has the day.
    """
    date(2000, month, day)  # a leap year: refuses the 31st of April
    if setting.year_said:
        return date(setting.year_said, month, day)
    if setting.tense != "open":
        return _day_of_year(month, day, setting.today, step=-1 if setting.tense == "past" else 1)
    before, after = (_day_of_year(month, day, setting.today, step=step) for step in (-1, 1))
    return before if _PAST_DISCOUNT * (setting.today - before) < after - setting.today else after


def _day_of_year(month: int, day: int, today: date, *, step: int) -> date:
    """Return the first such day from today on, into the past (step -1) or the future (1); today is both."""
    for offset in range(0, 9 * step, step):
        try:
            candidate = date(today.year + offset, month, day)
        except ValueError:
            continue
        if (candidate - today).days * step >= 0:
            return candidate
    raise ValueError("no such day near the clock")


def in_full_year(year: str, today: date) -> int:
    """Return a year of two figures in full: the latest that lies no more than twenty years ahead."""
    if len(year) == 4:
        return int(year)
    full = today.year // 100 * 100 + int(year)
    return full - 100 if full > today.year + 20 else full
