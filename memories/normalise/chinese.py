"""
Chinese words of time: the commonest forms, by a grammar of our own.

The recogniser fails without a word on many of them (圣诞节, 這禮拜, 大后天的 compounds) and takes longer;
what stands here is read here first. Traditional characters are read beside the simplified ones.
"""

import re
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.grammar import Rule, rules
from memories.normalise.mention import (
    Reading,
    Setting,
    monday_of,
    nearest_day_of_month,
    nearest_month,
    nearest_weekday,
    nearest_year,
    read_day,
    read_instant,
    read_month,
    read_range,
    read_year,
    shift_months,
)
from memories.normalise.numbers import read_chinese_number
from memories.normalise.numeric import NUMERIC

_NUMBER: Final = r"(?P<number>\d{1,3}|[一二两兩三四五六七八九十百]{1,5})"
_COUNT: Final = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_WEEK: Final = r"(?:周|週|星期|礼拜|禮拜)"
_WHICH: Final = r"(?P<which>上上|下下|上|下|这|這|本|今)"
_YEAR: Final = r"(?<!\d)(?P<year>[12]\d{3}|[一二][零〇一二三四五六七八九]{3})\s?年"
_MONTH: Final = rf"(?P<month>{_COUNT})\s?月份?"
_DAY: Final = rf"(?P<day>{_COUNT})\s?[日号號]"
_RELATIVE_YEAR: Final = r"(?P<relative>大前年|前年|去年|今年|明年|后年|後年)"

_STEPS: Final = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "下下": 2}
_NEAR_DAYS: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "後": 2, "大后": 3, "大後": 3,
}  # fmt: skip
_NEAR_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2}
_WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}


def _which(match: re.Match[str]) -> int:
    return _STEPS[match["which"]]


