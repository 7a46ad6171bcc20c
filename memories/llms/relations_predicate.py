"""Cut an English clause at its main verb: what it is about, and how something is said of it."""

from dataclasses import dataclass
from typing import Final

from memories.llms.base import Change
from memories.llms.relations_phrases import PREPOSITIONS, clean_subject, lemma, split_attribute
from memories.llms.relations_words import IRREGULAR, KNOWN_VERBS
from memories.llms.rules_wording import word_set
from security.patterns import bounded

_AUXILIARIES: Final = word_set("is are was were be been being has have had")
_BE: Final = word_set("is are was were be been being")
_ADVERBS: Final = word_set(
    "now currently presently already also still officially recently finally just really actually always "
    "originally "
    "today again both all instead nolonger primarily mainly mostly best well widely first"
)
_NOT_LEADING: Final = word_set("formerly previously once never not often sometimes usually hardly")
_MODALS: Final = word_set(
    "will would can could may might must shall should does do did doesn't don't didn't won't can't cannot "
    "isn't aren't "
    "wasn't weren't hasn't haven't couldn't wouldn't shouldn't to gonna let lets"
)
_NO_VERBS: Final = word_set(
    "its hers ours yours theirs always perhaps whereas across besides as towards plus"
)
_RELATIVE: Final = word_set("that which who whom whose where")
_NEW: Final = word_set("now nolonger instead")
_QUOTED: Final = bounded(r"(\"[^\"]*\"|“[^”]*”|`[^`]*`|«[^»]*»)")
TRAILING_DATE: Final = bounded(
    r",?(?:\s+(?:on|in|since|from|as of|until|by|at|around|back in|before|after))*\s+\(?\d{4}-\d\d(?:-\d\d)?"
    r"(?:[T ]\d\d:\d\d\S*)?\)?$"
)
_TRAILING_ADVERB: Final = bounded(r",? (?:now|currently|today|again|these days|at the moment|any ?more)$")
_NEWS_WORD: Final = bounded(r"\b(?:now|instead|any ?more|these days)\b")
_RATHER: Final = bounded(r".+?(?:,| but)+ (?:but )?(?:(?:it|he|she) is )?(?:now )?(?P<value>.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A clause cut at its verb."""

    subject: str
    auxiliaries: tuple[str, ...]  #: is, was, has been, lower-case
    head: str  #: the first word behind them: a participle, an article, a verb
    rest: str  #: what follows the head
    change: Change
    denied: bool  #: «no longer»
    dated: bool  #: ended by a day: «flies to Oslo on 2026-04-02»
    attribute: tuple[str, str] | None  #: (owner, attribute), if the subject is one

    @property
    def complement(self) -> str:
        """What follows the auxiliaries."""
        return f"{self.head} {self.rest}".strip()

    @property
    def is_be(self) -> bool:
        return bool(self.auxiliaries) and self.auxiliaries[-1] in _BE

    @property
    def is_past(self) -> bool:
        """Told of the past, with no word that it still holds."""
        return self.auxiliaries[-1:] in (("was",), ("were",), ("had",)) or self.auxiliaries[:1] == ("had",)


def find_predicate(clause: str) -> Predicate | None:
    """Cut a clause at its main verb; None if it has none, or a modal, a denial, a plan."""
    whole = bounded(r"\bno longer\b").sub("nolonger", clause.strip(" .!。")).strip()
    plain = TRAILING_DATE.sub("", whole)
    if plain.split(" ")[-1] in _AUXILIARIES | _ADVERBS | {"to", "due", "for"}:
        plain = whole  # the day is what is said
    masked = _QUOTED.sub(lambda quoted: "Q" * len(quoted[0]), plain)
    words = [(match[0], match.start()) for match in bounded(r"(?:[^\s,]|,(?=\d))+").finditer(masked)]
    place = _find_verb([word for word, _ in words])
    if place is None:
        return None
    before = [word for word, _ in words[:place]]
    leading = len(before)
    while leading and before[leading - 1] in _ADVERBS:
        leading -= 1
    end = place
    auxiliaries: list[str] = []
    while end < len(words) and (words[end][0] in _AUXILIARIES or (words[end][0] in _ADVERBS | _NOT_LEADING)):
        if words[end][0] in _AUXILIARIES:
            auxiliaries.append(words[end][0])
        end += 1
    adverbs = {word for word, _ in words[leading:end]} - _AUXILIARIES
    if end >= len(words) or adverbs & _NOT_LEADING or leading == 0:
        return None
    if words[end][0].endswith("ly") and end + 1 < len(words):
        end += 1
    head, at = words[end]
    subject = clean_subject(plain[: words[leading][1]])
    if subject is None:
        return None
    tail = _TRAILING_ADVERB.sub("", plain[at + len(head) :].strip())
    denied = "nolonger" in adverbs
    if denied and auxiliaries and (rather := _RATHER.fullmatch(f"{head} {tail}")):
        denied, head, tail = False, *_cut_word(rather["value"])
    is_new = bool(adverbs & _NEW) or _NEWS_WORD.search(plain, at) is not None
    return Predicate(
        subject=subject,
        auxiliaries=tuple(auxiliaries),
        head=head if not denied and adverbs & {"nolonger"} else plain[at : at + len(head)],
        rest=tail,
        change="explicit" if is_new else "none",
        denied=denied,
        dated=plain != whole,
        attribute=split_attribute(subject),
    )


def _cut_word(text: str) -> tuple[str, str]:
    first, _, rest = text.partition(" ")
    return first, rest


def _find_verb(words: list[str]) -> int | None:
    """Return the place of the main verb: verbs of relative clauses within the subject are passed over."""
    relatives, place = 0, 1
    while place < len(words):
        word = words[place]
        if word == "to" and place + 1 < len(words) and not words[place + 1].islower():
            place += 1
            continue
        if word == "used" and words[place + 1 : place + 2] == ["to"]:
            return None
        if word.casefold() in _MODALS or word in ("if", "because", "when", "while", "unless"):
            return None
        if word in _RELATIVE and place < len(words) - 2:
            relatives += 1
        elif is_verb(words, place, within=bool(relatives)):
            if not relatives:
                return place
            relatives -= 1
            while place + 1 < len(words) and _continues(words, place):
                place += 1
        place += 1
    return None


def _continues(words: list[str], place: int) -> bool:
    """Tell whether the next word belongs to the same verb: «was educated»."""
    after = words[place + 1]
    return words[place] in _AUXILIARIES | _ADVERBS and after not in _BE and lemma(after) != after


def is_verb(words: list[str], place: int, *, within: bool = False) -> bool:
    word, before = words[place], words[place - 1]
    if word in _AUXILIARIES:
        return True
    if (
        not word.isascii()
        or not word.replace("-", "").isalpha()
        or not word.islower()
        or place + 1 >= len(words)
    ):
        return False
    if before.casefold() in PREPOSITIONS | {
        "the",
        "a",
        "an",
        "and",
        "or",
        "its",
        "their",
        "our",
    } or before.endswith("'s"):
        return False
    after = words[place + 1]
    if after == "of" or (after in _AUXILIARIES and not within):
        return False
    root = lemma(word)
    if root == word:
        return (word in IRREGULAR and word not in ("set", "cut", "read", "cast")) or (
            word in ("set",) and after == "to"
        )
    return root in KNOWN_VERBS or (_is_full_name(words[:place]) and _may_be_verb(word))


def _is_full_name(words: list[str]) -> bool:
    """Tell whether words are a name of several: «Kind regards» and «Two weeks» begin with a capital, too."""
    return len(words) > 1 and all(
        word[0].isupper() or word in ("of", "the", "de", "van", "von") for word in words
    )


def _may_be_verb(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")) and word not in _NO_VERBS
