"""Relations in English clauses: find the verb, see what kind of predicate it makes, and read it."""

import re
from dataclasses import replace
from typing import Final

from memories.llms.base import Change
from memories.llms.relations_attributes import read_attribute
from memories.llms.relations_form import Relation
from memories.llms.relations_measures import read_counted
from memories.llms.relations_offices import read_office
from memories.llms.relations_phrases import MOST_VALUE_WORDS, PREPOSITIONS, lemma
from memories.llms.relations_predicate import Predicate, find_predicate, is_verb
from memories.llms.relations_verbs import read_be, read_have, read_verb
from memories.llms.relations_words import CLASS_NOUNS, CREATORS
from security.patterns import bounded

_TIME: Final = bounded(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|\d{1,2}[:.]\d\d|\d{1,2} ?[ap]m|"
    r"\d{4}-\d\d)\b",
    re.IGNORECASE,
)
_FORMER: Final = bounded(
    r"\b(?:former|formerly|previous|previously|used to|ex|old|once|late|would-be)\b", re.IGNORECASE
)


def read_english(clause: str) -> Relation | None:
    """Return the relation that an English clause tells, None where its grammar does not say."""
    predicate = find_predicate(clause)
    if predicate is None:
        return None
    readers = (_read_gap, read_office, read_counted, read_attribute, read_be, read_have, read_verb)
    for reader in readers:
        if relation := reader(predicate):
            return _finish(relation, predicate)
    return None


def _finish(relation: Relation, predicate: Predicate) -> Relation | None:
    """Check what was read as a whole, and set what the words of change say."""
    value = relation.value.strip(' .,"“”«»')
    if (
        not value
        or len(value.split()) > MOST_VALUE_WORDS
        or not relation.concept
        or not relation.entity.strip()
    ):
        return None
    if _FORMER.match(value) or _FORMER.search(relation.concept.replace("_", " ")):
        return None
    if value.endswith(":") or ": " in value or value.startswith(("this ", "that ", "these ", "it ")):
        return None
    if predicate.denied and relation.cardinality == "multi":
        return None
    change: Change = (
        "explicit" if "explicit" in (predicate.change, relation.change) or predicate.denied else "none"
    )
    cardinality = "single" if _is_appointed(relation.concept, value) else relation.cardinality
    value = f"no longer {value}" if predicate.denied and not value.startswith("no longer ") else value
    return replace(relation, value=value, change=change, cardinality=cardinality)


def _is_appointed(concept: str, value: str) -> bool:
    """Tell whether a value is when something is done: «meets on Tuesdays», «closes at 18:00»."""
    return concept.endswith(("_on", "_at", "_until", "_from")) and _TIME.match(value) is not None


def _read_gap(predicate: Predicate) -> Relation | None:
    """Read «the company that produced S is O» and «the sport that S plays is O»: the noun is what is asked
    for."""
    match = bounded(r"(?:the|an?) (?P<noun>[\w -]+?) (?P<link>that|which|who|whom|where|in which|for "
        r"which) (?P<inner>.+)", re.IGNORECASE).fullmatch(predicate.subject)  # fmt: skip
    if match is None or not predicate.is_be:
        return None
    inner = match["inner"].split()
    value = predicate.complement
    verb = next(
        (
            i
            for i, word in enumerate(inner)
            if is_verb([*inner, "x"], i) or (i == 0 and word.islower() and lemma(word) != word)
        ),
        None,
    )
    if verb is None:
        return None
    if verb == 0:  # the noun is the subject: «that produced S»
        told = f"{' '.join(inner[1:])} was {inner[0]} by {value}" if lemma(inner[0]) in CREATORS else ""
        return read_english(told) if told else None
    preposition = (
        "" if inner[-1] in PREPOSITIONS else {"where": "at", "in which": "in"}.get(match["link"], "")
    )
    noun = match["noun"].split()[-1]
    named = f"the {noun} of " if noun in CLASS_NOUNS else ""
    told = " ".join(filter(None, (*inner, preposition, named.strip(), value)))
    relation = read_english(told)
    return relation and replace(relation, cardinality="single")
