"""
Short and long names that one text sets side by side: «JSON Web Token (JWT)», 中文全称（简称） (SPEC M-10).

Pure. Only what the text itself says is believed: letters have to be the long form's, in its order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memories.language.token_words import word_set
from security.patterns import bounded

_SHORT: Final = r"[A-Z][A-Za-z0-9&-]{0,9}[A-Z0-9]s?"
_AFTER: Final = bounded(rf"(?P<before>(?:[\w'’&./-]+ ){{1,9}})\((?P<short>{_SHORT})\)")
_BEFORE: Final = bounded(rf"\b(?P<short>{_SHORT}) \((?P<long>[A-Za-z][\w'’&./ -]{{4,80}})\)")
_CHINESE: Final = bounded(
    r"(?P<before>[\u4e00-\u9fff]{3,30})[”」》]?[（(](?P<mark>(?:以下)?(?:简称|缩写)(?:为)?[:：]?)?[“「\"《]?"
    r"(?P<short>[\u4e00-\u9fff]{2,8}|[A-Z][A-Za-z0-9]{1,9})[”」\"》]?[）)]"
)
SMALL_WORDS: Final = word_set(
    "of the and for in on at to from as a an with by "
    "der die das des dem den und für im am zur zum von vom de la le les du del el los las y para dos da do e "
    "et pour en aux di della dei delle и по на для в"
)
"""Small words that a short form may leave out."""
MOST_SKIPPED: Final = 2
"""Letters of the short form that may come from inside a word: «XML» of «eXtensible Markup Language»."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abbreviation:
    """A short name and what it stands for, as the text writes both."""

    short: str
    long: str


def find_abbreviations(text: str) -> tuple[Abbreviation, ...]:
    """Return the pairs that the text sets side by side, in order, each once."""
    if "(" not in text and "（" not in text:
        return ()
    return tuple(dict.fromkeys((*_latin(text), *_chinese(text))))


def _latin(text: str) -> Iterator[Abbreviation]:
    for match in _AFTER.finditer(text):
        short = match["short"].removesuffix("s")
        if long := _expand(short, match["before"].split()):
            is_plural = short != match["short"]
            yield Abbreviation(short=short, long=long.removesuffix("s") if is_plural else long)
    for match in _BEFORE.finditer(text):
        short, words = match["short"].removesuffix("s"), match["long"].split()
        if _expand(short, words) == " ".join(words):
            yield Abbreviation(short=short, long=" ".join(words))


def _expand(short: str, words: list[str]) -> str | None:
    """Return the last words whose initials spell the short form, small words left out at will."""
    letters = [char for char in short.casefold() if char.isalnum()]
    for size in range(max(1, len(letters) - MOST_SKIPPED), min(len(words), len(letters) + 4) + 1):
        chosen = words[-size:]
        if chosen[0].casefold() not in SMALL_WORDS and _spells(letters, chosen):
            return " ".join(chosen)
    return None


def _spells(letters: list[str], words: list[str]) -> bool:
    parts = [part for word in words for part in bounded(r"[-/]").split(word) if part]
    told = [part for part in parts if part.casefold() not in SMALL_WORDS]
    for chosen in (told, parts):
        if [part[0].casefold() for part in chosen] == letters:
            return True
    # «eXtensible Markup Language»: each word gives letters in its order, its first among them, or x for ex.
    return len(told) >= 2 and len(letters) - len(told) in (0, 1, 2) and _gives(letters, told)


def _gives(letters: list[str], words: list[str]) -> bool:
    if not words:
        return not letters
    word = words[0].casefold()
    first = word[1:2] if word.startswith("ex") and letters[:1] == ["x"] else word[:1]
    if letters[:1] != [first]:
        return False
    for taken in range(1, min(3, len(letters)) + 1):
        if _is_within(letters[:taken], word) and _gives(letters[taken:], words[1:]):
            return True
    return False


def _chinese(text: str) -> Iterator[Abbreviation]:
    for match in _CHINESE.finditer(text):
        short, before = match["short"], match["before"]
        if short.isascii():
            continue  # a foreign short form says nothing of where the Chinese long one begins
        start = before.rfind(short[0])
        while start >= 0:
            long = before[start:]
            if len(long) > len(short) and _is_within(list(short), long):
                yield Abbreviation(short=short, long=long)
                break
            start = before.rfind(short[0], 0, start)


def _is_within(letters: list[str], word: str) -> bool:
    """Tell whether the letters stand in the word in this order."""
    place = -1
    for letter in letters:
        place = word.find(letter, place + 1)
        if place < 0:
            return False
    return True
