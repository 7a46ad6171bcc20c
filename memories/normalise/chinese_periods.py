"""
Periods of Chinese, and places inside them: 三月中旬, 去年年底, 上半年, 第三季度, 九十年代, 十月第一个星期一.
"""

import re
from datetime import date, timedelta
from typing import Final

from memories.normalise.chinese_words import (
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
    nearest_month,
    read_day,
    read_range,
    shift_months,
    tell_days,
)
from memories.normalise.numbers import read_chinese_number


def _part_of(first: date, after: date, part: str) -> tuple[date, date]:
    """
    Return the beginning, middle or end of a month (thirds) or a year (January, June and July, December).
    """
    if (after - first).days > 31:
        return {
            "初": (first, shift_months(first, 1)),
            "中": (shift_months(first, 5), shift_months(first, 7)),
        }.get(part, (shift_months(first, 11), after))
    tenth, twentieth = first + timedelta(days=10), first + timedelta(days=20)
    return {"初": (first, tenth), "上": (first, tenth), "中": (tenth, twentieth)}.get(
        part, (twentieth, after)
    )


def _read_month_part(match: re.Match[str], setting: Setting) -> Reading:
    """Read 上个月底, 三月中旬, 2026年5月初, 月底."""
    if match["month"]:
        month = read_chinese_number(match["month"])
        if match["year"]:
            first = date(year_of(match["year"], setting), month, 1)
        elif match["relative"]:
            first = date(setting.today.year + NEAR_YEARS[match["relative"]], month, 1)
        else:
            first = nearest_month(month, setting)
    else:
        first = shift_months(setting.today.replace(day=1), which_of(match) if match["which"] else 0)
    start, after = _part_of(first, shift_months(first, 1), match["part"][0])
    return read_range(start, after, tell_days(start, after, "至"))


def _read_year_part(match: re.Match[str], setting: Setting) -> Reading:
    """Read 年底, 去年年初, 2026年年中."""
    if match["year"]:
        year = year_of(match["year"], setting)
    else:
        year = setting.today.year + (NEAR_YEARS[match["relative"]] if match["relative"] else 0)
    start, after = _part_of(date(year, 1, 1), date(year + 1, 1, 1), match["part"])
    return read_range(start, after, tell_days(start, after, "至"))


def _read_years(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 1995-1997年, 二零一六到二零一八年, with both years in."""
    first, last = year_of(match["first"], setting), year_of(match["year"], setting)
    return read_range(date(first, 1, 1), date(last + 1, 1, 1)) if first < last else None


def _month_of(match: re.Match[str], setting: Setting) -> date:
    """Return the first day of the month a match names, by name or as this, last or next."""
    if not match["month"]:
        return shift_months(setting.today.replace(day=1), which_of(match))
    month = read_chinese_number(match["month"])
    if match["year"]:
        return date(year_of(match["year"], setting), month, 1)
    if match["relative"]:
        return date(setting.today.year + NEAR_YEARS[match["relative"]], month, 1)
    return nearest_month(month, setting)


def _read_nth_weekday(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 十月第一个星期一, 下个月最后一个周五, 五月的第二个周末, 明年三月的第一周."""
    first = _month_of(match, setting)
    after = shift_months(first, 1)
    nth = 0 if match["nth"][0] == "最" else read_chinese_number(match["nth"].removeprefix("第"))
    if not match["weekday"]:
        return _read_nth_week(first, after, nth)
    weekday = WEEKDAYS[match["weekday"]]
    last = after - timedelta(days=1)
    day = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=nth - 1)
    if not nth:
        day = last - timedelta(days=(last.weekday() - weekday) % 7)
    if day >= after:
        return None
    if match["weekday"] != "末":
        return read_day(day)
    return read_range(day, day + timedelta(days=2), f"{day.isoformat()}那个周末")


def _read_nth_week(first: date, after: date, nth: int) -> Reading:
    """Return the nth week that has most of its days in a period, the last one for 0."""
    monday = monday_of(first + timedelta(days=3)) + timedelta(weeks=nth - 1)
    if not nth:
        monday = monday_of(after - timedelta(days=4))
    return read_range(monday, monday + timedelta(weeks=1), f"{monday.isoformat()}那一周")


