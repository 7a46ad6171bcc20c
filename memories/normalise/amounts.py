"""
Read numbers with fractions and scales, in figures and in words: 1,200.50, two and a half, 3k, 三千五百,
1.2万.
"""

from fractions import Fraction
from typing import Final

from memories.normalise.numbers import ENGLISH
from security.patterns import bounded

_SMALL: Final = {word: value for word, value in ENGLISH.items() if word.isalpha() and word not in ("a", "an")}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SUFFIXES: Final = {
    "k": 1000, "thousand": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "million": 10**6,
    "b": 10**9, "bn": 10**9, "billion": 10**9, "hundred": 100, "百": 100, "千": 1000, "万": 10**4,
    "萬": 10**4,
    "百万": 10**6, "千万": 10**7, "亿": 10**8, "億": 10**8,
}  # fmt: skip
_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
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


def read_amount(said: str) -> Fraction:
    """Read figures, English number words or a Chinese numeral. Raises ValueError or KeyError for others."""
    said = said.strip().lower()
    if said[:1].isdigit():
        return Fraction(said.replace(",", ""))
    if said[:1].isascii():
        return _read_words(said)
    return _read_chinese(said)


def scale_of(suffix: str | None) -> int:
    """Return what a suffix such as k, million or 万 multiplies by; 1 without one."""
    return _SUFFIXES[suffix.lower()] if suffix else 1


def _read_words(said: str) -> Fraction:
    """
    Read `two hundred and five thousand`, `half a million`: hundreds bind first, larger scales close a group.
    """
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
    decimals = Fraction(0)
    if part:
        decimals = Fraction("0." + "".join(str(_DIGITS[char]) for char in part))
    if not any(char in _STEPS or char in _MYRIADS for char in whole):
        return Fraction("".join(str(_DIGITS[char]) for char in whole) or "0") + decimals
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


def write_amount(amount: Fraction) -> str:
    """Return the one way to write a number: `1200`, `0.85`, or `2/3` where no decimal ends."""
    if amount.denominator == 1:
        return str(amount.numerator)
    twos = fives = 0
    rest = amount.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{amount.numerator}/{amount.denominator}"
    places = max(twos, fives)
    digits = str(abs(amount.numerator) * 10**places // amount.denominator).rjust(places + 1, "0")
    return f"{'-' if amount < 0 else ''}{digits[:-places]}.{digits[-places:]}"
