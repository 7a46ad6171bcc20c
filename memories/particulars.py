"""
Read the particulars of a text, and tell which of them another text lacks (SPEC W-11). Pure.

Figures, times and names: what makes a note news though every other word of it was said before. Read so that
the same amount meets itself in other words and the other language: «36 months» and «three years», «20 %» and
百分之二十, «Hangzhou» and 杭州. When unsure, a particular is missing: the note is kept.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memories.differ_reading import read_text
from memories.differ_words import SURNAMES
from memories.normalise import TimeMention, fold, resolve_times
from memories.normalise.amounts import BARE_FIGURES, CHINESE, WORDS, read_amount, scale_of
from memories.normalise.mention import shift_months
from memories.normalise.pinyin import spells
from memories.normalise.registry import find_quantities
from memories.token_words import CONTENT_STOP_WORDS, MONTHS, WEEKDAYS
from memories.tokens import stem
from security.patterns import bounded

Particular = Literal["figure", "time", "name"]

NEARLY: Final = Fraction(1, 10)
"""How far, of the larger, an amount told as a rough one may lie from the exact one. Our choice."""

_HAN: Final = bounded(r"[\u3400-\u9fff]")
_CAPITAL: Final = bounded(r"(?:(?<=[a-z0-9] )|(?<=[a-z0-9], ))[A-Z][a-z]{2,}(?![\w.'’/-])")
_ROUGH: Final = bounded(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|ca\.?)|~|大约|大概|约|近|将近|差不多)"
    r"\s?(?:an?\s)?$",
    re.IGNORECASE,
)
_NUMBER: Final = bounded(
    rf"(?P<digits>{BARE_FIGURES})(?:\s?(?P<scale>k|thousand|million|billion|[万萬亿億])(?![a-z]))?"
    rf"|(?P<words>{WORDS})|(?P<chinese>{CHINESE})(?=[^一-鿿]|[个個台次天周月年名位条件种倍元块公岁点分秒人层号號份套组箱支米度牛伏安])",
    re.IGNORECASE,
)
_WRITTEN_OUT: Final = bounded(
    r"(?<![\w./:-])(?P<year>(?:19|20)\d\d)(?:-(?P<month>0[1-9]|1[0-2])(?![\w/:-]|\.\d)|(?=['’]s\b))",
    re.ASCII,
)
"""A month or a year as `normalise` writes it for relative words: «2026-05», «2025's»."""
_HALVING: Final = bounded(r"\bhalv(?:e|es|ed|ing)\b|减半|減半", re.IGNORECASE)
_ORDINAL: Final = bounded(r"\b(?P<figure>\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE)
_ROUGH_REACH: Final = 24
"""Characters before a figure in which «roughly» is looked for."""
_INSIDE: Final = bounded(r"[A-Za-z0-9_/:@-]$|[A-Za-z]\.$|\d[.,]$")
_VERSION: Final = bounded(
    r"(?<![\w.])v?\d+(?:[.:/-]\d+){2,}(?![\w])|(?<![\w.])\d+-\d+(?![\w])", re.IGNORECASE
)
_COUNTED: Final = bounded(r"\d+(?:[.,]\d+)?-[a-z]{2,}")
"""An amount that stands before what it measures: «a 24-ton silo»; read as the figure it is."""
FIELD: Final = bounded(r"(?<![^\s,;(\[{])([A-Za-z][\w.-]*)=(?=\S)")
"""The name of a field, as programs print it: a word for what follows, not the name of a thing."""
_LETTERED: Final = bounded(r"(?<![\w-])[A-Z]{2,6} ?\d[\d-]{2,}(?!\w)")
_DAY_ALONE: Final = bounded(r"\d{1,2}(?:st|nd|rd|th)?|[0-9一二三四五六七八九十]{1,3}[日号號]")
_TITLES: Final = frozenset(("mr", "mrs", "ms", "dr", "prof", "miss", "sir", "madam", "st"))
_ORDINARY: Final = (
    frozenset(name.casefold() for english, _ in (*MONTHS, *WEEKDAYS) for name in (english, english[:3]))
    | _TITLES
    | CONTENT_STOP_WORDS
)
"""Words with a capital that are no names."""
_CHINESE_TITLE: Final = bounded(
    rf"[{''.join(sorted(SURNAMES))}](?:工|总|總|经理|經理|先生|女士|小姐|老师|老師|师傅|師傅|博士|主任|医生|醫生)"
)
"""A person as colleagues call them: a surname with a title."""
_JOINS: Final = bounded(r"[-_./:=@\s]+")
_UNCOUNTED: Final = frozenset(("一", "二", "两"))
"""Chinese numerals too small to tell an amount from «a» and «both»."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """An amount, however it was written."""

    amount: Fraction
    unit: str = ""  #: of a sum, a length of time, a part of a whole; empty where the unit was not read
    rough: bool = False  #: told as an approximate one


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """What a text tells beside its ordinary words."""

    text: str  #: folded, lower-cased
    figures: tuple[Figure, ...]
    times: tuple[TimeMention, ...]
    names: frozenset[str]  #: Latin names and codes, lower-cased
    openers: frozenset[str]  #: words with a capital only because a sentence begins, or a name does
    fields: frozenset[str] = frozenset()  #: names of fields, as in `max_lag=38s`


@lru_cache(maxsize=256)
def read_particulars(text: str, *, clock: datetime, zone: str = "UTC") -> Particulars:
    """Return the particulars of a text; clock: aware, that by which its date words are meant."""
    folded = fold(text)
    times = resolve_times(folded, clock=clock, zone=ZoneInfo(zone), thorough=False)
    times += tuple(_read_written_out(folded, times, zone=ZoneInfo(zone)))
    reading = read_text(text)
    return Particulars(
        text=folded.casefold(),
        figures=tuple(_read_figures(folded, times)),
        times=times,
        names=_read_names(folded, times, reading.entities),
        openers=frozenset(
            word for word in reading.capitals - reading.entities if not _NUMBER.fullmatch(word)
        ),
        fields=frozenset(name.casefold() for name in FIELD.findall(folded)),
    )


def find_missing(
    new: Particulars, old: Particulars, *, known: Iterable[str] = (), day: date | None = None
) -> frozenset[Particular]:
    """
    Return the kinds of particulars that `new` tells and `old` does not.

    known: further names that the old one goes with, such as its speaker and its entity. day: the one the old
    text was said of, which it need not tell.
    """
    told = " ".join((old.text, *known)).casefold()
    missing: dict[Particular, bool] = {
        "figure": any(not _has_figure(old, figure) for figure in new.figures),
        "time": any(not (_has_time(old, mention) or _is_day(mention, day)) for mention in new.times),
        "name": _has_new_name(new, old, told),
    }
    return frozenset(kind for kind, is_missing in missing.items() if is_missing)


def brings_name(new: str, old: str, *, known: Iterable[str] = ()) -> bool:
    """
    Tell at a glance whether the new text has a Latin name that the old one lacks; if not, it may still.

    Looks at capitals inside sentences only, and at no Chinese text: a hundred times as fast as reading both.
    """
    if _HAN.search(old):
        return False
    told = " ".join((old, *known)).casefold()
    names = (match[0].casefold() for match in _CAPITAL.finditer(new))
    return any(name not in told and name not in _ORDINARY for name in names)


def count_common(new: Particulars, old: Particulars, *, known: Iterable[str] = ()) -> int:
    """Return how many figures, times and names of `new` the old one tells, too."""
    told = " ".join((old.text, *known)).casefold()
    names = {name for name in new.names | new.openers if not _is_addressed(name, new.text)}
    return (
        len({figure.amount for figure in new.figures if _has_figure(old, figure)})
        + sum(_has_time(old, mention) for mention in new.times)
        + sum(_is_told(name, told) for name in names)
    )


def _is_addressed(name: str, text: str) -> bool:
    """Tell whether a name only says to whom one speaks: «Thanks, Maria!»."""
    address = rf"(?:^\W*|[.!?]\s+|^\W*\w{{2,8}},?\s+){re.escape(name)}\s*[!,?]"
    return bounded(address).search(text) is not None


def _read_names(text: str, times: Sequence[TimeMention], read: frozenset[str]) -> frozenset[str]:
    """Return the names that were read, no titles or days, but versions and Chinese forms of address."""
    taken = _Taken(text, (mention.span for mention in times))
    ordinary = (_ORDINAL, _COUNTED)
    found = {name for name in read if name not in _TITLES and not any(p.fullmatch(name) for p in ordinary)}
    for pattern in (_LETTERED, _VERSION, _CHINESE_TITLE):
        for match in pattern.finditer(text):
            if taken.is_free(match.span()):
                taken.take(match.span())
                found.add(match[0].casefold())
    return frozenset(found)


def _read_figures(text: str, times: Sequence[TimeMention]) -> Iterable[Figure]:
    taken = _Taken(text, (mention.span for mention in times))
    for match in _LETTERED.finditer(text):
        taken.take(match.span())
    for quantity in find_quantities(text):
        if taken.is_free(quantity.span):
            taken.take(quantity.span)
            size, unit = _split(quantity.canonical)
            yield Figure(amount=size, unit=unit, rough=_is_rough(text, quantity.span[0]))
    for match in _ORDINAL.finditer(text):
        if taken.is_free(match.span()):
            taken.take(match.span())
            yield Figure(amount=Fraction(int(match["figure"])), unit="day")
    for match in _HALVING.finditer(text):
        if taken.is_free(match.span()):
            taken.take(match.span())
            yield Figure(amount=Fraction(1, 2), unit="share")
    for match in _NUMBER.finditer(text):
        stands_alone = taken.is_free(match.span()) and not _INSIDE.search(
            text[max(0, match.start() - 2) : match.start()]
        )
        if stands_alone and (amount := _amount(match)) is not None:
            yield Figure(amount=amount, rough=_is_rough(text, match.start()))


def _read_written_out(text: str, times: Sequence[TimeMention], *, zone: ZoneInfo) -> Iterable[TimeMention]:
    """Yield the months and years that stand in the form in which relative words were written out."""
    taken = _Taken(text, (mention.span for mention in times))
    for match in _WRITTEN_OUT.finditer(text):
        if taken.is_free(match.span()):
            first = date(int(match["year"]), int(match["month"] or 1), 1)
            after = shift_months(first, 1 if match["month"] else 12)
            start, end = (datetime.combine(day, time(), tzinfo=zone) for day in (first, after))
            yield TimeMention(
                text=match[0], span=match.span(), start=start, end=end, resolution="range", past=False
            )


def _amount(match: re.Match[str]) -> Fraction | None:
    """Return a plain number; None for «one», which mostly counts nothing."""
    if match["digits"]:
        return read_amount(match["digits"]) * scale_of(match["scale"])
    said = match["words"] or match["chinese"]
    try:
        amount = read_amount(said)
    except (KeyError, ValueError):
        return None
    return None if said in _UNCOUNTED or amount <= 1 else amount


def _split(canonical: str) -> tuple[Fraction, str]:
    """Return amount and unit of a quantity's canonical form; a length of time is its own unit."""
    head, _, unit = canonical.partition(" ")
    try:
        return Fraction(head), unit or "share"
    except ValueError:
        return Fraction(int(bounded(r"\D").sub("", head) or 0)), canonical


def _is_rough(text: str, start: int) -> bool:
    return _ROUGH.search(text[max(0, start - _ROUGH_REACH) : start]) is not None


class _Taken:
    """The places of a text that are read already."""

    def __init__(self, text: str, spans: Iterable[tuple[int, int]]) -> None:
        self._marks = bytearray(len(text) + 1)
        for span in spans:
            self.take(span)

    def take(self, span: tuple[int, int]) -> None:
        self._marks[span[0] : span[1]] = b"\x01" * (span[1] - span[0])

    def is_free(self, span: tuple[int, int]) -> bool:
        return not any(self._marks[span[0] : span[1]])


def _has_figure(old: Particulars, figure: Figure) -> bool:
    days = {day.day for mention in old.times for day in _ends(mention)}
    if figure.unit in ("", "day") and figure.amount in days:
        return True
    return any(_is_same(figure, other) for other in old.figures)


def _ends(mention: TimeMention) -> tuple[datetime, ...]:
    """Return the first and the last day of a time; nothing of a mere time of day."""
    if not mention.dated:
        return ()
    return (mention.start, max(mention.start, mention.end - timedelta(days=1)))


def _is_same(one: Figure, other: Figure) -> bool:
    """Tell whether two amounts are one; where a unit was not read, the number decides."""
    if one.unit and other.unit and one.unit != other.unit:
        return False
    ours, theirs = (_as_number(figure, beside) for figure, beside in ((one, other), (other, one)))
    if one.rough or other.rough:
        return abs(ours - theirs) <= NEARLY * max(ours, theirs)
    return ours == theirs


def _as_number(figure: Figure, beside: Figure) -> Fraction:
    """Return the number as the other one would tell it: «five» beside «3 percent» means 5 percent."""
    if figure.unit == "share" and not beside.unit and beside.amount >= 1:
        return figure.amount * 100
    return figure.amount


def _has_time(old: Particulars, mention: TimeMention) -> bool:
    """Tell whether the old text tells this time, or one within it for a day that was told more exactly."""
    if any(_same_time(mention, other) for other in old.times):
        return True
    if _DAY_ALONE.fullmatch(mention.text.removeprefix("the ")):  # of which month, the text does not say
        return any(mention.start.day == day.day for other in old.times for day in _ends(other))
    return mention.text.isdigit() and any(mention.text in other.text for other in old.times)


def _is_day(mention: TimeMention, day: date | None) -> bool:
    return mention.resolution == "day" and mention.start.date() == day


def _same_time(one: TimeMention, other: TimeMention) -> bool:
    """Tell whether the first time is told by the second: the same, or the first or last day of it."""
    if (one.start, one.end, one.dated) == (other.start, other.end, other.dated):
        return True
    if not one.dated or (not other.dated and one.start == one.end):
        at = one.start.astimezone(other.start.tzinfo) if one.dated else one.start
        return at.time() == other.start.time() and (one.start == one.end) == (other.start == other.end)
    if one.resolution == "instant":
        return one.start == other.start
    if one.resolution == "day":
        return (one.start.month, one.start.day) in {(day.month, day.day) for day in _ends(other)}
    return (one.start.month, one.start.day) == (other.start.month, other.start.day) and (
        one.end - one.start == other.end - other.start
    )


def _has_new_name(new: Particulars, old: Particulars, told: str) -> bool:
    # Beside prose the name of a field is but a word; two records with other fields tell of other things.
    labels = frozenset() if old.fields else new.fields
    if any(not _is_told(name, told) for name in new.names - old.names - labels):
        return True
    mine = {stem(word) for word in new.openers if not _is_told(word, told)}
    theirs = {
        stem(word) for word in old.openers | old.names if word.isascii() and not _is_told(word, new.text)
    }
    return bool(mine - theirs and theirs - mine) or _swaps_surname(new.text, old.text)


def _is_told(name: str, told: str) -> bool:
    """Tell whether a text has this name: as it stands, with other joints («AB 12-3»), or in Chinese."""
    if any(sign.isdigit() for sign in name):
        return _code_pattern(name).search(told) is not None
    if name in told:
        return True
    parts = [part for part in _JOINS.split(name) if part]
    return spells(name, told) or (len(parts) > 1 and all(_is_told(part, told) for part in parts))


@lru_cache(maxsize=1024)
def _code_pattern(name: str) -> re.Pattern[str]:
    """Return what finds a code as a whole, joined by blanks, hyphens or nothing."""
    signs = [re.escape(sign) for sign in name if sign not in " -"]
    return bounded(rf"(?<![a-z0-9]){'[ -]?'.join(signs)}(?![a-z0-9]|[.]\d)")


def _swaps_surname(new: str, old: str) -> bool:
    """Tell whether a surname is followed by another character than in the old text: 张伟, 张玮."""
    for surname in SURNAMES & set(new) & set(old):
        ours = {new[at + 1 : at + 2] for at, sign in enumerate(new) if sign == surname}
        theirs = {old[at + 1 : at + 2] for at, sign in enumerate(old) if sign == surname}
        if ours - theirs and theirs - ours:
            return True
    return False
