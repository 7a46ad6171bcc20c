"""Predicates that tell how something stands: «was founded by O», «has a R of O», «lives in O»."""

import re
from dataclasses import replace
from typing import Final

from memories.keys import concept_spelling
from memories.llms.relations_form import LIKELY, Relation
from memories.llms.relations_make import attribute_of, is_nominal, is_work, state_of
from memories.llms.relations_phrases import (
    PREPOSITIONS,
    bare_value,
    canonical_concept,
    is_measure,
    is_name,
    lemma,
    split_compound,
)
from memories.llms.relations_predicate import Predicate
from memories.llms.relations_words import (
    ACCUMULATING,
    ADJECTIVES,
    CHANGING,
    CLASS_NOUNS,
    CREATORS,
    LASTING,
    LEADING,
    LEVELS,
    MAKING,
    MEASURING,
    MEMBERSHIPS,
    PARTICIPLES,
    PAST_STATES,
    PLACE_NOUNS,
    POSITIONS,
    SETTLEMENTS,
    SHARED_ADJECTIVES,
    SHARED_PARTICIPLES,
    UNSURE_VERBS,
)
from memories.llms.rules_wording import ME
from security.patterns import bounded

_ARTICLE: Final = bounded(r"(?P<article>the|an?)\s+", re.IGNORECASE)
_ROLE: Final = bounded(
    r"(?P<article>the|an?|our|its|their)?\s*(?:(?:new|current|present|latest|official) )?"
    r"(?P<role>[a-zA-Z][\w'/-]*(?: [\w'/-]+){0,4}?) (?P<link>of|for|at|in) (?P<whole>\S.*)"
)
_VERSION: Final = bounded(r"(?:version )?v?\d[\d.]*.*")
_YEAR: Final = bounded(r"(?:1\d|20)\d\d|\d{1,4} (?:BC|AD)")
_DATE: Final = bounded(r"(?:\d{4}-\d\d|\d{1,2} [A-Z]|[A-Z][a-z]+ \d)")


def read_be(predicate: Predicate) -> Relation | None:
    """Read what something is: «was founded by O», «is famous for O», «is the R of S», «is in O»."""
    if not predicate.is_be:
        return None
    subject, head = predicate.subject, predicate.head.casefold()
    preposition, _, value = predicate.rest.partition(" ")
    if preposition in PREPOSITIONS and value:
        if (key := ADJECTIVES.get(f"{head}_{preposition}")) and not predicate.is_past:
            cardinality = "multi" if key in SHARED_ADJECTIVES else "single"
            return state_of(subject, key, value, cardinality)
        if (lemma(head) != head or f"{head}_{preposition}" in PARTICIPLES) and not head.endswith("ing"):
            return _read_passive(predicate, preposition, value)
    if predicate.is_past or head.endswith("ing"):
        return None
    if owned := bounded(
        r"(?P<whole>[A-Z][\w .-]*?|our team|the \w+)['’]s (?P<role>[a-z][\w-]*(?: [\w-]+){0,3})"
    ).fullmatch(
        predicate.complement,
    ):
        return attribute_of(owned["whole"], owned["role"], subject) if is_name(subject) else None
    if (
        head in ("in", "on", "at")
        and not is_measure(predicate.rest)
        and is_name(predicate.rest)
        and predicate.attribute is None
    ):
        return state_of(subject, "location", predicate.rest, "single")
    if tall := bounded(r"(?P<value>.*\d.*) (?P<adjective>[a-z]+)").fullmatch(predicate.complement):
        key = MEASURING.get(tall["adjective"])
        return state_of(subject, key, tall["value"], "single") if key else None
    article = _ARTICLE.match(predicate.complement)
    if article is None:
        return None
    role = _ROLE.fullmatch(predicate.complement)
    if role and article["article"] == "the":
        return attribute_of(role["whole"], role["role"], subject) if is_name(subject) else None
    if role and role["link"] == "of" and role["role"].islower():
        noun = role["role"].split()[-1]
        key = canonical_concept(f"{noun} of") or ""
        return state_of(subject, key, role["whole"], "single" if noun in MEMBERSHIPS else "multi")
    return None


