"""Days of the Chinese calendar told by month and day: 农历八月十五, 正月初六, 2020年腊月二十三."""

import re
from datetime import date
from typing import Final

from memories.normalise.chinese_words import NEAR_YEARS, RELATIVE_YEAR, YEAR, year_of
from memories.normalise.grammar import Rule, rules
from memories.normalise.lunar import lunar_day
from memories.normalise.mention import Reading, Setting, read_day
from memories.normalise.numbers import read_chinese_number

_CALENDAR: Final = r"(?:农历|農曆|阴历|陰曆|陰历|旧历|舊曆)"
_NAMED_MONTHS: Final = {"正": 1, "冬": 11, "腊": 12, "臘": 12}
_NAMED: Final = r"[正冬腊臘]"
_NUMBERED: Final = r"十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9]"
_FIRST_TEN: Final = r"初[一二三四五六七八九十]"
_LATER: Final = r"廿[一二三四五六七八九]?|[二三]?十[一二三四五六七八九]?|[12]\d|30"


def _read_lunar(match: re.Match[str], setting: Setting) -> Reading:
    """Read such a day in the lunar year that is told, else the last or the next one, as the tense says."""
    said = match["month"]
    month = _NAMED_MONTHS[said] if said in _NAMED_MONTHS else read_chinese_number(said)
    day = read_chinese_number(match["day"].removeprefix("初").replace("廿", "二十"))
    year = setting.today.year
    if match["year"] or match["relative"]:
        year = year_of(match["year"], setting) if match["year"] else year + NEAR_YEARS[match["relative"]]
        return read_day(lunar_day(year, month, day))
    days = [found for step in (-2, -1, 0, 1) if (found := _day_of(year + step, month, day))]
    if setting.tense == "past":
        return read_day(max(found for found in days if found <= setting.today))
    return read_day(min(found for found in days if found >= setting.today))


def _day_of(year: int, month: int, day: int) -> date | None:
    """Return the day of a lunar year; None if its month is a day too short."""
    try:
        return lunar_day(year, month, day)
    except ValueError:
        return None


_WHOSE: Final = rf"(?:(?:{YEAR}|{RELATIVE_YEAR})的?)?"

LUNAR: Final[tuple[Rule, ...]] = rules(
    (
        rf"{_WHOSE}{_CALENDAR}(?P<month>{_NAMED}|{_NUMBERED})月(?P<day>{_FIRST_TEN}|{_LATER})[日号]?",
        _read_lunar,
    ),
    (
        rf"{_WHOSE}(?<!\d)(?P<month>{_NAMED})月(?P<day>{_FIRST_TEN}|{_LATER})[日号]?",
        _read_lunar,
    ),
    (
        rf"{_WHOSE}(?<![\d一二三四五六七八九十])(?P<month>{_NUMBERED})月(?P<day>{_FIRST_TEN})",
        _read_lunar,
    ),
)
"""A day is of the moon when its calendar is named, its month is (正月, 腊月), or it is one of the 初 days."""
