"""
Tell whether an assistant only repeats what a person or a tool said: then its sentence is more than a guess.

Strict on purpose: a miss costs trust (0.40 instead of 0.80), a false hit would make an invention believable.
"""

from collections.abc import Iterable
from typing import Final

from memories.differ import differences
from memories.tokens import words
from security.patterns import bounded

_SENTENCE: Final = bounded(r"[^.!?。！？\n]+")


def is_stated(text: str, earlier: Iterable[str]) -> bool:
    """Tell whether each sentence has all its words from one sentence said before, and the same sense."""
    said = [(sentence, set(words(sentence))) for turn in earlier for sentence in _sentences(turn)]
    claims = _sentences(text)
    return bool(claims) and all(_is_said(claim, said) for claim in claims)


def _is_said(claim: str, said: list[tuple[str, set[str]]]) -> bool:
    wanted = set(words(claim))
    return any(wanted <= known and not differences(sentence, claim) for sentence, known in said)


def _sentences(text: str) -> list[str]:
    return [match[0].strip() for match in _SENTENCE.finditer(text) if words(match[0])]
