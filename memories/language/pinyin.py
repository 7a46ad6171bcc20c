"""
Tell whether a name in Latin letters spells Chinese characters: «Hangzhou» is 杭州. Pure.

People write one name in both scripts, and no vector and no shared character says so.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from security.patterns import bounded

_TABLE: Final = Path(__file__).with_name("pinyin.txt")
"""
Syllable and the characters read so, without tones; of each character its one or two commonest readings.

For the 8 846 characters of GB 2312 and of Big5's first plane: readings of the Unihan database (Unicode
Licence v3), ordered by the pinyin-data project (MIT).
"""

_RUN: Final = bounded(r"[\u3400-\u9fff]+")
_LETTERS: Final = bounded(r"[^a-z]")


def spells(name: str, chinese: str) -> bool:
    """
    Tell whether the name's letters are the readings of characters that stand side by side in the text.

    Tones, case, blanks and hyphens make no difference; ü is v, as in passports. A name of one character is
    found too, so ask for those only in a text that is a name itself.
    """
    letters = _letters(name)
    if len(letters) < 2:
        return False
    return any(
        _reads(letters, run[0], start) for run in _RUN.finditer(chinese) for start in range(len(run[0]))
    )


def readings(character: str) -> tuple[str, ...]:
    """Return how a Chinese character is read, without tones: its one or two commonest readings, or none."""
    return _readings().get(character, ())


def _reads(letters: str, run: str, start: int) -> bool:
    """Tell whether the characters from here on read as all of these letters."""
    if not letters:
        return True
    if start == len(run):
        return False
    said = readings(run[start])
    return any(letters.startswith(one) and _reads(letters[len(one) :], run, start + 1) for one in said)


@lru_cache(maxsize=1024)
def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFD", name.casefold().replace("ü", "v"))
    return _LETTERS.sub("", plain)


@cache
def _readings() -> dict[str, tuple[str, ...]]:
    """Return each character's readings; some 9 000, read when first asked for."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        syllable, characters = line.split()
        for character in characters:
            found[character] = (*found.get(character, ()), syllable)
    return found
