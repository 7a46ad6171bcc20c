"""Merge two texts of knowledge that say nearly the same (SPEC W-11, by rules: no model is asked)."""

import re
from typing import Final

from memories.tokens import words

LONGEST: Final = 4000
"""Characters of a merged text; beyond it the two stay apart."""

_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)")


def merge_texts(old: str, new: str) -> str | None:
    """
    Return one text that says what both say, or None when it would grow beyond `LONGEST`.

    The fuller of two texts stands when it has every word of the other; else the old one is followed by those
    sentences of the new one that bring a word of their own. What adds nothing leaves the old text unchanged.
    """
    known, said = set(words(old)), set(words(new))
    if said <= known:
        return old
    if known < said:
        return new if len(new) <= LONGEST else None
    fresh = [part for part in _sentences(new) if not set(words(part)) <= known]
    glue = "" if _ends_without_blank(old) else " "
    merged = old.rstrip() + glue + glue.join(fresh)
    return merged if len(merged) <= LONGEST else None


def _sentences(text: str) -> list[str]:
    return [part for match in _SENTENCE.finditer(text) if (part := match[0].strip())]


def _ends_without_blank(text: str) -> bool:
    """Tell whether the text ends in Chinese or Japanese writing, which sets no blank between sentences."""
    return bool(text) and text.rstrip()[-1:] >= "\u3000"
