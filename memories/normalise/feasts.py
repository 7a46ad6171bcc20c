"""Feasts with a fixed rule, and the day they fall on in a year."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memories.normalise.mention import Setting, shift_months

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


def _thanksgiving(year: int) -> date:
    return _nth(11, 3, 4)(year)


ENGLISH: Final[dict[str, Rule]] = {
    r"christmas eve": _fixed(12, 24),
    r"(?:christmas|xmas)(?: day)?": _fixed(12, 25),
    r"boxing day": _fixed(12, 26),
    r"new year'?s eve": _fixed(12, 31),
    r"new year'?s(?: day)?": _fixed(1, 1),
    r"valentine'?s(?: day)?": _fixed(2, 14),
    r"halloween": _fixed(10, 31),
    r"earth day": _fixed(4, 22),
    r"independence day": _fixed(7, 4),
    r"(?:martin luther king|mlk)(?:'?s)?(?: jr\.?)? day": _nth(1, 0, 3),
    r"mother'?s'? day": _nth(5, 6, 2),
    r"father'?s'? day": _nth(6, 6, 3),
    r"memorial day": _nth(5, 0, -1),
    r"labou?r day": _nth(9, 0, 1),
    r"black friday": lambda year: _thanksgiving(year) + timedelta(days=1),
    r"thanksgiving(?: day)?": _thanksgiving,
    r"good friday": lambda year: easter(year) - timedelta(days=2),
    r"easter monday": lambda year: easter(year) + timedelta(days=1),
    r"easter(?: sunday)?": easter,
}
"""English names of feasts, as patterns; those of the United States where countries differ."""

CHINESE: Final[dict[str, Rule]] = {
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
}
"""Chinese names of feasts of the solar calendar, as patterns; those of the lunar one are left to the
recogniser."""


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
