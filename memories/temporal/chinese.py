"""
Chinese words of time: the commonest forms, by a grammar of our own, the more telling first.

The recogniser fails without a word on many of them (圣诞节, 這禮拜, 大后天的 compounds) and takes longer;
what stands here is read here first. Traditional characters are read beside the simplified ones.
"""

import re
from datetime import date, timedelta
from typing import Final

from memories.quantities import read_chinese_number as number_of
from memories.temporal.calendar import (
    feasts,
    in_full_year,
    lunar_day,
    monday_of,
    nearest_day_of_month,
    nearest_month,
    nearest_weekday,
    nearest_year,
    nth_week,
    nth_weekday,
    read_day,
    read_month,
    read_rolling,
    read_span,
    read_unit,
    read_year,
    shift,
    shift_months,
    unit_of,
)
from memories.temporal.grammar import Rule, rules
from memories.temporal.mention import Reading, Setting
from memories.temporal.numeric import NUMERIC

Match = re.Match[str]

_NUMBER: Final = r"(?P<number>\d{1,3}|[一二两兩三四五六七八九十百]{1,5})"
_COUNT: Final = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_WEEK: Final = r"(?:周|週|星期|礼拜|禮拜)"
_WHICH: Final = r"(?P<which>上上|下下|上|下|这|這|本|今)"
_YEAR: Final = (
    r"(?<!\d)(?P<year>[12]\d{3}|[一二][零〇一二三四五六七八九]{3}|[012789]\d(?=\s?年(?!前|后|後|来|來|内|間"
    r"|间|以|多))|[零〇九八七][零〇一二三四五六七八九])\s?年"
)
_MONTH: Final = rf"(?P<month>{_COUNT})\s?月份?"
_DAY: Final = rf"(?P<day>{_COUNT})\s?[日号號]"
_RELATIVE: Final = r"(?P<relative>大前年|前年|去年|今年|明年|后年|後年)"
_UNIT: Final = r"(?P<unit>天|日|周|週|星期|礼拜|禮拜|月|年|小时|小時|钟头|分钟|分鐘|秒钟?)"
_SIDE: Final = r"(?P<side>(?:以|之)?[前后後])"
_FEAST: Final = rf"(?P<feast>{feasts.CHINESE})"
_YEAR_SAID: Final = rf"(?:{_YEAR}\s?|{_RELATIVE}的?)?"
_ITS_YEAR: Final = _YEAR.replace("<year>", "<y>") + "|" + _RELATIVE.replace("<relative>", "<r>")
_BOTH_YEARS: Final = r"[12]\d{3}|[一二][零〇一二三四五六七八九]{3}"

_STEPS: Final = {"上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "下下": 2}
_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2}
_DAYS: Final = {
    "尋": -1, "寻": -1, "琴": -1, "聽": 1, "听": 1, "大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1,
    "后": 2, "後": 2, "大后": 3, "大後": 3,
}  # fmt: skip
_WEEKDAYS: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}
_SEASONS: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
"""First month of each season: meteorological, of the northern half."""
_UNITS: Final = {
    "天": "day", "日": "day", "周": "week", "週": "week", "星": "week", "礼": "week", "禮": "week",
    "月": "month",
    "年": "year", "小": "hour", "钟": "hour", "分": "minute", "秒": "second", "季": "quarter",
}  # fmt: skip


def _year_of(said: str, setting: Setting) -> int:
    """Return a year of four figures or two: 08年 and 零八年 are 2008."""
    number = number_of(said)
    return number if number > 99 else in_full_year(f"{number:02}", setting.today)


def _year(match: Match, setting: Setting) -> int | None:
    """Return the year a match tells, by figures or as 去年; None if it tells none."""
    told = match.groupdict()
    if said := told.get("year") or told.get("y"):
        return _year_of(said, setting)
    near = told.get("relative") or told.get("r")
    return setting.today.year + _YEARS[near] if near else None


