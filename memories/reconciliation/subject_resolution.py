"""
Find the state that a change speaks of where it does not name it whole: «the launch moves to 28 April».

Pure. What everybody in the room knows is left out: whose launch it is, or that two names are one firm's. So a
change or a correction is looked up among what stands: by its attribute, where one thing alone is known to
have it; and by the value that it ends («instead of 10,000»), where one state alone has that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memories.candidates import Draft, Neighbour
from memories.language import spells, words
from memories.reconciliation.decision import CURRENT
from memories.temporal import normalise_value
from security.patterns import bounded

_VAGUE: Final = frozenset({"status", "state", "amount", "number", "value"})
_TYPES: Final = frozenset({"date", "time", "version"})
"""What the reader adds to an attribute to say of which type its value is."""
SHORTEST_SPELLED: Final = 4
"""Letters of a word that may spell a Chinese name: two syllables or more, seldom by chance. Our choice."""
REPLACED: Final = "replaced_by"
"""The concept of «Brand was replaced by Kranz»: its entity is the former value of some state."""
_PERSONAL: Final = frozenset(
    {"residence", "employer", "occupation", "role", "phone", "email", "birthday", "spouse", "hometown"}
)
"""Attributes of people."""
_PARTED: Final = bounded(r"[\W_]+")
_DAY: Final = bounded(r"\d{4}-\d\d(?:-\d\d)?")
_PLAIN: Final = r"(?:[^,;:，。；、]|(?<=\d),(?=\d)){1,40}?"
_FORMER: Final = bounded(
    r"(?:\b(?:instead of|rather than|in place of|no longer|up from|down from)\s+|,\s(?:and )?not\s"
    r"|而不是|不再(?:是|用|接受|要求|由)?|取代了?|代替了?|替换了?)"
    rf"(?P<old>{_PLAIN})(?=\s(?:since|because|as|for|from|after|any ?more)\b|[,;:。，；、](?!\d)|"
    r"[.!?](?:\s|$)|$)"
    rf"|\bfrom (?P<down>{_PLAIN}) (?:down |up |back |on )?to\b"
    rf"|从(?P<cong>{_PLAIN})(?:改|调|升|降|提|延|推|换|变)",
    re.IGNORECASE,
)
"""The value that a change ends, as its sentence names it."""


def find_owner(draft: Draft, neighbours: Sequence[Neighbour]) -> Draft:
    """
    Return the draft under the keys of the one live state that it changes, if it does not name it whole.

    Told by `change` «explicit» or «correction» alone, of the same owner and audience and for a value of the
    same shape. Where several could be meant, or none is known, the draft comes back as it was; where a state
    stands under its own keys, too, but as a change if it says that the value there is over.
    """
    if draft.card != "state" or draft.cardinality != "single" or not draft.value:
        return draft
    own = [near for near in neighbours if near.card == "state" and near.audience == draft.audience]
    if same := [near for near in own if _keys(near) == _keys(draft)]:
        is_told = draft.change == "none" and any(_ends(draft, near) for near in same)
        return replace(draft, change="explicit") if is_told else draft
    if draft.change == "none":
        return draft
    rivals = [near for near in own if _may_be_changed(draft, near)]
    for search in (_by_former, _by_attribute, _by_entity, _by_first_name):
        if len(keys := {_keys(near) for near in search(draft, rivals)}) == 1:
            entity, concept = keys.pop()
            return replace(draft, entity_key=entity, concept_key=concept)
    return draft


def former_values(text: str) -> tuple[str, ...]:
    """Return the values that a text says something had before: «from 12 to 14», «tea instead of coffee»."""
    found = (next(filter(None, match.groups()), "") for match in _FORMER.finditer(text))
    return tuple(dict.fromkeys(old.strip() for old in found if old.strip()))


def _may_be_changed(draft: Draft, near: Neighbour) -> bool:
    return (
        near.standing == CURRENT
        and near.cardinality == "single"
        and bool(near.entity_key and near.concept_key and near.value)
        and _shape(near.value) == _shape(draft.value)
    )


def _ends(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the draft says that the state's value is over, perhaps without its unit."""
    olds = (str(draft.entity_key),) if draft.concept_key == REPLACED else former_values(draft.content)
    if not olds:
        return False
    value = _read(near.value or "", near.effective_at, near.zone)
    former = {_read(old, draft.effective_at, draft.zone) for old in olds}
    return value in former or any(value.startswith(f"{old} ") for old in former)


