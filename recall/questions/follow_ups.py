"""
What a follow-up points back at: «it», «her», «the second one», «and before that?» (SPEC R-18). Pure.

A question asked on its own names what it is about. The next one of a conversation often does not. What it
points at is looked for in what was asked and shown before it, and is put in front of the words to search by.

The words below are closed classes of grammar: pronouns, ordinals, conjunctions. No noun is among them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from memories.language import find_entities, name_key, words
from recall.questions.time_words import EMPTY_STEMS
from security.patterns import bounded

MOST_BEFORE: Final = 20
"""Earlier questions of a conversation that a pointer may reach back over: «she» stays who she is."""

MOST_BESIDE: Final = 2
"""
Words to look for that a follow-up has beside a name of its own («what did Ben think of it?»). Ours: with more
of them a question of LoCoMo speaks of itself («a good hobby related to his travels for Tim»).
"""

MOST_NAMES: Final = 4
"""Names that one pointer stands for: more say nothing."""

LONGEST_ITEM: Final = 300
"""Characters of a result that «the second one» is searched by."""

Kind = Literal["person", "thing", "item", "subject", "more"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """How a question points back."""

    kind: (
        Kind  #: a person, a thing, an item of the last answer, what was spoken of, more of the last question
    )
    place: int = 0  #: of an item: 1 the first, -1 the last
    earlier: bool = False  #: what was before is asked for
    said: tuple[int, int] | None = None  #: where the pronoun of a person begins and ends in the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name that the tenant's memories know."""

    key: str  #: in its one spelling
    is_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBefore:
    """A result of an earlier answer, as far as the asker may still see it."""

    id: UUID
    place: int  #: from 1
    content: str
    names: tuple[str, ...]
    effective_at: datetime
    took_over: bool  #: it stands in the place of an earlier statement


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBefore:
    """An earlier question of the conversation; the latest with the first of what it was shown."""

    id: UUID
    query: str
    shown: tuple[ShownBefore, ...] = ()

    def named(self, known: Sequence[Name]) -> list[str]:
        """Return those of the known names that the question says, as it writes them, longest first."""
        return said_names(self.query, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Antecedent:
    """What a follow-up is about."""

    query: str  #: the question as it is searched for, with what it is about in it
    memory_id: UUID | None  #: the result that it points at; None: a name, or the question before
    valid_at: datetime | None = None  #: a moment before that result took over


_NUMBERS: Final = {
    1: "first|1st|erste[nrs]?|premi[eè]re?|primer[oa]?|primeir[oa]|prim[oa]|первы[йе]|первая",
    2: "second|2nd|zweite[nrs]?|deuxi[eè]me|seconde?|segund[oa]|second[oa]|второ[йе]|вторая",
    3: "third|3rd|dritte[nrs]?|troisi[eè]me|tercer[oa]?|terceir[oa]|terz[oa]|трети[йе]|третья",
    4: "fourth|4th|vierte[nrs]?|quatri[eè]me|cuart[oa]|quart[oa]|четв[её]рты[йе]|четв[её]ртая",
    5: "fifth|5th|fünfte[nrs]?|cinqui[eè]me|quint[oa]|пяты[йе]|пятая",
    -1: "last|letzte[nrs]?|derni[eè]re?|[uú]ltim[oa]|последн(?:ий|ее|яя)",
}
_HAN_NUMBERS: Final = {1: "一1", 2: "二2", 3: "三3", 4: "四4", 5: "五5"}
_ENDS: Final = r"(?=\s*(?:[?.!,;:？。！，]|$))"
_THE: Final = r"(?:the|der|die|das|den|dem|le|la|el|il|lo|o|a|l['’])"
_OF_THEM: Final = (
    r"\s(?:of\s(?:them|these|those)|davon|von\s(?:ihnen|denen)|d['’]entre\s(?:eux|elles)"
    r"|de\sell[oa]s|del[ea]s|di\sloro)\b"
)
_ITEMS: Final = tuple(
    (
        place,
        bounded(
            rf"\b{_THE}\s?(?:{said})(?:\s(?:one|item|option|entry|result)\b|{_OF_THEM}|{_ENDS})"
            + (
                rf"|第[{_HAN_NUMBERS[place]}][个個项項条條种種]|[{_HAN_NUMBERS[place]}](?:つ目|番目)"
                if place > 0
                else r"|最[后後]一[个個项項条條]|最後の(?:もの)?"
            ),
            re.IGNORECASE,
        ),
    )
    for place, said in _NUMBERS.items()
)

_EARLIER: Final = bounded(
    r"\b(?:before\s(?:that|then|this|it)|previously|davor|vorher|zuvor|avant\s(?:ça|cela)|auparavant"
    r"|antes(?:\sde\s(?:eso|ello)|\sdisso)?(?=\s*[?？]|\s*$)|prima(?:\sdi\s(?:ciò|questo))?(?=\s*[?？]|\s*$)"
    r"|до\sэтого|раньше)(?!\w)|(?:在)?[那这這此]?之前|以前|その前",
    re.IGNORECASE,
)
_PERSON: Final = bounded(
    r"\b(?:he|him|his|himself|she|her|hers|herself|they|them|their|theirs"
    # «Sie» and «Ihr» with a capital are whoever is asked; «sein» with no noun behind it is «to be».
    r"|er|ihn|ihm|(?-i:sie|ihr(?:e[mnrs]?)?|ihnen)|seine[mnrs]?|sein(?=\s(?-i:[A-ZÄÖÜ]))"
    # «il» is Italian's article, but behind a verb's hyphen or «qu'»; «a-t-il», «faut-il» speak of nobody.
    r"|(?:(?<=-)|(?<=qu['’]))(?<!\ba-t-)(?<!faut-)(?<!fait-)il|ils|elles?|lui|leurs?|ses|sa"
    r"|(?<!my\s)(?<!his\s)(?<!her\s)(?<!the\s)(?<!our\s)(?<!your\s)(?<!['’]s\s)son(?=\s\w)"
    r"|él|ell[oa]s?|sus|su(?!\s(?:un|quale|che|cosa|di)\b)|el[ea]s?(?=\s(?!\d))|del[ea]s?|lei|loro|suoi?|suas?|sue|seus?"
    r"|он|она|они|его|её|ее|их|ему|ей|им)\b|(?<![其吉])[他她][们們]?|彼(?!此)女?",
    re.IGNORECASE,
)
_INVERTED: Final = bounded(
    r"(?:\b(?:l['’]|(?:les?|la|une?|des|du|ce|cette|ces|mon|ma|mes|notre|nos|votre|vos)\s)|(?<=\s)[A-ZÀ-Ý])"
    r"[^?]{1,120}-(?:t-)?(?:ils?|elles?)\b"
)
"""French that asks by a pronoun of what it has named: «l'eau sera-t-elle coupée ?»."""
_THING: Final = bounded(
    r"\b(?:its?|itself|those|these)\b"
    rf"|\b(?:this|that|there)\b{_ENDS}"
    r"|\b(?:is|was|are|were|did|does|do|will|has|had|can)\s(?:this|that)\b(?!\s(?:the|an?)\b)"
    r"|\b(?:after|about|of|for|with|from|in|on|at|than|like)\s(?:this|that|there)\b(?!\s\w)"
    rf"|\bes\b{_ENDS}|\b(?:dessen|deren|dort|dabei|dafür|dagegen|damit|daran|darauf|darin|darüber|davon|dazu|danach)\b"
    r"|\b(?:ça|cela|ceci|celui-ci|celle-ci|eso|esto|ello|allí|ahí|isso|isto|disso|nisso|lá|ciò|esso|essa)(?!\w)"
    r"|\b(?:это|этого|этом|там|оттуда|тогда)\b|[它牠]|(?<!尤)其(?![他它中实實余餘次])"
    r"|[这這那][个個里裡儿兒]?(?=[是在的有要为為会會还還，？?]|$)|それ|その|これ|この|そこ|あれ",
    re.IGNORECASE,
)
_MORE: Final = bounded(
    r"^\s*(?:and|but|or|so|also|what\sabout|how\sabout|und|aber|oder|wie\s(?:ist|sieht)\ses\smit|et|mais|ou|y|e|pero|mas|ma"
    r"|а|и|но)(?=[\s,])|^\s*(?:那么?|那麼|还有|還有|そして|じゃあ|では)|[呢]\s*[?？]?\s*$|^\s*¿\s*(?:y|e|pero)\b",
    re.IGNORECASE,
)
_ROMANCE: Final = bounded(
    r"^[¿\s]*(?:qué|quién(?:es)?|cuál(?:es)?|cuándo|cuánt[oa]s?|a?dónde|cómo|por\squé"
    r"|onde|quem|qual|quais|quando|quant[oaie]s?|dove|chi|quale|quali|perché|cosa)\b",
    re.IGNORECASE,
)
"""Question words of languages that leave their subject out."""
_ARTICLES: Final = bounded(
    r"\b(?:el|la|los|las|un|una|o|a|os|as|um|uma|il|lo|gli|i|le|uno)\b|\b[ld]['’]", re.IGNORECASE
)
_DIGITS: Final = bounded(r"\d")
_WORD: Final = bounded(r"[^\W_\u3040-\u30ff\u3400-\u9fff](?:[^\W\u3040-\u30ff\u3400-\u9fff]|['’.-])*")
_HAN: Final = bounded(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_FIRST_HAN: Final = "\u3040"
LONGEST_HAN_NAME: Final = 6
LONGEST_NAME: Final = 3
MOST_KEYS: Final = 400
"""Runs of words of a question that are looked up as names; behind them, none is."""


def find_pointer(query: str) -> Pointer | None:
    """
    Return how a folded question points back at its conversation; None where it does not.

    A question that names its own subject may hold a pronoun as well («where does Anna keep her keys?»).
    `find_antecedent` is told which names are known, so it has the last word.
    """
    earlier = _EARLIER.search(query) is not None
    for place, item in _ITEMS:
        if item.search(query):
            return Pointer(kind="item", place=place, earlier=earlier)
    said = _PERSON.search(query)
    if said and not (query[: said.start()].endswith("-") and _INVERTED.search(query)):
        return Pointer(kind="person", earlier=earlier, said=said.span())
    if said := _THING.search(query):
        return Pointer(kind="thing", earlier=earlier, said=said.span())
    sought = _sought_words(query)
    if earlier or not sought:
        return Pointer(kind="more", earlier=earlier)
    if _MORE.search(query) or len(sought) <= 1 + _drops_its_subject(query):
        return Pointer(kind="subject", earlier=earlier)
    return None


def _drops_its_subject(query: str) -> bool:
    """Whether a question of Spanish, Portuguese or Italian has a verb and no noun with an article."""
    return _ROMANCE.match(query) is not None and _ARTICLES.search(query) is None


def _sought_words(query: str) -> list[str]:
    """
    Return the words of a question that could be looked for.

    «Since when?» has none, «¿Dónde vive?» one: a question on its own has more. A number counts as two.
    """
    asked = _ROMANCE.sub(" ", query)
    found = [term for term in words(asked) if term.isalnum() and term not in EMPTY_STEMS]
    return found + [term for term in found if _DIGITS.search(term)]


def possible_names(query: str) -> list[str]:
    """Return the keys by which a name that a question says would be known: its runs of up to three words."""
    said = [name_key(word) for word in _WORD.findall(query)]
    keys = [
        " ".join(said[at : at + length]) for length in range(1, LONGEST_NAME + 1) for at in range(len(said))
    ]
    for run in _HAN.findall(query):
        lengths = range(2, LONGEST_HAN_NAME + 1)
        keys += [run[at : at + length] for length in lengths for at in range(len(run) - length + 1)]
    return list(dict.fromkeys(key for key in keys if len(key) > 1))[:MOST_KEYS]


def find_antecedent(
    pointer: Pointer, query: str, before: Sequence[AskedBefore], *, known: Sequence[Name] = ()
) -> Antecedent | None:
    """
    Return what a follow-up is about, by the questions before it, the latest first; None: it is about itself.

    known: those of `possible_names` of all these questions that name something. A pronoun behind a name of
    its kind stands for that, as a rule; one in front of it does not («what does she think of Ben?»).
    """
    own = [name for name in known if _is_said(query, name.key)]
    if not before or _is_about_itself(pointer, query, before, own):
        return None
    last = before[0]
    places = {one.place: one for one in last.shown}
    place = max(places, default=0) if pointer.place < 0 else pointer.place or min(places, default=0)
    one = places.get(place)
    if pointer.kind == "item":
        if one is None:
            return None
        said = f"{one.content[:LONGEST_ITEM]}: {query}"
    else:
        said = _said(pointer, query, before, own=own, known=known)
    moment = one.effective_at if one is not None and pointer.earlier and one.took_over else None
    is_result = one is not None and (pointer.kind in ("item", "thing") or moment is not None)
    return Antecedent(query=said, memory_id=one.id if one and is_result else None, valid_at=moment)


def _is_about_itself(
    pointer: Pointer, query: str, before: Sequence[AskedBefore], own: Sequence[Name]
) -> bool:
    """Whether a question names what it is about: its pronoun stands for that, or it needs no other."""
    if pointer.kind == "item":
        return False
    said = {term for name in own for term in words(name.key)}
    rest = {*_sought_words(query)} - said
    if pointer.said is not None:
        of_kind = [name.key for name in own if name.is_person == (pointer.kind == "person")]
        inside = any(find_name(query, key) < pointer.said[0] for key in of_kind)
        # «Welches Instrument spielt sie?»: a noun known as a name makes a person's question no fuller.
        beside = of_kind if pointer.kind == "person" else own
        return inside or (bool(beside) and len(rest) > MOST_BESIDE)
    if pointer.earlier and (own or len(rest) > 1):
        # «Which port did Roost use previously?» says all of it, unless Roost or its port was just spoken of.
        return not (rest | said) & {*words(_on_its_own(before).query)}
    if _MORE.search(query) is None:
        # «Who is Zorblax?» says whom it means, whether or not anybody has heard of them.
        return bool(own and rest) or bool(_written_inside(query))
    return bool(own) and len(rest) > 1


def _is_said(query: str, key: str) -> bool:
    """Whether a question says a name: written as names are, unless it writes all in small letters."""
    place = find_name(query, key)
    return place >= 0 and (not query[place].islower() or query.islower())


def _said(
    pointer: Pointer, query: str, before: Sequence[AskedBefore], *, own: Sequence[Name], known: Sequence[Name]
) -> str:
    """Return a question with what it is about in it: in the pronoun's place, or in front."""
    asked = _on_its_own(before)
    if pointer.kind == "thing":
        return f"{_thing(asked, before[0])}: {query}"
    if pointer.kind in ("more", "subject") and (own or pointer.kind == "more"):
        return f"{_exchanged(asked, known) if own else asked.query}: {query}"
    persons = [name for name in known if name.is_person] if pointer.kind == "person" else []
    # A noun of German is written like a name: in a question that points back itself it is not who «she» is.
    alone = [one for one in before if find_pointer(one.query) is None]
    names = _names(before, persons) or _subjects(alone, known) or _names(before, known)
    if not names:
        return f"{_thing(asked, before[0])}: {query}"
    told = ", ".join(names[:MOST_NAMES])
    if pointer.said is None:
        return f"{told}: {query}"
    begins, ends = pointer.said
    return " ".join(f"{query[:begins]} {told} {query[ends:]}".split())


def _names(before: Sequence[AskedBefore], known: Sequence[Name]) -> list[str]:
    """Return the names that the latest question with any said."""
    return next((names for asked in before if (names := asked.named(known))), [])


def _subjects(before: Sequence[AskedBefore], known: Sequence[Name]) -> list[str]:
    """
    Return what the latest question with any names: what it writes like a name, and what is known as one.

    What it begins with counts where nothing else does: «welches Instrument spielt Quirin?».
    """
    for asked in before:
        written, later = find_entities(asked.query), _written_inside(asked.query)
        rest = [name for name in asked.named(known) if all(find_name(one, name) < 0 for one in written)]
        if names := [*later, *rest] or asked.named(known) or list(written):
            return names
    return []


def _written_inside(query: str) -> list[str]:
    """Return what a question writes like a name behind its first word, which is written so anyway."""
    begins = next((place for place, char in enumerate(query) if char.isalnum()), 0)
    return [name for name in find_entities(query) if find_name(query, name) > begins]


def _thing(asked: AskedBefore, last: AskedBefore) -> str:
    """
    Return what was asked about, with the names that the last answer's first result brought.

    «It» is as often the answer as what was asked: «which host runs it?», then «where is that?».
    """
    answered = [name for one in last.shown[:1] for name in one.names if find_name(asked.query, name) < 0]
    return " ".join([asked.query, *answered[:MOST_NAMES]])


def _exchanged(asked: AskedBefore, known: Sequence[Name]) -> str:
    """Return the last question without its names: another takes their place."""
    return " ".join(exchange_names(asked.query, asked.named(known), " ").split())


def _on_its_own(before: Sequence[AskedBefore]) -> AskedBefore:
    """Return the latest question that points at none before it; the oldest known where all do."""
    return next((one for one in before if find_pointer(one.query) is None), before[-1])


def said_names(query: str, known: Sequence[Name]) -> list[str]:
    """Return those of the known names that a question says, as it writes them, longest first."""
    places = {name.key: find_name(query, name.key) for name in known}
    said = [query[at : at + len(key)] for key, at in places.items() if _is_said(query, key)]
    return sorted(said, key=lambda name: (-len(name), name))


def exchange_names(text: str, names: Sequence[str], other: str) -> str:
    """Return a text with another word in the place of each of the names."""
    for name in names:
        text = bounded(re.escape(name), re.IGNORECASE).sub(lambda _: other, text)
    return text


def find_name(text: str, name: str) -> int:
    """Return where a text says a name, as words of its own or in a script without blanks; -1: nowhere."""
    folded, wanted = text.casefold(), name.casefold()
    place = folded.find(wanted) if wanted else -1
    while place >= 0:
        sides = folded[max(place - 1, 0) : place], folded[place + len(wanted) : place + len(wanted) + 1]
        if wanted[0] >= _FIRST_HAN or not any(side.isalnum() and side < _FIRST_HAN for side in sides):
            return place
        place = folded.find(wanted, place + 1)
    return -1
