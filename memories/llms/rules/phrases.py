"""Noun phrases of plain English: what can be a subject, whose attribute it is, what a value is. Pure."""

import re
from typing import Final

from memories.language import word_set
from memories.llms.rules.relation import ME
from security.patterns import bounded

MOST_SUBJECT_WORDS: Final = 14
MOST_VALUE_WORDS: Final = 12
"""Longer phrases are clauses that were not understood."""

NAME: Final = (
    rf"(?-i:{ME}|(?:[A-ZÀ-ÞŁŚŻ][\w'’.&-]*|[\"“«][^\"”»]{{1,60}}[\"”»])(?: (?:(?:of|de|van|von|der|du|la|del"
    r"|the|and|&) ){0,2}[A-ZÀ-ÞŁŚŻ\d][\w'’.&-]*){0,8})"
)
_NO_SUBJECT: Final = bounded(
    r"(?:it|he|she|they|you|this|that|these|those|there|here|who|what|which|when|where|why|how|if|because"
    r"|while|although|though|as|since|so|and|but|or|(?:no|every|some|any)(?:body|one|thing)?|people|one|none"
    r"|all|each|most|many|few|both|either|neither|not|please|let|to|for|in|on|at|by|with|from|after|before"
    r"|during|about|only|such|another|other|than|then|even|his|her|its|their|your)\b"
)
_CLAUSE: Final = bounded(
    r"[;:?!]|,(?! [A-Z])|\b(?:if|because|when|while|although|unless|whether|than|or|not|you|we|they|he|she"
    r"|it|will|would|should|could|can|may|might|must)\b"
)
_OWNED: Final = bounded(r"(?P<owner>.+?)(?:['’]s?) (?P<attribute>[\w/-]+(?: [\w/-]+){0,4})")
_OURS: Final = bounded(r"(?P<owner>our) (?P<attribute>[a-z][\w/-]*(?: [\w/-]+){0,4})", re.IGNORECASE)
_OF: Final = bounded(
    r"(?:(?:the|our|an?) )?(?P<attribute>[^\W\d][\w'/-]*(?: [\w'/-]+){0,4}?) (?P<link>of|for|in|at|on) "
    r"(?P<owner>\S.*)",
    re.IGNORECASE,
)
_DOES: Final = bounded(
    r"(?:[Tt]he )?(?P<attribute>[a-z][\w-]*(?: [\w-]+){0,3}?) (?:where|that|which|who|in which"
    rf"|for which) (?P<before>[a-z ]{{0,30}}?)(?P<owner>{NAME})(?P<after>(?: [a-z]+){{0,3}})"
)
_NO_ATTRIBUTE: Final = word_set(
    "rest most some all one part half bit lot kind sort majority any each both none many much "
    "few several couple pair group bunch piece end middle front back side top bottom beginning "
    "start thing fact idea reason question way matter"
)
"""Nouns before «of» that name a share or an abstraction, and no attribute."""

_PAIRED: Final = word_set(
    "time date rate count size limit number level score ratio price address length code version"
)
"""Heads that take the noun before them along: «load time», «rate limit»."""

PLACES: Final = word_set("city town village place")
LEVELS: Final = word_set("continent country state province region county")
"""Nouns that say of what class a place is. What lies in one city lies in one country, too: a level is a
concept of its own."""

HUMAN: Final = (
    "sister brother mother father mum mom dad son daughter wife husband partner girlfriend "
    "boyfriend parents aunt uncle cousin friend neighbour neighbor colleague boss family kid "
    "kids child children team"
)
_PERSON: Final = bounded(rf"(?:{ME}'s|[A-Z][\w-]*'s) (?:[\w-]+ )?(?:{HUMAN.replace(' ', '|')})(?: {NAME})?")
"""Somebody by whom they are to another: an entity, and no attribute."""

_ARTICLE: Final = bounded(r"^(?:the|an?|our) ", re.IGNORECASE)
_ABOUT: Final = bounded(
    r"^(?:(?:around|about|approximately|roughly|nearly|almost|over|more than|less than|at least|at most"
    r"|up to|some|exactly|only|under|below|above|a total of)\s+)+(?=[$€£¥]?\d)",
    re.IGNORECASE,
)
_CLASSED: Final = bounded(r"(?:the|an?) (?P<noun>[a-z]+(?: [a-z]+)?) (?:of|called|named) (?P<rest>\S.*)")
_NUMBERED: Final = bounded(r"(?P<noun>[a-z]{3,20}) (?P<number>[A-Z]?\d[\w.-]*)")
"""«port 8080», «dock 2»: the noun says of what class the number is."""
_NO_VALUE: Final = bounded(
    r"(?:that|to|not|how|why|what|whether|very|so|too|quite|really|if|when|being|it|this|there|like|always"
    r"|never|such|as|one|[a-z]+ing)\b"
)
_WITHIN: Final = bounded(r"\b(?:is|are|was|were|will|would|should|can|could|has to|have to)\b|: ")
_DOING: Final = bounded(r"\w+ing (?:the|an?|our|my|to|in|on|with|from) ", re.IGNORECASE)
_AMOUNT: Final = bounded(r"\d[\d,.]* [a-z]")
_MEASURE: Final = bounded(r"[$€£¥]?v?\d|[A-Z]{1,3}-?\d+\b")


