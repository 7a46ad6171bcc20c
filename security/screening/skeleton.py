"""The plain reading of a text: what a person or a model would see behind tricks of Unicode."""

import re
import unicodedata
from typing import Final

LOOKALIKES: Final = str.maketrans(
    "аАеЕоОсСрРхХуУкКіІјЈѕЅԁһԛԝвВмМнНтТгпиαΑοΟνΝρΡτΤκΚιΙεΕηΗχΧυΥΒΜΖɡıɑ",
    "aAeEoOcCpPxXyYkKiIjJsSdhqwBBMMHHTTrnuaAoOvNpPtTkKiIeEnHxXuYBMZgia",
)
"""Letters, mostly Cyrillic and Greek, that look like plain Latin ones, and the one each looks like."""

INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0100-\U000e01ef]"
)
_TAG: Final = re.compile("[\U000e0020-\U000e007e]")
_TAG_END: Final = "\U000e007f"
_OVERRIDDEN: Final = re.compile("\u202e([^\u202c\u202e\n]*)")
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile("[A-Za-z]")
_SPACED: Final = re.compile(r"(?<![^\W\d_])(?:[A-Za-z][ .\-_*]){3,40}[A-Za-z](?![^\W\d_])")


def plain(text: str) -> str:
    """
    Return the text as it is meant to be read: compatibility forms folded, invisible characters gone, tag
    characters turned to the letters they stand for, what is forced right to left turned round, look-alikes
    in Latin words made Latin, quotes straightened.

    Lengths may change, so places in the result are not places in the text.
    """
    if text.isascii():
        return text
    shown = _TAG.sub(lambda tag: chr(ord(tag[0]) - 0xE0000), text).replace(_TAG_END, "")
    turned = _OVERRIDDEN.sub(lambda run: run[1][::-1], shown) if "\u202e" in shown else shown
    folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", turned))
    latin = _WORD.sub(
        lambda word: word[0].translate(LOOKALIKES) if _LATIN.search(word[0]) else word[0], folded
    )
    latin = unicodedata.normalize("NFC", latin)  # a letter made Latin may take up the accent behind it
    return latin.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def join_spaced(text: str) -> str:
    """Return the text with words whose letters stand apart («i g n o r e») drawn together."""
    return _SPACED.sub(lambda run: run[0][::2], text)
