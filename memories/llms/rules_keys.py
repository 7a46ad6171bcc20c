"""From the words of a match to the keys of a state: entity, concept, value (SPEC M-04)."""

import re
from typing import Final

from memories.keys import concept_spelling, entity_spelling
from memories.llms.names import is_name
from memories.llms.rules_grammar import HUMAN, NAME
from memories.llms.rules_wording import ME, word_set
from memories.llms.rules_words import ATTRIBUTE_HEADS, CHINESE, SYNONYMS, SYNONYMS_ZH
from memories.token_words import CONTENT_STOP_WORDS
from security.patterns import bounded

_DETERMINER: Final = bounded(
    r"^(?:(?:the|a|an|our|their|this|that|its|your|his|her|all|every|each|some|any|both)\s+)+|^(?:这个|那个|"
    r"这|那|(?:我们|咱们)(?!家)的?|所以|但是?|不过|而且|因此)",
    re.IGNORECASE,
)
_QUOTES: Final = "\"'“”‘’「」『』《》`"
_DATE: Final = bounded(r"\(?\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*)?\)?")
_TAIL: Final = bounded(
    rf"(?:,?\s+(?:because|since|so that|which|who|where|while|although|though|whereas|unless|if|when|as of|"
    rf"as soon as|until|instead of|rather than|over(?= \w)|starting|from (?=\(?\d{{4}}-)|with (?={ME}|my\b|"
    rf"our\b))\b.*"
    r"|,\s+(?:and|but|so|not|as|for|then|at|in|on|near|by|with|that|this|all|his|her|their|its|our|my|it|he|"
    r"she|they|we|the \w+ (?:is|are|was|has|"
    r"takes?|comes?|gets?))\b.*|,\s+(?:M(?:r|rs|s)\. )?(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)? (?:is|"
    r"are|was|has|"
    r"had|will|left|takes?|does|did)\b.*|\s+(?:now|right now|these "
    r"days|at the moment|for now|currently|since|again|already|today|anyway|as well|too|lately|at present|"
    r"any ?more|instead|every (?:day|week|morning)|a lot|very much|more than anything|most|best|for good|"
    r"permanently|full[- ]time)|,? (?:in|since) (?:19|20)\d\d|,\s+\w+ing\b.*|,? (?:(?:in )?the (?:night|"
    r"morning|evening|afternoon|week|end|beginning|"
    r"middle) of)(?: \(?\d{4}-.*)?|,?\s*(?:(?:on|in|since|from|as of|until|till|by|at|around|back in|before|"
    r"after|due(?: on)?|no later than)\s+)*\(?\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d\S*)?\)?|(?:因为|由于|从而|"
    r"之后|以后).*|[,，;；].*[\u3400-\u9fff].*|了)$",
    re.IGNORECASE,
)
"""What comes behind a value and is none of it: reasons, contrasts, times."""

_VERSION: Final = bounded(r"(?:version |release )?v?(\d+(?:\.\d+)+[\w.-]*|\d+)", re.IGNORECASE)
_PORT: Final = bounded(r"port (\d+)\b")
_PRODUCT: Final = bounded(r"([a-z][a-z+# ]*?) v?(\d[\w.-]*)")
_STATUS: Final = bounded(r"[a-z]+(?: [a-z]+)?|[^\W\d]{1,6}")
_ARTICLE: Final = bounded(r" (?:the|an?|our) ", re.IGNORECASE)
_FRESH: Final = bounded(r"^(?:(?:new|current|latest|updated|actual)\s+|新|当前|最新的?)+", re.IGNORECASE)
_FORMER: Final = bounded(
    r"^(?:(?:old|former|previous|initial|original|ex)\b|(?:last|first)\b(?! name)|旧|以前|之前|原来|上一)",
    re.IGNORECASE,
)
_LEADS: Final = bounded(r"\w+ (?:with|by|via|through|from|to|at|on|for)", re.IGNORECASE)
"""A verb with the word that leads to its object: «go with», «take from»."""
_AT: Final = bounded(r"^(?:on|at|in|by|due|from) (?=[a-z]?\d)", re.IGNORECASE)
_COUNT: Final = bounded(
    r"\d|(?:two|three|four|five|six|seven|eight|nine|ten|half|dozens?|hundreds?)\b", re.IGNORECASE
)
_CODE: Final = bounded(r"\b[A-Z]{2,}[ -]?\d[\d-]{2,}$")
"""A code at the end of a phrase names the thing by itself."""
_HEAD_OF: Final = bounded(r"((?:[\w-]+ )?[\w-]+) of (?:the |our |an? )?([\w][\w .&'-]*)")
_OWNED: Final = bounded(rf"(?<=\w)'s (?=\w)(?!(?:[\w-]+ )?(?:{HUMAN})\b)", re.IGNORECASE)
_BESIDE: Final = bounded(r"(?<=\w)(?:那边|这边|那里|这里|方面)$")
_OF: Final = bounded(r"(.+?) (?:of|for) (.+)")
_RELATIVE: Final = bounded(r"(?<=\w), (?:which|who|whose|whom|where) .*$", re.IGNORECASE)
"""What is told of a thing beside its name: «the Wren, which we sell in May»."""
_EMPTY: Final = word_set(
    "it that this them these those here there so one what him her 它 他 她 这 那 这样 那样 这里 那里 什么"
)
_DOERS: Final = word_set("deploy deployment release build launch meeting")
"""Heads that need the value's type to say which attribute is meant: deploy_version, launch_date."""
_VALUE_TYPES: Final = word_set("version status state date time")
_NAMING: Final = word_set(
    "residence employer name hometown birthplace spouse owner manager maintainer lead founder author "
    "director location"
)
"""Concepts whose value is a name."""


