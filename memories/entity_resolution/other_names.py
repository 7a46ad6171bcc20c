"""
Names that one text calls the same: «Robert Miller (Bob)», «海岚（Hailan）», «Wren, once Lark» (SPEC M-10).

Pure. A bracket is believed if what is in it is another form of the name before it, a given name behind a
person's, or is introduced by a word that says so; a role, a place or a firm in brackets is neither. Which
words say so is grammar, a short list for each language; our own.
"""

from collections.abc import Iterator
from typing import Final

from memories.entity_resolution.name_forms import are_forms_of_one, is_given_name
from memories.language import CAPITALS, Abbreviation, cut_words, find_abbreviations, is_noise
from security.patterns import bounded

MOST_PAIRS: Final = 8
"""Pairs of one text; a longer list is a register. Our choice."""

_W: Final = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_TOKEN: Final = rf"(?<!{_W})(?:[{CAPITALS}]\.|[{CAPITALS}0-9](?>(?:{_W}|[&+.'’-](?={_W}))*))"
"""A name's word. It begins where a word does and is taken whole: the engine has one way to read it."""
_NAME: Final = rf"{_TOKEN}(?: (?:(?:of|de|van|von|der|la|the) )?{_TOKEN}){{0,4}}"
_CJK_NAME: Final = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,10}"
_OPEN: Final = "[“”„\"‘'«「『《]?"
_CLOSE: Final = "[“”\"’'»」』》]?"

_INTRODUCED: Final = "|".join(
    (
        r"a\.?k\.?a\.?|(?:also |better |formerly |previously )?known as|formerly|previously|nicknamed",
        r"alias|short(?: for)?",
        r"auch(?: bekannt als| genannt)?|genannt|früher|kurz",
        r"también conocid[oa] como|conocid[oa] como|antes|apodad[oa]",
        r"aussi appelée?|connue? sous le nom de|dite?|surnommée?|anciennement",
        r"он же|она же|также известн(?:ый|ая) как|ранее|бывш(?:ий|ая)",
        r"diğer adıyla|namıdiğer|nam-ı diğer|eski adıyla",
        r"(?:以下)?简称为?|又名|又称|也叫|也称|别名|别称|俗称|原名|曾用名|昵称|小名|英文名|中文名|代号",
        r"通称|別名|旧称|略称|愛称|일명|별칭|구|이하",
    )
)
"""What opens a bracket that gives another name."""

_BETWEEN: Final = "|".join(
    (
        r",? (?:who is |which is )?(?:also |better |formerly |previously )?known as|,? a\.?k\.?a\.?,?",
        r", formerly(?: known as)?|, previously(?: known as)?|,? nicknamed|,? alias",
        r" goes by(?: the name(?: of)?)?| (?:was|has been|is being) renamed(?: to| as)?",
        r" is now (?:called|known as|named)| is (?:also )?called| stands for",
        r" is (?:short|another name) for| is an abbreviation (?:of|for)",
        rf", genannt|, auch bekannt als|, auch(?= {_NAME} genannt)|, kurz| heißt jetzt| steht für",
        r" ist die Abkürzung (?:für|von)",
        r",? también conocid[oa] como|, conocid[oa] como|, apodad[oa]| ahora se llama|, antes",
        r" es la abreviatura de",
        rf",? aussi appelée?|, dite?(?= {_NAME}, )|, surnommée?|, anciennement|, connue? sous le nom de",
        r" s'appelle désormais| est l'abréviation de",
        r", он же|, она же|, также известн(?:ый|ая) как|, ранее| переименован[ао]? в| теперь называется",
        r",? diğer adıyla|,? namıdiğer|,? nam-ı diğer|,? eski adıyla",
    )
)
"""What stands between a name and another name of the same."""

_OF_LETTERS: Final = frozenset({"stands for", "steht für"})
_ONCE: Final = frozenset({"formerly", "previously", "antes", "anciennement", "ранее", "eski adıyla"})

_BETWEEN_CJK: Final = (
    r"[，,、]?(?:(?:以下)?简称为?|又名|又称|也叫做?|也称|别名叫?|俗称|原名叫?|曾用名|昵称是?|小名叫?|改名为|更名为|"
    r"改称|的英文名是|的中文名是|的代号是|通称|別名|旧称|略称|일명)"
)
_BRACKET: Final = bounded(r"[(（](?P<inside>[^()（）\n]{2,60})[)）]")
_CUE: Final = bounded(rf"(?:{_INTRODUCED})[:：]?\s*")
_IS_NAME: Final = bounded(
    rf"{_OPEN}(?P<name>{_NAME}|{_CJK_NAME}|[A-Z][0-9]{{1,2}}[A-Za-z]|[a-z][0-9]{{1,2}}[a-z]){_CLOSE}"
)
_BEFORE: Final = bounded(rf"(?:(?P<latin>{_NAME}|[a-z]{{4,24}})|(?P<cjk>{_CJK_NAME})){_CLOSE} ?$")
_LOOK_BACK: Final = 90
"""Characters before a bracket in which the name is looked for."""