def _month_of(match: Match, setting: Setting) -> date:
    """Return the first day of the month a match names, by name or as this, last or next."""
    told = match.groupdict()
    if not told.get("month"):
        return unit_of(setting.today, "month", _STEPS[told.get("which") or "本"])[0]
    month, year = number_of(match["month"]), _year(match, setting)
    return date(year, month, 1) if year else nearest_month(month, setting)


def _side(match: Match) -> int:
    return 1 if match["side"][-1] in "后後" else -1


# --- days ---


def _read_date(match: Match, setting: Setting) -> Reading:
    month, day, year = number_of(match["month"]), number_of(match["day"]), _year(match, setting)
    return read_day(date(year, month, day) if year else nearest_year(month, day, setting))


def _read_near_year(match: Match, setting: Setting) -> Reading | None:
    """Read 去年, 去年三月, 去年三月五日."""
    year = setting.today.year + _YEARS[match["relative"]]
    if not match["month"]:
        return read_year(year)
    return _read_date(match, setting) if match["day"] else read_month(year, number_of(match["month"]))


def _read_near_day(match: Match, setting: Setting) -> Reading:
    return read_day(setting.today + timedelta(days=_DAYS[match["near"]]))


def _read_days(match: Match, setting: Setting) -> Reading | None:
    """Read 三月五日到八日, 5月3-6号."""
    month, day, year = number_of(match["month"]), number_of(match["last"]), _year(match, setting)
    last = date(year, month, day) if year else nearest_year(month, day, setting)
    first = date(last.year, month, number_of(match["day"]))
    return read_span(first, last + timedelta(days=1)) if first < last else None


def _read_weekday_of_week(match: Match, setting: Setting) -> Reading | None:
    """Read 下周三, 上周末, 下周一至周五."""
    monday = monday_of(setting.today) + timedelta(weeks=_STEPS[match["which"]])
    told, first = match.groupdict(), _WEEKDAYS[match["weekday"]]
    last = _WEEKDAYS[told["last"]] if told.get("last") else first + (match["weekday"] == "末")
    if told.get("last") and first >= last:
        return None
    day = monday + timedelta(days=first)
    return read_day(day) if first == last else read_span(day, monday + timedelta(days=last + 1))


def _read_lunar(match: Match, setting: Setting) -> Reading:
    """Read a day of the moon in the lunar year told, else the last or the next one, as the tense says."""
    said = match["month"]
    month = {"正": 1, "冬": 11, "腊": 12, "臘": 12}.get(said) or number_of(said)
    day = number_of(match["day"].removeprefix("初").replace("廿", "二十"))
    if year := _year(match, setting):
        return read_day(lunar_day(year, month, day))
    days = [found for step in (-2, -1, 0, 1) if (found := _lunar(setting.today.year + step, month, day))]
    if setting.tense == "past":
        return read_day(max(found for found in days if found <= setting.today))
    return read_day(min(found for found in days if found >= setting.today))


def _lunar(year: int, month: int, day: int) -> date | None:
    """Return the day of a lunar year; None if its month is a day too short."""
    try:
        return lunar_day(year, month, day)
    except ValueError:
        return None


# --- feasts, and what is counted from another day or from the clock ---


def _feast(match: Match, setting: Setting) -> date:
    year = _year(match, setting)
    return feasts.day_of(match["feast"], year) if year else feasts.find_feast(match["feast"], setting)


def _read_feast(match: Match, setting: Setting) -> Reading | None:
    if match.string[max(0, match.start() - 2) : match.start()].endswith(("每年", "每逢", "每到", "历年")):
        return None
    return read_day(_feast(match, setting))


def _read_feast_shifted(match: Match, setting: Setting) -> Reading:
    """Read 春节后一周 as the day a week after the feast."""
    day, step = _feast(match, setting), number_of(match["number"]) * _side(match)
    unit = _UNITS[match["unit"][0]]
    return read_day(
        shift_months(day, step)
        if unit == "month"
        else day + timedelta(days=step * (7 if unit == "week" else 1))
    )


