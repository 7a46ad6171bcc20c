"""Subjects that are attributes: «the R of S is O», «S's R has reached O»."""

import re
from typing import Final

from memories.llms.relations_form import Relation
from memories.llms.relations_make import attribute_of, is_nominal
from memories.llms.relations_phrases import PREPOSITIONS, bare_value, is_measure, lemma, split_compound
from memories.llms.relations_predicate import Predicate
from memories.llms.relations_words import CHANGING, IRREGULAR, NEWS, PLACE_NOUNS
from memories.llms.rules_patterns import STATUS
from security.patterns import bounded

_FROM: Final = bounded(r"from .+? to (?P<value>.+)")
_STATUS: Final = bounded(STATUS, re.IGNORECASE)


def read_attribute(predicate: Predicate) -> Relation | None:
    """Read a subject that is an attribute: «the R of S is O», «S's R has reached O»."""
    attribute = predicate.attribute
    value = _brought_to(predicate)
    if attribute is None and value and is_measure(bare_value(value)[0]):
        attribute = split_compound(predicate.subject)
    if attribute is None:
        return None
    owner, noun = attribute
    if value is not None:
        news = lemma(predicate.head) in NEWS
        return attribute_of(owner, noun, value, change="explicit" if news else "none")
    if not predicate.is_be or predicate.is_past:
        return None
    placed = bounded(r"(?:(?:located|based|situated|set|scheduled|called|named|held|found|known|planned|"
        r"fixed) )?"
                          r"(?:(?:in|at|on|as|for|to) )?(?P<value>.+)"
    ).fullmatch(predicate.complement)  # fmt: skip
    value = placed["value"] if placed else predicate.complement
    is_place = noun.split()[-1] in PLACE_NOUNS
    participle = (predicate.head.endswith("ed") or predicate.head in IRREGULAR) and predicate.rest.split(" ")[
        0
    ] in PREPOSITIONS
    if participle and not (
        is_place or predicate.head in ("called", "named", "scheduled", "planned", "fixed", "set")
    ):
        return None
    if (
        _STATUS.fullmatch(bare_value(value)[0])
        or not is_nominal(value)
        or (
            value != predicate.complement
            and not (
                is_place
                or participle
                or is_measure(value)
                or predicate.head in ("in", "on", "at", "called", "set")
            )
        )
    ):
        return None
    return attribute_of(owner, noun, value)


def _brought_to(predicate: Predicate) -> str | None:
    """Return to what value a verb of change brings its subject: «rose to O», «was set to O», «has reached
    O»."""
    root = lemma(predicate.head)
    if (
        predicate.is_be
        and predicate.head in ("at", "around", "about", "over", "under")
        and is_measure(predicate.rest)
    ):
        return predicate.rest
    if root not in CHANGING or (
        predicate.is_be and not predicate.head.endswith(("ed", "set", "cut", "moved"))
    ):
        return None
    if match := _FROM.fullmatch(predicate.rest) or bounded(r"(?:\w+ )?(?:to|at|as) (?P<value>.+)").fullmatch(
        predicate.rest
    ):
        return match["value"]
    direct = root in ("reach", "hit", "average", "equal", "exceed", "total", "become", "remain")
    return predicate.rest if direct and not predicate.is_be else None
