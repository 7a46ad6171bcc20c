"""Merge two texts of knowledge that say nearly the same (SPEC W-11, by rules: no model is asked)."""

from collections.abc import Iterable
from typing import Final

from memories.differ import Difference, differences
from memories.normalise.script import fold
from memories.overlap import measure_overlap
from memories.tokens import words
from security.patterns import bounded

LONGEST: Final = 1000
"""
Characters of a merged text, the longest passage of SPEC M-11; beyond it the two stay apart. A text that takes
in one more sentence at every merge would else grow until its vector stands for none of them.
"""

CLOSE: Final = 0.6
"""Share of the shorter sentence's content from which two are about one thing, so that a difference counts."""

_SENTENCE: Final = bounded(r"(?:[^.!?。！？\n]|[.!?](?=[^\s\"'”’)])){1,2000}+(?:[.!?。！？]+[\"'”’)]*|\n|$)")
_BLANKS: Final = bounded(r" {2,}")

_UNHEARD_BY_WORDS: Final[frozenset[Difference]] = frozenset(("polarity", "role", "modality", "wording"))
"""What may differ though every word of one sentence is in the other: `words` knows no «not» and no order."""


def merge_texts(old: str, new: str) -> str | None:
    """
    Return one text that says what both say, or None when the two must stay apart.

    They must when it would grow beyond `LONGEST`, or hold both sides of a difference («port 80», «port 81»).
    The fuller of two texts stands when it has every word of the other. Else the sentences of the new one that
    bring a word of their own take the place of those they contain, or follow the old text. What adds nothing
    leaves the old text unchanged; merging the same text again changes nothing. The caller keeps the former
    text.
    """
    known, said = set(words(old)), set(words(new))
    if said <= known:
        merged = old
    elif known < said:
        merged = new
    else:
        merged = _add(old, new)
    if len(merged) > max(LONGEST, len(old)) or _contradicts(merged, _sentences(old) + _sentences(new)):
        return None
    return merged


def _add(old: str, new: str) -> str:
    """Return the old text with the sentences of the new one that bring words of their own."""
    merged = old.rstrip()
    for sentence in _sentences(new):
        mine = set(words(sentence))
        if mine <= set(words(merged)):
            continue
        contained = [part for part in _sentences(merged) if words(part) and set(words(part)) <= mine]
        if contained:
            merged = _replace(merged, contained, sentence)
        else:
            merged += ("" if _ends_without_blank(merged) else " ") + sentence
    return merged


def _replace(text: str, parts: Iterable[str], sentence: str) -> str:
    """Return the text with the sentence in place of the first part, and without the others."""
    for part in parts:
        text = text.replace(part, sentence, 1)
        sentence = ""
    return _BLANKS.sub(" ", text).strip()


def _contradicts(merged: str, sources: Iterable[str]) -> bool:
    """Say whether a sentence that stands differs from another, or from a source's that does not stand."""
    kept = _sentences(merged)
    standing = set(map(fold, kept))
    lost = [source for source in sources if fold(source) not in standing]
    return any(_differs(one, other) for one in (*lost, *kept) for other in kept if one != other)


def _differs(one: str, other: str) -> bool:
    overlap = measure_overlap(one, other)
    if overlap.core < CLOSE:
        return False
    ours, theirs, found = set(words(one)), set(words(other)), differences(one, other)
    if ours <= theirs or theirs <= ours:
        return bool(found & _UNHEARD_BY_WORDS)
    return bool(found or overlap.swapped)


def _sentences(text: str) -> list[str]:
    return [part for match in _SENTENCE.finditer(text) if (part := match[0].strip())]


def _ends_without_blank(text: str) -> bool:
    """Tell whether the text ends in Chinese or Japanese writing, which sets no blank between sentences."""
    return bool(text) and text.rstrip()[-1:] >= "\u3000"