_STATED: Final = bounded(rf"(?P<one>{_NAME})(?P<how>{_BETWEEN}) {_OPEN}(?P<other>{_NAME}){_CLOSE}")
_STATED_CJK: Final = bounded(
    rf"(?:^|(?<=[，,。；;：:、“「『《\s]))(?P<one>{_CJK_NAME}|{_NAME}){_CLOSE}?(?P<how>{_BETWEEN_CJK}){_OPEN}"
    rf"(?P<other>{_NAME}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{{2,8}}?){_CLOSE}(?=[，,。；;、！!\s]|$)"
)
_SINGLE: Final = rf"[{CAPITALS}]{_W}{{1,30}}"
_QUOTED: Final = bounded(
    rf"(?P<first>{_SINGLE}) (?:[“„\"‘'«](?P<quoted>{_SINGLE})[”“\"’'»]|\((?P<inside>{_SINGLE})\))"
    rf" (?P<last>{_SINGLE})"
)


def find_same_names(text: str) -> tuple[Abbreviation, ...]:
    """Return the pairs of names that the text calls the same, (other name, name), in order, each once."""
    short_forms = find_abbreviations(text)
    had = {pair.short for pair in short_forms}
    in_brackets = (pair for pair in _in_brackets(text) if pair.short not in had)
    found = [*short_forms, *_in_quotes(text), *in_brackets, *_stated(text)]
    told = {pair for pair in found if pair.short.casefold() != pair.long.casefold()}
    return tuple(dict.fromkeys(pair for pair in found if pair in told))[:MOST_PAIRS]


def _in_quotes(text: str) -> Iterator[Abbreviation]:
    for match in _QUOTED.finditer(text):
        full = f"{match['first']} {match['last']}"
        short = match["quoted"] or match["inside"]
        yield Abbreviation(short=short, long=full)
        yield Abbreviation(short=f"{short} {match['last']}", long=full)


def _in_brackets(text: str) -> Iterator[Abbreviation]:
    for bracket in _BRACKET.finditer(text):
        cue = _CUE.match(bracket["inside"])
        said = bracket["inside"][cue.end() if cue else 0 :].strip()
        name = _IS_NAME.fullmatch(said)
        start = max(0, bracket.start() - _LOOK_BACK)
        before = _BEFORE.search(text[start : bracket.start()])
        if name is None or before is None:
            continue
        if (
            long := _named_before(before["latin"], before["cjk"], name["name"], is_told=cue is not None)
        ) is not None:
            yield Abbreviation(short=name["name"], long=long)


def _named_before(latin: str | None, cjk: str | None, other: str, *, is_told: bool) -> str | None:
    """Return the name before a bracket that `other` in it is another name of, or None."""
    if latin is not None:
        words = latin.split()
        for start in range(len(words)):
            name = " ".join(words[start:])
            if are_forms_of_one(other, name):
                return name
        is_person = len(words) > 1 and is_given_name(other)
        return latin if is_told or is_person else None
    if cjk is None:
        return None
    for start in range(len(cjk) - 1):
        if are_forms_of_one(other, cjk[start:]):
            return cjk[start:]
    last = cut_words(cjk)[-1]
    is_person = len(last) in (2, 3) and is_given_name(other)
    return last if len(last) > 1 and (is_told or is_person) else None


def _stated(text: str) -> Iterator[Abbreviation]:
    for pattern in (_STATED, _STATED_CJK):
        for match in pattern.finditer(text):
            one, other = match["one"], match["other"]
            if not (is_noise(one) or is_noise(other)) and _says_so(one, match["how"], other):
                # The fuller one is the name; of two alike the later one, as in «renamed».
                short, long = sorted((one, other), key=len)
                yield Abbreviation(short=short, long=long)


def _says_so(one: str, how: str, other: str) -> bool:
    """
    Tell whether the words between two names say that these are one.

    «Stands for» is said of more than letters, and «Ann Weiss, formerly Siemens» has changed her employer.
    """
    if how.strip() in _OF_LETTERS:
        return one.isupper() or other.isupper()
    is_person = " " in one and is_given_name(one.split()[0])
    return not (is_person and how.strip(", ") in _ONCE) or bool(set(one.split()) & set(other.split()))
