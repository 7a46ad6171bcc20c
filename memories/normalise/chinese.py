"""
Chinese words of time: the commonest forms, by a grammar of our own.

The recogniser fails without a word on many of them (圣诞节, 這禮拜, 大后天的 compounds) and takes longer;
what stands here is read here first. Traditional characters are read beside the simplified ones.
"""

import re
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.chinese_displaced import DISPLACED
from memories.normalise.chinese_lunar import LUNAR
from memories.normalise.chinese_periods import PERIODS
from memories.normalise.chinese_words import (
    COUNT,
    DAY,
    MONTH,
    NEAR_YEARS,
    NUMBER,
    RELATIVE_YEAR,
    WEEK,
    WEEKDAYS,
    WHICH,
    YEAR,
    which_of,
    year_of,
)
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
    tell_days,
)
from memories.normalise.numbers import read_chinese_number
from memories.normalise.numeric import NUMERIC

_NO_MONTHS: Final = ("两", "兩", "零")
_NEAR_DAYS: Final = {
    "尋": -1, "寻": -1, "琴": -1, "聽": 1, "听": 1, "大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1,
    "后": 2, "後": 2, "大后": 3, "大後": 3,
}  # fmt: skip


def _read_near_day(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(setting.today + timedelta(days=_NEAR_DAYS[match["near"]]))


def _read_near_night(match: re.Match[str], setting: Setting) -> Reading:
    day = setting.today + timedelta(days=_NEAR_DAYS[match["near"]])
    part = {"晚": "晚上", "夜": "夜里", "早": "早上", "晨": "早晨"}[match["part"]]
    return read_day(day, day.isoformat() + part)


def _read_weekday_of_week(match: re.Match[str], setting: Setting) -> Reading:
    day = monday_of(setting.today) + timedelta(days=WEEKDAYS[match["weekday"]], weeks=which_of(match))
    if match["weekday"] != "末":
        return read_day(day)
    return read_range(day, day + timedelta(days=2), f"{day.isoformat()}那个周末")


def _read_weekdays_of_week(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 下周一至周五."""
    first, last = WEEKDAYS[match["weekday"]], WEEKDAYS[match["last"]]
    if first >= last:
        return None
    monday = monday_of(setting.today) + timedelta(weeks=which_of(match))
    start, after = monday + timedelta(days=first), monday + timedelta(days=last + 1)
    return read_range(start, after, tell_days(start, after, "至"))


def _read_weekday(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_weekday(setting.today, WEEKDAYS[match["weekday"]], setting.tense))


def _read_week(match: re.Match[str], setting: Setting) -> Reading:
    first = monday_of(setting.today) + timedelta(weeks=which_of(match))
    return read_range(first, first + timedelta(weeks=1), f"{first.isoformat()}那一周")


def _read_month(match: re.Match[str], setting: Setting) -> Reading:
    first = shift_months(setting.today.replace(day=1), which_of(match))
    if not match["day"]:
        return read_month(first, first.strftime("%Y-%m"))
    return read_day(first.replace(day=read_chinese_number(match["day"])))


def _read_quarter(match: re.Match[str], setting: Setting) -> Reading:
    this = setting.today.replace(month=(setting.today.month - 1) // 3 * 3 + 1, day=1)
    first = shift_months(this, 3 * which_of(match))
    return read_range(first, shift_months(first, 3), f"{first.year}-Q{first.month // 3 + 1}")


def _read_near_year(match: re.Match[str], setting: Setting) -> Reading:
    """Read 去年, 去年三月, 去年三月五日."""
    year = setting.today.year + NEAR_YEARS[match["relative"]]
    if not match["month"]:
        return read_year(year, f"{year}年")
    month = read_chinese_number(match["month"])
    if not match["day"]:
        return read_month(date(year, month, 1), f"{year}-{month:02}")
    return read_day(date(year, month, read_chinese_number(match["day"])))


def _read_days(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 三月五日到八日, 5月3-6号."""
    month, first_day, last_day = (read_chinese_number(match[name]) for name in ("month", "day", "last"))
    if match["year"]:
        last = date(year_of(match["year"], setting), month, last_day)
    elif match["relative"]:
        last = date(setting.today.year + NEAR_YEARS[match["relative"]], month, last_day)
    else:
        last = nearest_year(month, last_day, setting)
    first, after = date(last.year, month, first_day), last + timedelta(days=1)
    return read_range(first, after, tell_days(first, after, "至")) if first < last else None


def _read_date(match: re.Match[str], setting: Setting) -> Reading:
    month, day = read_chinese_number(match["month"]), read_chinese_number(match["day"])
    if not match["year"]:
        return read_day(nearest_year(month, day, setting))
    return read_day(date(year_of(match["year"], setting), month, day))


def _read_month_of_year(match: re.Match[str], setting: Setting) -> Reading:
    return read_month(date(year_of(match["year"], setting), read_chinese_number(match["month"]), 1))


def _read_lone_month(match: re.Match[str], setting: Setting) -> Reading:
    first = nearest_month(read_chinese_number(match["month"]), setting)
    return read_month(first, first.strftime("%Y-%m"))


def _read_day_of_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_day_of_month(read_chinese_number(match["day"]), setting))


def _read_whole_year(match: re.Match[str], setting: Setting) -> Reading:
    return read_year(year_of(match["year"], setting))


def _shift(setting: Setting, number: float, unit: str) -> Reading:
    """Read a number of units away from the clock: exact by the day, and told coarsely by month and year."""
    if unit in ("月", "年"):
        day = shift_months(setting.today, int(number * (1 if unit == "月" else 12)))
        return read_day(day, day.strftime("%Y-%m") if unit == "月" or number % 1 else f"{day.year}年")
    if unit[0] == "秒":
        return read_instant(setting.now + timedelta(seconds=number))
    if unit in ("小时", "小時", "钟头", "分钟", "分鐘"):
        return read_instant(setting.now + timedelta(minutes=number * (1 if unit[0] == "分" else 60)))
    return read_day(setting.today + timedelta(days=number * (1 if unit in "天日" else 7)))


def _read_away(match: re.Match[str], setting: Setting) -> Reading | None:
    ahead = match["side"][-1] in "后後"
    if match["unit"] == "月" and not match["measure"] and match["number"] not in _NO_MONTHS:
        return None  # 三月以后 begins with March, 三个月以后 is counted
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
    unit = match["unit"].lstrip("个個")
    ahead = match["way"][0] in "未接今下后後"
    moved = _shift(setting, number if ahead else -number, unit)
    if moved.resolution == "instant":
        start, end = sorted((setting.now, moved.start))
        return Reading(
            start=start, end=end, resolution="range", absolute=f"{start:%Y-%m-%d %H:%M}至{end:%Y-%m-%d %H:%M}"
        )
    edge, today = moved.start.date(), setting.today
    first, after = (today + timedelta(days=1), edge + timedelta(days=1)) if ahead else (edge, today)
    return read_range(first, after, tell_days(first, after, "至"))


def _read_counted_rolling(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 前三天, 上两周, 下三个月; 前三年级 and 上一周 are other forms."""
    if match["number"] in ("一", "1") and match["way"] in ("上", "下"):
        return None
    return _read_rolling(match, setting)


def _read_feast(match: re.Match[str], setting: Setting) -> Reading | None:
    if match.string[max(0, match.start() - 2) : match.start()].endswith(("每年", "每逢", "每到", "历年")):
        return None
    name = match["feast"]
    rule = feasts.chinese_rule_of(name)
    if match["year"]:
        return read_day(rule(year_of(match["year"], setting)), match[0])
    if match["relative"]:
        day = rule(setting.today.year + NEAR_YEARS[match["relative"]])
    else:
        day = feasts.find_feast(rule, setting)
    return read_day(day, f"{day.year}年{name}")


_UNIT: Final = r"(?P<unit>天|日|周|週|星期|礼拜|禮拜|月|年|小时|小時|钟头|分钟|分鐘|秒钟?)"
_SIDE: Final = r"(?P<side>(?:以|之)?[前后後])"

GRAMMAR: Final[tuple[Rule, ...]] = (
    *rules(
        (
            r"(?<![A-Za-z0-9_.-])(?P<year>\d\d)(?P<sep>[-.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?![A-Za-z0-9_-]|[.]\d)",
            _read_date,
        ),
    ),
    *NUMERIC,
    *LUNAR,
    *DISPLACED,
    *PERIODS,
    *rules(
        (rf"(?:{RELATIVE_YEAR}(?:的)?|{YEAR}(?:的)?)?(?P<feast>{'|'.join(feasts.CHINESE)})", _read_feast),
        (
            rf"(?:{YEAR}\s?|{RELATIVE_YEAR}的?)?{MONTH}\s?(?P<day>{COUNT})\s?[日号號]?\s?(?:[-~—–到至]"
            rf"|直到)\s?(?P<last>{COUNT})\s?[日号號]",
            _read_days,
        ),
        (rf"(?<![先]){RELATIVE_YEAR}(?:的?{MONTH}(?:\s?{DAY})?)?", _read_near_year),
        (rf"(?:{YEAR}\s?)?{MONTH}\s?{DAY}", _read_date),
        (rf"{YEAR}\s?{MONTH}", _read_month_of_year),
        (
            r"(?<![每先])(?<!先天)(?P<near>大前|前|昨|今|明|大后|大後|后|後|(?:[尋寻琴聽听](?=日)))[天日]"
            r"(?![生线線])",
            _read_near_day,
        ),
        (r"(?P<near>昨|今|明|前)(?P<part>[晚夜晨早])上?", _read_near_night),
        (
            rf"{WHICH}(?:个|個)?{WEEK}(?P<weekday>[一二三四五六日天])\s?[至到~-]\s?{WEEK}?"
            r"(?P<last>[一二三四五六日天])(?!常)",
            _read_weekdays_of_week,
        ),
        (rf"{WHICH}(?:个|個)?{WEEK}(?P<weekday>[一二三四五六日天末])(?!常)", _read_weekday_of_week),
        (rf"(?<!马){WHICH}(?:一)?(?:个|個)?{WEEK}(?![一二三四五六日天末岁歲年])", _read_week),
        (
            rf"(?<![每逢圣聖])(?<![一二三四五六日天][至到]){WEEK}(?P<weekday>[一二三四五六日天])(?![常期至到一二三四五六]|[、和及]周)",
            _read_weekday,
        ),
        (rf"{WHICH}(?:一)?(?:个|個)?月份?(?!球|亮)(?:的?{DAY})?", _read_month),
        (rf"{WHICH}(?:一)?(?:个|個)?季度", _read_quarter),
        (rf"(?<![\d第]){NUMBER}\s?(?:多)?(?P<measure>个|個)?{_UNIT}{_SIDE}(?![期端台])", _read_away),
        (rf"半(?:个|個)?(?P<unit>月|年|小时|小時|钟头){_SIDE}(?![期端台])", _read_half_away),
        (
            rf"(?P<way>最近|过去|過去|近|未来|未來|接下来的?|今后)的?{NUMBER}\s?(?:个|個)?{_UNIT}",
            _read_rolling,
        ),
        (
            rf"(?<![之以的年月日天周以最])(?P<way>[上下前后後])(?:面)?的?{NUMBER}\s?(?P<unit>(?:个|個)(?:月"
            r"|星期|礼拜|禮拜|小时|小時|季度)|天|日(?!本)|周|週|星期|年(?!级)|小时|小時|分钟|分鐘|秒)"
            r"(?![级級期以])",
            _read_counted_rolling,
        ),
        (rf"{YEAR}(?![级度代])", _read_whole_year),
        (
            rf"(?<![\d.个個年一二三四五六七八九十])(?<!年的){MONTH}(?!\s?[\d一二三四五六七八九十])",
            _read_lone_month,
        ),
        (
            r"(?:^|(?<=[\s，。,、；：:“(（在于到从自至等]))(?P<day>\d{1,2}"
            r"|[一二三]?十[一二三四五六七八九]?)[号號日](?![楼线線机門门位])",
            _read_day_of_month,
        ),
    ),
)
"""Chinese forms, the more telling first."""
