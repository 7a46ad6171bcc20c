"""Read from a stored memory whom and what it speaks of (SPEC M-10). Pure: rows come in as `Spoken`."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memories.entity_resolution.other_names import find_same_names
from memories.language import (
    CJK,
    ORGANISATION_IS,
    PERSON_IS,
    PLACE_IS,
    Named,
    find_proper_names,
    infer_type,
    is_noise,
    name_key,
    without_opener,
)
from security.patterns import bounded

MOST_NAMES: Final = 16
"""Names of one memory; a longer list names nothing in particular. Our choice."""

LONGEST_CHINESE_VALUE: Final = 10
"""Characters of a Chinese value that may be a name; there are no capitals to tell it by."""

LONGEST_GAP: Final = 2
"""Characters between two words of a name, as in «J. Smith» and «billing-service»."""

LONGEST_RUN: Final = 6
MOST_LOOKED_AT: Final = 400
"""Characters of a name without capitals that is known again in a text, and of the text those looked at: two
to six characters from each place are asked for. Our choice."""

_RUN: Final = bounded("[\u3400-\u9fff\uac00-\ud7af]{2,300}")
_NAME_FORM: Final = bounded(
    r"[A-Z0-9À-Þ][\w.&+'’-]*(?: (?:(?:of|de|van|von|der|la|the) )?[A-Z0-9À-Þ][\w.&+'’-]*){0,5}"
)
_WORD: Final = bounded(r"[^\W_]+[#+]*")
_NAMING: Final = PERSON_IS | PLACE_IS | ORGANISATION_IS


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What of a memory tells whom it speaks of."""

    memory_id: UUID
    content: str
    rank: int  #: its class
    trusted: bool  #: a word from outside the agent: what two names share is learnt from it
    speaker: str = ""
    entities: tuple[str, ...] = ()
    entity_key: str | None = None
    concept_key: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names in a memory, and which of them the text itself calls the same."""

    names: tuple[Named, ...]
    pairs: tuple[tuple[Named, Named], ...]  #: (short, long)
    parts: Mapping[str, Named] = field(default_factory=dict)  #: what in this memory alone means another name


def read_names(spoken: Spoken) -> Names:
    """Return the names of a memory, each once, past the noise check; at most MOST_NAMES."""
    pairs = tuple(_pairs(spoken))
    proper = dict(find_proper_names(spoken.content[:MOST_LOOKED_AT]))
    found: dict[str, Named] = {}
    for name in (*_written(spoken, proper), *(one.name for short, long in pairs for one in (long, short))):
        if len(found) < MOST_NAMES and not is_noise(name):
            key = name_key(name)
            found.setdefault(key, Named(key=key, name=name, type=_type_of(key, name, spoken, proper)))
    paired = {one.key for pair in pairs for one in pair}
    parts = {part: whole for whole in found.values() for part in _parts(whole, found, paired)}
    return Names(names=tuple(found.values()), pairs=pairs, parts=parts)


def _parts(whole: Named, found: Mapping[str, Named], paired: Collection[str]) -> Iterator[str]:
    """
    Yield the single names that mean this person in a memory that has the whole name, too: «Ann» for «Ann
    Kowalski». Two persons whose names begin or end alike leave the part to neither.
    """
    words = whole.key.split()
    if whole.type != "person" or len(words) < 2:
        return
    for part in (words[0], words[-1]):
        bearers = [key for key in found if part in (key.split()[0], key.split()[-1]) and " " in key]
        if part in found and part not in paired and bearers == [whole.key]:
            yield part


def _pairs(spoken: Spoken) -> Iterator[tuple[Named, Named]]:
    for pair in find_same_names(spoken.content):
        if not is_noise(pair.short) and not is_noise(pair.long):
            yield (
                Named(key=name_key(pair.short), name=pair.short),
                Named(
                    key=name_key(pair.long),
                    name=pair.long,
                    type=infer_type(pair.long, spoken.content),
                ),
            )


def _written(spoken: Spoken, proper: Iterable[str]) -> Iterator[str]:
    """Yield the names as the text writes them: a state's own first, it is about them."""
    if spoken.entity_key:
        yield _as_written(spoken.entity_key, spoken)
    yield from (without_opener(name) for name in spoken.entities)
    yield from proper
    if spoken.value and _names_something(spoken):
        yield _as_written(spoken.value, spoken)


def _as_written(said: str, spoken: Spoken) -> str:
    """Return the spelling of the text or of its speaker; a key is lower-case."""
    if name_key(spoken.speaker) == name_key(said):
        return spoken.speaker.strip()
    text, wanted = spoken.content, said.lower()
    lower = text.lower()
    at = lower.find(wanted) if len(lower) == len(text) else -1
    while at >= 0:
        end = at + len(wanted)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return text[at:end]
        at = lower.find(wanted, at + 1)
    return _as_spelled(said, text) or said


def _as_spelled(said: str, text: str) -> str | None:
    """Return how the text writes a name of which `said` is the key: words of «J. Smith» without its signs."""
    wanted = "".join(_WORD.findall(said.casefold()))
    words = [(word[0].casefold(), word.start(), word.end()) for word in _WORD.finditer(text)]
    for first, (_, start, _) in enumerate(words):
        left, before = wanted, start
        for word, begins, ends in words[first:]:
            if not left.startswith(word) or begins - before > LONGEST_GAP:
                break
            left, before = left[len(word) :], ends
            if not left:
                return text[start:ends]
    return None


def _names_something(spoken: Spoken) -> bool:
    """Tell whether a state's value is a name: by its capitals, in Chinese by what it is the value of."""
    value = spoken.value or ""
    if CJK.search(value):
        return spoken.concept_key in _NAMING and len(value) <= LONGEST_CHINESE_VALUE
    return _NAME_FORM.fullmatch(_as_written(value, spoken)) is not None


def _type_of(key: str, name: str, spoken: Spoken, proper: Mapping[str, str]) -> str:
    subject = spoken.concept_key if spoken.entity_key and name_key(spoken.entity_key) == key else None
    value = spoken.concept_key if spoken.value and name_key(spoken.value) == key else None
    if key == name_key(spoken.speaker) != "":
        return "person"
    type_ = infer_type(name, spoken.content, subject_of=subject, value_of=value)
    return proper.get(name, type_) if type_ == "thing" else type_


def group_by_start(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (place, what may be a name there, the longest first) for Chinese and Korean characters."""
    for run in _RUN.finditer(text[:MOST_LOOKED_AT]):
        for start in range(len(run[0]) - 1):
            longest = min(LONGEST_RUN, len(run[0]) - start)
            yield run.start() + start, [run[0][start : start + size] for size in range(longest, 1, -1)]
