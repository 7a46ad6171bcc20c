"""
Tell how something is said: asserted, asked, supposed, heard of, quoted (SPEC K-08). Pure.

Light on language: the signs of a question in any script, particles at a sentence's end, and the few words by
which a language marks that somebody else said it. What carries no sign is an assertion.
"""

import re
from collections.abc import Iterable
from typing import Final

from security.patterns import bounded

Mode = str
"""One of `memories.domain.kinds.MODES`."""

ASKED_FOR: Final = ("task",)
"""Kinds that are asked for: «could you call Bo?»."""

RULES: Final = ("invariant", "preference", "estimate", "pattern", "decision")
"""Kinds that hold for a case: «if the build fails, page Imani»."""

_QUESTION: Final = bounded(
    r"[?？؟;՞፧⸮][\s\"'”’»」』）)]*$|[吗嗎呢][。！!\s]*$|(?:です|ます|でしょう)か[。\s]*$"
)
_SUPPOSED: Final = bounded(
    r"^\W*(?:(?:and|but|so)\s)?(?:if|suppose|supposing|imagine|assuming|what if|in case|say we"
    r"|wenn|falls|angenommen|si\b|supposons|imagine|suponiendo|supongamos|se\b|假如|如果|要是|假设|假設|もし|仮に|만약)",
    re.IGNORECASE,
)
_HEARD: Final = bounded(
    r"\b(?:I(?:['’]ve| have)? (?:just )?heard|I(?:['’]m| was) told|they say|people say|rumou?r has it"
    r"|apparently|allegedly"
    r"|supposedly|word is|I gather|hearsay"
    r"|angeblich|ich habe gehört|hab(?:e)? gehört|man sagt|soll(?:en)? (?:ja |wohl )"
    r"|j['’]ai entendu|on dit que|paraît-il|il paraît|apparemment"
    r"|he oído|me han dicho|dicen que|al parecer|ouvi dizer|dizem que"
    r"|ho sentito|pare che)\b"
    r"|听说|聽說|据说|據說|听闻|传闻|らしい|だそうです"
    r"|そうだ[。]?$|と聞い|って聞い|다고 들었|대요|говорят|слышал",
    re.IGNORECASE,
)
_QUOTED: Final = bounded(r"^\s*(?:>|[\"“„«「『][^\"”“»」』]{8,}[\"”“»」』]\s*(?:[—–-]|$))")


def mode_of(sentence: str) -> Mode:
    """Return how one sentence, or a block, is said."""
    if _QUOTED.search(sentence):
        return "quote"
    if _HEARD.search(sentence):
        return "hearsay"
    if _QUESTION.search(sentence):
        return "question"
    return "hypothetical" if _SUPPOSED.search(sentence) else "assertion"


def mode_of_all(sentences: Iterable[str]) -> Mode:
    """Return how several sentences are said together: an assertion where one of them asserts."""
    modes = [mode_of(sentence) for sentence in sentences]
    return "assertion" if not modes or "assertion" in modes else modes[0]


def may_stand(kind: str, mode: str) -> bool:
    """Tell whether what is said in this mode may stand as this kind: what is asked or heard is no fact."""
    if mode == "assertion" or kind in (*ASKED_FOR, "statement"):
        return True
    return mode == "hypothetical" and kind in RULES
