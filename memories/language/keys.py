"""
The one spelling of a state's keys: of whom it is (`entity_key`) and what of them it says (`concept_key`).

Pure. The database looks states up by exact key, so whatever takes or makes one passes here: direct writes,
extraction by rules and by a model, and the filters of lists. See docs/decisions/0043.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from memories.language.script import fold
from security.patterns import bounded

LONGEST_KEY_BYTES: Final = 800
"""Bytes of a key in UTF-8. An entry of memory_one_current_truth may take 2704 bytes: two keys, a domain of
200 characters, and some 80 bytes of ids and headers."""

CONCEPT_JOIN: Final = "_"
ENTITY_JOIN: Final = " "

_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = bounded("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""How a character is drawn, not which one it is."""
_CODE: Final = bounded(r"[a-z]{2,4} \d[\d ]{2,}")
"""A key that is a code as a whole, as «qx 4410»: letters and figures are written in one."""
_WORD_ENDS: Final = bounded(r"(?<=[^\W\d_])[#+]++(?![^\W_])")
"""«C#», «F#», «C++»: signs that end a word belong to it."""
_MOST_PASSES: Final = 6
"""Rounds until nothing changes any more; NFKC and case folding need three at most, joiners one again."""


def concept_spelling(key: str | None) -> str | None:
    """Return a concept's key in its one spelling: lower-case words joined by «_»; None if none is left."""
    return _canonical(key or "", CONCEPT_JOIN) or None


def entity_spelling(key: str | None) -> str | None:
    """Return an entity's key in its one spelling: lower-case words, single blanks; None if none is left."""
    key = _canonical(key or "", ENTITY_JOIN)
    return (key.replace(" ", "") if _CODE.fullmatch(key) else key) or None


def fold_words(text: str) -> str:
    """Return a text as an entity's key is spelled, uncut: what names the entity contains its key."""
    return _fold_key(text, ENTITY_JOIN)


@lru_cache(maxsize=1024)
def _canonical(key: str, join: str) -> str:
    """
    Return the words of a key, joined; done again, it changes nothing.

    Width, compatibility forms and case are folded; runs of blanks, punctuation and signs part words. What an
    index cannot hold is cut off, in the spelling that is compared: folding may lengthen a key.
    """
    for _ in range(_MOST_PASSES):
        again = _fold_key(key, join)
        if again == key:
            break
        key = again
    return key.encode()[:LONGEST_KEY_BYTES].decode(errors="ignore").strip(_JOINERS + join)


def _fold_key(key: str, join: str) -> str:
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", fold(key)).casefold())
    plain = _SELECTORS.sub("", plain)
    ends = {place for run in _WORD_ENDS.finditer(plain) for place in range(*run.span())}
    parts = (char if place in ends else _as_part(char) for place, char in enumerate(plain))
    return join.join(filter(None, (word.strip(_JOINERS) for word in "".join(parts).split())))


def _as_part(char: str) -> str:
    """Return the character if it is part of a word, a blank if it parts words, nothing if it is unseen."""
    category = unicodedata.category(char)
    if char in _JOINERS or category[0] in "LMN" or category in ("So", "Sc", "Co"):
        return char
    return "" if category in ("Cf", "Cn", "Cs") else " "
