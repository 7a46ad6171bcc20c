"""
Tell a day that comes again, or that nothing ties to one occasion, from a date (SPEC K-02). Pure.

«We never deploy on Friday» means every Friday, «Anna works from home on Tuesday and Thursday» too. A weekday,
a month or a day of the month is a date only where something speaks of one occasion: a past tense, a plan, a
«next». Where nothing does, the words stay what they are: a day of the calendar that recurs, or is not known.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from memories.temporal.cues import guess_tense
from memories.temporal.mention import MentionKind, Tense, TimeMention
from security.patterns import bounded

_WEEKDAY: Final = bounded(
    r"(?:on\s)?(?:the\s)?(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?\.?"
    r"|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_DAY_OF_MONTH: Final = bounded(
    r"(?:on\s)?(?:the\s)?\d{1,2}(?:st|nd|rd|th)?|\d{1,2}[号號日]|[一二三四五六七八九十廿]{1,3}[号號日]"
)
_MONTH: Final = bounded(
    r"(?:in\s)?(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月",
    re.IGNORECASE,
)
_ABBREVIATION: Final = bounded(r"(?:mon|mar|sat|sun|wed|may|dec|jan|jun|jul|oct|nov|sept?)\.?", re.IGNORECASE)
_ENGLISH: Final = bounded(
    r"\b(?:the|is|are|and|of|with|we|my|our|this|next|last|from|has|have|will|your|by|until|it|to|at)\b",
    re.IGNORECASE,
)
_BESIDE_FIGURE: Final = bounded(r"[\s,.]{0,2}\d")
_DECIMAL: Final = bounded(r"\d[.,]\d+\s*(?:year|month|week|day|hour|年|[个個]?月|周|週|天|小)", re.IGNORECASE)

_HABIT: Final = bounded(
    r"\b(?:always|never|every|each|usually|normally|typically|generally|often|mostly|rarely|seldom|sometimes"
    r"|weekly|monthly|daily|yearly|annually|regularly|on any|any given|no \w+ on|not? allowed|forbidden)\b"
    r"|每|总是|總是|一般|通常|从来|從來|从不|從不|不许|不許|不准|不得|禁止|严禁|嚴禁|一律|平时|平時|定期|例行|固定",
    re.IGNORECASE,
)
_ONE_OCCASION: Final = bounded(
    r"\b(?:next|last|this|coming|past|previous|upcoming|due|deadline|by|until|before|tomorrow|yesterday|today)\b"
    r"|上|下|本|这|這|昨|今|明|截止|之前|以前",
    re.IGNORECASE,
)
_PRESENT: Final = bounded(
    r"\b(?:I|[Ww]e|[Tt]hey|[Yy]ou|[Pp]eople)\s(?:\w+ly\s|don['’]t\s|do\snot\s|all\s)?"
    r"(?!(?:am|are|were|was|have|had|will|can|may|might|must|need|want)\b)[a-z]{3,}\b"
    r"|\b(?!(?:The|This|That|Our|My|His|Her|Their|Its|An)\b)[A-Z][\w'’-]{1,40}\s(?:\w+ly\s)?"
    r"(?!(?:is|was|has|its|this|his)\b)[a-z]{2,}s\b"
)
"""A full verb in the plain present: what people do, rather than what is on."""
_STATIVE: Final = bounded(r"[很太真挺]|非常|特别|特別|糟|顺利|順利|不错|不錯|失败|失敗")
_PLAN: Final = bounded(
    r"\b(?:will|won['’]t|shall|going to|gonna|plan\w*|schedul\w*|next|coming|upcoming|launch\w*|due"
    r"|expect\w*)\b|['’]ll\b"
    r"|将|將|会|會|打算|计划|計劃|准备|準備|安排|预计|預計|明年",
    re.IGNORECASE,
)
_FROM: Final = bounded(
    r"\b(?:from|starting|beginning|as of|effective)\s+[A-Z]|\d月(?:起|开始)", re.IGNORECASE
)
"""What holds from a month on is to come."""
_EVERY_AFTER: Final = bounded(
    r"\s?(?:of|in)?\s?(?:every|each|any|jede[snmr]?|chaque|cada)\s(?:\w+\s)?(?:month|monats?|mois|mes)\b"
    r"|\s(?:de\s(?:chaque\smois|cada\smes)|(?:eines\s)?jeden\sMonats)\b",
    re.IGNORECASE,
)
_EVERY_BEFORE: Final = bounded(
    r"(?:每[个個]?[月年周週]|每逢|毎[月年週]"
    r"|\b(?:every|each|jeden|jede|chaque|tous les|cada|todos los|todas las))\s?(?:的\s?)?$",
    re.IGNORECASE,
)
_BORDER: Final = bounded(r"[\n!?。！？]|\.(?!\S)")
_JOINED: Final = bounded(r"\s?(?:and|or|&|,|/|、|和|与|與|及|或|,\s?and)\s?(?:on\s)?", re.IGNORECASE)
_LONGEST_LEAD: Final = 24

LONGEST_SENTENCE: Final = 1_000
"""
Characters of a sentence that are read for its mentions; of a longer one the piece of so many in which the
mention begins. A piece is read once for all of its mentions: read for each, a row of weekdays took 20 s.
"""

_SOON: Final = timedelta(days=183)
"""How far ahead a bare month lies from which, with no plan in its sentence, the one that is over is meant."""


def settle(text: str, mentions: tuple[TimeMention, ...], *, clock: datetime) -> tuple[TimeMention, ...]:
    """Return the mentions, those that are no date marked so; what is no time is left out."""
    borders = [match.start() for match in _BORDER.finditer(text)] if mentions else []
    is_foreign = bool(mentions) and not _ENGLISH.search(text) and len(text.split()) > 2
    kept: list[TimeMention] = []
    for place, mention in enumerate(mentions):
        if _is_none(text, mention, is_foreign=is_foreign):
            continue
        near = mentions[max(0, place - 1) : place] + mentions[place + 1 : place + 2]
        kept.append(_settle(text, _sentence_of(text, mention, borders), mention, near, clock))
    return tuple(kept)


def _sentence_of(text: str, mention: TimeMention, borders: Sequence[int]) -> str:
    """Return the sentences in which a mention stands, or a piece. borders: where sentences end, in order."""
    start, end = mention.span
    before, behind = bisect_right(borders, start) - 1, bisect_left(borders, end)
    first = borders[before] + 1 if before >= 0 else 0
    last = borders[behind] if behind < len(borders) else len(text)
    if last - first <= LONGEST_SENTENCE:
        return text[first:last]
    first += (start - first) // LONGEST_SENTENCE * LONGEST_SENTENCE
    return text[first : min(last, max(first + LONGEST_SENTENCE, end))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signs:
    """What a sentence has that tells an occasion from a habit."""

    is_habit: bool
    tense: Tense
    is_plain: bool  #: a verb in the plain present, or how something is


@lru_cache(maxsize=64)
def _signs_of(sentence: str) -> _Signs:
    is_plain = bool(_PRESENT.search(sentence) or _STATIVE.search(sentence))
    return _Signs(is_habit=bool(_HABIT.search(sentence)), tense=guess_tense(sentence), is_plain=is_plain)


@lru_cache(maxsize=256)
def _tells_one(sentence: str, said: str) -> bool:
    """Tell whether a sentence without these words speaks of one occasion."""
    return _ONE_OCCASION.search(sentence.replace(said, " ")) is not None


def _is_none(text: str, mention: TimeMention, *, is_foreign: bool) -> bool:
    """Tell whether what was read is no time: «Mon mari», the «3 years» of 4.3 years."""
    start, end = mention.span
    if _DECIMAL.search(mention.text) or (
        start and text[start - 1] in ".," and text[start - 2 : start - 1].isdigit()
    ):
        return True
    bare = _ABBREVIATION.fullmatch(mention.text) is not None
    return bare and is_foreign and not _BESIDE_FIGURE.match(text, end)


def _settle(
    text: str, sentence: str, mention: TimeMention, near: tuple[TimeMention, ...], clock: datetime
) -> TimeMention:
    said = mention.text.strip()
    kind: MentionKind = "date"
    if _WEEKDAY.fullmatch(said):
        kind = _kind_of_weekday(text, sentence, mention, near)
    elif _DAY_OF_MONTH.fullmatch(said) and _comes_again(text, mention):
        kind = "recurring"
    elif _MONTH.fullmatch(said):
        if _comes_again(text, mention):
            kind = "recurring"
        else:
            return _nearest(sentence, mention, clock)
    else:
        kind = "recurring" if _comes_again(text, mention) and mention.resolution == "day" else "date"
    if kind == "date":
        return mention
    return replace(mention, kind=kind, dated=False)


def _comes_again(text: str, mention: TimeMention) -> bool:
    """Tell whether «every» stands right before or behind a mention, or in it."""
    start, end = mention.span
    lead = text[max(0, start - _LONGEST_LEAD) : start]
    return bool(_EVERY_AFTER.match(text, end) or _EVERY_BEFORE.search(lead))


def _kind_of_weekday(
    text: str, sentence: str, mention: TimeMention, near: tuple[TimeMention, ...]
) -> MentionKind:
    signs = _signs_of(sentence)
    if signs.is_habit or _comes_again(text, mention):
        return "recurring"
    if signs.tense == "past" or _tells_one(sentence, mention.text):
        return "date"
    if any(_is_joined(text, mention, other) for other in near) and signs.tense != "future":
        return "recurring"
    return "unanchored" if signs.tense != "future" and signs.is_plain else "date"


def _is_joined(text: str, one: TimeMention, other: TimeMention) -> bool:
    first, then = sorted((one, other), key=lambda mention: mention.span)
    between = text[first.span[1] : then.span[0]]
    return bool(_WEEKDAY.fullmatch(other.text.strip()) and len(between) < 12 and _JOINED.fullmatch(between))


@lru_cache(maxsize=64)
def _speaks_of_a_plan(sentence: str) -> bool:
    return bool(_PLAN.search(sentence) or _FROM.search(sentence))


def _nearest(sentence: str, mention: TimeMention, clock: datetime) -> TimeMention:
    """Return a bare month in the year in which it is nearest, unless a plan names it."""
    if mention.start - clock <= _SOON or _speaks_of_a_plan(sentence):
        return mention
    start, end = (moment.replace(year=moment.year - 1) for moment in (mention.start, mention.end))
    return replace(mention, start=start, end=end, past=end <= clock)


_EVERY: Final = bounded(
    r"\b(?:every|each)\s(?:other\s|second\s|third\s|single\s)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|day|week|month"
    r"|quarter|year|morning|evening|night|hour|weekday|weekend)s?\b"
    r"|\b(?:jede[nrs]?|chaque|tous\sles|toutes\sles|cada|todos\slos|todas\slas)\s[^\W\d_]{3,12}\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\b(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|werktags)\b"
    r"|每[个個]?(?:星期|礼拜|禮拜|周|週)[一二三四五六日天]?|每[天日年]|每[个個]?月(?:\d{1,2}[号號日])?|毎(?:週[月火水木金土日]?曜?日?|日|朝|晩|月|年)",
    re.IGNORECASE,
)


def find_recurring(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of words that say by themselves that something comes again: «every Monday», 每周三."""
    for match in _EVERY.finditer(text):
        yield match.span()
