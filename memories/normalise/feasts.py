"""Feasts and the day they fall on in a year: fixed, by weekday, by Easter, by the Chinese moon."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memories.normalise.lunar import lunar_day, solar_term_day
from memories.normalise.mention import Setting, shift_months
from security.patterns import bounded

Rule = Callable[[int], date]


def _fixed(month: int, day: int) -> Rule:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, nth: int) -> Rule:
    """Return the rule of a feast on the nth such weekday (0 is Monday) of a month; nth -1 is the last."""

    def rule(year: int) -> date:
        first = date(year, month, 1)
        if nth > 0:
            return first + timedelta(days=(weekday - first.weekday()) % 7, weeks=nth - 1)
        last = shift_months(first, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7)

    return rule


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the Meeus/Jones/Butcher computation)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)


def orthodox_easter(year: int) -> date:
    """
    Return Easter Sunday of the eastern churches in the Gregorian calendar (Meeus; right from 1900 to 2099).
    """
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(days=13)


def _from_easter(days: int) -> Rule:
    return lambda year: easter(year) + timedelta(days=days)


def _from_orthodox_easter(days: int) -> Rule:
    return lambda year: orthodox_easter(year) + timedelta(days=days)


def _lunar(month: int, day: int) -> Rule:
    return lambda year: lunar_day(year, month, day)


def _lunar_new_years_eve(year: int) -> date:
    return lunar_day(year, 1, 1) - timedelta(days=1)


def _advent(year: int) -> date:
    """Return the first Sunday of Advent, the fourth before Christmas."""
    christmas = date(year, 12, 25)
    return christmas - timedelta(days=christmas.isoweekday() + 21)


def _thanksgiving(year: int) -> date:
    return _nth(11, 3, 4)(year)


ENGLISH: Final[dict[str, Rule]] = {
    r"(?:orthodox|greek) easter(?: sunday)?": orthodox_easter,
    r"orthodox easter monday": _from_orthodox_easter(1),
    r"orthodox (?:good|great) friday": _from_orthodox_easter(-2),
    r"orthodox christmas(?: day)?": _fixed(1, 7),
    r"christmas eve": _fixed(12, 24),
    r"(?:christmas|xmas|x-mas)(?: day)?": _fixed(12, 25),
    r"boxing day": _fixed(12, 26),
    r"st\.? stephen'?s day": _fixed(12, 26),
    r"new year'?s? eve": _fixed(12, 31),
    r"new year'?s(?: day)?|new year day": _fixed(1, 1),
    r"epiphany|three kings'? day": _fixed(1, 6),
    r"groundhogs? day": _fixed(2, 2),
    r"valentine'?s?'?(?: day)?": _fixed(2, 14),
    r"international women'?s day|women'?s day": _fixed(3, 8),
    r"pi day": _fixed(3, 14),
    r"(?:st\.?|saint) patrick'?s(?: day)?": _fixed(3, 17),
    r"april fools?'?s?'?(?: day)?": _fixed(4, 1),
    r"earth day": _fixed(4, 22),
    r"may day|international workers'? day": _fixed(5, 1),
    r"star wars day": _fixed(5, 4),
    r"cinco de mayo": _fixed(5, 5),
    r"juneteenth": _fixed(6, 19),
    r"canada day": _fixed(7, 1),
    r"(?:the )?fourth of july|independence day": _fixed(7, 4),
    r"bastille day": _fixed(7, 14),
    r"halloween|all hallows'? eve": _fixed(10, 31),
    r"all saints'? day": _fixed(11, 1),
    r"all souls'? day": _fixed(11, 2),
    r"guy fawkes (?:day|night)|bonfire night": _fixed(11, 5),
    r"veterans'? day|remembrance day|armistice day": _fixed(11, 11),
    r"australia day": _fixed(1, 26),
    r"anzac day": _fixed(4, 25),
    r"(?:martin luther king|mlk)(?:'?s)?,?(?: jr\.?)?(?:'?s)? day": _nth(1, 0, 3),
    r"presidents?'?s?'? day|washington'?s birthday": _nth(2, 0, 3),
    r"mother'?s'? day": _nth(5, 6, 2),
    r"father'?s'? day": _nth(6, 6, 3),
    r"memorial day": _nth(5, 0, -1),
    r"labou?r day": _nth(9, 0, 1),
    r"columbus day|indigenous peoples'? day": _nth(10, 0, 2),
    r"black friday": lambda year: _thanksgiving(year) + timedelta(days=1),
    r"cyber monday": lambda year: _thanksgiving(year) + timedelta(days=4),
    r"giving tuesday": lambda year: _thanksgiving(year) + timedelta(days=5),
    r"thanksgiving(?: day)?": _thanksgiving,
    r"election day": lambda year: _nth(11, 0, 1)(year) + timedelta(days=1),
    r"(?:shrove|pancake|fat) tuesday|pancake day|mardi gras": _from_easter(-47),
    r"ash wednesday": _from_easter(-46),
    r"palm sunday": _from_easter(-7),
    r"(?:maundy|holy|covenant) thursday": _from_easter(-3),
    r"(?:good|holy) friday": _from_easter(-2),
    r"(?:holy|black|easter) saturday": _from_easter(-1),
    r"easter mon(?:day)?": _from_easter(1),
    r"easter(?: sunday)?": easter,
    r"ascension(?: day| thursday)?": _from_easter(39),
    r"whit sunday|whitsunday|pentecost(?: sunday)?": _from_easter(49),
    r"(?:whit|pentecost) monday": _from_easter(50),
    r"trinity sunday": _from_easter(56),
    r"corpus christi": _from_easter(60),
    r"(?:first (?:sunday )?of )?advent(?: sunday)?": _advent,
    r"(?:chinese|lunar) new year'?s eve": _lunar_new_years_eve,
    r"(?:chinese|lunar) new year'?s?(?: day)?": _lunar(1, 1),
    r"spring festival": _lunar(1, 1),
    r"lantern festival": _lunar(1, 15),
    r"dragon boat festival": _lunar(5, 5),
    r"(?:mid-?autumn|moon) festival": _lunar(8, 15),
    r"qingming(?: festival)?|tomb[- ]sweeping day": lambda year: solar_term_day(year, 15),
}
"""English names of feasts, as patterns; those of the United States where countries differ."""


def rule_of(name: str) -> Rule:
    """Return the rule of an English name. Raises StopIteration if no pattern knows it."""
    return next(rule for pattern, rule in ENGLISH.items() if bounded(pattern, re.IGNORECASE).fullmatch(name))


_CHINESE: Final[dict[str, Rule]] = {
    r"元旦": _fixed(1, 1),
    r"情人节": _fixed(2, 14),
    r"(?:三八)?妇女节": _fixed(3, 8),
    r"植树节": _fixed(3, 12),
    r"愚人节": _fixed(4, 1),
    r"(?:五一)?(?:国际)?劳动节": _fixed(5, 1),
    r"青年节": _fixed(5, 4),
    r"(?:六一)?(?:国际)?儿童节": _fixed(6, 1),
    r"建军节": _fixed(8, 1),
    r"教师节": _fixed(9, 10),
    r"国庆节?": _fixed(10, 1),
    r"万圣节": _fixed(10, 31),
    r"光棍节": _fixed(11, 11),
    r"平安夜": _fixed(12, 24),
    r"圣诞节?": _fixed(12, 25),
    r"母亲节": _nth(5, 6, 2),
    r"父亲节": _nth(6, 6, 3),
    r"感恩节": _thanksgiving,
    r"复活节": easter,
    r"复活节(?:星期|周|礼拜)一": _from_easter(1),
    r"(?:耶稣)?受难(?:日|节)": _from_easter(-2),
    r"东正教复活节": orthodox_easter,
    r"东正教复活节(?:星期|周|礼拜)一": _from_orthodox_easter(1),
    r"建党节": _fixed(7, 1),
    r"(?:三一五|消费者权益日)": _fixed(3, 15),
    r"双(?:十一|11)": _fixed(11, 11),
    r"双(?:十二|12)": _fixed(12, 12),
    r"黑色星期五": lambda year: _thanksgiving(year) + timedelta(days=1),
    r"跨年夜": _fixed(12, 31),
    r"地球日": _fixed(4, 22),
    r"除夕夜?|大年三十|年三十": _lunar_new_years_eve,
    r"春节|(?:大年|正月)初一": _lunar(1, 1),
    r"(?:大年|正月)初二": _lunar(1, 2),
    r"(?:大年|正月)初三": _lunar(1, 3),
    r"(?:大年|正月)初五": _lunar(1, 5),
    r"元宵节?|正月十五": _lunar(1, 15),
    r"清明节?": lambda year: solar_term_day(year, 15),
    r"端午节?": _lunar(5, 5),
    r"七夕节?": _lunar(7, 7),
    r"中元节": _lunar(7, 15),
    r"中秋节?": _lunar(8, 15),
    r"重阳节?": _lunar(9, 9),
    r"腊八节?": lambda year: lunar_day(year - 1, 12, 8),
    r"冬至": lambda year: solar_term_day(year, 270),
}

_TRADITIONAL: Final = str.maketrans(
    {
        simple: f"[{simple}{full}]"
        for simple, full in zip(
            "节国庆圣诞妇劳动儿军师亲爱复稣难东阳费权党双腊万树",
            "節國慶聖誕婦勞動兒軍師親愛復穌難東陽費權黨雙臘萬樹",
            strict=True,
        )
    }
)
CHINESE: Final[dict[str, Rule]] = {
    name.translate(_TRADITIONAL): rule
    for name, rule in sorted(_CHINESE.items(), key=lambda item: -len(item[0]))
}
"""Chinese names of feasts, as patterns of simplified or traditional characters; longer ones first."""


def chinese_rule_of(name: str) -> Rule:
    """Return the rule of a Chinese name. Raises StopIteration if no pattern knows it."""
    return next(rule for pattern, rule in CHINESE.items() if bounded(pattern).fullmatch(name))


def find_feast(rule: Rule, setting: Setting, *, step: int = 0) -> date:
    """
    Return the feast's day nearest to the clock: the one before it, or the one to come (today counts as both).

    step: -1 for the one before, 1 for the one to come, 0 for what the tense says.
    """
    step = step or (-1 if setting.tense == "past" else 1)
    day = rule(setting.today.year)
    if (day - setting.today).days * step < 0:
        return rule(setting.today.year + step)
    return day