def _read_passive(predicate: Predicate, preposition: str, value: str) -> Relation | None:
    """Read «S was founded by O», «S is made of O»; in the past only what lasts."""
    head, root = predicate.head.casefold(), lemma(predicate.head)
    if root in UNSURE_VERBS and f"{head}_{preposition}" not in PARTICIPLES:
        return None
    if root == "replace" and preposition == "by":
        return replace(state_of(predicate.subject, "replaced_by", value, "single"), change="explicit")
    lasting = root in LASTING or f"{head}_{preposition}" in PARTICIPLES
    if (not lasting and (predicate.is_past or "been" in predicate.auxiliaries)) or (
        preposition in ("after", "before") and not lasting
    ):
        return None
    if (root in CHANGING and preposition in ("to", "from", "by")) or predicate.auxiliaries[-1] == "being":
        return None
    if preposition == "by" and root in CREATORS:
        return state_of(predicate.subject, CREATORS[root], value, "single")
    key = PARTICIPLES.get(f"{head}_{preposition}") or f"{head}_{preposition}"
    if preposition in ("in", "on", "at") and (_YEAR.fullmatch(value) or _DATE.match(value)):
        key = {"born": "birthday"}.get(head, f"{head}_date")
    cardinality = "multi" if head in SHARED_PARTICIPLES else "single"
    return state_of(predicate.subject, key, value, cardinality)


def read_have(predicate: Predicate) -> Relation | None:
    """Read what something has, where it says of which kind: «has a population of O», «has O as its R»."""
    if predicate.auxiliaries not in (("has",), ("have",)):
        return None
    text = predicate.complement
    if match := bounded(
        r"(?P<value>.+?) as (?:its|his|her|their) (?P<role>[a-z][\w-]*(?: [\w-]+){0,3})"
    ).fullmatch(text):
        return attribute_of(predicate.subject, match["role"], match["value"])
    if match := bounded(
        r"(?:its|his|her|their|an?) (?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,3}) (?:in|at) (?P<value>[A-Z].*)"
    ).fullmatch(
        text,
    ):
        return (
            attribute_of(predicate.subject, match["role"], match["value"])
            if match["role"] in PLACE_NOUNS
            else None
        )
    if match := bounded(
        r"(?:an?|the) (?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,3}) (?:of|called|named) (?P<value>.+)"
    ).fullmatch(text):
        noun = match["role"].split()[-1]
        known = (
            split_compound(f"x {noun}") is not None
            or noun in CLASS_NOUNS
            or is_measure(bare_value(match["value"])[0])
        )
        return attribute_of(predicate.subject, match["role"], match["value"]) if known else None
    if match := bounded(r"the (?P<role>[a-z]+) (?P<value>[A-Z\"“].*|[a-z-]+)").fullmatch(text):
        return (
            attribute_of(predicate.subject, match["role"], match["value"])
            if split_compound(f"x {match['role']}")
            else None
        )
    return None


def read_verb(predicate: Predicate) -> Relation | None:
    """Read a verb that tells how something stands: «lives in O», «plays the position of O», «wrote O»."""
    if predicate.attribute and not is_name(predicate.subject):
        return None
    head, root = predicate.head, lemma(predicate.head)
    preposition, _, more = predicate.rest.partition(" ")
    key, value = (
        (f"{root}_{preposition}", more) if preposition in PREPOSITIONS and more else (root, predicate.rest)
    )
    if key in ("move_to", "relocate_to") and predicate.auxiliaries[-1:] not in (("is",), ("was",)):
        placed = is_name(bare_value(value)[0])
        return (
            replace(state_of(predicate.subject, "location", value, "single"), change="explicit")
            if placed
            else None
        )
    if predicate.auxiliaries:
        return None
    if key in ("die_in", "die_on") and (_YEAR.fullmatch(value) or _DATE.match(value)):
        return state_of(predicate.subject, "death_date", value, "single")
    if not head.endswith("s") and key not in PAST_STATES:
        made = key in MAKING and is_name(predicate.subject) and is_work(value)
        return state_of(value, CREATORS[root], predicate.subject, "single") if made else None
    if (
        key in LEADING
        and is_name(predicate.subject)
        and (is_work(value) or value.startswith(("the ", "our ")))
    ):
        return state_of(value, LEADING[root], predicate.subject, "single")
    return _read_standing(predicate, key, value)


def _read_standing(predicate: Predicate, key: str, value: str) -> Relation | None:
    """Read a position (single), what accumulates (multi), or, of a name, any other lasting verb."""
    if predicate.dated or (key == "run_on" and _VERSION.fullmatch(value)):
        return None
    if key == "work_in":  # a place, or a trade
        bare, noun = bare_value(value)
        key = "work_location" if is_name(bare) or noun in SETTLEMENTS | LEVELS else "field"
        return state_of(predicate.subject, key, value, "single")
    if key in POSITIONS:
        return state_of(predicate.subject, POSITIONS[key], value, "single")
    if key in ACCUMULATING:
        return state_of(predicate.subject, ACCUMULATING[key], value, "multi")
    if (
        lemma(predicate.head) in UNSURE_VERBS
        or predicate.subject.startswith(ME)
        or not is_name(predicate.subject)
    ):
        return None
    if not is_nominal(value):
        return None
    return replace(state_of(predicate.subject, concept_spelling(key) or key, value, "multi"), firmness=LIKELY)
