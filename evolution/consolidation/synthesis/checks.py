"""
Hold a sentence to the findings it names: it may say less than they do, nothing else (SPEC E-03, M-08). Pure.

By its words and not by its sense: a sound sentence in words of its own is refused, too, and the rules word
the pattern then. That costs style; a claim that nobody made would cost trust.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from memories.comparison import differences
from memories.language import find_entities, sentences_of, split_sentences, words
from memories.llms.rules import is_hedged
from security.patterns import bounded
from security.screening import ScreeningOutcome, screen

NEW_WORDS: Final = 0.2
"""Share of a sentence's words that its findings need not have: «both», «again». Ours."""

_FIGURE: Final = bounded(r"\d+(?:[.,:/-]\d+)*")
_IDENTIFIER: Final = bounded(
    r"https?://\S+|\S+@\S+|[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{16,}\b", re.IGNORECASE
)
_SURE: Final = bounded(
    r"\b(?:always|never|all|every|everyone|everybody|none|nobody|any|only|must|definitely|certainly|surely|"
    r"clearly|obviously|undoubtedly|proven|proves?|confirmed|confirms?|verified|guarantee[ds]?|known|fact|"
    r"completely|entirely|fully|because|therefore|causes?|caused|due)\b"
    r"|总是|从不|所有|全部|每个|必须|肯定|一定|显然|证实|确认|保证|因为|所以|导致",
    re.IGNORECASE,
)
"""Words that make a claim surer, wider or a reason: a sentence has them from its findings or not at all."""

_DOUBT: Final = bounded(
    r"\b(?:may|might|can|could|would|should|some|sometimes|often|mostly|usually|rarely|likely|unlikely|suspects?|"
    r"suspected|appears?|seems?|about|around|nearly|almost|partly|unless|until|except|without|if)\b"
    r"|可能|也许|大概|或许|有时|常常|通常|似乎|几乎|除非|如果",
    re.IGNORECASE,
)
"""Words that take something back of a claim, or hold it under a condition: they stay with it."""

_NAME: Final = bounded(r"(?<=[\w,;:)] )[A-Z][\w'’-]+")


def find_fault(text: str, sources: Sequence[str]) -> str | None:
    """Say what is wrong with a sentence that names these findings, quoting nothing; None when it is sound."""
    said = "\n".join(sources)
    checks = (
        (_is_plain(text), "holds signs that are no text"),
        (len(split_sentences(text)) == 1, "is not one sentence"),
        (_is_found(_IDENTIFIER, text, said), "holds an identifier or address that its notes do not have"),
        (_is_found(_FIGURE, text, said), "holds a figure that its notes do not have"),
        (_is_found(_SURE, text, said), "is surer or wider than its notes"),
        (_keeps_doubts(text, sources), "leaves out a doubt or a condition of its notes"),
        (_are_names_known(text, said), "names what its notes do not name"),
        (_are_words_known(text, said), "says what its notes do not say"),
        (not _turns_round(text, sources), "turns round what a note says"),
        (_is_clean(text), "reads as an instruction"),
    )
    return next((fault for sound, fault in checks if not sound), None)


def _is_plain(text: str) -> bool:
    return not any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs") or char in "<>{}" for char in text)


def _is_found(pattern: re.Pattern[str], text: str, said: str) -> bool:
    """Tell whether all that the pattern finds in the text is found in what was said, too."""
    known = {found.casefold() for found in pattern.findall(said)}
    return {found.casefold() for found in pattern.findall(text)} <= known


def _are_names_known(text: str, said: str) -> bool:
    lower = said.casefold()
    return all(name.casefold() in lower for name in (*_NAME.findall(text), *find_entities(text)))


def _are_words_known(text: str, said: str) -> bool:
    mine = set(words(text))
    return bool(mine) and len(mine - set(words(said))) <= NEW_WORDS * len(mine)


def _keeps_doubts(text: str, sources: Sequence[str]) -> bool:
    """Tell whether what each finding doubts, where it says this, is doubted here, in the same words."""
    mine = _doubts(text)
    nearest = [_nearest(text, [source]) for source in sources]
    return all(_doubts(one) <= mine and is_hedged(one) <= is_hedged(text) for one in nearest)


def _doubts(text: str) -> set[str]:
    return {found.casefold() for found in _DOUBT.findall(text)}


def _turns_round(text: str, sources: Sequence[str]) -> bool:
    """Tell whether the sentence of the findings that is nearest to this one says the contrary."""
    return not {"polarity", "role"}.isdisjoint(differences(_nearest(text, sources), text))


def _nearest(text: str, sources: Sequence[str]) -> str:
    """Return the sentence of the findings that has most words in common with the text."""
    mine = set(words(text))
    told = [sentence for source in sources for sentence in sentences_of(source)]
    return max(told, key=lambda one: len(mine & set(words(one))), default="")


def _is_clean(text: str) -> bool:
    return all(verdict.outcome is not ScreeningOutcome.QUARANTINE for verdict in screen(text))
