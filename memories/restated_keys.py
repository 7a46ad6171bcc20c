"""
Tell whether the keys of a note and of a row leave it open that both tell one fact (SPEC W-11). Pure.

What is known of one entity says nothing of another, however alike the sentences: «baseball was created in the
United States», «country music was created in the United States». But a key is one reading of a sentence. One
fact is filed under «cutover» and under «messages», under «Hangzhou» and under 杭州, so keys in other words
part two texts only where the row does not speak of the note's entity.
"""

from functools import lru_cache
from typing import Final

from memories.candidate import Draft, Neighbour
from memories.keys import fold_words
from memories.normalise.pinyin import spells
from memories.normalise.script import fold_all
from memories.overlap import has_chinese
from memories.tokens import stem
from security.patterns import bounded

STATEMENT: Final = 0.75
"""Share of its text from which a value is the statement itself («no tile leaves unstamped»). Our choice."""

_JOINS: Final = frozenset(("a", "an", "the", "in", "at", "on", "of", "and", "to", "for", "by"))
"""What joins the words of a value and is no part of it."""

_WORD: Final = bounded(r"[^\W_]+")
_POSSESSIVE: Final = bounded(r"['’]s\b")


def may_share_key(draft: Draft, near: Neighbour) -> bool:
    """Tell whether nothing in the keys says that these are two facts."""
    if not (draft.entity_key and near.entity_key) or _is_statement(draft):
        return True
    if is_one_entity(draft.entity_key, near.entity_key):
        return _may_share_concept(draft, near)
    if _in_other_writing(draft, near):
        return draft.value is None or _is_one_value(draft, near)
    if _is_one_state(draft, near):
        return True
    # By the key of a state its next value will find it, so it is not given up for a row of another entity.
    return draft.value is None and _speaks_of(near, draft)


def has_other_key(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both are filed under an entity, and not under one name: more must speak for one fact."""
    if not (draft.entity_key and near.entity_key):
        return False
    return not is_one_entity(draft.entity_key, near.entity_key)


def is_one_entity(one: str, other: str) -> bool:
    """Tell whether two entities have one name, in whichever writing."""
    return fold_all(one) == fold_all(other) or _is_spelled(one, other) or _is_spelled(other, one)


def _in_other_writing(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the words of the entities cannot meet: one in Chinese, the other in Latin letters."""
    return has_chinese(draft.entity_key or "") != has_chinese(f"{near.entity_key} {near.content}")


def _may_share_concept(draft: Draft, near: Neighbour) -> bool:
    """Tell whether two facts of one entity may be one: of one concept or value, or one is no state."""
    if not (draft.value and near.value):
        return draft.value is None or draft.concept_key == near.concept_key
    return draft.concept_key == near.concept_key or _is_one_value(draft, near)


def _is_one_value(draft: Draft, near: Neighbour) -> bool:
    ours, theirs = fold_all(draft.value), fold_all(near.value)
    return bool(ours) and (ours == theirs or _is_spelled(ours, theirs))


def _is_one_state(draft: Draft, near: Neighbour) -> bool:
    """
    Tell whether both give one concept a value that the row tells as fully, of one name within the other.

    «Returns» go to «Botlekweg 5, 3197 Rotterdam», «returned goods» to «Botlekweg 5 in Rotterdam». A value of
    one word is not enough: of two lamps both may be red.
    """
    if not (draft.value and near.value) or draft.concept_key != near.concept_key:
        return False
    ours, theirs = (set(_stems(value)) - _JOINS for value in (draft.value, near.value))
    mine, yours = (set(_stems(name or "")) for name in (draft.entity_key, near.entity_key))
    return len(ours) > 1 and ours <= theirs and (mine <= yours or yours <= mine)


def _is_spelled(name: str, chinese: str) -> bool:
    """Tell whether the whole of a Chinese name is what the Latin one spells, or the other way about."""
    return name.isascii() and has_chinese(chinese) and spells(name, chinese)


def _is_statement(draft: Draft) -> bool:
    """Tell whether the value is all that was said, of nobody named: the key says only that it is a rule."""
    named = fold_words(draft.entity_key or "") in fold_words(draft.content)
    return not named and len(draft.value or "") >= STATEMENT * len(draft.content)


def _speaks_of(near: Neighbour, draft: Draft) -> bool:
    """Tell whether the row names the draft's entity; who speaks of himself is told by his first name, too."""
    entity, told = _stems(draft.entity_key or ""), _stems(near.content)
    if entity and is_one_entity(draft.entity_key or "", draft.speaker):
        entity = entity[:1]
    return bool(entity) and set(entity) <= set(told)


@lru_cache(maxsize=1024)
def _stems(text: str) -> tuple[str, ...]:
    """Return the words of a text as stems, in order; of Chinese writing, runs as they stand."""
    return tuple(stem(word.lower()) for word in _WORD.findall(_POSSESSIVE.sub("", text)))
