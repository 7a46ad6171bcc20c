"""Feasts and the day they fall on in a year: fixed, by weekday, by Easter, by the Chinese moon."""

import re
from datetime import date, timedelta
from functools import cache
from typing import Final

from memories.temporal.calendar.days import nth_weekday, unit_of
from memories.temporal.calendar.lunar import QINGMING, lunar_day, solar_term_day
from memories.temporal.mention import Setting
from security.patterns import bounded

_EASTER: Final = {"E": lambda year: easter(year), "O": lambda year: orthodox_easter(year)}


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the Meeus/Jones/Butcher computation)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)


def orthodox_easter(year: int) -> date:
    """Return Easter Sunday of the eastern churches, Gregorian (Meeus; right from 1900 to 2099)."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(days=13)


def _read(table: str) -> dict[str, str]:
    """Return «rule name | name; …» as {pattern of a name: rule}; «_» in a name is a blank."""
    entries = (entry.split() for entry in table.split(";") if entry.strip())
    return {name.replace("_", " "): rule for rule, *names in entries for name in names}


_ENGLISH: Final = _read(
    """
    O+0 (?:orthodox|greek)_easter(?:_sunday)?; O+1 orthodox_easter_monday; O-2 orthodox_(?:good|great)_friday;
    1-7 orthodox_christmas(?:_day)?; 12-24 christmas_eve; 12-25 (?:christmas|xmas|x-mas)(?:_day)?; 12-26
    boxing_day st\\.?_stephen'?s_day; 12-31 new_year'?s?_eve; 1-1 new_year'?s(?:_day)?|new_year_day; 1-6
    epiphany three_kings'?_day; 2-2 groundhogs?_day; 2-14 valentine'?s?'?(?:_day)?; 3-8
    international_women'?s_day women'?s_day; 3-14 pi_day; 3-17 (?:st\\.?|saint)_patrick'?s(?:_day)?; 4-1
    april_fools?'?s?'?(?:_day)?; 4-22 earth_day; 5-1 may_day international_workers'?_day; 5-4 star_wars_day;
    5-5 cinco_de_mayo; 6-19 juneteenth; 7-1 canada_day; 7-4 (?:the_)?fourth_of_july independence_day; 7-14
    bastille_day; 10-31 halloween all_hallows'?_eve; 11-1 all_saints'?_day; 11-2 all_souls'?_day; 11-5
    guy_fawkes_(?:day|night) bonfire_night; 11-11 veterans'?_day remembrance_day armistice_day; 1-26
    australia_day; 4-25 anzac_day; 1/0/3 (?:martin_luther_king|mlk)(?:'?s)?,?(?:_jr\\.?)?(?:'?s)?_day; 2/0/3
    presidents?'?s?'?_day washington'?s_birthday; 5/6/2 mother'?s'?_day; 6/6/3 father'?s'?_day; 5/0/-1
    memorial_day; 9/0/1 labou?r_day; 10/0/2 columbus_day indigenous_peoples'?_day; T+1 black_friday; T+4
    cyber_monday; T+5 giving_tuesday; T+0 thanksgiving(?:_day)?; V election_day; E-47
    (?:shrove|pancake|fat)_tuesday pancake_day mardi_gras; E-46 ash_wednesday; E-7 palm_sunday; E-3
    (?:maundy|holy|covenant)_thursday; E-2 (?:good|holy)_friday; E-1 (?:holy|black|easter)_saturday; E+1
    easter_mon(?:day)?; E+0 easter(?:_sunday)?; E+39 ascension(?:_day|_thursday)?; E+49 whit_sunday whitsunday
    pentecost(?:_sunday)?; E+50 (?:whit|pentecost)_monday; E+56 trinity_sunday; E+60 corpus_christi; A
    (?:first_(?:sunday_)?of_)?advent(?:_sunday)?; L1-0 (?:chinese|lunar)_new_year'?s_eve; L1-1
    (?:chinese|lunar)_new_year'?s?(?:_day)? spring_festival; L1-15 lantern_festival; L5-5
    dragon_boat_festival; L8-15 (?:mid-?autumn|moon)_festival; Q qingming(?:_festival)? tomb[-_]sweeping_day
    """
)
_CHINESE: Final = _read(
    """
    1-1 元旦; 2-14 情人节; 3-8 (?:三八)?妇女节; 3-12 植树节; 4-1 愚人节; 5-1 (?:五一)?(?:国际)?劳动节; 5-4
    青年节; 6-1 (?:六一)?(?:国际)?儿童节; 8-1 建军节; 9-10 教师节; 10-1 国庆节?; 10-31 万圣节; 11-11 光棍节
    双(?:十一|11); 12-24 平安夜; 12-25 圣诞节?; 5/6/2 母亲节; 6/6/3 父亲节; T+0 感恩节; E+0 复活节; E+1
    复活节(?:星期|周|礼拜)一; E-2 (?:耶稣)?受难(?:日|节); O+0 东正教复活节; O+1
    东正教复活节(?:星期|周|礼拜)一; 7-1 建党节; 3-15 (?:三一五|消费者权益日); 12-12 双(?:十二|12); T+1
    黑色星期五; 12-31 跨年夜; 4-22 地球日; L1-0 除夕夜? 大年三十 年三十; L1-1 春节 (?:大年|正月)初一; L1-2
    (?:大年|正月)初二; L1-3 (?:大年|正月)初三; L1-5 (?:大年|正月)初五; L1-15 元宵节? 正月十五; Q 清明节?; L5-5
    端午节?; L7-7 七夕节?; L7-15 中元节; L8-15 中秋节?; L9-9 重阳节?; P12-8 腊八节?; W 冬至
    """
)
_SIMPLE = "节国庆圣诞妇劳动儿军师亲爱复稣难东阳费权党双腊万树"
_FULL = "節國慶聖誕婦勞動兒軍師親愛復穌難東陽費權黨雙臘萬樹"
_EITHER: Final = str.maketrans({one: f"[{one}{other}]" for one, other in zip(_SIMPLE, _FULL, strict=True)})

ENGLISH: Final = "|".join(_ENGLISH)
CHINESE: Final = "|".join(sorted((name.translate(_EITHER) for name in _CHINESE), key=len, reverse=True))
"""Names of feasts, as patterns; those of the United States where countries differ."""


def day_of(name: str, year: int) -> date:
    """Return the day of a named feast in a year. Raises KeyError for no feast, ValueError for no such day."""
    return _day_of(_rule_of(name.lower()), year)


def find_feast(name: str, setting: Setting, *, step: int = 0) -> date:
    """
    Return the feast's day nearest to the clock: the one before it, or the one to come (today counts as both).

    step: -1 for the one before, 1 for the one to come, 0 for what the tense says.
    """
    step = step or (-1 if setting.tense == "past" else 1)
    day = day_of(name, setting.today.year)
    return day_of(name, setting.today.year + step) if (day - setting.today).days * step < 0 else day


@cache
def _rule_of(name: str) -> str:
    for names, table in ((_ENGLISH, str.maketrans({})), (_CHINESE, _EITHER)):
        for pattern, rule in names.items():
            if bounded(pattern.translate(table), re.IGNORECASE).fullmatch(name):
                return rule
    raise KeyError(name)


def _day_of(rule: str, year: int) -> date:
    """
    Return the day that a rule means in a year.

    12-24 is a date, 5/6/2 the second Sunday of May, E-2 two days before Easter (O: of the eastern churches),
    T+1 the day behind Thanksgiving, L8-15 a day of the moon (P: of the lunar year before).
    """
    code, rest = rule[0], rule[1:]
    if code in _EASTER:
        return _EASTER[code](year) + timedelta(days=int(rest))
    if code in "LP":
        month, day = map(int, rest.split("-"))
        first = lunar_day(year - (code == "P"), month, max(day, 1))
        return first if day else first - timedelta(days=1)
    if code in "QW":
        return solar_term_day(year, QINGMING if code == "Q" else 270)
    if code in "TV":
        weekday, nth, behind = (3, 4, int(rest)) if code == "T" else (0, 1, 1)
        return _nth(year, 11, weekday, nth) + timedelta(days=behind)
    if code == "A":
        return date(year, 12, 25) - timedelta(days=date(year, 12, 25).isoweekday() + 21)
    if "/" in rule:
        month, weekday, nth = map(int, rule.split("/"))
        return _nth(year, month, weekday, nth)
    month, day = map(int, rule.split("-"))
    return date(year, month, day)


def _nth(year: int, month: int, weekday: int, nth: int) -> date:
    day = nth_weekday(*unit_of(date(year, month, 1), "month"), weekday, nth)
    assert day is not None  # no rule counts to five
    return day
