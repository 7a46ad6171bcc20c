"""What a text names: people, products, places, identifiers, quoted titles. Cheap and deterministic."""

from collections.abc import Iterator
from typing import Final

from memories.language.token_words import CONTENT_STOP_WORDS, MONTHS, WEEKDAYS, word_set
from security.patterns import bounded

MOST_ENTITIES: Final = 12

LONGEST_NAME: Final = 160
"""Characters; a longer row of capitals is a heading or a paste, and would fill a note's field."""

_W: Final = r"[^\W\u3040-\u30ff\u3400-\u9fff]"  #: a letter or digit of a spaced script
_QUOTED: Final = bounded(r"[\"“「『《`]([^\"”」』》`\n]{2,60})[\"”」』》`]")
_IDENTIFIER: Final = bounded(
    r"\b(?:[A-Z]{2,}-\d+"  # PROJ-123
    r"|[A-Za-z][A-Za-z0-9_]*_[A-Za-z0-9_]+"  # snake_case
    r"|[a-z]+[A-Z][A-Za-z0-9_]+|[A-Z][a-z]+[A-Z][A-Za-z0-9_]*"  # camelCase, CamelCase
    r"|[A-Za-z][A-Za-z0-9_.-]*/[A-Za-z0-9_./-]+"  # a/path.py
    r"|v\d+(?:\.\d+)+\S*\b"  # v2.3
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:\d+[a-z]?|api|app|bot|cache|cli|db|job|prod|queue|sdk|server|service"
    r"|svc|ui|worker)"
    r"|[A-Za-z0-9_-]+\.(?:py|js|ts|go|rs|sql|md|json|ya?ml|toml|com|org|io|net|cn|dev))\b"
)
CAPITALS: Final = "".join(char for char in map(chr, range(0x530)) if char.isupper())
"""Capital letters of Latin, Greek and Cyrillic."""

_WORD: Final = rf"[{CAPITALS}](?:{_W}|[&+])*(?:[-.'’][A-Za-z]{_W}*)*"
_NAME_WORD: Final = rf"(?:(?:[{CAPITALS}]|Dr|Prof|Mrs?|Ms|St)\.(?=\s+[{CAPITALS}])|{_WORD})"
"""A word of a name, or a letter or title with its full stop before another."""
_CAPITALISED: Final = bounded(
    rf"(?<!{_W})(?<!['’]){_NAME_WORD}(?:\s+(?:(?:of|de|van|von|der|la|the)\s+)?{_NAME_WORD})*"
)
_STARTS_SENTENCE: Final = bounded(r"(?:^|[.!?:。！？：]\s*|\n\s*|[-*•]\s+)$")
_BEFORE: Final = 80
"""Characters before a name in which what begins its sentence is looked for: a sign and blanks behind it."""
_NEXT_WORD: Final = bounded(r"(?:['’]s)?\s+([a-z]+)\b")
_LATIN_IN_HAN: Final = bounded(
    r"(?<=[\u3400-\u9fff])[A-Za-z][A-Za-z0-9_.+#-]+|[A-Za-z][A-Za-z0-9_.+#-]+(?=[\u3400-\u9fff])"
)
_VERBS: Final = word_set(
    """
    is has will and was did had went got took saw came said told made found thought knew brought bought built
    began broke chose caught drove ate fell felt flew forgot gave grew heard held kept led left lent lost
    meant met paid quit ran rose sat sold sent showed shut slept spoke spent stood taught threw understood
    woke wore won wrote became drew sang stole swore tore
    """
)
"""What a name that begins a sentence is known by, beside regular pasts."""
_CALENDAR: Final = frozenset(name for name, _ in MONTHS + WEEKDAYS)
_NO_NAMES: Final = frozenset({"i", "todo", "fyi", "btw", "ok", "asap", "eta", "user", "assistant", "tool"})
"""Capitals that name nobody; speaker labels are no entities (SPEC M-10)."""


def find_entities(text: str) -> tuple[str, ...]:
    """Return the distinct names in a text in the order they come, as written; at most MOST_ENTITIES."""
    found: dict[str, str] = {}
    for _, name in sorted(_candidates(text), key=lambda candidate: candidate[0]):
        clean = bounded(r"['’]s$").sub("", name.strip(" .,;:-")).strip()
        if is_name(clean) and not any(clean.casefold() in longer for longer in found):
            found.setdefault(clean.casefold(), clean)
        if len(found) == MOST_ENTITIES:  # what comes later takes no place of an earlier one
            break
    return tuple(found.values())


def is_name(text: str) -> bool:
    """Tell whether a text can name something: no single sign, paste, number, month, stop word or label."""
    folded = bounded("['’]").split(text.casefold())[0]
    if not 2 <= len(text) <= LONGEST_NAME or not any(char.isalpha() for char in text):
        return False
    return folded not in CONTENT_STOP_WORDS and folded not in _CALENDAR and folded not in _NO_NAMES


def _candidates(text: str) -> Iterator[tuple[int, str]]:
    for pattern in (_QUOTED, _IDENTIFIER, _LATIN_IN_HAN):
        for match in pattern.finditer(text):
            yield match.start(), match[1] if pattern is _QUOTED else match[0]
    for match in _CAPITALISED.finditer(text):
        start, name = match.start(), match[0]
        if _STARTS_SENTENCE.search(text, max(0, start - _BEFORE), start):
            start, name = _without_opener(text, start, name)
        if name:
            yield start, name


def _without_opener(text: str, start: int, name: str) -> tuple[int, str]:
    """Drop the capital that only begins a sentence; a lone word there is a name if a verb follows it."""
    first, _, rest = name.partition(" ")
    if first.casefold() in CONTENT_STOP_WORDS:
        return start + len(first) + 1, rest
    if not rest and first.isalpha() and first[1:].islower() and not _is_verb_after(text, start + len(first)):
        return start, ""
    return start, name


def _is_verb_after(text: str, end: int) -> bool:
    word = _NEXT_WORD.match(text, end)
    return word is not None and (word[1] in _VERBS or word[1].endswith("ed"))
