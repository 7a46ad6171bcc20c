"""Read numbers in figures and in words: 1,200.50, twenty-one, half a million, 三千五百, 1.2万."""

from fractions import Fraction
from typing import Final

from security.patterns import bounded

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final = {word: number for number, word in enumerate(_ONES.split())} | {
    word: 10 * number for number, word in enumerate(_TENS.split(), start=2)
}
ENGLISH: Final = _SMALL | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2}
"""Number words of English, and what «a couple of» counts for."""

_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SUFFIXES: Final = _SCALES | {
    "k": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "b": 10**9, "bn": 10**9, "百": 100, "千": 1000,
    "万": 10**4, "萬": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "億": 10**8,
}  # fmt: skip
_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "两": 2, "兩": 2, "俩": 2,
}  # fmt: skip
_STEPS: Final = {"十": 10, "百": 100, "千": 1000}
_MYRIADS: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

BARE_FIGURES: Final = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d|[/.,]\d)"
"""Figures, whatever stands before them."""
FIGURES: Final = rf"(?<![A-Za-z0-9_.,/-]){BARE_FIGURES}"
"""Figures that are a number by themselves: no part of a version, a date or a longer row."""
_WORD: Final = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))
WORDS: Final = (
    rf"\b(?:(?:a|an)\s(?={'|'.join(_SCALES)})|half\sa\s(?=million|billion))?(?:{_WORD})\b(?:(?:\sand\s|\s|-)"
    rf"(?:{_WORD})\b)*"
)
CHINESE: Final = r"[零〇一二两兩三四五六七八九十百千万萬亿億]{1,24}(?:点[零〇一二三四五六七八九]{1,24})?"
"""Shorter than its bound: a row of its signs with no unit behind it is looked at from each of them."""


def read_english_number(words: str) -> int:
    """Read digits or a number word such as `three` or `twenty-one`. Raises KeyError for others."""
    if words.isdigit():
        return int(words)
    words = " ".join(words.lower().split())
    if words in ENGLISH:
        return ENGLISH[words]
    tens, _, ones = words.replace("-", " ").partition(" ")
    return ENGLISH[tens] + ENGLISH[ones]


def read_chinese_number(text: str) -> int:
    """Read digits, a counting number (二十三) or a row of digits (二〇二六). Raises KeyError for others."""
    return int(text) if text.isdecimal() else int(_read_chinese(text))


def read_amount(said: str) -> Fraction:
    """Read figures, English number words or a Chinese numeral. Raises ValueError or KeyError for others."""
    said = said.strip().lower()
    if said[:1].isdigit():
        return Fraction(said.replace(",", ""))
    return _read_words(said) if said[:1].isascii() else _read_chinese(said)


def scale_of(suffix: str | None) -> int:
    """Return what a suffix such as k, million or 万 multiplies by; 1 without one."""
    return _SUFFIXES[suffix.lower()] if suffix else 1


def _read_words(said: str) -> Fraction:
    """Read `two hundred and five thousand`: hundreds bind first, larger scales close a group."""
    total = group = Fraction(0)
    for word in bounded(r"[\s-]+").split(said):
        if word in ("and", "a", "an"):
            group = group or Fraction(word != "and")
        elif word == "half":
            group = Fraction(1, 2)
        elif word == "hundred":
            group = (group or Fraction(1)) * 100
        elif word in _SCALES:
            total, group = total + (group or 1) * _SCALES[word], Fraction(0)
        else:
            group += _SMALL[word]
    return total + group


def _read_chinese(said: str) -> Fraction:
    """Read 三千五百, 二〇二六, 一百二十万, 三点五."""
    whole, _, part = said.partition("点")
    decimals = Fraction("0." + _figures(part)) if part else Fraction(0)
    if not any(char in _STEPS or char in _MYRIADS for char in whole):
        return Fraction(_figures(whole) or "0") + decimals
    total = section = digit = 0
    for char in whole:
        if char in _MYRIADS:
            total = (total + (section + digit or 1)) * _MYRIADS[char]
            section = digit = 0
        elif char in _STEPS:
            section, digit = section + (digit or 1) * _STEPS[char], 0
        else:
            digit = _DIGITS[char]
    return total + section + digit + decimals


def _figures(row: str) -> str:
    return "".join(str(_DIGITS[char]) for char in row)


def write_amount(amount: Fraction) -> str:
    """Return the one way to write a number: `1200`, `0.85`, or `2/3` where no decimal ends."""
    places = next((n for n in range(64) if 10**n % amount.denominator == 0), None)
    if places is None:
        return f"{amount.numerator}/{amount.denominator}"
    digits = str(abs(amount.numerator) * 10**places // amount.denominator).rjust(places + 1, "0")
    sign = "-" if amount < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
