"""Read out of a text what `difference.py` compares: times, numbers, names, negation, plans, order."""

import re
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from memories.comparison.contrasts import CHINESE_SYNONYMS, FORMER, GUESS, LIMITS, PLAN, SYNONYMS
from memories.comparison.words import CHINESE_NEGATORS, NEGATORS, NOT_NEGATING
from memories.language import CONTENT_STOP_WORDS, stem
from memories.quantities import ENGLISH, read_chinese_number
from memories.temporal import TimeMention, fold, resolve_times
from security.patterns import bounded

_ANCHOR: Final = datetime(2024, 1, 3, 12, tzinfo=UTC)
"""Any clock will do: both texts are read against the same one."""

_WORD: Final = bounded(r"[^\W_\u3040-\u30ff\u3400-\u9fff](?:[^\W\u3040-\u30ff\u3400-\u9fff]|[-'./:@](?=\w))*")
_TOKEN: Final = bounded(rf"{_WORD.pattern}|[\u3040-\u30ff\u3400-\u9fff]|[,，、&]")
_YEAR: Final = bounded(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_MONTH_DAY: Final = bounded(r"[A-Za-z]{3,9}\.?\s\d|\d\s[A-Za-z]{3}|\d\s?月|月\s?\d|^\d{1,2}/\d{1,2}$")
_CJK_RUN: Final = bounded(r"[\u3400-\u9fff]+")
_SPELLED: Final = "|".join(
    word for word in ENGLISH if " " not in word and word not in ("a", "an", "one", "zero")
)
_FIGURE: Final = bounded(
    rf"(?<![A-Za-z0-9_.])(?:(?P<digits>\d[\d,]*(?:\.\d+)?)|(?P<word>{_SPELLED})\b"
    r"|(?P<chinese>(?!一[^一二三四五六七八九十百千万])[一二两三四五六七八九十百千]+)(?=[个台次天周月年名位条件种倍元块万亿岁点分秒人层号份套组]))"
    r"\s?(?P<unit>%|k\b|thousand\b|million\b|billion\b|万|亿|ms\b|s(?:ec\w*)?\b|min\w*\b|h(?:ours?|rs?)?\b|[kmgt]i?b\b"
    r"|days?\b|weeks?\b|months?\b|years?\b|天|周|月|年|小时|分钟|秒)?",
    re.IGNORECASE,
)
_SCALES: Final = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "万": 1e4, "亿": 1e8}
_UNITS: Final = (
    ("m", "min"),
    ("h", "h"),
    ("小时", "h"),
    ("分钟", "min"),
    ("秒", "s"),
    ("天", "d"),
    ("周", "w"),
    ("月", "mo"),
    ("年", "y"),
)
_IDENTIFIER: Final = bounded(r"(?=\S*[A-Za-z])(?=\S*[\d_@/:-]|\S*[a-z][A-Z]|\S+\.\S+)\S+")
_QUOTED_NAME: Final = bounded(r"《([^》]{1,40})》|「([^」]{1,40})」|“([^”]{1,40})”|`([^`]{1,60})`")
_SENTENCE_START: Final = bounded(r"(?:^|[.!?。！？\n:：]\s*[\"'“(]*|[-*•]\s+)$")
_MODES: Final = tuple(bounded(marks, re.IGNORECASE) for marks in (PLAN, GUESS, FORMER))
_LIMITS: Final = tuple((name, bounded(marks, re.IGNORECASE)) for name, marks in LIMITS)
_TIMELESS: Final = bounded(
    r"\b(?:gets?|getting)\s([a-z]{2,}ed)\b"
    r"|(?:^|[.;!?]\s)([a-z]{2,}ed)\s[a-z]+\s(?:is|are|go(?:es)?|gets?|must|can|should)\b",
    re.IGNORECASE,
)
"""Words in -ed that tell no past: «nothing gets deployed», «returned goods are sent to dock 5»."""
_PRESENT: Final = frozenset(("is", "are", "am", "has", "isn't", "aren't", "it's", "they're"))
_PAST: Final = frozenset(("was", "were", "had", "wasn't", "weren't"))

_UNHEARD: Final = frozenset(
    ("a", "an", "the", "is", "are", "was", "were", "be", "been", "being", "am", "of", *"的了着地得之")
)
"""Tokens that carry neither content nor order."""

_SAME_WORD: Final = {stem(word): stem(row[0]) for row in SYNONYMS for word in row[1:]}
_SAME_CHINESE: Final = {word: row[0] for row in CHINESE_SYNONYMS for word in row[1:]}
_CHINESE_VARIANT: Final = bounded("|".join(sorted(_SAME_CHINESE, key=len, reverse=True)))


