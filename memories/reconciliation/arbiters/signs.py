"""
Read off a pair of statements what tells their relation, in whatever language (SPEC K-06). Pure.

No list of words and no rule of a language: shares of common words and characters, figures, names and their
differences, lengths, order and distance in time, speakers. What a «not» or a «sold» does is in the vectors.
Linear in the texts, of which the first LONGEST characters are read.
"""

import math
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from memories.comparison import LONGEST, TOKEN, UNSPACED, align, common_start
from memories.language import fold
from memories.reconciliation.arbiters.verdicts import Said
from security.patterns import bounded

_IDENTIFIER: Final = bounded(r"[A-Za-z_]{0,60}+\d[\w.-]{0,60}")
_KATAKANA: Final = bounded(r"[\u30a0-\u30ff]{2,60}")
_LATIN: Final = bounded(r"[A-Za-z][\w.-]{1,60}")
_WRITTEN_FIGURE: Final = bounded(r"[一二两三四五六七八九十百千万半]{1,12}")
_HAS_UNSPACED: Final = bounded(rf"[{UNSPACED}]")
_ENDS_SENTENCE: Final = frozenset(".!?…。！？:：\n•|-")

LONG_FIGURE: Final = 3
"""Characters from which a figure is one of few, as a port or a price is: it is shared by no chance."""

DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    value: str
    before: str  #: the token before it, or empty
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    tokens: Sequence[str]
    bag: Counter[str]
    pairs: frozenset[tuple[str, str]]
    characters: frozenset[str]  #: each three that stand together
    figures: Sequence[_Figure]
    values: frozenset[str]
    written: frozenset[str]  #: figures in Chinese characters
    names: frozenset[str]
    asks: bool
    fields: int  #: signs of a log line or a table


@lru_cache(maxsize=256)
def _read(text: str) -> _Reading:
    said = fold(text[:LONGEST])
    matches = list(TOKEN.finditer(said))
    tokens = [match[0].casefold() for match in matches]
    figures = [
        _Figure(
            value=token,
            before=tokens[place - 1] if place else "",
            after=tokens[place + 1] if place + 1 < len(tokens) else "",
        )
        for place, token in enumerate(tokens)
        if token[0].isdigit()
    ]
    names = {
        token
        for token, match in zip(tokens, matches, strict=True)
        if match[0][0].isupper() and _is_named(match[0], said[: match.start()])
    }
    names |= set(_KATAKANA.findall(said))
    if _HAS_UNSPACED.search(said):
        names |= {one.casefold() for one in _LATIN.findall(said)}
    names |= {one.casefold() for one in _IDENTIFIER.findall(said) if not one[0].isdigit()}
    plain = " ".join(said.casefold().split())
    return _Reading(
        tokens=tokens,
        bag=Counter(tokens),
        pairs=frozenset(pairwise(tokens)),
        characters=frozenset(plain[at : at + 3] for at in range(max(1, len(plain) - 2))),
        figures=figures[:20],
        values=frozenset(one.value for one in figures),
        written=frozenset(_WRITTEN_FIGURE.findall(said)),
        names=frozenset(names),
        asks=any(sign in said for sign in "?？؟"),
        fields=said.count("=") + said.count("|"),
    )


def _is_named(word: str, before: str) -> bool:
    """Tell whether a capital letter makes a name: not the one that begins a sentence."""
    last = before[-12:].rstrip()[-1:]
    return (bool(last) and last not in _ENDS_SENTENCE) or (len(word) > 1 and word.isupper())


