"""
Read any plain statement about a named subject as a state, by grammar (SPEC M-04): whose, which attribute,
what.

Pure. A clause in the third person goes in (see `rules_wording`), a relation comes out, or None where
grammar is not
sure: then the sentence is for other forms, and nothing is made up. What happens is no state and is left
alone; an
attribute («the capital of S is O»), a position («S lives in O»), a making («S was founded by O») is one.
"""

import re
from collections.abc import Iterator
from typing import Final

from memories.llms.base import Change
from memories.llms.relations_chinese import read_chinese
from memories.llms.relations_english import read_english
from memories.llms.relations_form import Relation
from memories.llms.relations_words import CANONICAL
from memories.llms.rules_words import CHINESE
from security.patterns import bounded

__all__ = ["GENERAL", "Relation", "read_relation", "settle_concept", "split_asides", "told_change"]

GENERAL: Final = frozenset({"{attribute}", "has", "is_a"})
"""Concepts of the forms that fit nearly anything: a relation read by grammar knows better than they."""

LONGEST: Final = 300
"""Characters of a clause that is looked at; a plain statement is shorter."""

SMALLEST_SHARE: Final = 0.3
"""Of a sentence's characters; our choice: two statements joined by «and» are both read."""

_CORRECTING: Final = bounded(
    r"(?:(?:no|oh|wait|sorry|hmm|oops|well)[,. !]+)*(?:actually|correction|in fact|i was wrong|i misspoke|my "
    r"mistake|"
    r"scratch that|to correct myself|let me correct)\b(?! (?:like|love|enjoy))"
    r"|(?:(?:哦|噢|等等|抱歉|不好意思)[，,。 ]*)*(?:不对|更正|纠正|订正|我?(?:说|记|搞|弄)错了|其实(?:应该)"
    r"?是)",
    re.IGNORECASE,
)
_LEFT: Final = bounded(r"\bno longer\b|不再")
_ASIDE: Final = bounded(
    r"(?P<noun>\b(?:the|our|my|\ue000's|[A-Z][\w-]*'s) (?:[\w'/.-]+ ){0,10}?[\w'/.-]+), which "
    r"(?P<told>(?:(?:is|are|has|have|now|recently|currently|just|already) ){1,3}[^,;.]+)"
)


def read_relation(clause: str, *, within: str = "") -> Relation | None:
    """
    Return the state that a clause tells, English or Chinese; None where its grammar does not say.

    within: the sentence it was cut from; a small part of a long sentence does not stand for the whole.
    """
    if _LEFT.search(clause) and within.startswith(clause):
        clause = within  # «no longer X, but O»: what holds instead stands in the next clause
    if len(clause) > LONGEST or len(clause) < SMALLEST_SHARE * len(within):
        return None
    return read_chinese(clause) if CHINESE.search(clause) else read_english(clause)


def settle_concept(concept: str) -> str:
    """Return the one key under which an attribute is kept: ceo is chief_executive_officer."""
    return CANONICAL.get(concept, concept)


def split_asides(text: str) -> Iterator[str]:
    """Yield what a sentence tells in passing: «the R of S, which has reached O, …» as «the R of S has
    reached O»."""
    for aside in _ASIDE.finditer(text):
        yield f"{aside['noun']} {aside['told'].strip()}"


def told_change(said: str) -> Change:
    """Return «correction» for a sentence that begins by taking something back, else «none»."""
    return "correction" if _CORRECTING.match(said) else "none"
