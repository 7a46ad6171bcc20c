"""
Durations in ISO 8601, one form for each length: three days P3D, an hour and a half PT90M, 两个半小时 PT150M.

Weeks are days and whole days of hours are days: «two weeks», «14 days» and «336 hours» are one length. Months
and years are of uncertain length and stay apart: twelve months are a year, thirty days are no month.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from memories.quantities.numbers import CHINESE, FIGURES, WORDS, read_amount, write_amount
from security.patterns import bounded

_SECONDS: Final = {
    "second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400,
    "week": 604800, "wk": 604800, "fortnight": 1209600, "秒": 1, "秒钟": 1, "分钟": 60, "分鐘": 60,
    "小时": 3600, "小時": 3600,
    "钟头": 3600, "鐘頭": 3600, "天": 86400, "日": 86400, "周": 604800, "週": 604800, "星期": 604800,
    "礼拜": 604800, "禮拜": 604800,
}  # fmt: skip
_MONTHS: Final = {"month": 1, "mo": 1, "quarter": 3, "year": 12, "yr": 12, "decade": 120, "月": 1, "年": 12}

_UNIT: Final = (
    r"(?:calendar\s)?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?"
    r"|years?"
    r"|yrs?|decades?)\b"
)
_HALF: Final = r"(?:\sand\s(?:a\s|one\s)?half)"
_ONE: Final = (
    rf"(?:(?P<n>{FIGURES}|{WORDS}|\ban?\b(?:\scouple\s(?:of\s)?)?)(?P<h1>{_HALF})?[\s-]?(?P<u>{_UNIT})"
    rf"(?P<h2>{_HALF}(?!\s\w*(?:day|hour|week|month|year)))?"
    rf"|\b(?P<half>half)\s?(?:an?\s|-)?(?P<hu>hour|day|week|month|year|minute)s?\b"
    rf"|(?P<m>\d+(?:\.\d+)?)(?P<mu>h|hrs?|mins?|secs?)(?![\w]))"
)
_PLAIN: Final = bounded(r"\?P<\w+>").sub("?:", _ONE)
_ENGLISH: Final = bounded(
    rf"(?<![\w$€£¥.])(?:{_PLAIN})(?:(?:,?\sand\s|,\s|\s)(?:{_PLAIN}))*|(?<!\w)\d+h\s?\d+m(?:in)?\b", re.I
)
_PART: Final = bounded(rf"{_ONE}|(?P<ch>\d+)h\s?(?P<cm>\d+)m", re.I)
_CJK_UNIT: Final = r"(?:秒钟?|分钟|分鐘|小时|小時|钟头|鐘頭|天|日|周|週|星期|礼拜|禮拜|年|月)"
_CJK_ONE: Final = (
    rf"(?:(?P<n>{FIGURES}|\d+(?:\.\d+)?|{CHINESE})\s?(?P<ge>[个個])?(?P<h1>半)?\s?(?P<u>{_CJK_UNIT})"
    r"(?P<h2>半(?!夜|路|天|年|月|个|個|小))?"
    rf"|(?P<half>半)[个個]?(?P<hu>小时|小時|钟头|天|日|月|年|星期)|(?P<ke>一|三|[13])刻钟)"
)
_CJK_PLAIN: Final = bounded(r"\?P<\w+>").sub("?:", _CJK_ONE)
_CHINESE: Final = bounded(
    rf"(?<![第每月年周期前上下\d.])(?:{_CJK_PLAIN})(?:零?(?:{_CJK_PLAIN}))*(?![号號份初底末代级級级度])"
)
_CJK_PART: Final = bounded(_CJK_ONE)
_ISO: Final = bounded(
    r"(?<![\w-])P(?=[\dT])(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?(?![\w-])",
    re.I,
)
_SIGN: Final = bounded(
    r"\d\s?(?:h|m|s)|second|minute|hour|day|week|fortnight|month|year|decade|\bmins?\b|\bsecs?\b|\bhrs?\b"
    r"|\byrs?\b|\bwks?\b"
    r"|[秒分时時天日周週月年钟鐘]|星期|[礼禮]拜|\bP[\dT]",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationMention:
    """A place in a text that names a length of time."""

    text: str  #: as written
    span: tuple[int, int]  #: in the text, end exclusive
    months: Fraction
    seconds: Fraction  #: what is beyond the months

    @property
    def canonical(self) -> str:
        """The ISO 8601 form, the same for the same length."""
        return write_duration(self.months, self.seconds)


def write_duration(months: Fraction, seconds: Fraction) -> str:
    """
    Write a length in ISO 8601: whole months or years, then the largest unit that tells the rest in whole.
    """
    whole = months.numerator // months.denominator
    seconds += (months - whole) * 30 * 86400  # half a month is told as 15 days
    dated = (f"{whole // 12}Y" if whole % 12 == 0 else f"{whole}M") if whole else ""
    if not seconds and dated:
        return f"P{dated}"
    for unit, size in (("D", 86400), ("H", 3600), ("M", 60)):
        if seconds % size == 0 and (seconds or unit == "D"):
            return f"P{dated}{'' if unit == 'D' else 'T'}{seconds // size}{unit}"
    return f"P{dated}T{write_amount(seconds)}S"


def find_durations(text: str) -> tuple[DurationMention, ...]:
    """Return the lengths of time a folded text names, in order of place, without overlaps."""
    if not _SIGN.search(text):
        return ()
    found: list[DurationMention] = []
    end = 0
    for start, stop, parts in sorted(_places(text), key=lambda place: place[:2]):
        if start >= end and parts:
            months, seconds = (sum(column, Fraction(0)) for column in zip(*parts, strict=True))
            found.append(
                DurationMention(text=text[start:stop], span=(start, stop), months=months, seconds=seconds)
            )
            end = stop
    return tuple(found)


Part = tuple[Fraction, Fraction]
"""Months, and seconds beyond them."""


def _places(text: str) -> Iterator[tuple[int, int, list[Part]]]:
    for match in _ENGLISH.finditer(text):
        yield match.start(), match.end(), [_read_part(part) for part in _PART.finditer(match[0])]
    for match in _CHINESE.finditer(text):
        if _is_length(match[0]):
            yield match.start(), match.end(), [_read_part(part) for part in _CJK_PART.finditer(match[0])]
    for match in _ISO.finditer(text):
        if len(match[0]) > 2:
            yield match.start(), match.end(), [_read_iso(match)]


def _is_length(said: str) -> bool:
    """Say whether Chinese words name a length: 三月, 五日, 2026年 are dates, 三个月 and 五天 are not."""
    return not bounded(
        rf"(?:\d{{4}}|[一二][零〇一二三四五六七八九]{{3}})年|.*(?<![个個半])月.*|(?:\d+|{CHINESE})日"
    ).fullmatch(said)


def _read_part(match: re.Match[str]) -> Part:
    told = match.groupdict()
    if told.get("ch"):
        return Fraction(0), Fraction(int(told["ch"]) * 3600 + int(told["cm"]) * 60)
    if told.get("ke"):
        return Fraction(0), read_amount(told["ke"]) * 900
    if told["half"]:
        return _length(Fraction(1, 2), told["hu"])
    if told.get("m"):
        return _length(Fraction(told["m"]), told["mu"])
    number = _count(told["n"])
    if told["h1"] or told["h2"]:
        number += Fraction(1, 2)
    return _length(number, told["u"])


def _count(said: str) -> Fraction:
    words = said.lower().split()
    if words[0] in ("a", "an") and (len(words) == 1 or words[1] == "couple"):
        return Fraction(len(words) == 1 or 2)
    return read_amount(said)


def _length(number: Fraction, unit: str) -> Part:
    """Return a number of units as months and seconds."""
    unit = unit.lower().split()[-1]
    name = unit if unit in _SECONDS or unit in _MONTHS else unit.rstrip("s")
    if name in _MONTHS:
        return number * _MONTHS[name], Fraction(0)
    return Fraction(0), number * _SECONDS[name]


def _read_iso(match: re.Match[str]) -> Part:
    told = {name: Fraction(value or 0) for name, value in match.groupdict().items()}
    days = told["weeks"] * 7 + told["days"]
    seconds = days * 86400 + told["hours"] * 3600 + told["minutes"] * 60 + told["seconds"]
    return told["years"] * 12 + told["months"], seconds