def clean_value(text: str) -> str | None:
    """
    Strip a value to what it is: lower-case, no article, no date or clause behind it; None if nothing is left.

    The speaker's ME stays in it.
    """
    value = _AT.sub("", text.strip(" .。,，"))
    if _DATE.fullmatch(value):
        return value.strip("()")
    while (shorter := _TAIL.sub("", value).strip(" ,;:，。.!")) != value:
        value = shorter
        if _DATE.fullmatch(value):
            return value.strip("()")
    value = _DETERMINER.sub("", value.strip(_QUOTES + " ")).strip(_QUOTES + " ")
    if version := _VERSION.fullmatch(value):
        value = version[1]
    value = " ".join(value.casefold().split())
    return None if not value or value in _EMPTY else value


def entity_key(text: str, *, speaker: str) -> str:
    """
    Return the key of an entity as said; ME becomes the speaker.

    Words for one thing meet: «the roof of the depot» and «the depot's roof», «lot QX 4410» and «QX-4410».
    """
    plain = _RELATIVE.sub("", _DETERMINER.sub("", text.strip(_QUOTES + " "))).replace("’", "'")
    if code := _CODE.search(plain):
        return entity_spelling(code[0]) or ""
    if (of := _HEAD_OF.fullmatch(plain)) and not is_title(of[1]):
        plain = f"{of[2]} {of[1]}"
    plain = _OWNED.sub(" ", plain).replace(f"{ME}的", ME).replace(ME, speaker)
    key = " ".join(plain.casefold().split()).strip(_QUOTES + " ,.")
    return _BESIDE.sub("", key.removesuffix("'s").removesuffix("的"))


def is_title(head: str) -> bool:
    """Tell whether what stands before an «of» belongs to a name: «University of Ghent»."""
    return head.split()[-1][:1].isupper()


def attribute_key(attribute: str) -> str | None:
    """Return the concept key of an attribute as said; None if it is a former state, or no attribute."""
    says_nothing = attribute.split()[0].casefold() in CONTENT_STOP_WORDS and not _LEADS.fullmatch(attribute)
    if _FORMER.match(attribute) or _COUNT.match(attribute) or says_nothing:
        return None
    plain = _ARTICLE.sub(" ", _FRESH.sub("", attribute.strip()))
    key = (concept_spelling(SYNONYMS_ZH.get(plain, plain)) or "state").replace("favorite", "favourite")
    return SYNONYMS.get(key, key)


def split_thing(thing: str, value: str) -> tuple[str, str, str]:
    """
    Cut what a state is about into entity, attribute and value.

    «Billing deploy» at «2.3» is billing, deploy_version, 2.3.
    What is no known attribute is the entity whole, and the value's type is the attribute.
    """
    plain = _FRESH.sub("", _DETERMINER.sub("", thing.strip(_QUOTES + " ")))
    if CHINESE.search(plain):
        return (*_split_chinese(plain, value), value)
    if port := _PORT.match(value):
        return plain.removesuffix(" port"), "port", port[1]
    if product := _PRODUCT.fullmatch(value):
        return plain, f"{concept_spelling(product[1])}_version", product[2]
    if (of := _OF.fullmatch(plain)) and (head := of[1].split()[-1].casefold()) in ATTRIBUTE_HEADS:
        key = attribute_key(of[1]) or "state"
        return of[2], f"{key}_{_type_of(value)}" if head in _DOERS else key, value
    return (*_split_english(plain, value), value)


def date_doer(concept: str, value: str) -> str:
    """Return the concept of a deed with the type of its value: «launch» at a day is launch_date."""
    return f"{concept}_{_type_of(value)}" if concept in _DOERS else concept


def naming_groups(match: re.Match[str], concept: str) -> list[str]:
    """Return the parts of a match that are names by where they stand, though no capital may tell it."""
    groups = ("entity", "value") if concept in _NAMING else ("entity",)
    parts = ((match.groupdict().get(group) or "").strip(" .") for group in groups)
    return [part for part in parts if ME not in part and _reads_as_name(part)]


def _split_english(plain: str, value: str) -> tuple[str, str]:
    words = plain.split()
    head = words[-1].casefold() if words else ""
    if head not in ATTRIBUTE_HEADS:
        return plain, _type_of(value)
    rest, attribute = words[:-1], head
    if head in _VALUE_TYPES and rest and rest[-1].casefold() in _DOERS:
        attribute, head = f"{rest[-1].casefold()}_{head}", rest[-1]
        rest = rest[:-1]
    elif head in _DOERS:
        attribute = f"{head}_{_type_of(value)}"
    return " ".join(rest) or head, SYNONYMS.get(attribute, attribute)


def _split_chinese(plain: str, value: str) -> tuple[str, str]:
    for word in sorted(SYNONYMS_ZH, key=len, reverse=True):
        if len(word) > 1 and plain.endswith(word):  # «书» also ends «证书»
            return plain.removesuffix(word).removesuffix("的") or plain, SYNONYMS_ZH[word]
    entity, of, attribute = plain.rpartition("的")
    return (entity, attribute) if of and entity and attribute else (plain, _type_of(value))


def _type_of(value: str) -> str:
    if _DATE.fullmatch(value):
        return "date"
    if bounded(r"\d+(?:\.\d+)+[\w.-]*").fullmatch(value):
        return "version"
    if bounded(r"\d{1,2}(?::\d\d)?(?: ?[ap]m)|\d{1,2}:\d\d").fullmatch(value):
        return "time"
    if value[:1].isdigit():
        return "amount"
    return "status" if _STATUS.fullmatch(value) else "state"


def _reads_as_name(part: str) -> bool:
    if CHINESE.search(part):
        return len(part) <= 8 and is_name(part)
    return bounded(NAME).fullmatch(part) is not None and is_name(part) and not _DETERMINER.match(part)
