"""
Join what stands beside each other: «from 3 to 5 May», 5月到10月, «since Monday until now», «Friday the 5th».

Works on what the grammars have read: two readings and a word between them become one period, a weekday and
the date beside it one day.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from memories.temporal.calendar import read_span, read_unit, shift_months
from memories.temporal.mention import Placed, Reading, Setting
from security.patterns import bounded

_TO: Final = bounded(
    r"\s?(?:[-–—~～]|\bto\b|\buntil\b|\btill?\b|\buntill\b|\bthrough\b|\bthru\b|(?P<and>\band\b)|[到至]"
    r"|直到)\s?(?:the\s)?",
    re.IGNORECASE,
)
_AND: Final = bounded(r"\s?(?:\band\b|[和与跟]|[-~到至])\s?(?:the\s)?", re.IGNORECASE)
_BETWEEN: Final = bounded(r"\b(?:between|from)\s(?:the\s)?$|[从自在]$", re.IGNORECASE)
_LEAD: Final = bounded(r"(?:\b(?:from|between)\s(?:the\s)?|[从自由])$", re.IGNORECASE)
_BETWEEN_AFTER: Final = bounded(r"\s?(?:之间|期间|间)")
_NOW: Final = bounded(
    r"\s?(?:[-–—]|\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|[到至])\s?(?:now\b|date\b|present\b"
    r"|the\spresent\b|现在|今|目前|如今)",
    re.IGNORECASE,
)
_MOVED: Final = bounded(
    r"\b(?:mov(?:e|ed|es|ing)|reschedul\w+|postpon\w+|push(?:ed)?|shift(?:ed)?|chang(?:e|ed|es)|switch"
    r"(?:ed)?|delay(?:ed)?|brought\sforward)\b"
    r"|改[到至为]?|推迟|提前|延期|调整",
    re.IGNORECASE,
)
_YEAR: Final = bounded(
    r"(?<!\d)(?:[12]\d{3}|\d\d(?=\s?年))(?!\d)|[一二][零〇一二三四五六七八九]{3}年|今年|明年|去年|前年|后年"
    r"|year"
)
_WEEKDAY: Final = bounded(
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]", re.IGNORECASE
)
_BESIDE: Final = bounded(r"(?:,\s?|\s|，|、)?(?:the\s)?\(?", re.IGNORECASE)
_YEAR_WORDS: Final = bounded(
    r"(?:this\s)?(?:last|next|this|past|previous|coming|current)\syear", re.IGNORECASE
)
_OF: Final = bounded(r",?\s(?:of\s|in\s)?(?:the\s)?", re.IGNORECASE)
_OTHER_DAY: Final = bounded(r"\d|[一二三四五六七八九十][日号號]|first|second|third|th\b", re.IGNORECASE)
_COUNTED: Final = bounded(
    r"\bfor\s(?:the\s)?(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s(?P<unit>day"
    r"|week|month|year)s?,?\s"
    r"(?:from|starting|beginning|commencing)(?:\s(?:from|on|in|at))?\s(?:the\s)?$",
    re.IGNORECASE,
)
_NUMBERS: Final = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_WEEK_OF: Final = bounded(
    r"\b(?:the\s)?week(?P<end>-?end)?\s(?:of|starting|beginning|commencing)(?:\son)?\s(?:the\s)?$",
    re.IGNORECASE,
)
_LONGEST_LEAD: Final = 48


def join_ranges(text: str, placed: Sequence[Placed], setting: Setting) -> list[Placed]:
    """Return the places with periods, days that are told twice, and stretches from a day on joined."""
    joined: list[Placed] = []
    for item in sorted(placed, key=lambda item: item[0]):
        former = joined[-1] if joined else None
        one = former and (
            _same_day(text, former, item) or _of_year(text, former, item) or _period(text, former, item)
        )
        if one:
            joined[-1] = one
        else:
            joined.append(item)
    return [_reach(text, item, setting) for item in joined]


def _same_day(text: str, former: Placed, item: Placed) -> Placed | None:
    """Join a weekday and a date: the date it is, in the year whose weekday agrees."""
    (start, end), (after, stop) = former[0], item[0]
    if not (former[1].resolution == "day" and item[1].resolution in ("day", "instant")):
        return None
    if after - end > 6 or not _BESIDE.fullmatch(text, end, after):
        return None
    words = (text[start:end], text[after:stop])
    weekdays = [bool(_WEEKDAY.search(said)) and not _OTHER_DAY.search(said) for said in words]
    if weekdays[0] == weekdays[1]:
        return None
    dated, weekday = (item, former) if weekdays[0] else (former, item)
    if not _OTHER_DAY.search(words[weekdays[0]]):
        return None
    reading = dated[1]
    if not _YEAR.search(words[weekdays[0]]):
        reading = _agree(reading, weekday[1].start.weekday())
    return (start, stop), reading


def _agree(reading: Reading, weekday: int) -> Reading:
    """
    Move a date without a year to the year around in which it falls on the weekday; none such: as it was.
    """
    for years in (0, -1, 1):
        moved = _shift_years(reading, years)
        if moved.start.weekday() == weekday:
            return moved
    return reading


def _shift_years(reading: Reading, years: int) -> Reading:
    if not years:
        return reading
    start, end = (_in_year(moment, moment.year + years) for moment in (reading.start, reading.end))
    return replace(reading, start=start, end=end)


def _in_year(moment: datetime, year: int) -> datetime:
    try:
        return moment.replace(year=year)
    except ValueError:
        return moment.replace(year=year, day=28)


def _of_year(text: str, former: Placed, item: Placed) -> Placed | None:
    """Give a date the year that stands behind it: «on March 3 of last year», «Easter next year»."""
    (start, end), (after, stop) = former[0], item[0]
    if not _YEAR_WORDS.fullmatch(text, after, stop) or not _OF.fullmatch(text, end, after):
        return None
    if _YEAR.search(text[start:end]) or not former[1].dated or (former[1].end - former[1].start).days > 31:
        return None
    return (start, stop), _shift_years(former[1], item[1].start.year - former[1].start.year)


def _period(text: str, former: Placed, item: Placed) -> Placed | None:
    """Join two readings with «to» between them, or «and» behind «between»."""
    (start, end), (after, stop) = former[0], item[0]
    between = text[end:after]
    lead = _LEAD.search(text, max(0, start - _LONGEST_LEAD), start)
    if not (former[1].dated and item[1].dated) or after - end > 12:
        return None
    plain = _TO.fullmatch(between) and (lead or "and" not in between.lower())
    if not plain and not (_AND.fullmatch(between) and _BETWEEN_AFTER.match(text, stop)):
        return None
    if _MOVED.search(text[max(0, start - _LONGEST_LEAD) : start]):
        return None
    first, last = _same_year(former[1], item[1], text[start:end], text[after:stop])
    if last.start < first.start and _is_weekday(text[start:end]) and _is_weekday(text[after:stop]):
        last = _a_week_later(last)
    if last.start < first.start:
        return None
    return (start, stop), Reading(start=first.start, end=last.end, resolution="range")


def _is_weekday(words: str) -> bool:
    return bool(_WEEKDAY.fullmatch(words))


def _a_week_later(reading: Reading) -> Reading:
    start, end = (moment + timedelta(weeks=1) for moment in (reading.start, reading.end))
    return replace(reading, start=start, end=end)


def _same_year(first: Reading, last: Reading, words: str, last_words: str) -> tuple[Reading, Reading]:
    """Give the end that leaves its year out that of the other, so that the period runs forward."""
    told, last_told = bool(_YEAR.search(words)), bool(_YEAR.search(last_words))
    if not told and last_told:
        first = _shift_years(first, last.start.year - first.start.year)
        return (_shift_years(first, -1) if first.start > last.start else first), last
    if not last_told:
        if told:
            last = _shift_years(last, first.start.year - last.start.year)
        elif (last.start - first.start).days > 366:
            last = _shift_years(last, -1)
        if last.start >= first.start or _WEEKDAY.search(last_words):
            return first, last
        if told:
            return first, _shift_years(last, 1)
        return _shift_years(first, -1), last
    return first, last


def _reach(text: str, item: Placed, setting: Setting) -> Placed:
    """
    Let a reading reach to now («since May to date»), or as far as is counted («for 3 days from Monday»).
    """
    (start, end), reading = item
    if not reading.dated:
        return item
    now = _NOW.match(text, end)
    lead = text[max(0, start - _LONGEST_LEAD) : start]
    if (
        now
        and reading.start <= setting.now
        and not (now[0].strip().startswith("and") and not _LEAD.search(lead))
    ):
        until = datetime.combine(setting.today + timedelta(days=1), datetime.min.time())
        return (start, now.end()), Reading(start=reading.start, end=until, resolution="range")
    if reading.resolution != "day":
        return item
    before = text[max(0, start - _LONGEST_LEAD) : start]
    counted, week = _COUNTED.search(before), _WEEK_OF.search(before)
    if counted:
        return (start - len(counted[0]) + 4, end), _counted(reading.start.date(), counted)
    if week:
        day = reading.start.date()
        if week["end"]:  # the one nearest by
            saturday = day + timedelta(days=(8 - day.weekday()) % 7 - 3)
            told = read_span(saturday, saturday + timedelta(days=2))
        else:
            told = read_unit(day, "week")
        return ((start - len(week[0]), end), told) if told else item
    return item


def _counted(first: date, match: re.Match[str]) -> Reading:
    said, unit = match["n"].lower(), match["unit"].lower()
    number = int(said) if said.isdigit() else _NUMBERS.index(said) if said in _NUMBERS else 1
    if unit in ("month", "year"):
        after = shift_months(first, number * (12 if unit == "year" else 1))
    else:
        after = first + timedelta(days=number * (7 if unit == "week" else 1))
    start, end = (datetime.combine(day, datetime.min.time()) for day in (first, after))
    return Reading(start=start, end=end, resolution="range")
