"""Chinese days told from another day: 春节后一周, 国庆节前一天, 三年前的五月, 前年的今天."""

import re
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.chinese_words import MONTH, NEAR_YEARS, NUMBER, RELATIVE_YEAR, YEAR, year_of
from memories.normalise.grammar import Rule, rules
from memories.normalise.mention import Reading, Setting, read_day, read_month, shift_months
from memories.normalise.numbers import read_chinese_number

_FEAST: Final = "|".join(feasts.CHINESE)
_UNITS: Final = {"天": 1, "日": 1, "周": 7, "週": 7, "星期": 7, "礼拜": 7, "禮拜": 7}


def _read_feast_shifted(match: re.Match[str], setting: Setting) -> Reading:
    """Read 春节后一周 as the day a week after the feast."""
    rule = feasts.chinese_rule_of(match["feast"])
    if match["year"]:
        day = rule(year_of(match["year"], setting))
    elif match["relative"]:
        day = rule(setting.today.year + NEAR_YEARS[match["relative"]])
    else:
        day = feasts.find_feast(rule, setting)
    step = read_chinese_number(match["number"]) * (1 if match["side"] in "后後" else -1)
    if match["unit"] == "月":
        return read_day(shift_months(day, step))
    return read_day(day + timedelta(days=step * _UNITS[match["unit"]]))


def _read_years_away(match: re.Match[str], setting: Setting) -> Reading:
    """Read 三年前的五月, 两年后的春节, 五年前的今天 in the year that is so far away."""
    step = read_chinese_number(match["number"]) * (1 if match["side"] in "后後" else -1)
    return _in_year(match, setting.today.year + step, setting)


def _read_near_year(match: re.Match[str], setting: Setting) -> Reading:
    return _in_year(match, setting.today.year + NEAR_YEARS[match["relative"]], setting)


def _in_year(match: re.Match[str], year: int, setting: Setting) -> Reading:
    named = match.groupdict()
    if named.get("feast"):
        return read_day(feasts.chinese_rule_of(match["feast"])(year), f"{year}年{match['feast']}")
    if named.get("month"):
        return read_month(date(year, read_chinese_number(match["month"]), 1), f"{year}年{match['month']}月")
    return read_day(shift_months(setting.today, 12 * (year - setting.today.year)))


_TODAY: Final = r"(?:今天|今日|同一天|这一?天|這一?天)"

DISPLACED: Final[tuple[Rule, ...]] = rules(
    (
        rf"(?:(?:{RELATIVE_YEAR}|{YEAR})的?)?(?P<feast>{_FEAST})的?[之以]?(?P<side>[前后後]){NUMBER}(?:个|個)?"
        r"(?P<unit>天|日|周|週|星期|礼拜|禮拜|月)",
        _read_feast_shifted,
    ),
    (
        rf"(?<![\d第]){NUMBER}年[之以]?(?P<side>[前后後])的?(?:(?P<feast>{_FEAST})|{MONTH}(?!\s?\d)|{_TODAY})",
        _read_years_away,
    ),
    (rf"{RELATIVE_YEAR}的?{_TODAY}", _read_near_year),
)
"""Forms that name a day or a month and tell how far it is away."""
