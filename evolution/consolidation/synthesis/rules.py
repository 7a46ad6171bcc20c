"""
Word what several findings say together by their own sentences (SPEC E-03). Pure; no model is asked.

No word is made up: what was doubted stays doubted, and what two findings say differently is said twice.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memories.comparison import differences
from memories.language import split_sentences, words
from memories.llms.rules import is_hedged

LONGEST_PATTERN: Final = 1000
"""Characters of a pattern, the longest passage of SPEC M-11; the vector of more stands for none of it."""

_STOPS: Final = ".!?。！？…"
_CJK_FROM: Final = "\u2e80"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A sentence and the findings it rests on, as places in their order."""

    text: str
    places: tuple[int, ...]


def word_by_rules(texts: Sequence[str]) -> tuple[Cited, ...]:
    """
    Return the sentences of the texts, in their order, each that another one says in full left out.

    At most `LONGEST_PATTERN` characters: of more, those that say most of what most texts say. One sentence at
    least; it is cut where it alone is too long.
    """
    kept = _choose(_without_repeats(texts), len(texts))
    return tuple(replace(one, text=_end(one.text)) for one in kept)


def _without_repeats(texts: Sequence[str]) -> list[Cited]:
    found: list[Cited] = []
    for place, text in enumerate(texts):
        for sentence in split_sentences(text):
            found = _take_in(found, Cited(text=" ".join(sentence.text.split()), places=(place,)))
    return found


def _take_in(found: list[Cited], new: Cited) -> list[Cited]:
    """Return the sentences with a further one, which may say what one of them says, or more than it."""
    for at, old in enumerate(found):
        fuller = _fuller(old, new)
        if fuller is not None:
            places = tuple(sorted({*old.places, *new.places}))
            return [*found[:at], replace(fuller, places=places), *found[at + 1 :]]
    return [*found, new]


def _fuller(one: Cited, other: Cited) -> Cited | None:
    """Return the sentence that says all that both say, or None when each says something of its own."""
    mine, theirs = set(words(one.text)), set(words(other.text))
    if not (mine <= theirs or theirs < mine) or is_hedged(one.text) != is_hedged(other.text):
        return None
    fuller, shorter = (other, one) if mine < theirs else (one, other)
    said_otherwise = differences(shorter.text, fuller.text) - {"entity"}  # the fuller one may name more
    return None if said_otherwise else fuller


def _choose(sentences: Sequence[Cited], texts: int) -> list[Cited]:
    if sum(len(one.text) + 2 for one in sentences) <= LONGEST_PATTERN:
        return list(sentences)
    weight: Counter[str] = Counter()
    for one in sentences:
        weight.update({word: min(len(one.places), texts) for word in set(words(one.text))})
    left, chosen, room = dict(enumerate(sentences)), [], LONGEST_PATTERN
    while left:
        best = max(left, key=lambda at: (sum(weight[word] for word in set(words(left[at].text))), -at))
        sentence = left.pop(best)
        if len(sentence.text) + 2 > room:
            continue
        chosen.append(best)
        room -= len(sentence.text) + 2
        weight.update({word: -weight[word] for word in set(words(sentence.text))})  # it is said now
    if not chosen:
        return [replace(sentences[0], text=sentences[0].text[: LONGEST_PATTERN - 2].rstrip() + "…")]
    return [sentences[at] for at in sorted(chosen)]


def _end(text: str) -> str:
    """Return the sentence with a stop, so that it does not run into the next."""
    if text[-1] in _STOPS or text.rstrip("\"'”’」』）)")[-1:] in tuple(_STOPS):
        return text
    return text.rstrip(",;:，；：") + ("。" if text[-1] >= _CJK_FROM else ".")
