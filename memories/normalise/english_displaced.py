"""
English days told from another day: «two weeks after Easter», «the third Tuesday after 5 May»,
«Thanksgiving in a year», «in two months, on a Tuesday».
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.english_words import (
    FEASTS,
    FRAGMENTS,
    MONTH,
    NAMED_DAY,
    NUMBER,
    UNIT,
    WEEKDAY,
    WEEKDAY_FORMS,
    month_of,
    read_ordinal,
    shift_from,
    weekday_of,
)
from memories.normalise.grammar import Placed, Rule, rules
from memories.normalise.mention import Reading, Setting, nearest_weekday, read_day, read_month
from memories.normalise.numbers import read_english_number
from security.patterns import bounded

_AWAY: Final = (
    rf"(?:(?P<ahead>in)\s{NUMBER}\s{UNIT}|"
    + rf"{NUMBER}\s{UNIT}\s(?P<side>ago|hence|from\s(?:now|today))\b)".replace("<number>", "<count>").replace(
        "<unit>", "<of>"
    )
)
_YEARS_AWAY: Final = _AWAY.replace(UNIT, r"(?P<unit>years?|yrs?)\b").replace(
    UNIT.replace("<unit>", "<of>"), r"(?P<of>years?|yrs?)\b"
)
_AMBIGUOUS: Final = ("may", "march", "mar")
_OFFSET: Final = bounded(
    rf"\b(?:(?:{NUMBER}\s(?P<unit>days?|weeks?|months?|years?)|the\s(?P<one>day|morning|evening|night))\s"
    r"(?P<side>before|after|from|following)|(?:the\s)?"
    rf"(?:(?P<nth>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)\s)?(?P<weekday>{WEEKDAY_FORMS})\s"
    r"(?P<weekday_side>before|after|following))\s(?:the\s)?$",
    re.IGNORECASE,
)
_OFFSET_REACH: Final = 40
_NEAR: Final = ("today", "yesterday", "tomorrow")
_FOR: Final = bounded(r"\bfor\s(?:the\s)?$", re.IGNORECASE)


def shift_days(text: str, placed: Sequence[Placed], setting: Setting) -> list[Placed]:
    """Move each day that something is counted from, as in «two weeks after Easter»."""
    shifted: list[Placed] = []
    for item in placed:
        moved = _shift_day(text, item, setting)
        if moved is not None:
            shifted = [former for former in shifted if former[0][1] <= moved[0][0]]
        shifted.append(moved or item)
    return shifted


def _shift_day(text: str, item: Placed, setting: Setting) -> Placed | None:
    (start, end), reading = item
    before = text[max(0, start - _OFFSET_REACH) : start]
    offset = _OFFSET.search(before)
    if offset is None or reading.resolution != "day":
        return None
    if offset["weekday"] and text[start:end].lower() in _NEAR:
        return None  # «on Monday after yesterday's talk»
    begin = start - len(before) + offset.start()
    if _FOR.search(text[max(0, begin - _OFFSET_REACH) : begin]):
        return None  # «for two weeks from Monday» is a stretch, read elsewhere
    return (begin, end), read_day(_moved(reading.start.date(), offset, replace(setting, now=reading.start)))


def _moved(day: date, offset: re.Match[str], there: Setting) -> date:
    side = offset["side"] or offset["weekday_side"]
    step = -1 if side.lower() == "before" else 1
    if offset["weekday"]:
        first = nearest_weekday(day, weekday_of(offset), "past" if step < 0 else "future")
        return first + timedelta(weeks=step * ((read_ordinal(offset["nth"]) if offset["nth"] else 1) - 1))
    if offset["one"]:
        return day + timedelta(days=step)
    return shift_from(there, step * read_english_number(offset["number"]), offset["unit"]).start.date()


def _away(match: re.Match[str], setting: Setting) -> tuple[date, str]:
    """Return the day that is so far away, and the first letter of the unit it is counted in."""
    number, unit = match["number"] or match["count"], (match["unit"] or match["of"]).lower()
    step = -1 if (match["side"] or "").lower() == "ago" else 1
    return shift_from(setting, step * read_english_number(number), unit).start.date(), unit[0]


def _nearest_feast(name: str, day: date) -> date:
    rule = feasts.rule_of(name)
    return min((rule(day.year + step) for step in (-1, 0, 1)), key=lambda other: abs(other - day))


def _read_feast_away(match: re.Match[str], setting: Setting) -> Reading:
    """Read «Christmas three years ago» as that of the year, «two months ago» as the one nearest by."""
    day, unit = _away(match, setting)
    name = match["feast"]
    feast = feasts.rule_of(name)(day.year) if unit == "y" else _nearest_feast(name, day)
    return read_day(feast, f"{name} {feast.year}")


def _read_nearest_feast(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(_nearest_feast(match["feast"], setting.today))


def _read_month_away(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «March two years ago»; «we may in two years» names no month."""
    name, (day, _) = match["month"], _away(match, setting)
    if name.lower() in _AMBIGUOUS and not name[0].isupper():
        return None
    return read_month(date(day.year, month_of(match), 1), f"{name} {day.year}")


def _read_weekday_away(match: re.Match[str], setting: Setting) -> Reading | None:
    """
    Read «in two weeks on Friday»: counted in days or weeks, the Friday nearest to then.

    What is counted in months or years is meant roughly: the first Friday from then on.
    """
    day, unit = _away(match, setting)
    if NAMED_DAY.search(match.string[max(0, match.start("weekday") - 16) : match.start("weekday")]):
        return None
    behind = (weekday_of(match) - day.weekday()) % 7
    return read_day(day + timedelta(days=behind - 7 if behind > 3 and unit in "dwf" else behind))


DISPLACED: Final[tuple[Rule, ...]] = rules(
    (rf"\b(?P<feast>{FEASTS}),?\s{_AWAY}", _read_feast_away),
    (rf"\b(?:the\s)?(?:closest|nearest)\s(?P<feast>{FEASTS})(?:\s(?:to|from)\s(?:today|now))?\b",
     _read_nearest_feast),
    (rf"\b{MONTH},?\s{_YEARS_AWAY}", _read_month_away),
    (rf"\b{_AWAY},?\s(?:on\s)?(?:a\s)?{WEEKDAY}", _read_weekday_away),
    (rf"\b{WEEKDAY}\s{_AWAY}", _read_weekday_away),
    fragments=(
        ("in)", ("in ", "ago", "hence", "from")),
        ("closest", ("closest", "nearest")),
        *FRAGMENTS,
    ),
)  # fmt: skip
"""Forms that name a day and tell how far it is away."""