def _read_in_year(match: Match, setting: Setting) -> Reading | None:
    """Read 三年前的五月, 两年后的春节, 五年前的今天, 前年的今天 in the year that is so far away."""
    told = match.groupdict()
    away = number_of(match["number"]) * _side(match) if told.get("number") else _YEARS[match["relative"]]
    year = setting.today.year + away
    if told.get("feast"):
        return read_day(feasts.day_of(match["feast"], year))
    if told.get("month"):
        return read_month(year, number_of(match["month"]))
    return read_day(shift_months(setting.today, 12 * away))


def _read_away(match: Match, setting: Setting) -> Reading | None:
    if match["unit"] == "月" and not match["measure"] and match["number"] not in ("两", "兩", "零"):
        return None  # 三月以后 begins with March, 三个月以后 is counted
    if _side(match) > 0 and setting.tense == "past":
        return None  # 三天后他走了: counted from another day
    return shift(setting, number_of(match["number"]) * _side(match), _UNITS[match["unit"][0]])


def _read_half_away(match: Match, setting: Setting) -> Reading | None:
    if _side(match) > 0 and setting.tense == "past":
        return None
    unit = _UNITS[match["unit"][0]]
    if unit == "month":
        return shift(setting, 15 * _side(match), "day")
    return shift(setting, 0.5 * _side(match), unit)


def _read_rolling(match: Match, setting: Setting) -> Reading | None:
    """Read 最近三天, 前三天, 上两周 as the days up to today, 未来三天, 下三个月 as those after it."""
    if match["number"] in ("一", "1") and match["way"] in ("上", "下"):
        return None
    number, unit = number_of(match["number"]), _UNITS[match["unit"].lstrip("个個")[0]]
    ahead = match["way"][0] in "未接今下后後"
    return read_rolling(setting, number if ahead else -number, unit)


# --- periods, and places inside them ---


def _read_edge(match: Match, setting: Setting) -> Reading | None:
    """Read 今年前三个月, 2018年的最后三天, 上月最后一天, 今年的最后三周; weeks are whole ones."""
    is_month = match["month"] or match["which"]
    day = _month_of(match, setting) if is_month else date(_year(match, setting) or 0, 1, 1)
    first, after = unit_of(day, "month" if is_month else "year")
    number, unit = number_of(match["number"]), _UNITS[match["unit"].lstrip("个個")[0]]
    at_end, days = match["edge"][0] not in "前头頭", timedelta(days=number * (7 if unit == "week" else 1))
    if unit == "week":
        first, after = monday_of(first + timedelta(days=3)), monday_of(after + timedelta(days=3))
    if unit == "month":
        start, end = (shift_months(after, -number), after) if at_end else (first, shift_months(first, number))
    else:
        start, end = (after - days, after) if at_end else (first, first + days)
    if unit != "week" and not first <= start < end <= after:
        return None
    return read_day(start) if unit == "day" and number == 1 else read_span(start, end)


def _read_month_part(match: Match, setting: Setting) -> Reading | None:
    """Read 上个月底, 三月中旬, 2026年5月初, 月底: the thirds of a month."""
    first, after = unit_of(_month_of(match, setting), "month")
    borders = (first, first + timedelta(days=10), first + timedelta(days=20), after)
    place = {"初": 0, "上": 0, "中": 1}.get(match["part"][0], 2)
    return read_span(borders[place], borders[place + 1])


def _read_year_part(match: Match, setting: Setting) -> Reading | None:
    """Read 年底, 去年年初, 2026年年中: January, June and July, December."""
    first = date(_year(match, setting) or setting.today.year, 1, 1)
    start, months = {"初": (0, 1), "中": (5, 2)}.get(match["part"], (11, 1))
    return read_span(shift_months(first, start), shift_months(first, start + months))


def _read_season(match: Match, setting: Setting) -> Reading | None:
    first = date(_year(match, setting) or 0, _SEASONS[match["season"]], 1)
    return read_span(first, shift_months(first, 3))


