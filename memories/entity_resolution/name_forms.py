"""
The other forms in which people write one name: short, in other letters, without a title (SPEC M-10).

Pure. Each rule says of two spellings alone that they may be one name; whether they are is for the directory:
a form that fits two entities means neither.

# Note [Which side is looked up]
Forms that can be listed from either side are only looked up: «Bob Miller» asks for «Robert Miller». Those
that cannot («J. Smith» does not tell its given name) are kept with the full name, as names of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, product
from typing import Final

from anyascii import anyascii
from nicknames import NickNamer

from memories.language import SMALL_WORDS, TAG_NAMES, Named, fold, initial_form, name_key, readings
from security.patterns import bounded

LEAST_ABBREVIATED: Final = 10
"""Letters of a word that is abbreviated by their number: «Kubernetes» has ten; fewer are seldom."""

LEAST_WORDS: Final = 3
MOST_WORDS: Final = 6
"""Words of a name that is known by its initials without a text that says so: two letters stand for all, and
of seven words the row is a sentence."""

LONGEST_HAN: Final = 6
MOST_READINGS: Final = 8
"""Characters of a Chinese name that is spelled out in Latin letters, and of its readings those tried."""

LEAST_JOINED: Final = 4
"""Letters of a name that is looked for as one word and with its words the other way round."""

LEAST_PREFIX: Final = 3
"""Letters of a short form that begins the name."""

LEAST_SPELLED: Final = 4
"""Letters of a name in another script under which it is known in Latin ones."""

_HONORIFIC: Final = bounded(
    r"(?:(?:mr|mrs|ms|mx|dr|prof|professor|sir|dame|judge|captain|herr|frau|señora?|sra?|madame|monsieur|mme|"
    r"don|doña|signora?|dott|г-н|г-жа|bay|bayan)\.? )+(?=\S+ \S)"
)
_TITLE: Final = bounded(
    r"(?<=[\u4e00-\u9fff]{2})(?:先生|女士|老师|教授|博士|医生|律师|经理|总监|同学|师傅)$"
    r"|(?<=[\u3040-\u30ff\u4e00-\u9fff]{2})(?:さん|様|氏|先生)$|(?<=[\uac00-\ud7af]{3})(?:씨|님)$"
)
_LEGAL: Final = bounded(
    r"(?<=\w)[ ,]+(?:inc|incorporated|ltd|limited|llc|llp|gmbh|corp|corporation|company|co|ag|plc|se|kg|ohg|"
    r"ug|s\.?a|s\.?a\.?s|s\.?a\.?r\.?l|s\.?p\.?a|s\.?l|b\.?v|n\.?v|a\.?b|a\.?s|oy|ооо|оао|зао|пао|a\.?ş|"
    r"ltd şti)\.?$"
    r"|(?<=[\u3040-\u30ff\u4e00-\u9fff]{2})(?:股份有限公司|有限责任公司|有限公司|株式会社)$"
    r"|^(?:株式会社|ооо )(?=[\w]{2})|(?<=[\uac00-\ud7af]{2}) ?주식회사$"
)
_PROJECT: Final = bounded(r"(?:project (?P<after>\S.*)|(?P<before>.*\S) project)")
_WORD: Final = bounded(r"[a-z]+")
_CAMEL: Final = bounded(r"(?<=[a-z])(?=[A-Z])")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_OTHER_SCRIPT: Final = bounded("[\u0370-\u1cff\u3040-\u9fff\uac00-\ud7af]")
_KOREAN_NAME: Final = bounded("[\uac00-\ud7af]{2,4}")
_HAN: Final = bounded(f"[\u3400-\u9fff]{{2,{LONGEST_HAN}}}")
_KOREAN_SURNAMES: Final = {
    "gim": "kim", "i": "lee", "bag": "park", "coe": "choi", "jeong": "jung", "gang": "kang", "jo": "cho",
    "im": "lim", "o": "oh", "u": "woo", "no": "noh", "mun": "moon", "yu": "yoo", "sin": "shin",
}  # fmt: skip
"""Surnames as Koreans write theirs in passports, by their letters in the official romanisation; the most
frequent ones. Our list."""


_SOUNDS: Final = (("ee", "i"), ("oo", "u"), ("ou", "o"), ("kh", "h"), ("x", "ks"), ("w", "v"), ("ph", "f"))
_GLIDE: Final = bounded(r"[ijy]+")
_DOUBLE: Final = bounded(r"(.)\1+")
_HEARD: Final = "≈"
"""Begins a key that is no spelling but a sound; no name begins so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """Keys that may be the same name; its own key is in none of them."""

    plain: str | None  #: the name without a title: always the same
    kept: tuple[str, ...]  #: shorter ones that cannot be led back: known as names of it from now on
    shorter: tuple[str, ...]  #: ones that mean it, where somebody goes by them
    fuller: tuple[str, ...]  #: ones that it means, where one goes by them

    @property
    def keys(self) -> tuple[str, ...]:
        """All of them."""
        plain = (self.plain,) if self.plain else ()
        return (*plain, *self.kept, *self.shorter, *self.fuller)