def _read_near_day(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(setting.today + timedelta(days=_NEAR_DAYS[match["near"]]))


def _read_near_night(match: re.Match[str], setting: Setting) -> Reading:
    day = setting.today + timedelta(days=_NEAR_DAYS[match["near"]])
    part = {"晚": "晚上", "夜": "夜里", "早": "早上", "晨": "早晨"}[match["part"]]
    return read_day(day, day.isoformat() + part)


def _read_weekday_of_week(match: re.Match[str], setting: Setting) -> Reading:
    day = monday_of(setting.today) + timedelta(days=_WEEKDAYS[match["weekday"]], weeks=_which(match))
    if match["weekday"] != "末":
        return read_day(day)
    return read_range(day, day + timedelta(days=2), f"{day.isoformat()}那个周末")


def _read_weekday(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_weekday(setting.today, _WEEKDAYS[match["weekday"]], setting.tense))


def _read_week(match: re.Match[str], setting: Setting) -> Reading:
    first = monday_of(setting.today) + timedelta(weeks=_which(match))
    return read_range(first, first + timedelta(weeks=1), f"{first.isoformat()}那一周")


def _read_month(match: re.Match[str], setting: Setting) -> Reading:
    first = shift_months(setting.today.replace(day=1), _which(match))
    if not match["day"]:
        return read_month(first, first.strftime("%Y-%m"))
    return read_day(first.replace(day=read_chinese_number(match["day"])))


def _read_quarter(match: re.Match[str], setting: Setting) -> Reading:
    this = setting.today.replace(month=(setting.today.month - 1) // 3 * 3 + 1, day=1)
    first = shift_months(this, 3 * _which(match))
    return read_range(first, shift_months(first, 3), f"{first.year}-Q{first.month // 3 + 1}")


def _read_near_year(match: re.Match[str], setting: Setting) -> Reading:
    """Read 去年, 去年三月, 去年三月五日."""
    year = setting.today.year + _NEAR_YEARS[match["relative"]]
    if not match["month"]:
        return read_year(year, f"{year}年")
    month = read_chinese_number(match["month"])
    if not match["day"]:
        return read_month(date(year, month, 1), f"{year}-{month:02}")
    return read_day(date(year, month, read_chinese_number(match["day"])))


def _read_half_year(match: re.Match[str], setting: Setting) -> Reading:
    relative = match["relative"]
    year = setting.today.year + (_NEAR_YEARS[relative] if relative else 0)
    first = date(year, 1 if match["half"] == "上" else 7, 1)
    return read_range(first, shift_months(first, 6), f"{year}年{match['half']}半年")


def _read_date(match: re.Match[str], setting: Setting) -> Reading:
    month, day = read_chinese_number(match["month"]), read_chinese_number(match["day"])
    if not match["year"]:
        return read_day(nearest_year(month, day, setting))
    return read_day(date(read_chinese_number(match["year"]), month, day))


def _read_month_of_year(match: re.Match[str], _setting: Setting) -> Reading:
    return read_month(date(read_chinese_number(match["year"]), read_chinese_number(match["month"]), 1))


def _read_lone_month(match: re.Match[str], setting: Setting) -> Reading:
    first = nearest_month(read_chinese_number(match["month"]), setting)
    return read_month(first, first.strftime("%Y-%m"))


def _read_day_of_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_day_of_month(read_chinese_number(match["day"]), setting))


def _read_whole_year(match: re.Match[str], _setting: Setting) -> Reading:
    return read_year(read_chinese_number(match["year"]))


def _shift(setting: Setting, number: float, unit: str) -> Reading:
    """Read a number of units away from the clock: exact by the day, and told coarsely by month and year."""
    if unit in ("月", "年"):
        day = shift_months(setting.today, int(number * (1 if unit == "月" else 12)))
        return read_day(day, day.strftime("%Y-%m") if unit == "月" or number % 1 else f"{day.year}年")
    if unit in ("小时", "小時", "钟头", "分钟", "分鐘"):
        return read_instant(setting.now + timedelta(minutes=number * (1 if unit[0] == "分" else 60)))
    return read_day(setting.today + timedelta(days=number * (1 if unit in "天日" else 7)))


def _read_away(match: re.Match[str], setting: Setting) -> Reading | None:
    ahead = match["side"][-1] in "后後"
    if ahead and setting.tense == "past":
        return None  # 三天后他走了: counted from another day
    number = read_chinese_number(match["number"])
    return _shift(setting, number if ahead else -number, match["unit"])


def _read_half_away(match: re.Match[str], setting: Setting) -> Reading | None:
    ahead = match["side"][-1] in "后後"
    if ahead and setting.tense == "past":
        return None
    if match["unit"] == "月":
        return _shift(setting, 15 if ahead else -15, "天")
    return _shift(setting, 0.5 if ahead else -0.5, match["unit"])


def _read_rolling(match: re.Match[str], setting: Setting) -> Reading:
    """Read 最近三天 as the days up to today, 未来三天 as those after it."""
    number = read_chinese_number(match["number"])
    ahead = match["way"][0] in "未接今"
    edge = _shift(setting, number if ahead else -number, match["unit"]).start.date()
    if not ahead:
        return read_range(edge, setting.today)
    return read_range(setting.today + timedelta(days=1), edge + timedelta(days=1))


def _read_feast(match: re.Match[str], setting: Setting) -> Reading:
    name = match["feast"]
    rule = next(rule for pattern, rule in feasts.CHINESE.items() if re.fullmatch(pattern, name))
    if match["year"]:
        return read_day(rule(read_chinese_number(match["year"])), match[0])
    if match["relative"]:
        day = rule(setting.today.year + _NEAR_YEARS[match["relative"]])
    else:
        day = feasts.find_feast(rule, setting)
    return read_day(day, f"{day.year}年{name}")


_UNIT: Final = r"(?P<unit>天|日|周|週|星期|礼拜|禮拜|月|年|小时|小時|钟头|分钟|分鐘)"
_SIDE: Final = r"(?P<side>(?:以|之)?[前后後])"

GRAMMAR: Final[tuple[Rule, ...]] = (
    *NUMERIC,
    *rules(
        (rf"(?:{_RELATIVE_YEAR}(?:的)?|{_YEAR}(?:的)?)?(?P<feast>{'|'.join(feasts.CHINESE)})", _read_feast),
        (rf"(?:{_RELATIVE_YEAR}的?)?(?P<half>[上下])半年", _read_half_year),
        (rf"(?<![先]){_RELATIVE_YEAR}(?:的?{_MONTH}(?:\s?{_DAY})?)?", _read_near_year),
        (rf"(?:{_YEAR}\s?)?{_MONTH}\s?{_DAY}", _read_date),
        (rf"{_YEAR}\s?{_MONTH}", _read_month_of_year),
        (r"(?<![每先])(?<!先天)(?P<near>大前|前|昨|今|明|大后|大後|后|後)[天日](?![生线線])", _read_near_day),
        (r"(?P<near>昨|今|明|前)(?P<part>[晚夜晨早])上?", _read_near_night),
        (rf"{_WHICH}(?:个|個)?{_WEEK}(?P<weekday>[一二三四五六日天末])(?!常)", _read_weekday_of_week),
        (rf"(?<!马){_WHICH}(?:一)?(?:个|個)?{_WEEK}(?![一二三四五六日天末岁歲年])", _read_week),
        (
            rf"(?<![每逢]){_WEEK}(?P<weekday>[一二三四五六日天])(?![常期至到一二三四五六]|[、和及]周)",
            _read_weekday,
        ),
        (rf"{_WHICH}(?:一)?(?:个|個)?月份?(?!球|亮)(?:的?{_DAY})?", _read_month),
        (rf"{_WHICH}(?:一)?(?:个|個)?季度", _read_quarter),
        (rf"(?<![\d第]){_NUMBER}\s?(?:多)?(?:个|個)?{_UNIT}{_SIDE}(?![期端台])", _read_away),
        (rf"半(?:个|個)?(?P<unit>月|年|小时|小時|钟头){_SIDE}(?![期端台])", _read_half_away),
        (
            rf"(?P<way>最近|过去|過去|近|未来|未來|接下来的?|今后)的?{_NUMBER}\s?(?:个|個)?{_UNIT}",
            _read_rolling,
        ),
        (rf"{_YEAR}(?![级度代])", _read_whole_year),
        (rf"(?<![\d.个個年])(?<!年的){_MONTH}(?!\s?[\d一二三四五六七八九十])", _read_lone_month),
        (
            r"(?:^|(?<=[\s，。,、；：:“(（在于到从自至等]))(?P<day>\d{1,2}|[一二三]?十[一二三四五六七八九]?)[号號日](?![楼线線机門门位])",
            _read_day_of_month,
        ),
    ),
)
"""Chinese forms, the more telling first."""
