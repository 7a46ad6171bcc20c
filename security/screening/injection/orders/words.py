"""
Find the words of the tables in a text: one pass over its words, one look-up each. Pure, and linear.

A word is compared without case and accents: who means to be understood and not found leaves them out.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from security.patterns import bounded
from security.screening.injection.orders.elsewhere import ARABIC, EAST, INDIC, SOUTH_EAST, TURKIC
from security.screening.injection.orders.european import GERMANIC, ROMANCE, SLAVIC
from security.screening.skeleton import plain

LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {
    **GERMANIC, **ROMANCE, **SLAVIC, **TURKIC, **ARABIC, **INDIC, **SOUTH_EAST, **EAST,
}  # fmt: skip
"""Language → slot → its words."""

Place = tuple[int, int]
"""Where a word or phrase stands in the text, end exclusive."""

_UNSPACED: Final = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
"""Scripts without spaces between words: Thai, and the signs of Japanese."""
_MARKS: Final = "\u0300-\u036f\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD: Final = bounded(rf"[{_UNSPACED}]++|(?:[^\W_{_UNSPACED}]|[{_MARKS}])+")
_STARTS_UNSPACED: Final = bounded(f"[{_UNSPACED}]")
_SENTENCE_END: Final = bounded(r"[.!?](?=\s|$)|[\n。！？।؟]")
_ARABIC_AND: Final = bounded("[وف][\u0621-\u06ff]{3}")
_JOINT: Final = frozenset((" ", "'", "-", "  ", ", "))
_KEY: Final = 4
"""Letters of a stem by which it is looked up."""

_LETTERS: Final = {
    "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ё": "е", "ʼ": "'",
    "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك", "ـ": "", "ँ": "ं", "़": "",
}  # fmt: skip
_ACCENTS: Final = bounded("[\u0300-\u036f\u064b-\u065f\u0670]")
_BARE: Final = {
    **{
        code: _ACCENTS.sub("", unicodedata.normalize("NFD", chr(code)))
        for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    },
    **dict.fromkeys((*range(768, 880), *range(1611, 1632), 1648), ""),
    **{ord(letter): bare for letter, bare in _LETTERS.items()},
}


def fold_word(word: str) -> str:
    """Return a word of a plain text without case and accents."""
    return word.lower() if word.isascii() else word.lower().translate(_BARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    language: str
    slot: str
    rest: tuple[str, ...] = ()  #: of a phrase, its further words, as spelled in the table


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What of one language's tables stands in a text, by slot, each in order of place."""

    slots: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))

    def starts(self) -> frozenset[int]:
        """Return where a word of any slot begins."""
        return frozenset(start for places in self.slots.values() for start, _ in places)

    def which(self) -> dict[int, int]:
        """Return end → start of the words that say which rules are meant: «all», «previous», «your»."""
        return {end: start for slot in ("all", "your") for start, end in self.slots.get(slot, ())}

    def leads(self) -> frozenset[int]:
        """Return where a word ends that may open an order: «please», «now», «you must»."""
        led = (
            self.slots.get(slot, ()) for slot in ("lead", "must", "machine", "call", "role", "hide", "not")
        )
        return frozenset(end for places in led for _, end in places)


def _entries() -> Iterator[tuple[str, _Entry]]:
    """Yield (first word as spelled, entry)."""
    for language, slots in LANGUAGES.items():
        for slot, spelled in slots.items():
            for phrase in plain(spelled).split():
                first, *rest = [fold_word(word) for word in phrase.replace("-", "_").split("_")]
                yield first, _Entry(language=language, slot=slot, rest=tuple(rest))


_EXACT: Final[dict[str, list[_Entry]]] = defaultdict(list)
_PHRASES: Final[dict[str, dict[str, list[_Entry]]]] = defaultdict(lambda: defaultdict(list))
_STEMS: Final[dict[str, list[tuple[str, _Entry]]]] = defaultdict(list)
_ANYWHERE: Final[dict[str, list[tuple[str, _Entry]]]] = defaultdict(list)
for _first, _entry in _entries():
    if _STARTS_UNSPACED.match(_first):
        _whole = " ".join((_first, *_entry.rest)).rstrip("*")
        _ANYWHERE[_whole[:2]].append((_whole, _entry))
    elif _first.endswith("*"):
        _STEMS[_first[:-1][:_KEY]].append((_first[:-1], _entry))
    elif _entry.rest and not _entry.rest[0].endswith("*"):
        _PHRASES[_first][_entry.rest[0]].append(_entry)
    else:
        _EXACT[_first].append(_entry)


def find_words(text: str) -> dict[str, Words]:
    """Return language → what of its tables stands in a plain text."""
    found: dict[str, Words] = defaultdict(Words)
    words: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        if _STARTS_UNSPACED.match(match[0]):
            _find_anywhere(text, match.span(), found)
        else:
            words.append((fold_word(match[0]), *match.span()))
    for index, (word, start, _) in enumerate(words):
        _look_up(text, words, index, word, start, found)
        if _ARABIC_AND.match(word):  # «and» is written together with the word behind it
            _look_up(text, words, index, word[1:], start + 1, found)
    for one in found.values():
        for slot, places in one.slots.items():
            one.slots[slot] = _longest(places)
    return found


def _look_up(
    text: str, words: list[tuple[str, int, int]], index: int, word: str, start: int, found: dict[str, Words]
) -> None:
    """Keep what the tables have of a word, and of the phrases that begin with it."""
    following = words[index + 1][0] if index + 1 < len(words) else ""
    phrases = _PHRASES[word].get(following, ()) if word in _PHRASES else ()
    for entry in (*_EXACT.get(word, ()), *phrases):
        _keep(entry, start, _end_of_phrase(text, words, index, entry.rest), found)
    for size in range(min(_KEY, len(word)), 0, -1):
        for stem, entry in _STEMS.get(word[:size], ()):
            if word.startswith(stem):
                _keep(entry, start, _end_of_phrase(text, words, index, entry.rest), found)


def _longest(places: list[Place]) -> list[Place]:
    """Return the places in order, without those that lie within another."""
    kept: list[Place] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return kept


def _keep(entry: _Entry, start: int, end: int | None, found: dict[str, Words]) -> None:
    if end is not None:
        found[entry.language].slots[entry.slot].append((start, end))


def _find_anywhere(text: str, run: Place, found: dict[str, Words]) -> None:
    for start in range(*run):
        for stem, entry in _ANYWHERE.get(text[start : start + 2], ()):
            if text.startswith(stem, start):
                _keep(entry, start, start + len(stem), found)


def _end_of_phrase(
    text: str, words: list[tuple[str, int, int]], index: int, rest: tuple[str, ...]
) -> int | None:
    """Return where a phrase ends whose first word stands at an index, None if it does not go on there."""
    end = words[index][2]
    for place, wanted in enumerate(rest, start=index + 1):
        if place >= len(words):
            return None
        word, start, new_end = words[place]
        is_same = word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
        if not is_same or text[end:start] not in _JOINT:
            return None
        end = new_end
    return end


def sentence_ends(text: str) -> list[int]:
    """Return where sentences end, in order, the end of the text last."""
    return [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]
