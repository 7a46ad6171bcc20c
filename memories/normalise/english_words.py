"""The words of English times as patterns, and what a match of them means."""

import re
from datetime import timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.cues import MONTH_NAME, WEEKDAY_NAME
from memories.normalise.mention import Reading, Setting, read_day, read_instant, shift_months
from memories.normalise.numbers import ENGLISH
from security.patterns import bounded

MONTH: Final = rf"(?P<month>{MONTH_NAME})\b"
WEEKDAY_FORMS: Final = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
WEEKDAY: Final = rf"(?P<weekday>{WEEKDAY_FORMS})\b"
WEEKDAY_IN_FULL: Final = rf"(?P<weekday>{WEEKDAY_NAME})\b"
NUMBER: Final = (
    r"(?P<number>\d{1,3}|a\scouple(?:\sof)?|couple\sof|twenty[- ]\w+|"
    + "|".join(word for word in sorted(ENGLISH, key=len, reverse=True) if " " not in word)
    + ")"
)
_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_SPELLED_DAY: Final = (
    rf"(?:twenty|thirty)[\s-]?(?:{'|'.join(_ORDINALS[:9])})|thirtieth|{'|'.join(reversed(_ORDINALS))}"
)
DAY: Final = rf"(?P<day>(?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?|{_SPELLED_DAY}))(?!\w)"
_TENS: Final = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONES: Final = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEENS: Final = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
SPELLED_YEAR: Final = (
    rf"(?:(?:eighteen|nineteen|twenty)[\s-](?:hundred\s(?:and\s)?)?(?:{_TENS}(?:[\s-]{_ONES})?|{_TEENS}"
    rf"|oh[\s-]{_ONES})"
    rf"|two\sthousand(?:\s(?:and\s)?(?:{_TENS}(?:[\s-]{_ONES})?|{_TEENS}|{_ONES}))?)"
)
YEAR: Final = rf"(?P<year>(?:19|20)\d\d|{SPELLED_YEAR})(?![\w]|[-/:.]\d)"
LAST_OR_NEXT: Final = r"(?P<which>(?:this\s)?(?:last|past|previous|next|coming|upcoming)|this|current)"
UNIT: Final = (
    r"(?P<unit>days?|nights?|weeks?|wks?|fortnights?|months?|quarters?|qtrs?|years?|yrs?|hours?|hrs?"
    r"|minutes?|mins?)\b"
)

NAMED_DAY: Final = bounded(
    r"\b(?:super|mega|giga|mini|ultra|duper|cyber|giving|taco|prime|casual|black|fat|shrove|clean|holy|palm|ash|maundy|blue|bloody|ruby"
    r"|whit|trinity|that|those|any|some|first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)[\s-]$",
    re.IGNORECASE,
)
"""
Before a weekday these make it the name of some day of the year (a feast, a sale), or of no certain one.
"""
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season: meteorological, of the northern half."""

FEASTS: Final = "|".join(feasts.ENGLISH)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def month_of(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def weekday_of(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def day_of(match: re.Match[str]) -> int:
    return read_ordinal(match["day"])


def read_ordinal(said: str) -> int:
    """Read `3`, `3rd`, `third` or `twenty-third`. Raises KeyError or ValueError for others."""
    if said[0].isdigit():
        return int(bounded(r"\D").sub("", said))
    words = bounded(r"[\s-]+").sub(" ", said.lower())
    if words == "thirtieth":
        return 30
    for tens, value in (("twenty", 20), ("thirty", 30)):
        if words.startswith(tens) and words != "twentieth":
            return value + _ORDINALS.index(words.removeprefix(tens).strip()) + 1
    return _ORDINALS.index(words) + 1


def year_of(match: re.Match[str]) -> int:
    """Return the year of a match in its group `year`, in figures or in words."""
    return read_year_words(match["year"])


def read_year_words(said: str) -> int:
    """Read `2026`, `twenty twenty-six`, `nineteen hundred and five`, `two thousand and six`."""
    if said.isdigit():
        return int(said)
    words = [word for word in bounded(r"[\s-]+").split(said.lower()) if word not in ("hundred", "and", "oh")]
    if words[:2] == ["two", "thousand"]:
        return 2000 + sum(ENGLISH[word] for word in words[2:])
    return 100 * ENGLISH[words[0]] + sum(ENGLISH[word] for word in words[1:])


def which_of(match: re.Match[str]) -> int:
    """Return -1 for last, 0 for this, 1 for next."""
    word = (match["which"] or "").lower().split()[-1:]
    return {"this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}.get("".join(word), -1)


def shift_from(setting: Setting, number: int, unit: str) -> Reading:
    """Read a number of units away from the clock: exact by the day, and told coarsely by month and year."""
    unit = unit.lower().rstrip("s")
    if unit in ("month", "quarter", "qtr", "year", "yr"):
        day = shift_months(setting.today, number * {"m": 1, "q": 3, "y": 12}[unit[0]])
        return read_day(day, day.strftime("%Y" if unit[0] == "y" else "%Y-%m"))
    if unit in ("hour", "hr", "minute", "min"):
        return read_instant(setting.now + timedelta(minutes=number * (60 if unit[0] == "h" else 1)))
    days = {"day": 1, "night": 1, "week": 7, "wk": 7, "fortnight": 14}[unit]
    return read_day(setting.today + timedelta(days=number * days))


FRAGMENTS: Final = (
    (FEASTS, (
        "easter", "friday", "christmas", "mas", "day", "eve", "epiphany", "valentine", "patrick", "fool",
        "mayo", "teenth",
        "july", "halloween", "night", "birthday", "monday", "tuesday", "thanksgiving", "mardi", "wednesday",
        "sunday",
        "thursday", "saturday", "ascension", "pentecost", "corpus", "advent", "new year", "festival",
        "qingming",
    )),
    (WEEKDAY_FORMS, ("mon", "tue", "wed", "thu", "fri", "sat", "sun")),
    (MONTH, _MONTHS),
    (UNIT, ("day", "night", "week", "wk", "month", "quarter", "qtr", "year", "yr", "hour", "hr", "min")),
    (LAST_OR_NEXT, ("last", "past", "previous", "next", "coming", "this", "current")),
    (r"\sago\b", ("ago",)),
    (r"hence)", ("from", "hence")),
    (r"week-?end", ("weekend", "week-end")),
)  # fmt: skip
"""Pieces of the English patterns, and what is in every text that has them."""
