"""The words of English times as patterns, and what a match of them means."""

import re
from datetime import timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.mention import Reading, Setting, read_day, read_instant, shift_months
from memories.normalise.numbers import ENGLISH

MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
WEEKDAY_FORMS: Final = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
WEEKDAY: Final = rf"(?P<weekday>{WEEKDAY_FORMS})\b"
WEEKDAY_IN_FULL: Final = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
NUMBER: Final = (
    r"(?P<number>\d{1,3}|a\scouple(?:\sof)?|couple\sof|twenty[- ]\w+|"
    + "|".join(word for word in sorted(ENGLISH, key=len, reverse=True) if " " not in word)
    + ")"
)
DAY: Final = r"(?P<day>(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?)(?!\w)"
YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?![\w]|[-/:.]\d)"
LAST_OR_NEXT: Final = r"(?P<which>(?:this\s)?(?:last|past|previous|next|coming|upcoming)|this|current)"
UNIT: Final = (
    r"(?P<unit>days?|nights?|weeks?|wks?|fortnights?|months?|years?|yrs?|hours?|hrs?|minutes?|mins?)\b"
)

FEASTS: Final = "|".join(feasts.ENGLISH)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def month_of(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def weekday_of(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def day_of(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match["day"]))


def which_of(match: re.Match[str]) -> int:
    """Return -1 for last, 0 for this, 1 for next."""
    word = (match["which"] or "").lower().split()[-1:]
    return {"this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}.get("".join(word), -1)


def shift_from(setting: Setting, number: int, unit: str) -> Reading:
    """Read a number of units away from the clock: exact by the day, and told coarsely by month and year."""
    unit = unit.lower().rstrip("s")
    if unit in ("month", "year", "yr"):
        day = shift_months(setting.today, number * (1 if unit == "month" else 12))
        return read_day(day, day.strftime("%Y-%m" if unit == "month" else "%Y"))
    if unit in ("hour", "hr", "minute", "min"):
        return read_instant(setting.now + timedelta(minutes=number * (60 if unit[0] == "h" else 1)))
    days = {"day": 1, "night": 1, "week": 7, "wk": 7, "fortnight": 14}[unit]
    return read_day(setting.today + timedelta(days=number * days))