def _by_former(draft: Draft, rivals: Iterable[Neighbour]) -> Iterator[Neighbour]:
    """Yield the states with a value that the draft says is over, of what may be called like its entity."""
    entity = _words(draft.entity_key)
    for near in rivals:
        if not _ends(draft, near):
            continue
        known = _words(near.entity_key, near.concept_key)
        if not _is_named(draft):
            known |= set(words(near.content)) - set(words(near.value or ""))
        if draft.concept_key == REPLACED or entity & known or _spelled(draft, near):
            yield near


def _by_attribute(draft: Draft, rivals: Iterable[Neighbour]) -> Iterator[Neighbour]:
    """Yield the states whose attribute the draft names with no owner, less of one, or cut at another word."""
    named = _words(draft.entity_key, draft.concept_key) - _VAGUE
    for near in rivals:
        attribute, owner = _words(near.concept_key) - _VAGUE, _words(near.entity_key)
        plain, types = attribute - _TYPES, named & _TYPES
        head = set(words(str(near.concept_key).rpartition("_")[2])) - _VAGUE - _TYPES
        is_less = str(near.entity_key).endswith(str(draft.entity_key)) and not _is_named(draft)
        if is_less and near.concept_key == draft.concept_key:
            yield near
        elif plain and named - _TYPES <= owner | attribute and types in (set(), (owner | attribute) & _TYPES):
            is_whole = plain <= named and (is_less or owner <= named or not owner & named)
            is_short = bool(head) and head <= named and owner <= named  # «the deposit», a security deposit
            if is_whole or is_short:
                yield near


def _by_entity(draft: Draft, rivals: Iterable[Neighbour]) -> Iterator[Neighbour]:
    """Yield the states of the draft's entity with a value of one unit, if it names no attribute at all."""
    if draft.concept_key not in _VAGUE | _TYPES:
        return
    unit = _unit(draft)
    for near in rivals:
        if near.entity_key == draft.entity_key and unit and _unit(near) == unit:
            yield near


def _by_first_name(draft: Draft, rivals: Iterable[Neighbour]) -> Iterator[Neighbour]:
    """Yield the states of who goes by the first of a person's two names, or by both where one is said."""
    if draft.concept_key not in _PERSONAL:
        return
    name = str(draft.entity_key).split()
    for near in rivals:
        other = str(near.entity_key).split()
        is_one = {len(name), len(other)} == {1, 2} and name[0] == other[0]
        if is_one and near.concept_key == draft.concept_key:
            yield near


def _is_named(draft: Draft) -> bool:
    """Tell whether the draft's entity is a name: written with capitals, or the lone word it begins with."""
    entity, told = str(draft.entity_key).split(), _PARTED.sub(" ", draft.content).split()
    plain = [word.casefold() for word in told]
    places = range(len(told) - len(entity) + 1)
    place = next((at for at in places if plain[at : at + len(entity)] == entity), None)
    if place is None:
        return False
    said = told[place : place + len(entity)]
    inner = said if place > 0 else said[1:] or said
    return any(word[:1].isupper() for word in inner)


def _spelled(draft: Draft, near: Neighbour) -> bool:
    """Tell whether one entity is written in Chinese and a word of the other spells part of it."""
    one, other = str(draft.entity_key), str(near.entity_key)
    return any(
        spells(word, chinese)
        for latin, chinese in ((one, other), (other, one))
        if latin.isascii() and not chinese.isascii()
        for word in latin.split()
        if len(word) >= SHORTEST_SPELLED
    )


def _words(*keys: str | None) -> set[str]:
    return set(words(" ".join(key.replace("_", " ") for key in keys if key)))


def _keys(memory: Draft | Neighbour) -> tuple[str, str]:
    return str(memory.entity_key), str(memory.concept_key)


def _shape(value: str | None) -> str:
    """Return of which shape a value is: a day, a figure, or words."""
    text = value or ""
    if _DAY.match(text):
        return "day"
    return "figure" if text[:1].isdigit() or text[:1] in "$€£¥" else "words"


def _unit(memory: Draft | Neighbour) -> str:
    """Return what a figure is of: «euros», «days»; «day» of a day, nothing of words."""
    shape = _shape(memory.value)
    if shape != "figure":
        return "" if shape == "words" else shape
    return bounded(r"[\d.,\s]+").sub(" ", _read(memory.value or "", memory.effective_at, memory.zone)).strip()


def _read(value: str, clock: datetime, zone: str) -> str:
    return normalise_value(value, clock=clock, zone=ZoneInfo(zone))
