"""
Say whether two near-identical texts differ in what must never be skipped over or merged (SPEC W-11).

Vectors and word overlap hardly see a «not», a figure, a date or a name. What is found here is meant for pairs
that they hold for the same; between texts on different matters nearly everything differs.
"""

import re
from collections import Counter
from datetime import UTC, datetime
from difflib import SequenceMatcher
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memories.differ_words import (
    ANTONYMS,
    CHINESE_ANTONYMS,
    CHINESE_NEGATORS,
    NEGATORS,
    NOT_NEGATING,
    SURNAMES,
)
from memories.normalise import TimeMention, fold, resolve_times
from memories.normalise.numbers import ENGLISH, read_chinese_number
from memories.token_words import CONTENT_STOP_WORDS
from memories.tokens import stem

Difference = Literal["polarity", "number", "date", "entity"]

_ANCHOR: Final = datetime(2024, 1, 3, 12, tzinfo=UTC)
"""Any clock will do: both texts are read against the same one."""

_WORD: Final = re.compile(
    r"[^\W_\u3040-\u30ff\u3400-\u9fff](?:[^\W\u3040-\u30ff\u3400-\u9fff]|[-'./:@](?=\w))*"
)
_YEAR: Final = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")
_MONTH_DAY: Final = re.compile(r"[A-Za-z]{3,9}\.?\s\d|\d\s[A-Za-z]{3}|\d\s?月|月\s?\d|^\d{1,2}/\d{1,2}$")
_CJK_RUN: Final = re.compile(r"[\u3400-\u9fff]+")
_SPELLED: Final = "|".join(
    word for word in ENGLISH if " " not in word and word not in ("a", "an", "one", "zero")
)
_FIGURE: Final = re.compile(
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
_IDENTIFIER: Final = re.compile(r"(?=\S*[A-Za-z])(?=\S*[\d_@/:-]|\S*[a-z][A-Z]|\S+\.\S+)\S+")
_QUOTED_NAME: Final = re.compile(r"《([^》]{1,40})》|「([^」]{1,40})」|“([^”]{1,40})”|`([^`]{1,60})`")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?。！？\n:：]\s*[\"'“(]*|[-*•]\s+)$")
_PREFIXES: Final = ("un", "in", "ir", "il", "dis", "non")


def differences(a: str, b: str) -> frozenset[Difference]:
    """Return in which respects two near-identical texts differ (English and Chinese), in either order."""
    left, right = _Reading(a), _Reading(b)
    tests: tuple[tuple[Difference, bool], ...] = (
        ("polarity", _polarity_differs(left, right)),
        ("number", left.numbers != right.numbers),
        ("date", left.dates != right.dates),
        ("entity", _entities_differ(left, right)),
    )
    return frozenset(name for name, differs in tests if differs)


def same_statement(a: str, b: str) -> bool:
    """Say whether two near-identical texts agree in polarity, numbers, dates and names."""
    return not differences(a, b)


class _Reading:
    """What of a text is compared."""

    __slots__ = ("capitals", "chinese", "dates", "entities", "negated", "numbers", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = fold(text)
        mentions = resolve_times(self.text, clock=_ANCHOR, zone=ZoneInfo("UTC"))
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
        self.entities = _read_entities(undated)
        self.negated = _is_negated(self.words, self.chinese)


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
    telling = re.sub(NOT_NEGATING, "", chinese)
    return any(char in CHINESE_NEGATORS for char in telling)


def _polarity_differs(left: _Reading, right: _Reading) -> bool:
    if left.negated != right.negated:
        return True
    only_left, only_right = set(left.words) - set(right.words), set(right.words) - set(left.words)
    for here, there in ((only_left, only_right), (only_right, only_left)):
        if any(x in here and y in there for x, y in ANTONYMS):
            return True
        if any(prefix + word in there for word in here for prefix in _PREFIXES):
            return True
    return _chinese_opposes(left.chinese, right.chinese) or _chinese_opposes(right.chinese, left.chinese)


def _chinese_opposes(here: str, there: str) -> bool:
    return any(x in here and x not in there and y in there and y not in here for x, y in CHINESE_ANTONYMS)


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


def _entities_differ(left: _Reading, right: _Reading) -> bool:
    """Say whether one text has a name that the other lacks, or has another in its place."""
    for here, there in ((left, right), (right, left)):
        if any(not _has_name(there, name) for name in here.entities):
            return True
    return _is_swapped(left, right) or _chinese_name_swapped(left.chinese, right.chinese)


def _has_name(reading: _Reading, name: str) -> bool:
    """Say whether a text has a name, in whatever case or number, or the parts of a hyphenated one."""
    if name in reading.text.lower():
        return True
    stems = {stem(part) for word in reading.words for part in re.split(r"[-_./]", word)}
    return all(stem(part) in stems for part in re.split(r"[-_./\s]", name))


def _is_swapped(left: _Reading, right: _Reading) -> bool:
    """
    Say whether the texts differ in one word, written with a capital in both: «Alice prefers tea», «Bob
    prefers tea».

    At the start of a sentence a capital alone tells no name.
    """
    ours, theirs = left.capitals - right.capitals, right.capitals - left.capitals
    rest_differs = {stem(word) for word in left.words} ^ {stem(word) for word in right.words}
    return (
        len(ours) == len(theirs) == 1
        and len(rest_differs) == 2
        and {stem(w) for w in ours | theirs} == rest_differs
    )


def _chinese_name_swapped(left: str, right: str) -> bool:
    """Say whether two Chinese texts differ in one place where both have what looks like a person's name."""
    edits = [
        op for op in SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if op[0] != "equal"
    ]
    if len(edits) != 1 or edits[0][0] != "replace":
        return False
    _, i1, i2, j1, j2 = edits[0]
    if i1 and left[i1 - 1] in SURNAMES:  # 张伟, 张娜: the surname is common to both
        i1, j1 = i1 - 1, j1 - 1
    return all(2 <= len(name) <= 3 and name[0] in SURNAMES for name in (left[i1:i2], right[j1:j2]))
