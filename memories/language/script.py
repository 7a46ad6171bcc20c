"""Fold the forms of characters that make equal texts look unequal: width and the unseen (SPEC W-03)."""

import unicodedata
from typing import Final

from security.patterns import bounded

_SIGNS: Final = "！（），：；？～"
"""Full-width signs of Chinese and Japanese writing: kept beside a CJK character, narrowed elsewhere."""

_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_ALWAYS: Final = {code: to for code, to in _NARROW.items() if chr(code) not in _SIGNS}

_CJK: Final = "\u2e80-\u2fff\u3001-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_STRAY_SIGN: Final = bounded(f"(?<![{_CJK}])[{_SIGNS}](?![{_CJK}])")

HALF_WIDTH: Final = bounded("[\uff61-\uff9f\uffa1-\uffdc\uffe0-\uffee]+")
INVISIBLE: Final = bounded(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0]"
)
_PICTOGRAPH: Final = (
    "\u00a9\u00ae\u2190-\u21ff\u2300-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"
)
_JOINED_SCRIPT: Final = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Arabic, the scripts of India, Tibetan, Burmese, Khmer, Mongolian: joiners there decide how a word is
written."""

STRAY_JOINER: Final = bounded(
    f"(?<![{_JOINED_SCRIPT}])\u200c|\u200c(?![{_JOINED_SCRIPT}])"
    f"|(?<![{_PICTOGRAPH}{_JOINED_SCRIPT}])\u200d|\u200d(?![{_PICTOGRAPH}{_JOINED_SCRIPT}])"
)


def fold(text: str) -> str:
    """
    Return the text with width forms folded and invisible characters gone; folding twice changes nothing
    more.

    Full-width letters, digits and the ideographic space become ASCII, half-width Katakana and Hangul full
    ones. Chinese punctuation stays where it stands beside CJK. Joiners stay where they belong: inside an
    emoji, and in Arabic and Indic words.
    """
    if text.isascii():
        return text
    seen = STRAY_JOINER.sub("", INVISIBLE.sub("", text))
    full = HALF_WIDTH.sub(lambda run: unicodedata.normalize("NFKC", run[0]), seen)
    return _STRAY_SIGN.sub(lambda sign: sign[0].translate(_NARROW), full.translate(_ALWAYS))


def fold_all(text: str | None) -> str:
    """Return the text folded, lower-cased and single-spaced: equal for what looks equal. Empty for None."""
    return " ".join(fold(text or "").casefold().split())
