"""What a mention of time is, and the plain calendar arithmetic that readings are made of."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

Resolution = Literal["instant", "day", "range"]
Tense = Literal["past", "future", "open"]
"""Which way a sentence looks; open: it does not say, and most words then mean what is to come."""


MentionKind = Literal["date", "recurring", "unanchored"]
"""Whether a mention means one time, one that recurs, or one tied to no occasion (SPEC K-02)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeMention:
    """A place in a text that speaks of a time, and the time it means."""

    text: str  #: as written
    span: tuple[int, int]  #: in the folded text, end exclusive
    start: datetime  #: aware, in the capture's zone
    end: datetime  #: exclusive; equal to `start` for an instant
    resolution: Resolution
    past: bool  #: over before the clock
    absolute: str | None = None  #: what the normalised text says instead; None: it stays as written
    dated: bool = True  #: False for a foothold, and a bare time of day, whose day is only supposed
    kind: MentionKind = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What some words mean, in local time without zone."""

    start: datetime
    end: datetime
    resolution: Resolution
    absolute: str | None = None
    dated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a reading depends on beside the words: the clock, its zone, and the tense of the sentence."""

    now: datetime  #: local, without zone
    zone: ZoneInfo
    tense: Tense = "future"
    year_said: int | None = None  #: the year of a date told shortly before, for those that leave theirs out

    @property
    def today(self) -> date:
        """The day of the clock."""
        return self.now.date()


def read_day(day: date, absolute: str | None = None) -> Reading:
    """Return the reading of a whole day, which its ISO form replaces unless told otherwise."""
    start = datetime.combine(day, time())
    said = day.isoformat() if absolute is None else absolute
    return Reading(start=start, end=start + timedelta(days=1), resolution="day", absolute=said)


def read_instant(moment: datetime) -> Reading:
    """Return the reading of a point in time, to the minute."""
    said = moment.isoformat(sep=" ", timespec="minutes")
    return Reading(start=moment, end=moment, resolution="instant", absolute=said)


def read_range(first: date, after: date, absolute: str | None = None) -> Reading:
    """Return the reading of the days from `first` to before `after`; the text stays unless told otherwise."""
    start, end = datetime.combine(first, time()), datetime.combine(after, time())
    return Reading(start=start, end=end, resolution="range", absolute=absolute)


def read_month(first: date, absolute: str | None = None) -> Reading:
    """Return the reading of the month that `first` is the first day of."""
    return read_range(first, shift_months(first, 1), absolute)


def read_year(year: int, absolute: str | None = None) -> Reading:
    """Return the reading of a year. Raises ValueError outside 1 to 9998."""
    return read_range(date(year, 1, 1), date(year + 1, 1, 1), absolute)


def shift_months(day: date, months: int) -> date:
    """Return the same day some months later or earlier, or the month's last day if it has no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


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


def read_iso_moment(match: re.Match[str], setting: Setting) -> Reading:
    """
    Read an ISO date (groups year, m, d) or timestamp (the whole match); what stands there is absolute and
    stays.

    A timestamp with an offset is told in the clock's zone.
    """
    if match["year"]:
        day = read_day(date(int(match["year"]), int(match["m"]), int(match["d"])))
        said = None if match["sep"] == "-" else day.absolute
        return Reading(start=day.start, end=day.end, resolution="day", absolute=said)
    moment = datetime.fromisoformat(match[0])
    local = moment.astimezone(setting.zone).replace(tzinfo=None) if moment.tzinfo else moment
    return Reading(start=local, end=local, resolution="instant")


def monday_of(day: date) -> date:
    """Return the Monday of the day's week (ISO weeks, Monday first)."""
    return day - timedelta(days=day.weekday())


def nearest_weekday(today: date, weekday: int, tense: Tense) -> date:
    """
    Return the last or the next such weekday seen from today, today itself left out.

    weekday: 0 is Monday.
    """
    if tense == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def nearest_year(month: int, day: int, setting: Setting) -> date:
    """
    Return such a day in the year told before, else the last or the next one seen from the clock, as the
    tense says; where it says nothing, the nearest.

    The 29th of February goes to the nearest leap year. Raises ValueError if no year has the day.
    """
    date(2000, month, day)  # a leap year: refuses the 31st of April
    if setting.year_said:
        return date(setting.year_said, month, day)
    if setting.tense != "open":
        return _day_of_year(month, day, setting.today, step=-1 if setting.tense == "past" else 1)
    before, after = (_day_of_year(month, day, setting.today, step=step) for step in (-1, 1))
    return before if _PAST_DISCOUNT * (setting.today - before) < after - setting.today else after


_PAST_DISCOUNT: Final = 4
"""
A date without year or tense is one that is over only if that lies four times nearer: some 70 days.

Notes name what is to come more often than what was; on 12 February «31 October» is the coming one.
"""


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


def tell_days(first: date, after: date, between: str) -> str:
    """Return the words for the days from `first` to before `after`: both ends, the last one in."""
    last = after - timedelta(days=1)
    return first.isoformat() if first == last else f"{first.isoformat()}{between}{last.isoformat()}"
