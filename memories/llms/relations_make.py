"""Make relations of the parts of English clauses, with canonical keys; say which phrases can be parts."""

from typing import Final

from memories.llms.base import Change
from memories.llms.relations_form import Relation
from memories.llms.relations_phrases import (
    MOST_VALUE_WORDS,
    bare_entity,
    bare_value,
    canonical_concept,
    clean_subject,
    is_measure,
    is_name,
)
from memories.llms.relations_predicate import TRAILING_DATE
from memories.llms.relations_words import CANONICAL, CLASS_NOUNS, LEVELS
from security.patterns import bounded

_CLAUSE: Final = bounded(r"\b(?:is|are|was|were|will|would|should|can|could|has to|have to)\b")


def state_of(subject: str, key: str, value: str, cardinality: str) -> Relation:
    """Make a relation; a noun that says of what class the value is may name the attribute."""
    bare, noun = bare_value(value)
    if noun in CLASS_NOUNS:
        key, cardinality = canonical_concept(noun) or noun, "single"  # «the language of O»: the one it is
    elif noun in LEVELS and noun is not None:
        key = noun if key == "location" else f"{key}_{noun}"
    return Relation(
        entity=bare_entity(subject),
        concept=CANONICAL.get(key, key),
        value=bare,
        cardinality="multi" if cardinality == "multi" else "single",
        kind={"language": "skill", "skill": "skill", "likes": "preference", "dislikes": "preference"}.get(
            key, "profile"
        )
        if cardinality == "multi"
        else "profile",
        classed=(noun is not None and noun not in LEVELS | {"continent"}) or noun in LEVELS,
    )


def attribute_of(owner: str, attribute: str, value: str, *, change: Change = "none") -> Relation | None:
    """Make a relation of an attribute as said; None if the attribute or the value says nothing."""
    concept = canonical_concept(attribute)
    bare, _ = bare_value(value)
    owner = (
        TRAILING_DATE.sub(
            "", bounded(r"[,;]| (?:since|from|until|after|who|which|that|because)\b").split(owner)[0]
        )
        if "," not in owner or not bounded(r", [A-Z]").search(owner)
        else owner
    )
    if concept is None or not is_nominal(bare) or clean_subject(owner) is None:
        return None
    kind = "working_state" if is_measure(bare) else "profile"
    kind = "preference" if concept.startswith(("favourite", "preferred")) else kind
    return Relation(
        entity=bare_entity(owner), concept=concept, value=bare, cardinality="single", kind=kind, change=change
    )


def is_nominal(value: str) -> bool:
    """Tell whether a phrase can be a value: no clause, no infinitive, no question word."""
    first = value.split(" ")[0].casefold() if value else ""
    if first in (
        "that",
        "to",
        "not",
        "how",
        "why",
        "what",
        "whether",
        "very",
        "so",
        "too",
        "quite",
        "if",
        "when",
        "being",
        "it",
        "this",
        "there",
        "like",
    ):
        return False
    return (
        bool(value)
        and ": " not in value
        and len(value.split()) <= MOST_VALUE_WORDS
        and (is_name(value) or not _CLAUSE.search(value))
    )


def is_work(value: str) -> bool:
    """Tell whether a phrase names one thing: a name, a quoted title."""
    bare = bounded(r"^(?:the|an?) (?:[a-z]+ )?(?=[A-Z\"“«])").sub("", value)
    return bool(bare) and is_name(bare) and not is_measure(bare)
