"""Read small numbers written in words: English up to ninety-nine, Chinese up to the thousands."""

from typing import Final

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen"
    " eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"

ENGLISH: Final[dict[str, int]] = (
    {word: number for number, word in enumerate(_ONES.split())}
    | {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
    | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "couple of": 2}
)
"""Number words of English, and what «a couple of» counts for."""

_CHINESE_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
    "俩": 2,
}
_CHINESE_UNITS: Final = {"十": 10, "百": 100, "千": 1000}


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
    if text.isdecimal():
        return int(text)
    if not any(char in _CHINESE_UNITS for char in text):
        return int("".join(str(_CHINESE_DIGITS[char]) for char in text))
    total = digit = 0
    for char in text:
        if char in _CHINESE_UNITS:
            total += (digit or 1) * _CHINESE_UNITS[char]
            digit = 0
        else:
            digit = _CHINESE_DIGITS[char]
    return total + digit
