"""Numbers of things as measures of where they are: «45 people work in S», «S has 45 rooms»."""

from typing import Final

from memories.llms.relations_form import Relation
from memories.llms.relations_phrases import count_concept, lemma
from memories.llms.relations_predicate import Predicate
from memories.llms.relations_words import CHANGING
from memories.llms.rules_wording import word_set
from security.patterns import bounded

_COUNTED: Final = bounded(
    r"(?P<number>\d[\d,.]*[kM]?(?: (?:million|billion|thousand|hundred|dozen))?) (?P<noun>[a-z][\w-]*(?: "
    r"[a-z][\w-]*){0,2})"
)
_INCREMENTS: Final = word_set("added removed received lost gained fixed dropped spent ordered sold")
"""«Has added 5 rooms» is no total."""


def read_counted(predicate: Predicate) -> Relation | None:
    """Read a number of things as a measure of where they are: «45 people work in S», «S has 45 rooms»."""
    subject = _COUNTED.fullmatch(predicate.subject)
    if subject and (
        match := bounded(r"(?P<verb>[a-z]+)? ?\b(?:in|into|to|on|at|for) (?P<where>.+)").fullmatch(
            predicate.complement
        )
    ):
        participle = match["verb"] if match["verb"] and match["verb"].endswith("ed") else ""
        noun = f"{subject['noun']} {participle}".strip()
        return _count(match["where"], noun, subject["number"])
    if lemma(predicate.head) in CHANGING:
        return None
    owns = predicate.auxiliaries in (("has",), ("have",)) or lemma(predicate.head) in (
        "contain",
        "include",
        "hold",
        "comprise",
        "employ",
        "count",
        "number",
    )
    if not owns or subject:
        return None
    perfect = predicate.auxiliaries and bounded(
        r"(?P<verb>\w+ed|\w+en|made|built|sold|won|run|read|sent|written|done) (?P<rest>.+)"
    ).fullmatch(
        predicate.complement,
    )
    if perfect and perfect["verb"] in _INCREMENTS:
        return None
    text = perfect["rest"] if perfect else predicate.complement if predicate.auxiliaries else predicate.rest
    match = bounded(
        rf"(?:(?:a total of|about|around|over|some|nearly|now|already|more than|exactly) )"
        rf"*{_COUNTED.pattern}(?P<where>.*)"
    ).match(
        text,
    )
    if match is None or match["noun"].split()[0] in ("years", "year", "days", "hours"):
        return None
    noun = bounded(r" (?:in|into|to|on|at|for|of|with|from|and|so|by)\b").split(match["noun"])[0]
    where = match["noun"][len(noun) :] + match["where"]
    place = bounded(
        r" ?(?:in|into|to|on|for|of) (?P<place>(?:the |our )?[\w\ue000][\w' .-]{1,40}?)(?:,.*| (?:in|on|at|"
        r"by|so|as|and|which)\b.*)?$"
    ).match(
        where,
    )
    entity = place["place"] if perfect and place else predicate.subject
    if lemma(predicate.head) == "employ":
        noun = "employees"
    return _count(entity, f"{noun} {perfect['verb']}" if perfect else noun, match["number"])


def _count(entity: str, noun: str, number: str) -> Relation:
    return Relation(
        entity=entity,
        concept=count_concept(noun),
        value=number.rstrip(".,"),
        cardinality="single",
        kind="working_state",
    )