def is_name(text: str) -> bool:
    """Tell whether a phrase is a name: it begins with a capital, a digit, a quote, or ME."""
    plain = _ARTICLE.sub("", text)
    return bool(plain) and (
        plain.startswith(ME) or plain[0].isupper() or plain[0].isdigit() or plain[0] in '"“«'
    )


def is_measure(text: str) -> bool:
    """Tell whether a value is a number, with or without a unit."""
    return _MEASURE.match(text) is not None


def is_person(text: str) -> bool:
    """Tell whether a phrase is the speaker, or a name without an article, or somebody's relative."""
    return _PERSON.fullmatch(text) is not None or (is_name(text) and text[:4].casefold() != "the ")


def names_something(text: str) -> bool:
    """Tell whether a phrase does not begin as one that only points back, or at nobody."""
    return not _NO_SUBJECT.match(text if text.isupper() else text[:1].lower() + text[1:])


def is_subject(text: str) -> bool:
    """Tell whether a phrase can be what a clause is about."""
    words = text.split()
    if not words or len(words) > MOST_SUBJECT_WORDS or not names_something(text) or _AMOUNT.match(text):
        return False
    return not _CLAUSE.search(text) and not _DOING.match(text)


def is_value(text: str) -> bool:
    """Tell whether a phrase can be a value: no clause, no infinitive, no mere degree."""
    if not text or len(text.split()) > MOST_VALUE_WORDS or _NO_VALUE.match(text):
        return False
    return is_name(text) or not _WITHIN.search(text)


def bare_value(text: str) -> tuple[str, str | None]:
    """Return a value without «around», and the noun of its class: «the city of Bern», «port 8080»."""
    value = _ABOUT.sub("", text.strip(" ,"))
    if (numbered := _NUMBERED.fullmatch(value)) is not None:
        return numbered["number"], numbered["noun"]
    match = _CLASSED.fullmatch(value)
    if match is None or not (is_name(match["rest"]) or match["noun"].split()[-1] not in _NO_ATTRIBUTE):
        return value, None
    return match["rest"], match["noun"].split()[-1]


def split_attribute(subject: str, value: str) -> tuple[str, str] | None:
    """
    Cut «the capital of France», «France's capital», «the school where Ada studied» into owner and attribute.

    None if it is no attribute; a name stays whole: «University of Pisa». value: what it is said to be; «the
    meeting in Bergen is cancelled» tells no attribute of Bergen.
    """
    if _PERSON.fullmatch(subject) and not is_name(value):
        return None
    if match := _OWNED.fullmatch(subject) or _OURS.fullmatch(subject):
        return _owned(match["owner"], match["attribute"])
    if (match := _DOES.fullmatch(subject)) is not None:
        told = f"{match['attribute']} {match['before']}{match['after'].strip()}"
        return _owned(match["owner"], " ".join(told.split()))
    match = _OF.fullmatch(subject)
    if match is None or (match["link"] != "of" and not is_name(value)):
        return None
    attribute, owner = match["attribute"], match["owner"]
    if attribute[0].isupper() and not attribute.isupper() and subject.startswith(attribute):
        return (
            _owned(owner, attribute) if is_measure(value) or not owner[0].isupper() else None
        )  # «University of Ghent»
    return _owned(*deepen(match["attribute"], match["link"], match["owner"])[::-1])


def deepen(attribute: str, link: str, owner: str) -> tuple[str, str]:
    """Return «head», «sales at Nordlys» as «head of sales» and «Nordlys»."""
    deeper = _OF.fullmatch(owner)
    if link != "of" or deeper is None or _ARTICLE.match(owner) or not deeper["attribute"].islower():
        return attribute, owner
    return f"{attribute} {link} {deeper['attribute']}", deeper["owner"]


def split_compound(subject: str) -> tuple[str, str] | None:
    """Cut «the API response time» into API and response time; a lone word is its own attribute."""
    words = _ARTICLE.sub("", subject).split()
    if not words or not words[-1].replace("-", "").isalpha() or (words[-1][0].isupper() and len(words) > 1):
        return None
    taken = 2 if words[-1] in _PAIRED and len(words) > 2 and words[-2].islower() else 1
    return " ".join(words[:-taken]) or words[-1], " ".join(words[-taken:])


def _owned(owner: str, attribute: str) -> tuple[str, str] | None:
    head = attribute.split()[-1].casefold()
    if head in _NO_ATTRIBUTE or attribute.split()[0].casefold() in _NO_ATTRIBUTE or not is_subject(owner):
        return None
    return owner, attribute
