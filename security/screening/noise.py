"""
Tell text that says nothing: greetings, acknowledgements, garble, and what would feed a false intimacy (SPEC
W-05).

A text is noise only when every piece of it is: one sentence with content and the whole stays.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from security.patterns import bounded
from security.screening.noise_words import ACKNOWLEDGEMENTS, DEPENDENCE, EMPTY, GREETINGS, NAME, ROWS, TITLE
from security.screening.skeleton import plain
from security.screening.verdict import ScreeningOutcome, ScreeningVerdict

MOST_LETTERS: Final = 160
"""A longer text is taken to say something, whatever it is made of: our own estimate. Garble is looked for
beyond it."""

BROKEN_SHARE: Final = 0.2
"""Broken characters for each letter from which a text is garbled."""

_PIECE: Final = bounded(r"[^\n.!?,;:~…。！？，、；：()\[\]\"“”]+")
_LETTERS: Final = bounded(r"[^\W_]")
_MASH_WORD: Final = bounded(r"[a-z]{4,}")
_CONSONANTS: Final = bounded(r"[bcdfghjklmnpqrstvwxz]{6,}")
_MOJIBAKE: Final = bounded(
    "\ufffd|ï¿½|Ã[\u0080-\u00bf]|â€[\u0080-\u00bf™œ\u009d]|Â[\u00a0-\u00bf]|锟斤拷|烫烫烫|屯屯屯"
)


def _whole(patterns: Iterable[str]) -> re.Pattern[str]:
    return bounded("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_REASONS: Final = (
    ("a greeting or farewell", _whole(GREETINGS)),
    ("an acknowledgement", _whole(ACKNOWLEDGEMENTS)),
    ("a filler or test", _whole(EMPTY)),
    ("would feed a false intimacy or dependence", _whole(DEPENDENCE)),
)


_ADDRESSED: Final = _whole([NAME, TITLE])
_TITLE: Final = _whole([TITLE, "all|everyone|everybody|team|guys|folks|大家|各位|同事们"])
_SHORT_NAME: Final = bounded("[\u4e00-\u9fff]{2,3}")
_CLINGS: Final = _whole(DEPENDENCE)
_TAKES_A_NAME: Final = _whole(GREETINGS + DEPENDENCE)
_ENDS_IN_A_NAME: Final = _whole(GREETINGS + DEPENDENCE + ACKNOWLEDGEMENTS[:2])
"""Thanks, with a name behind them; «Berlin, thanks» may be an answer."""


def detect_noise(text: str) -> Iterator[ScreeningVerdict]:
    """Yield one verdict to discard if the whole text is noise, else nothing."""
    reason = _find_reason(text)
    if reason is not None:
        yield ScreeningVerdict(detector="noise", outcome=ScreeningOutcome.DISCARD, reason=reason)


def is_noise_sentence(text: str) -> bool:
    """
    Say whether a sentence says nothing worth keeping: a greeting, an acknowledgement, garble, false intimacy.

    «Good morning Quill!» inside a longer turn is one; a sentence with any content is not.
    """
    return _find_reason(text) is not None


def _find_reason(text: str) -> str | None:
    broken = len(_MOJIBAKE.findall(text))
    text = plain(text)  # else words in circled or invisible letters would pass for none
    letters = len(_LETTERS.findall(text))
    if letters == 0:
        return "no words in it"
    if broken >= BROKEN_SHARE * letters:
        return "garbled: broken character encoding"
    if letters > MOST_LETTERS:
        return None
    pieces = [piece for raw in _PIECE.findall(text) if (piece := _bare(raw))]
    if all(_is_mash(piece) for piece in pieces):
        return "garbled: no words of a language"
    reasons = [_match(piece) for piece in pieces]
    if any(reason is None and not _is_addressed(pieces, place) for place, reason in enumerate(reasons)):
        return None
    return next((reason for reason, _ in reversed(_REASONS) if reason in reasons), None)


def _match(piece: str) -> str | None:
    """Return why a piece says nothing, or None if it may say something."""
    return next((reason for reason, pattern in _REASONS if pattern.fullmatch(piece)), None)


def _is_addressed(pieces: list[str], place: int) -> bool:
    """Say whether a piece is only the name of who is greeted, thanked or clung to: «Thanks, Ada!»."""
    before = pieces[place - 1] if place else ""
    after = pieces[place + 1] if place + 1 < len(pieces) else ""
    if _TITLE.fullmatch(pieces[place]):
        return any(side and _match(side) for side in (before, after))
    if _SHORT_NAME.fullmatch(pieces[place]):
        return bool(_CLINGS.fullmatch(after))
    if not _ADDRESSED.fullmatch(pieces[place]):
        return False
    return bool(_ENDS_IN_A_NAME.fullmatch(before) or _TAKES_A_NAME.fullmatch(after))


def _bare(piece: str) -> str:
    """Return the piece without emoji and signs, with single spaces; names and words stay."""
    kept = (
        char if unicodedata.category(char)[0] in "LMN" or char in " '’/&%$€£¥+-" else " " for char in piece
    )
    return " ".join("".join(kept).replace("’", "'").split()).strip("-'")


def _is_mash(piece: str) -> bool:
    """Say whether every word of a piece looks struck at random: rows of keys, one key held, no vowels."""
    return all(_is_mash_word(word) for word in piece.split())


def _is_mash_word(word: str) -> bool:
    if bounded(r"(.)\1{4,}|(..?)\2{3,}").fullmatch(word):
        return True
    if not _MASH_WORD.fullmatch(word):
        return False
    runs = any(word[i : i + 4] in row for row in ROWS for i in range(len(word) - 3))
    vowels = sum(word.count(vowel) for vowel in "aeiouy")
    return bool(runs or (len(word) >= 6 and vowels == 0) or _CONSONANTS.search(word))
