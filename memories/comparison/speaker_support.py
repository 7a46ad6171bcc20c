"""
Tell whether an assistant only repeats what a person or a tool said: then its sentence is more than a guess.

Strict on purpose: a miss costs trust (0.40 instead of 0.80), a false hit would make an invention believable.
"""

from collections.abc import Iterable
from typing import Final

from memories.comparison.difference import differences
from memories.language import words
from security.patterns import bounded

_SENTENCE: Final = bounded(r"[^.!?。！？\n]+")


LONGEST_COMPARED: Final = 1_000
"""Characters of a sentence that is compared; a longer one is a paste, and not taken for stated."""

MOST_COMPARED: Final = 200
"""Pairs of sentences compared word by word for one turn; what is beyond them is not taken for stated."""

MOST_EARLIER: Final = 200_000
"""Characters of earlier turns looked through, the first ones given first."""


def is_stated(text: str, earlier: Iterable[str]) -> bool:
    """
    Tell whether each sentence has all its words from one sentence said before, and the same sense.

    Linear in the texts: see the limits above. Where one of them is reached, the answer is no.
    """
    claims = dict.fromkeys(_sentences(text))
    if not claims or any(len(claim) > LONGEST_COMPARED for claim in claims):
        return False
    said = _index(earlier)
    left = MOST_COMPARED
    for claim in claims:
        wanted = set(words(claim))
        near = min((said.get(word, ()) for word in wanted), key=len)
        for sentence in near:
            if wanted <= set(words(sentence)) and not differences(sentence, claim):
                break
            left -= 1
            if left == 0:
                return False
        else:
            return False
    return True


def _index(earlier: Iterable[str]) -> dict[str, list[str]]:
    """Return the sentences said before, each once, by every word of theirs."""
    places: dict[str, list[str]] = {}
    left = MOST_EARLIER
    seen: set[str] = set()
    for turn in earlier:
        for sentence in _sentences(turn[:left]):
            if sentence not in seen and len(sentence) <= LONGEST_COMPARED:
                seen.add(sentence)
                for word in set(words(sentence)):
                    places.setdefault(word, []).append(sentence)
        left -= len(turn)
        if left <= 0:
            break
    return places


def _sentences(text: str) -> list[str]:
    return [match[0].strip() for match in _SENTENCE.finditer(text) if words(match[0])]