class Reading:
    """What of a text is compared. Read it by `read_text`, which keeps the latest."""

    __slots__ = (
        "capitals", "chinese", "dates", "entities", "limits", "modes", "negated", "numbers",
        "remainder", "sequence", "tense", "text", "timeless", "words",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = fold(text)
        mentions = resolve_times(self.text, clock=_ANCHOR, zone=ZoneInfo("UTC"), thorough=False)
        undated = _blot(self.text, mentions)
        self.words = [match[0].lower().removesuffix("'s") for match in _WORD.finditer(undated)]
        self.chinese = "".join(_CJK_RUN.findall(undated))
        self.capitals = frozenset(
            word
            for match in _WORD.finditer(undated)
            if match[0][0].isupper()
            and (word := match[0].lower().removesuffix("'s")) not in CONTENT_STOP_WORDS
        )
        self.dates = frozenset(_read_date(mention) for mention in mentions) | frozenset(
            _YEAR.findall(undated)
        )
        self.numbers = _read_numbers(_YEAR.sub(" ", undated))
        self.remainder = _FIGURE.sub(" ", _YEAR.sub(" ", undated))  # what is not compared as a time or figure
        self.entities = _read_entities(undated)
        self.negated = _is_negated(self.words, self.chinese)
        self.modes = tuple(marks.search(undated) is not None for marks in _MODES)
        self.tense = _read_tense(self.words)
        self.limits = _read_limits(undated)
        self.timeless = frozenset(
            word.lower() for match in _TIMELESS.finditer(undated) for word in match.groups() if word
        )
        self.sequence = read_sequence(self.text)


@lru_cache(maxsize=256)
def read_text(text: str) -> Reading:
    """Return the reading of a text; a new note is compared with many neighbours but read once."""
    return Reading(text)


def read_sequence(text: str) -> tuple[str, ...]:
    """
    Return the tokens in their order, words of one meaning made one: stems, single Chinese characters, commas.

    What carries neither content nor order (articles, «is», 的) is left out.
    """
    plain = _CHINESE_VARIANT.sub(lambda variant: _SAME_CHINESE[variant[0]], text.lower().replace("’", "'"))
    tokens = []
    for match in _TOKEN.finditer(plain):
        token = match[0].removesuffix("'s")
        if token not in _UNHEARD:
            root = stem(token)
            tokens.append(_SAME_WORD.get(root, root))
    return tuple(tokens)


def _blot(text: str, mentions: tuple[TimeMention, ...]) -> str:
    """Return the text with its times blotted out, so that their figures are no numbers."""
    for mention in mentions:
        start, end = mention.span
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _read_date(mention: TimeMention) -> tuple[object, ...] | str:
    """
    Return what of a time is compared.

    A day told without its year is compared as month and day (the year was guessed from the tense of the
    sentence), a year as its figures, whether «年» stands behind them or not.
    """
    year = _YEAR.search(mention.text)
    if year is not None and year[0] == mention.text.rstrip(" 年"):
        return year[0]
    if year is None and _MONTH_DAY.search(mention.text):
        return mention.start.month, mention.start.day, mention.start.time(), mention.end - mention.start
    return mention.start, mention.end


def _is_negated(words: list[str], chinese: str) -> bool:
    if any(word in NEGATORS or word.endswith("n't") for word in words):
        return True
    telling = bounded(NOT_NEGATING).sub("", chinese)
    return any(char in CHINESE_NEGATORS for char in telling)


def _read_numbers(text: str) -> Counter[tuple[float, str]]:
    """Read figures and number words with their units, thousands and millions multiplied out."""
    found: Counter[tuple[float, str]] = Counter()
    for match in _FIGURE.finditer(text):
        if match["digits"]:
            value = float(match["digits"].replace(",", ""))
        else:
            spelled = match["word"]
            value = ENGLISH[spelled.lower()] if spelled else read_chinese_number(match["chinese"])
        unit = (match["unit"] or "").lower()
        found[(value * _SCALES.get(unit, 1), "" if unit in _SCALES else _plain_unit(unit))] += 1
    return found


def _plain_unit(unit: str) -> str:
    """Return one name for the spellings of a unit."""
    for start, name in _UNITS:
        if unit.startswith(start) and unit not in ("ms", "mb", "mib") and not unit.startswith("mo"):
            return name
    return unit.rstrip("s") if len(unit) > 2 else unit


def _read_entities(text: str) -> frozenset[str]:
    """Read names: capitalised words inside sentences, identifiers, what stands in title marks or quotes."""
    names = {part.lower() for match in _QUOTED_NAME.finditer(text) for part in match.groups() if part}
    for match in _WORD.finditer(text):
        word = match[0].removesuffix("'s")
        before = text[max(0, match.start() - 6) : match.start()]
        if _IDENTIFIER.fullmatch(word) or _is_name(word, before):
            names.add(word.lower())
    return frozenset(names)


def _is_name(word: str, before: str) -> bool:
    """Say whether a word is written as a name: a capital inside a sentence, or capitals throughout."""
    if not word[0].isupper() or len(word) < 2 or word.lower() in CONTENT_STOP_WORDS:
        return False
    return word.isupper() or not _SENTENCE_START.search(before)


def _read_limits(text: str) -> frozenset[str]:
    """Return the classes of limits that narrow the text; «nothing … except» is «only», and no exception."""
    found = set()
    for name, marks in _LIMITS:
        for match in marks.finditer(text):
            found.add(name)
            if but := match.groupdict().get("but"):
                text = text.replace(but, " ", 1)
    return frozenset(found)


def _read_tense(words: list[str]) -> str:
    """Return the tense of the auxiliaries: present or past; an empty text for both or none."""
    present, past = not _PRESENT.isdisjoint(words), not _PAST.isdisjoint(words)
    return "" if present == past else "present" if present else "past"