def _read_edge(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read 今年前三个月, 2018年的最后三天, 上月最后一天, 今年的最后三周."""
    if match["month"] or match["which"]:
        first = _month_of(match, setting)
        after = shift_months(first, 1)
    else:
        year = setting.today.year + NEAR_YEARS[match["r"]] if match["r"] else year_of(match["y"], setting)
        first = date(year, 1, 1)
        after = shift_months(first, 12)
    number, unit = read_chinese_number(match["number"]), match["unit"].lstrip("个個")
    start, end = _edges(first, after, unit, number if match["edge"][0] in "前头頭" else -number)
    if not first <= start < end <= after and unit in "天日月":
        return None
    if unit in "天日" and number == 1:
        return read_day(start)
    return read_range(start, end, tell_days(start, end, "至"))


def _edges(first: date, after: date, unit: str, number: int) -> tuple[date, date]:
    """Return the first units of a period, or the last ones for a negative number; weeks are whole ones."""
    if unit == "月":
        return (first, shift_months(first, number)) if number > 0 else (shift_months(after, number), after)
    inside = first, after
    length = timedelta(days=number)
    if unit not in "天日":
        inside = monday_of(first + timedelta(days=3)), monday_of(after + timedelta(days=3))
        length = timedelta(weeks=number)
    return (inside[0], inside[0] + length) if number > 0 else (inside[1] + length, inside[1])


_SEASONS: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
"""First month of each season: meteorological, of the northern half."""


def _read_season(match: re.Match[str], setting: Setting) -> Reading:
    """Read 去年夏天, 2019年春季."""
    year = setting.today.year + NEAR_YEARS[match["relative"]] if match["relative"] else 0
    year = year_of(match["year"], setting) if match["year"] else year
    first = date(year, _SEASONS[match["season"]], 1)
    return read_range(first, shift_months(first, 3), f"{year}年{match['season']}{match['word']}")


def _read_week_of_year(match: re.Match[str], setting: Setting) -> Reading:
    """Read 2026年第三周, 今年最后一周."""
    if match["year"]:
        year = year_of(match["year"], setting)
    else:
        year = setting.today.year + NEAR_YEARS[match["relative"]]
    weeks = date(year, 12, 28).isocalendar().week
    nth = weeks if match["nth"][0] == "最" else read_chinese_number(match["nth"].removeprefix("第"))
    monday = date.fromisocalendar(year, nth, 1)
    return read_range(monday, monday + timedelta(weeks=1), f"{monday.isoformat()}那一周")


def _read_decade(match: re.Match[str], setting: Setting) -> Reading:
    """Read 九十年代, 80年代, 十九世纪七十年代, 1990年代."""
    said = match["decade"]
    ten = int(said) if said.isdecimal() else read_chinese_number(said)
    if ten < 100:
        century = (
            read_chinese_number(match["century"]) - 1
            if match["century"]
            else (setting.today.year - 10 - ten) // 100
        )
        ten += century * 100
    return read_range(date(ten, 1, 1), date(ten + 10, 1, 1))


def _read_century(match: re.Match[str], _setting: Setting) -> Reading:
    first = 100 * (read_chinese_number(match["century"]) - 1)
    return read_range(date(max(first, 1), 1, 1), date(first + 100, 1, 1))


def _read_numbered_quarter(match: re.Match[str], setting: Setting) -> Reading:
    """Read 今年第三季度, 2026年一季度, 四季度."""
    year = setting.today.year
    if match["year"]:
        year = year_of(match["year"], setting)
    elif match["relative"]:
        year += NEAR_YEARS[match["relative"]]
    first = date(year, 3 * read_chinese_number(match["nth"] or match["plain"] or match["figure"]) - 2, 1)
    return read_range(first, shift_months(first, 3), f"{year}-Q{first.month // 3 + 1}")


def _read_half_month(match: re.Match[str], setting: Setting) -> Reading:
    """Read 上半月, 三月下半月."""
    first = setting.today.replace(day=1)
    if match["month"]:
        first = nearest_month(read_chinese_number(match["month"]), setting)
    middle, after = first + timedelta(days=15), shift_months(first, 1)
    start, end = (first, middle) if match["half"] == "上" else (middle, after)
    return read_range(start, end, tell_days(start, end, "至"))


def _read_half_year(match: re.Match[str], setting: Setting) -> Reading:
    relative = match["relative"]
    year = setting.today.year + (NEAR_YEARS[relative] if relative else 0)
    if match["year"]:
        year = year_of(match["year"], setting)
    half = "上" if match["half"] in "上前" else "下"
    first = date(year, 1 if half == "上" else 7, 1)
    return read_range(first, shift_months(first, 6), f"{year}年{half}半年")


_ITS_YEAR: Final = YEAR.replace("<year>", "<y>") + "|" + RELATIVE_YEAR.replace("<relative>", "<r>")

PERIODS: Final[tuple[Rule, ...]] = rules(
    (rf"(?:{RELATIVE_YEAR}|{YEAR})的?(?P<season>[春夏秋冬])(?P<word>[天季])(?!节|節)", _read_season),
    (
        rf"(?:(?:{YEAR}\s?|{RELATIVE_YEAR}的?)?(?:{MONTH}|{WHICH}(?:个|個)?月)|{_ITS_YEAR})的?"
        rf"(?P<edge>最[后後]|[前头頭])\s?{NUMBER}\s?"
        rf"(?P<unit>(?:个|個)?(?:{WEEK}|月)|天|日)(?![一二三四五六日天末前后後内])",
        _read_edge,
    ),
    (rf"(?:(?:{RELATIVE_YEAR}|{YEAR})的?)?(?P<half>[上下前后後])半年", _read_half_year),
    (rf"(?:{MONTH}的?)?(?P<half>[上下])半月", _read_half_month),
    (
        r"(?:(?P<century>\d{1,2}|[一二三四五六七八九十]{1,3})世[纪紀]的?)?"
        r"(?<![\d一二三四五六七八九十])(?P<decade>[12]\d{2}0|[1-9]0|[一二三四五六七八九]十)年代",
        _read_decade,
    ),
    (r"(?P<century>\d{1,2}|[一二三四五六七八九十]{1,3})世[纪紀]", _read_century),
    (
        rf"(?:(?:{RELATIVE_YEAR}|{YEAR})的?)?(?:第(?P<nth>[一二三四1-4])(?:个|個)?季度?|(?<!第)"
        r"(?<![一二三四\d])(?P<plain>[一二三四](?=季度))季度|Q(?P<figure>[1-4]))",
        _read_numbered_quarter,
    ),
    (
        r"(?<![\d-])(?P<first>[12]\d{3}|[一二][零〇一二三四五六七八九]{3})年?\s?[-~—–到至]\s?"
        r"(?P<year>[12]\d{3}|[一二][零〇一二三四五六七八九]{3})年(?![级度代])(?!\s?\d{1,2}\s?月)",
        _read_years,
    ),
    (
        rf"(?:(?:{YEAR}\s?|{RELATIVE_YEAR}的?)?{MONTH}|{WHICH}(?:个|個)?月)的?(?P<nth>第[一二三四五1-5]|最后|最後)一?"
        rf"(?:个|個)?(?:{WEEK}(?P<weekday>[一二三四五六日天末])?)(?![一二三四五六日天])",
        _read_nth_weekday,
    ),
    (
        rf"(?:{YEAR}|{RELATIVE_YEAR})的?(?P<nth>第(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})"
        rf"|最[后後]一)(?:个|個)?{WEEK}(?![一二三四五六日天])",
        _read_week_of_year,
    ),
    (
        rf"(?:{YEAR}\s?|{RELATIVE_YEAR}的?)?(?:{MONTH}|{WHICH}(?:个|個)?月|"
        r"(?<![个個\d一二三四五六七八九十年正腊臘冬])月(?=底|初|末))(?:的)?(?P<part>上旬|中旬|下旬|初(?![一二三四五六七八九十])|中(?!央"
        r"|心|国|国)|底|末)",
        _read_month_part,
    ),
    (
        rf"(?:{RELATIVE_YEAR}|{YEAR}(?=年))?(?<![\d一二三四五六七八九十])年?年?(?P<part>底|初|末|中"
        r"(?=[旬时期]|$|[，。,]))(?<=年.)",
        _read_year_part,
    ),
)
"""Forms that name a part of a period, before the forms of the periods themselves."""