@lru_cache(maxsize=1024)  # a name is asked for its forms before the lookup and again when it is read
def find_forms(named: Named) -> Forms:
    """Return the other keys under which this name may be met; at most some forty."""
    own = named.key
    may_be_a_person = named.type in ("person", "thing")
    kept = [_numeronym(own), *_transcribed(own), *_undressed(own)]
    shorter, fuller = (
        [*_short_names().get(own, ()), *_spelled_out(own)],
        [TAG_NAMES.get(own), *_joined(own), *_split(named)],
    )
    if named.type != "person":
        kept.append(_acronym(own))
    if project := _PROJECT.fullmatch(own):
        after = project["after"]
        fuller.append(f"{after} project" if after else f"project {project['before']}")
    first, blank, rest = own.partition(" ")
    if blank:
        shorter.append(own.replace(" ", ""))
    if blank and may_be_a_person:
        kept.append(initial_form(named.name))
        shorter += [f"{short} {rest}" for short in sorted(short_given_names(first))]
        fuller += [f"{full} {rest}" for full in sorted(full_given_names(first))]
    plain = _TITLE.sub("", _HONORIFIC.sub("", own, count=1), count=1)
    return Forms(
        plain=plain if plain != own else None,
        kept=_without(kept, own), shorter=_without(shorter, own), fuller=_without(fuller, own),
    )  # fmt: skip


def are_forms_of_one(one: str, other: str) -> bool:
    """Tell whether two names that stand side by side are forms of one name."""
    left, right = name_key(one), name_key(other)
    return (
        (_is_foreign(left) != _is_foreign(right) and bool(_heard(left) & _heard(right)))
        or left in find_forms(Named(key=right, name=other)).keys
        or right in find_forms(Named(key=left, name=one)).keys
    )


def is_given_name(name: str) -> bool:
    """Tell whether a single word is a given name or its short form, by the list of these (English ones)."""
    return name.casefold() in _given_names()


def short_given_names(given: str) -> frozenset[str]:
    """Return the short forms of a given name, lower-case."""
    listed = frozenset(_names().nicknames_of(given)) if given.isalpha() else frozenset()
    return frozenset(one for one in listed if _is_short_for(one, given))


def full_given_names(short: str) -> frozenset[str]:
    """Return the given names of which this is a short form, lower-case."""
    listed = frozenset(_names().canonicals_of(short)) if short.isalpha() else frozenset()
    return frozenset(one for one in listed if _is_short_for(short, one))


def spell(name: str) -> frozenset[str]:
    """Return a name's Latin letters without blanks and marks: several where its characters have readings."""
    plain = fold(name).casefold()
    if _HAN.fullmatch(plain):
        return frozenset(map("".join, islice(product(*map(readings, plain)), MOST_READINGS)))
    if _HAN.search(plain):
        return frozenset()
    return frozenset({"".join(_WORD.findall(anyascii(plain).casefold()))} - {""})


def letters_as_heard(letters: str) -> str:
    """
    Return Latin letters with what spellings of one sound differ in made equal: Dmitriy, Dmitrij and Dmitry.

    For names that come from another alphabet, which each country and each clerk writes otherwise. Worked:
    «jihoon» and «jihun» → «ihun», «aleksei» and «alexey» → «aleksei».
    """
    for written, heard in _SOUNDS:
        letters = letters.replace(written, heard)
    return _DOUBLE.sub(r"\1", _GLIDE.sub("i", letters))


def _is_short_for(short: str, full: str) -> bool:
    """
    Tell a short form from another name that only resembles it: Bob and Robert, not Anna and Hannah.

    The list has both. A short form begins the name, or is listed both ways, or has no short forms but the
    full name's own; one letter of difference is another name (Jon and John, Ann and Anna).
    """
    if abs(len(short) - len(full)) < 2 and _share(short, full) >= min(len(short), len(full)) - 1:
        return False
    own = frozenset(_names().nicknames_of(short))
    if len(short) >= LEAST_PREFIX and full.startswith(short):
        return True
    return full in own or own <= frozenset(_names().nicknames_of(full)) | {short}