def _nth(match: Match) -> int:
    return -1 if match["nth"][0] == "最" else number_of(match["nth"].removeprefix("第"))


def _read_nth_of_month(match: Match, setting: Setting) -> Reading | None:
    """Read 十月第一个星期一, 下个月最后一个周五, 五月的第二个周末, 明年三月的第一周."""
    first, after = unit_of(_month_of(match, setting), "month")
    if not match["weekday"]:
        return read_unit(nth_week(first, after, _nth(match)), "week")
    day = nth_weekday(first, after, _WEEKDAYS[match["weekday"]], _nth(match))
    if day is None or match["weekday"] != "末":
        return read_day(day) if day else None
    return read_span(day, day + timedelta(days=2))


def _read_week_of_year(match: Match, setting: Setting) -> Reading | None:
    """Read 2026年第三周, 今年最后一周."""
    year = _year(match, setting) or 0
    nth = _nth(match) if _nth(match) > 0 else date(year, 12, 28).isocalendar().week
    return read_unit(date.fromisocalendar(year, nth, 1), "week")


def _read_decade(match: Match, setting: Setting) -> Reading | None:
    """Read 九十年代, 80年代, 十九世纪七十年代, 1990年代."""
    ten = number_of(match["decade"])
    if ten < 100:
        told = match["century"]
        ten += 100 * (number_of(told) - 1 if told else (setting.today.year - 10 - ten) // 100)
    return read_unit(date(ten, 1, 1), "decade")


def _read_quarter(match: Match, setting: Setting) -> Reading | None:
    """Read 今年第三季度, 2026年一季度, 四季度, Q3."""
    nth = number_of(match["nth"] or match["plain"] or match["figure"])
    return read_unit(date(_year(match, setting) or setting.today.year, 3 * nth - 2, 1), "quarter")


def _read_half(match: Match, setting: Setting) -> Reading | None:
    """Read 上半月, 三月下半月, 去年上半年."""
    late = match["half"] not in "上前"
    if "month" in match.re.groupindex:
        first, after = unit_of(_month_of(match, setting), "month")
        middle = first + timedelta(days=15)
        return read_span(middle, after) if late else read_span(first, middle)
    return read_unit(date(_year(match, setting) or setting.today.year, 7 if late else 1, 1), "half")


def _read_years(match: Match, setting: Setting) -> Reading | None:
    """Read 1995-1997年, 二零一六到二零一八年, with both years in."""
    first, last = _year_of(match["first"], setting), _year_of(match["year"], setting)
    return read_span(date(first, 1, 1), date(last + 1, 1, 1)) if first < last else None


_WHOSE: Final = rf"(?:(?:{_YEAR}|{_RELATIVE})的?)?"
_LUNAR_MONTHS: Final = r"十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9]"
_FIRST_TEN: Final = r"初[一二三四五六七八九十]"
_MOON_DAY: Final = (
    rf"(?P<day>{_FIRST_TEN}|廿[一二三四五六七八九]?|[二三]?十[一二三四五六七八九]?|[12]\d|30)[日号]?"
)
_TODAY: Final = r"(?:今天|今日|同一天|这一?天|這一?天)"

GRAMMAR: Final[tuple[Rule, ...]] = (
    *rules((
        r"(?<![A-Za-z0-9_.-])(?P<year>\d\d)(?P<sep>[-.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})"
        r"(?![A-Za-z0-9_-]|[.]\d)", _read_date,
    )),
    *NUMERIC,
    *rules(
        (rf"{_WHOSE}(?:农历|農曆|阴历|陰曆|陰历|旧历|舊曆)(?P<month>[正冬腊臘]|{_LUNAR_MONTHS})月{_MOON_DAY}",
         _read_lunar),
        (rf"{_WHOSE}(?<!\d)(?P<month>[正冬腊臘])月{_MOON_DAY}", _read_lunar),
        (rf"{_WHOSE}(?<![\d一二三四五六七八九十])(?P<month>{_LUNAR_MONTHS})月(?P<day>{_FIRST_TEN})",
         _read_lunar),
        (rf"(?:(?:{_RELATIVE}|{_YEAR})的?)?{_FEAST}的?[之以]?(?P<side>[前后後]){_NUMBER}(?:个|個)?"
         r"(?P<unit>天|日|周|週|星期|礼拜|禮拜|月)", _read_feast_shifted),
        (rf"(?<![\d第]){_NUMBER}年[之以]?(?P<side>[前后後])的?(?:{_FEAST}|{_MONTH}(?!\s?\d)"
         rf"|{_TODAY})", _read_in_year),
        (rf"{_RELATIVE}的?{_TODAY}", _read_in_year),
        (rf"(?:{_RELATIVE}|{_YEAR})的?(?P<season>[春夏秋冬])[天季](?!节|節)", _read_season),
        (rf"(?:{_YEAR_SAID}(?:{_MONTH}|{_WHICH}(?:个|個)?月)|{_ITS_YEAR})的?(?P<edge>最[后後]|[前头頭])\s?{_NUMBER}\s?"
         rf"(?P<unit>(?:个|個)?(?:{_WEEK}|月)|天|日)(?![一二三四五六日天末前后後内])", _read_edge),
        (rf"(?:(?:{_RELATIVE}|{_YEAR})的?)?(?P<half>[上下前后後])半年", _read_half),
        (rf"(?:{_MONTH}的?)?(?P<half>[上下])半月", _read_half),
        (r"(?:(?P<century>\d{1,2}|[一二三四五六七八九十]{1,3})世[纪紀]的?)?"
         r"(?<![\d一二三四五六七八九十])(?P<decade>[12]\d{2}0|[1-9]0|[一二三四五六七八九]十)年代",
         _read_decade),
        (r"(?P<century>\d{1,2}|[一二三四五六七八九十]{1,3})世[纪紀]",
         lambda match, _: read_unit(date(max(100 * (number_of(match["century"]) - 1), 1), 1, 1), "century")),
        (rf"(?:(?:{_RELATIVE}|{_YEAR})的?)?(?:第(?P<nth>[一二三四1-4])(?:个|個)?季度?|(?<!第)"
         r"(?<![一二三四\d])(?P<plain>[一二三四](?=季度))季度|Q(?P<figure>[1-4]))", _read_quarter),
        (rf"(?<![\d-])(?P<first>{_BOTH_YEARS})年?\s?[-~—–到至]\s?(?P<year>{_BOTH_YEARS})年(?![级度代])"
         r"(?!\s?\d{1,2}\s?月)", _read_years),
        (rf"(?:{_YEAR_SAID}{_MONTH}|{_WHICH}(?:个|個)?月)的?(?P<nth>第[一二三四五1-5]|最后|最後)一?"
         rf"(?:个|個)?(?:{_WEEK}(?P<weekday>[一二三四五六日天末])?)(?![一二三四五六日天])",
         _read_nth_of_month),
        (rf"(?:{_YEAR}|{_RELATIVE})的?(?P<nth>第(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})|最[后後]一)(?:个|個)?{_WEEK}"
         r"(?![一二三四五六日天])", _read_week_of_year),
        (rf"(?:{_YEAR_SAID}{_MONTH}|{_WHICH}(?:个|個)?月|"
         r"(?<![个個\d一二三四五六七八九十年正腊臘冬])月(?=底|初|末))(?:的)?"
         r"(?P<part>上旬|中旬|下旬|初(?![一二三四五六七八九十])|中(?!央|心|国|国)|底|末)", _read_month_part),
        (rf"(?:{_RELATIVE}|{_YEAR}(?=年))?(?<![\d一二三四五六七八九十])年?年?(?P<part>底|初|末|中"
         r"(?=[旬时期]|$|[，。,]))(?<=年.)", _read_year_part),
        (rf"(?:{_RELATIVE}(?:的)?|{_YEAR}(?:的)?)?{_FEAST}", _read_feast),
        (rf"{_YEAR_SAID}{_MONTH}\s?(?P<day>{_COUNT})\s?[日号號]?\s?(?:[-~—–到至]|直到)\s?(?P<last>{_COUNT})\s?[日号號]",
         _read_days),
        (rf"(?<![先]){_RELATIVE}(?:的?{_MONTH}(?:\s?{_DAY})?)?", _read_near_year),
        (rf"(?:{_YEAR}\s?)?{_MONTH}\s?{_DAY}", _read_date),
        (rf"{_YEAR}\s?{_MONTH}", lambda match, setting: read_unit(_month_of(match, setting), "month")),
        (r"(?<![每先])(?<!先天)(?P<near>大前|前|昨|今|明|大后|大後|后|後|(?:[尋寻琴聽听](?=日)))[天日](?![生线線])",
         _read_near_day),
        (r"(?P<near>昨|今|明|前)[晚夜晨早]上?", _read_near_day),
        (rf"{_WHICH}(?:个|個)?{_WEEK}(?P<weekday>[一二三四五六日天])\s?[至到~-]\s?{_WEEK}?"
         r"(?P<last>[一二三四五六日天])(?!常)", _read_weekday_of_week),
        (rf"{_WHICH}(?:个|個)?{_WEEK}(?P<weekday>[一二三四五六日天末])(?!常)", _read_weekday_of_week),
        (rf"(?<!马){_WHICH}(?:一)?(?:个|個)?{_WEEK}(?![一二三四五六日天末岁歲年])",
         lambda match, setting: read_unit(setting.today, "week", _STEPS[match["which"]])),
        (rf"(?<![每逢圣聖])(?<![一二三四五六日天][至到]){_WEEK}(?P<weekday>[一二三四五六日天])"
         r"(?![常期至到一二三四五六]|[、和及]周)",
         lambda match, setting: read_day(
             nearest_weekday(setting.today, _WEEKDAYS[match["weekday"]], setting.tense))),
        (rf"{_WHICH}(?:一)?(?:个|個)?月份?(?!球|亮)(?:的?{_DAY})?",
         lambda match, setting: read_day(_month_of(match, setting).replace(day=number_of(match["day"])))
         if match["day"] else read_unit(_month_of(match, setting), "month")),
        (rf"{_WHICH}(?:一)?(?:个|個)?季度",
         lambda match, setting: read_unit(setting.today, "quarter", _STEPS[match["which"]])),
        (rf"(?<![\d第]){_NUMBER}\s?(?:多)?(?P<measure>个|個)?{_UNIT}{_SIDE}(?![期端台])", _read_away),
        (rf"半(?:个|個)?(?P<unit>月|年|小时|小時|钟头){_SIDE}(?![期端台])", _read_half_away),
        (rf"(?P<way>最近|过去|過去|近|未来|未來|接下来的?|今后)的?{_NUMBER}\s?(?:个|個)?{_UNIT}",
         _read_rolling),
        (rf"(?<![之以的年月日天周以最])(?P<way>[上下前后後])(?:面)?的?{_NUMBER}\s?(?P<unit>(?:个|個)(?:月|星期|礼拜|禮拜"
         r"|小时|小時|季度)|天|日(?!本)|周|週|星期|年(?!级)|小时|小時|分钟|分鐘|秒)(?![级級期以])",
         _read_rolling),
        (rf"{_YEAR}(?![级度代])", lambda match, setting: read_year(_year_of(match["year"], setting))),
        (rf"(?<![\d.个個年一二三四五六七八九十])(?<!年的){_MONTH}(?!\s?[\d一二三四五六七八九十])",
         lambda match, setting: read_unit(_month_of(match, setting), "month")),
        (r"(?:^|(?<=[\s，。,、；：:“(（在于到从自至等]))(?P<day>\d{1,2}|[一二三]?十[一二三四五六七八九]?)[号號日]"
         r"(?![楼线線机門门位])",
         lambda match, setting: read_day(nearest_day_of_month(number_of(match["day"]), setting))),
    ),
)  # fmt: skip
