"""The plain reading of a text: what a person or a model would see behind tricks of Unicode."""

import re
import unicodedata
from typing import Final

from security.patterns import bounded

LOOKALIKES: Final = str.maketrans(
    "аАеЕоОсСрРхХуУкКіІјЈѕЅԁһԛԝвВмМнНтТгпиαΑοΟνΝρΡτΤκΚιΙεΕηΗχΧυΥΒΜΖɡıɑ",
    "aAeEoOcCpPxXyYkKiIjJsSdhqwBBMMHHTTrnuaAoOvNpPtTkKiIeEnHxXuYBMZgia",
)
"""Letters, mostly Cyrillic and Greek, that look like plain Latin ones, and the one each looks like."""

INVISIBLE: Final = bounded(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0100-\U000e01ef]"
)
_STRUCK: Final = bounded(
    "[\u0305\u0332\u0333\u0335-\u0338\u033f\u0347-\u034e\u0353-\u0362\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20ff\ua66f-\ua672\ufe20-\ufe2f]"
)
"""Marks that strike a letter through, underline, or ring it, and belong to no language's letters."""
_PILED: Final = bounded("[\u0300-\u036f]{2,}")
"""Marks that no letter has taken up, piled on one another."""
_DRAWN: Final = (
    {0x1F150 + n: chr(65 + n) for n in range(26)}
    | {0x1F170 + n: chr(65 + n) for n in range(26)}
    | dict(zip(map(ord, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"), "abcdefghijklmnoprstuvwyz", strict=True))
)
"""Letters in black rings and squares, and small capitals, which no normal form folds."""
_FLAGS: Final = bounded("(?:[\U0001f1e6-\U0001f1ff][ \u200b]?){5,}")
"""Letters of flags in a row, more than two flags have; those of a list are read as letters, too: harmless."""
_TAG: Final = bounded("[\U000e0020-\U000e007e]")
_TAG_END: Final = "\U000e007f"
_OVERRIDDEN: Final = bounded("\u202e([^\u202c\u202e\n]*)")
_WORD: Final = bounded("[\\w\u0300-\u036f]+")
_GAP: Final = bounded(r"\s{9,}")
_LATIN: Final = bounded("[A-Za-z]")
_SPACED: Final = bounded(r"(?<![^\W\d_])(?:[A-Za-z][ .\-_*]){3,40}[A-Za-z](?![^\W\d_])")


def plain(text: str) -> str:
    """
    Return the text as it is meant to be read.

    Compatibility forms are folded, invisible characters and marks that strike letters through gone, letters
    of flags and rings plain; tag characters are the letters they stand for, what is forced right to left is
    turned round, look-alikes in Latin words are Latin, quotes straight. Doing it twice changes nothing more.
    Lengths may change, so places in the result are not places in the text.
    """
    text = squeeze(text)
    if text.isascii():
        return text
    shown = _TAG.sub(lambda tag: chr(ord(tag[0]) - 0xE0000), text).replace(_TAG_END, "")
    turned = _OVERRIDDEN.sub(lambda run: run[1][::-1], shown) if "\u202e" in shown else shown
    folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", turned)).translate(_DRAWN)
    folded = _FLAGS.sub(_read_flags, folded)
    folded = unicodedata.normalize("NFC", _STRUCK.sub("", folded))
    folded = unicodedata.normalize("NFC", _PILED.sub("", folded))
    latin = _WORD.sub(
        lambda word: word[0].translate(LOOKALIKES) if _LATIN.search(word[0]) else word[0], folded
    )
    latin = unicodedata.normalize("NFC", latin)  # a letter made Latin may take up the accent behind it
    return latin.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def _read_flags(run: re.Match[str]) -> str:
    return "".join(chr(ord(char) - 0x1F1E6 + 65) if ord(char) >= 0x1F1E6 else char for char in run[0])


def squeeze(text: str) -> str:
    """Return the text with long runs of blanks cut to two: they put no distance between two words."""
    return _GAP.sub(lambda run: "\n\n" if "\n" in run[0] else "  ", text)


def join_spaced(text: str) -> str:
    """Return the text with words whose letters stand apart («i g n o r e») drawn together."""
    return _SPACED.sub(lambda run: run[0][::2], text)