def _share(one: str, other: str) -> int:
    """Return how many letters stand at the same place, counted from either end, whichever are more."""
    ahead = sum(1 for left, right in zip(one, other, strict=False) if left == right)
    return max(ahead, sum(1 for left, right in zip(one[::-1], other[::-1], strict=False) if left == right))


def _numeronym(key: str) -> str | None:
    if len(key) < LEAST_ABBREVIATED or not (key.isascii() and key.isalpha()):
        return None
    return f"{key[0]}{len(key) - 2}{key[-1]}"


def _acronym(key: str) -> str | None:
    words = [word for word in key.split() if word not in SMALL_WORDS]
    if not LEAST_WORDS <= len(words) <= MOST_WORDS or not all(word[0].isalpha() for word in words):
        return None
    return "".join(word[0] for word in words)


def _is_foreign(key: str) -> bool:
    """Tell whether a name has letters of another script than Latin and none of that."""
    return _OTHER_SCRIPT.search(key) is not None and not any("a" <= char <= "z" for char in key)


def _heard(key: str) -> set[str]:
    return {letters_as_heard(one) for one in _in_latin(key)}


def _transcribed(key: str) -> list[str]:
    """Return a key of another script in Latin letters, as one word; what has Latin letters needs none."""
    if not _is_foreign(key):
        return []
    found = [one for one in _in_latin(key) if len(one) >= LEAST_SPELLED]
    # Pinyin is one spelling for all; other scripts are known by their sound.
    return found if _HAN.fullmatch(key) else [_HEARD + letters_as_heard(one) for one in found]


def _spelled_out(key: str) -> list[str]:
    """Return how a name of another script may have been written with Latin words before: some ways of it."""
    if not _is_foreign(key):
        return []
    rows: Iterable[tuple[str, ...]] = ()
    if _HAN.fullmatch(key):
        rows = islice(product(*map(readings, key)), MOST_READINGS)
    elif _KOREAN_NAME.fullmatch(key):
        rows = [_korean_syllables(key)]
    spelled = [
        spelling
        for first, *rest in rows
        for spelling in (f"{first} {''.join(rest)}", f"{''.join(rest)} {first}", " ".join((first, *rest)))
    ]
    plain = anyascii(key).casefold()
    return spelled or [plain, plain.replace("iy", "y"), plain.replace("iy", "i")]


def _in_latin(key: str) -> list[str]:
    found = set(spell(key))
    if _KOREAN_NAME.fullmatch(key):
        found.add("".join(_korean_syllables(key)))
    return sorted(found)


def _korean_syllables(key: str) -> tuple[str, ...]:
    """Return a Korean name's syllables, the surname as passports have it."""
    first, *rest = (anyascii(char).casefold() for char in key)
    return _KOREAN_SURNAMES.get(first, first), *rest


def _joined(key: str) -> list[str]:
    """Return a Latin name as one word, with its last word first (Wei Zhang is 张伟), and how these sound."""
    words = key.split()
    letters = "".join(words)
    if not letters.isascii() or len(letters) < LEAST_JOINED or len(words) > LEAST_WORDS:
        return []
    found = [letters, "".join((words[-1], *words[:-1]))]
    return [*found, *(_HEARD + letters_as_heard(one) for one in found)]


def _split(named: Named) -> list[str]:
    """Return the key of a name whose words are told by their capitals alone: «PostHog», «AuthService»."""
    words = _CAMEL.sub(" ", named.name)
    return [name_key(words)] if words != named.name else []


def _undressed(key: str) -> list[str]:
    """Return a name without its legal form, its middle initial, its accents, and with its words in order."""
    found = [_LEGAL.sub("", key, count=1).strip(" ,")]
    words = key.split()
    if len(words) == LEAST_WORDS and len(words[1]) == 1:
        found.append(f"{words[0]} {words[2]}")
    if not key.isascii() and not _OTHER_SCRIPT.search(key):
        found += [key.translate(_UMLAUTS), anyascii(key)]
    return [one for one in found if len(one) > 1]


def _without(found: Iterable[str | None], own: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in found if one and one != own))


@cache
def _names() -> NickNamer:
    return NickNamer()


@cache
def _given_names() -> frozenset[str]:
    lookup = NickNamer.default_lookup()
    return frozenset(lookup) | frozenset(one for these in lookup.values() for one in these)


@cache
def _short_names() -> dict[str, tuple[str, ...]]:
    """Return the published list of technical short forms by the name that stands for them."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in TAG_NAMES.items():
        found[other] = (*found.get(other, ()), one)
    return found
