"""Noun phrases of plain English statements: what can be a subject, whose attribute it is, what a value is."""

import re
from typing import Final

from memories.keys import concept_spelling
from memories.llms.relations_words import (
    ATTRIBUTE_NOUNS,
    CANONICAL,
    CLASS_NOUNS,
    CONTINENTS,
    IRREGULAR,
    KNOWN_VERBS,
    LEVELS,
    NO_ATTRIBUTES,
    PAIRED_HEADS,
    SETTLEMENTS,
)
from memories.llms.rules_keys import attribute_key
from memories.llms.rules_wording import ME, word_set
from memories.llms.rules_words import ATTRIBUTE_HEADS
from memories.normalise.amounts import BARE_FIGURES, WORDS
from security.patterns import bounded

MOST_SUBJECT_WORDS: Final = 14
MOST_VALUE_WORDS: Final = 12
"""Longer phrases are clauses that were not understood."""

PREPOSITIONS: Final = word_set("in on at of for to by with from as into near about after under over")
_OWNERS: Final = r"the|our|my|his|her|its|their|your"
_START: Final = bounded(rf"(?:{_OWNERS}|{ME}'s)\s+", re.IGNORECASE)
_NO_SUBJECT: Final = bounded(
    r"(?:it|he|she|they|we|you|i|this|that|these|those|there|here|who|what|which|when|where|why|how|if|"
    r"because|while|"
    r"although|though|as|since|so|and|but|or|nobody|everybody|everyone|someone|somebody|something|nothing|"
    r"everything|anything|people|one|none|all|some|any|each|every|most|many|few|both|either|neither|no|not|"
    r"please|let|maybe|perhaps|to|for|in|on|at|by|with|from|after|before|during|about|just|only|"
    r"every\w+|any\w+|such|another|other|than|then|also|even)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = bounded(rf"(?:{WORDS}|{BARE_FIGURES})\s(?:for|per|to|out|in|and|or)\s", re.IGNORECASE)
"""So much of something is nothing that a statement is about: «nine thousand for fourteen test rides»."""
_BROKEN: Final = bounded(
    r"[;:?!]|\b(?:if|because|when|while|although|though|unless|whether|than|or|not|i|you|we|they|he|she|it)\b"
)
_APPOSITION: Final = bounded(r", (?:an?|the|our|my|who|which) [^,]{2,60},$")
_POSSESSOR: Final = bounded(r"(?P<owner>.+?)['’]s? (?P<attribute>(?:[a-z][\w/-]*)(?: [\w/-]+){0,4})")
_OF: Final = bounded(
    rf"(?:(?P<article>{_OWNERS}|an?) )?(?P<attribute>[^\W\d][\w'/-]*(?: [\w'/-]+){{0,4}}?) "
    r"(?P<link>of|for|in|at|on) (?P<owner>\S.*)",
    re.IGNORECASE,
)
_NESTED: Final = bounded(r"(?P<more>[a-z][\w-]*) (?:of|for|in|at) (?=\S)(?P<owner>.+)")
_NAMING: Final = bounded(r"^(?:the )?(?:(?:full|official|current|actual) )?name of (?=the )", re.IGNORECASE)
_ABOUT: Final = bounded(
    r"^(?:(?:around|about|approximately|approx\.?|roughly|nearly|almost|over|more than|less than|at least|at "
    r"most|"
    r"up to|some|circa|ca\.|exactly|just|only|under|below|above|well over|an average of|a total of)\s+)"
    r"+(?=[$€£¥]?\d)",
    re.IGNORECASE,
)
_CUT: Final = bounded(
    r"(?:,? (?:because|since|so that|which|who|whom|where|while|although|though|whereas|unless|until|when|"
    r"after|"
    r"before|as of|instead of|rather than|due to|thanks to|according to|effective)\b"
    r"|, (?:and|but|so|not|as|for|then|making|up|down|after|that|this|these|it|they|he|"
    r"she|we|you|her|his|its|their|our|the|a|an|nothing|no|same|above|below|behind|at|in|on|from|with|without|by|"
    r"to|along|including|compared|please|one|two|three|\d)\b| — | – | - |; ).*$"
)
_CLASS: Final = bounded(r"(?:the|a|an) (?P<noun>[a-z]+(?: [a-z]+)?) (?:of|called|named) (?P<rest>\S.*)")
_AFTER: Final = bounded(r"the (?P<rest>[A-Z][\w' -]*?) (?P<noun>[a-z]+)")
_TITLE: Final = bounded(r"[Tt]he (?P<noun>[a-z]+) (?P<rest>[A-Z][^,]*)")
_ENDINGS: Final = (
    ("ies", ("y",)),
    ("sses", ("ss",)),
    ("es", ("e", "")),
    ("s", ("",)),
    ("ied", ("y",)),
    ("ed", ("", "e")),
    ("ing", ("", "e")),
)
"""Ending of a regular verb form → what may stand for it in the infinitive, the likelier first."""

_KINDS: Final = word_set(
    "band novel film movie book song album company firm city town village country state river lake mountain "
    "island "
    "game series show play opera poem painting magazine newspaper singer actor author painter poet player "
    "footballer "
    "team club startup ship language planet artist writer musician professor university"
)
"""Nouns before a name that only say what it is: «the novel Dune» is «Dune»."""


def is_name(text: str) -> bool:
    """Tell whether a phrase names somebody or something: a capital or digit begins its words, or it is ME."""
    words = text.split()
    return bool(words) and (
        text.startswith(ME)
        or all(word[0].isupper() or word[0].isdigit() or word[0] in "\"“«'" for word in words[:1])
    )


def clean_subject(text: str) -> str | None:
    """Return the phrase a statement is about, without what stands beside it; None if it names nothing."""
    subject = _APPOSITION.sub("", text.strip()).strip(" ,")
    words = subject.split()
    if not words or len(words) > MOST_SUBJECT_WORDS or _NO_SUBJECT.fullmatch(words[0]):
        return None
    if words[0].endswith("ing") and len(words) > 1 and words[1].islower():
        return None  # «Moving the office is …»
    if (not is_name(subject) and _NO_SUBJECT.match(subject)) or _AMOUNT.match(subject):
        return None
    if (
        _BROKEN.search(subject)
        or bounded(r",(?! [A-Z])").search(subject)
        or words[-1].casefold() in PREPOSITIONS
    ):
        return None
    return subject if any(char.isalnum() or char == ME for char in subject) else None


def split_attribute(subject: str) -> tuple[str, str] | None:
    """
    Cut «the capital of France», «France's capital» into (France, capital); None if it is no attribute.

    A name stays whole: «University of Pisa», «The Lord of the Rings».
    """
    subject = _NAMING.sub("", subject)
    if (match := _POSSESSOR.fullmatch(subject)) and not match["owner"].endswith(" "):
        return _owned(match["owner"], match["attribute"])
    match = _OF.fullmatch(subject)
    if match is None:
        return None
    attribute, owner = match["attribute"], match["owner"]
    named = attribute[0].isupper() and not _is_attribute(attribute.casefold())
    if named or attribute.split()[-1].casefold() in NO_ATTRIBUTES | PREPOSITIONS:
        return None
    nested = _NESTED.fullmatch(owner)
    if (
        nested
        and match["link"] == "of"
        and nested["more"] not in ("the", "a", "an", "our", "my", "this", "its")
    ):
        attribute, owner = f"{attribute} {match['link']} {nested['more']}", nested["owner"]
    elif match["link"] != "of" and not _is_attribute(attribute):
        return None
    return _owned(owner, attribute)


def split_compound(subject: str) -> tuple[str, str] | None:
    """Cut «the API response time» into (API, response time), if its head is a known attribute."""
    words = _START.sub("", subject).split()
    if len(words) < 2 or words[-1].casefold() not in ATTRIBUTE_HEADS | ATTRIBUTE_NOUNS:
        return None
    taken = 2 if words[-1] in PAIRED_HEADS and len(words) > 2 and words[-2].islower() else 1
    attribute = words[-taken:]
    return " ".join(words[:-taken]), " ".join(attribute)


def canonical_concept(text: str) -> str | None:
    """Return the one key of an attribute as said; None if it is a former one, or no attribute."""
    if count := bounded(r"(?:total )?(?:number|count|amount) of ([\w -]+)|([\w-]+) count").fullmatch(
        text.strip()
    ):
        return count_concept(count[1] or count[2])
    key = attribute_key(text) if text.strip() else None
    return CANONICAL.get(key, key) if key else None


def count_concept(noun: str) -> str:
    """Return the key under which a number of things is kept: «merged commits», «commits merged»."""
    words = [word for word in noun.casefold().split() if word not in ("total", "new", "more", "different")]
    if len(words) > 1 and words[0].endswith("ed"):
        words = [*words[1:], words[0]]
    words = [singular(word) if not word.endswith("ed") else word for word in words]
    return f"{concept_spelling(' '.join(words))}_count"


def singular(noun: str) -> str:
    """Return the singular of a regular English plural."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if bounded(r"(?:s|x|z|ch|sh)es$").search(noun):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def lemma(word: str) -> str:
    """Return the infinitive of an English verb form: irregular, known, else by spelling."""
    plain = word.casefold()
    if plain in IRREGULAR:
        return IRREGULAR[plain]
    for ending, roots in _ENDINGS:
        if plain.endswith(ending) and len(plain) > len(ending) + 1:
            root = plain.removesuffix(ending)
            forms = [root + more for more in roots]
            if ending in ("ed", "ing") and root[-1:] == root[-2:-1]:
                forms.append(root[:-1])
            return next((form for form in forms if form in KNOWN_VERBS), forms[0])
    return plain


def bare_value(text: str) -> tuple[str, str | None]:
    """
    Strip a value to what it is; return it and the noun that said of what class it is.

    «the city of Bern» is Bern (city); «around 250 ms» is 250 ms; what follows a comma or a conjunction goes.
    """
    value = _ABOUT.sub("", _CUT.sub("", text.strip()).strip(" ,"))
    if (match := _CLASS.fullmatch(value)) and _class_noun(match["noun"]):
        return match["rest"], match["noun"].split()[-1]
    if (match := _AFTER.fullmatch(value)) and match["noun"] in CLASS_NOUNS:
        return match["rest"], match["noun"]
    if value.casefold() in CONTINENTS:
        return value, "continent"
    return bare_entity(value), None


def bare_entity(text: str) -> str:
    """Return a name without the noun that says what it is: «the novel Dune» is Dune."""
    match = _TITLE.fullmatch(text.strip())
    if match and match["noun"] in _KINDS:
        return match["rest"]
    match = _CLASS.fullmatch(text.strip())
    return match["rest"] if match and match["noun"] in SETTLEMENTS | LEVELS else text.strip()


def is_measure(value: str) -> bool:
    """Tell whether a value is a number, with or without a unit."""
    return bounded(r"[$€£¥]?\d").match(value) is not None


def _class_noun(noun: str) -> bool:
    return noun.split()[-1] in CLASS_NOUNS | SETTLEMENTS | LEVELS


def _owned(owner: str, attribute: str) -> tuple[str, str] | None:
    words = attribute.split()
    head = words[-1].casefold()
    if len(words) > 5 or head in NO_ATTRIBUTES or head in PREPOSITIONS or not owner.strip():
        return None
    return bare_entity(owner), attribute


def _is_attribute(phrase: str) -> bool:
    head = singular(phrase.split()[-1].casefold())
    superlative = bounded(r"\b(?:most|\w{2,}est|first|second|third|last|only|main|official|chief)\b").search(
        phrase
    )
    return head in ATTRIBUTE_NOUNS | ATTRIBUTE_HEADS or superlative is not None or _is_office(head)


def _is_office(head: str) -> bool:
    return (
        bounded(r"(?:[^aeiou]er|or|ist|ian|man|woman|ant|ee|head|chief|lead)$").search(head) is not None
        and len(head) > 4
    )