def read_signs(first: Said, then: Said, similarity: float, around: float) -> dict[str, float]:
    """
    Return the signs of a pair by name, in a fixed order.

    first: said no later than `then`. similarity: calibrated, in [0, 1]. around: the mean similarity of the
    other rows that lie near. In talk everything is alike, and a likeness tells nothing; what a statement
    updates stands out from the rest. Without this sign a quarter of a conversation passed for updates.
    """
    a, b = _read(first.text), _read(then.text)
    same_speaker = float(bool(first.speaker) and first.speaker.casefold() == then.speaker.casefold())
    seconds = max(0.0, (then.at - first.at).total_seconds())
    figures = _compare_figures(a, b)
    names = _compare(a.names, b.names, "names")
    words = _compare_words(a, b)
    return {
        "similarity": similarity,
        "near": max(0.0, similarity - 0.5),
        "nearest": max(0.0, similarity - 0.8),
        "stands out": similarity - around,
        **words,
        **_compare_places(a.tokens, b.tokens),
        **figures,
        **names,
        "minutes": math.log1p(seconds // 60) / 10,  # whole: how busy the service is must not tell
        "within a day": float(seconds < DAY),
        "within a week": float(seconds < 7 * DAY),
        "after a month": float(seconds > 28 * DAY),
        "same speaker": same_speaker,
        "tool first": float(first.mouth == "tool"),
        "tool then": float(then.mouth == "tool"),
        "agent first": float(first.mouth == "agent"),
        "agent then": float(then.mouth == "agent"),
        "asks first": float(a.asks),
        "asks then": float(b.asks),
        "fields first": min(a.fields, 3) / 3,
        "fields then": min(b.fields, 3) / 3,
        "near in words": similarity * words["words"],
        "near of one speaker": similarity * same_speaker,
        "other figures of one speaker": figures["figures differ"] * same_speaker,
        "near with other figures": figures["figures differ"] * similarity,
        "near with other names": names["names differ"] * similarity,
        "others soon": (1 - same_speaker) * float(seconds < 3 * DAY),
    }


def _compare_words(a: _Reading, b: _Reading) -> dict[str, float]:
    mine, other = len(a.tokens) or 1, len(b.tokens) or 1
    common = (a.bag & b.bag).total()
    new, gone = _but_figures(b.bag - a.bag), _but_figures(a.bag - b.bag)
    begun = common_start(a.tokens, b.tokens)
    ended = common_start(a.tokens[::-1], b.tokens[::-1])
    return {
        "words": _share(a.bag.keys(), b.bag.keys()),
        "first in then": _part(a.bag.keys(), b.bag.keys()),
        "then in first": _part(b.bag.keys(), a.bag.keys()),
        "characters": _share(a.characters, b.characters),
        "characters of first": _part(a.characters, b.characters),
        "characters of then": _part(b.characters, a.characters),
        "repeated": 2 * common / (mine + other),
        "in order": _share(a.pairs, b.pairs),
        "begins alike": begun / min(mine, other),
        "ends alike": ended / min(mine, other),
        "new words": math.log1p(other - common),
        "gone words": math.log1p(mine - common),
        "new words but figures": math.log1p(new),
        "gone words but figures": math.log1p(gone),
        "figures alone differ": float(not new and not gone and a.values != b.values),
        "one word for another": float(new == 1 == gone),
        "longer": math.log(other / mine),
        "length first": math.log1p(mine),
        "length then": math.log1p(other),
    }


def _compare_places(first: Sequence[str], then: Sequence[str]) -> dict[str, float]:
    """
    Count the places at which one says another thing than the other, between words that both have in order.

    «Gate 2 opens at six», «gate 2 opens at seven»: one place, mostly a new value. «Gate 2 opens at six»,
    «gate 3 opens at seven»: two places, mostly another thing beside the first.
    """
    aligned = align(first, then)
    changed = sum(bool(mine and other) for mine, other in aligned.places)
    return {
        "places changed": min(changed, 4) / 4,
        "one place changed": float(changed == 1),
        "two places changed": float(changed == 2),
        "places added": min(sum(not mine for mine, _ in aligned.places), 4) / 4,
        "places gone": min(sum(not other for _, other in aligned.places), 4) / 4,
        "frame": aligned.share,
    }


def _but_figures(words: Counter[str]) -> int:
    return sum(count for word, count in words.items() if not word[0].isdigit())


def _compare_figures(a: _Reading, b: _Reading) -> dict[str, float]:
    """Compare figures: by value, and by what stands beside them: «9:15 in», «600 requests»."""
    pairs = [(one, other) for one in a.figures for other in b.figures]
    moved = sum(
        one.value != other.value
        and bool((one.after and one.after == other.after) or (one.before and one.before == other.before))
        for one, other in pairs
    )
    found = _compare(a.values, b.values, "figures")
    return {
        **found,
        "figures moved": float(min(moved, 2)),
        "long figures common": float(min(2, sum(len(one) >= LONG_FIGURE for one in a.values & b.values))),
        "figures equal": float(bool(a.values) and a.values == b.values),
        "figures kept": float(bool(a.values) and a.values < b.values),
        "figures left out": float(bool(b.values) and b.values < a.values),
        "written figures differ": float(bool(a.written - b.written) and bool(b.written - a.written)),
        "written figures common": float(bool(a.written & b.written)),
    }


def _compare(a: AbstractSet[str], b: AbstractSet[str], what: str) -> dict[str, float]:
    return {
        f"{what} common": math.log1p(len(a & b)),
        f"{what} gone": math.log1p(len(a - b)),
        f"{what} new": math.log1p(len(b - a)),
        f"{what} differ": float(bool(a - b) and bool(b - a)),
        f"no {what} first": float(not a),
        f"no {what} then": float(not b),
    }


def _share(a: AbstractSet[object], b: AbstractSet[object]) -> float:
    either = len(a | b)
    return len(a & b) / either if either else 0.0


def _part(a: AbstractSet[object], b: AbstractSet[object]) -> float:
    return len(a & b) / len(a) if a else 0.0
