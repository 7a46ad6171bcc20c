"""Dates written in figures, which mean the same in every language: ISO, 23.04.2022, 10/31/1974, «on 3/12»."""

import re
from datetime import date, datetime
from typing import Final

from memories.temporal.calendar import in_full_year, nearest_year, read_day, read_instant
from memories.temporal.grammar import Rule, rules
from memories.temporal.mention import Reading, Setting
from security.patterns import bounded

_WEEKDAYS: Final = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?"
_CUE: Final = (
    rf"(?:\b(?:on|by|before|after|until|till|since|due|from|between|starting|as\sof|{_WEEKDAYS}),?\s|在|于"
    r"|截至|截止|从|自|到|至)"
)
_CUED: Final = bounded(
    rf"{_CUE}(?:the\s)?(?:\d{{1,2}}/\d{{1,2}}\s?(?:,\s?(?:and\s|or\s)?|and\s|or\s|to\s|until\s|through\s"
    rf"|[-–~到至])\s?){{0,6}}$",
    re.IGNORECASE,
)
_CUE_AFTER: Final = bounded(
    rf"\s?(?:(?:at|@|around)\s?\d|,?\s?\d{{1,2}}(?::\d\d)?\s?[ap]\.?m|,?\s\(?{_WEEKDAYS}\b"
    rf"|\s?[-–]\s?\d{{1,2}}/\d{{1,2}},?\s\d{{4}}|\s\d{{1,2}}:\d\d)",
    re.IGNORECASE,
)
_CUE_REACH: Final = 60


def read_iso_moment(match: re.Match[str], setting: Setting) -> Reading:
    """Read an ISO date (groups year, m, d) or timestamp (the whole match), told in the clock's zone."""
    if match["year"]:
        return read_day(date(int(match["year"]), int(match["m"]), int(match["d"])))
    moment = datetime.fromisoformat(match[0])
    return read_instant(moment.astimezone(setting.zone).replace(tzinfo=None) if moment.tzinfo else moment)


def read_numeric(match: re.Match[str], setting: Setting) -> Reading:
    """Read 3/12 as month and day, 23.04. as day and month; the other way round if only that is a date."""
    first, second, year = int(match["first"]), int(match["second"]), match["year"]
    day_first = first > 12 or (match["dot"] in ". " and second <= 12)
    month, day = (second, first) if day_first else (first, second)
    if not year:
        return read_day(nearest_year(month, day, setting))
    return read_day(date(in_full_year(year, setting.today), month, day))


def read_cued(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 3/12 beside a word that takes a date, a weekday or a time of day; else it may be a fraction."""
    before = match.string[max(0, match.start() - _CUE_REACH) : match.start()]
    if not _CUED.search(before) and not _CUE_AFTER.match(match.string, match.end()):
        return None
    return read_numeric(match, setting)


NUMERIC: Final[tuple[Rule, ...]] = rules(
    (
        r"(?<![A-Za-z0-9_-])(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)"
        r"(?![A-Za-z0-9_-]|[./]\d)"
        r"|(?<![A-Za-z0-9_-])[12]\d{3}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?",
        read_iso_moment,
    ),
    (
        r"(?:(?<![A-Za-z0-9_/.-])|(?<=/\d{4}-)|(?<=/\d\d-))(?P<first>\d{1,2})(?P<dot>[/.-])"
        r"(?P<second>\d{1,2})(?P=dot)(?P<year>\d{4}|\d\d)"
        r"(?![A-Za-z0-9_/]|-(?!\d{1,2}/\d)|\.\d)",
        read_numeric,
    ),
    (
        r"(?<![\w.,/:-])(?<!\d\s)(?P<first>\d{1,2})(?P<dot>\s)(?P<second>\d{1,2})\s(?P<year>(?:19|20)\d\d)"
        r"(?![\w/-]|\s\d|[.,]\d)",
        read_numeric,
    ),
    (
        r"(?:(?<![\w/.$€£-])|(?<=/\d-)|(?<=/\d\d-))(?P<first>\d{1,2})(?P<dot>/)(?P<second>\d{1,2})"
        r"(?:,\s?(?P<year>(?:19|20)\d\d)\b)?(?![\w/]|\.\d|\s?%)",
        read_cued,
    ),
)
"""Dates in figures that need no word beside them, and the one form that does."""
