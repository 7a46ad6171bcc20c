"""Measure what two texts share: words, characters, their order, what they ask. Pure, symmetric, in [0, 1]."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from memories.comparison.overlap_words import FILLERS, FUNCTION_CHARACTERS, QUESTIONS
from memories.comparison.reading import read_sequence, read_text
from memories.language import STOP_WORDS, content_words, fold, stem
from security.patterns import bounded

_STOPPED: Final = frozenset(map(stem, STOP_WORDS)) | STOP_WORDS | FUNCTION_CHARACTERS | frozenset(",，、&")
_FILLER: Final = bounded(FILLERS)
_QUESTIONS: Final = tuple((name, bounded(pattern, re.IGNORECASE)) for name, pattern in QUESTIONS)
_JOINT: Final = bounded(r"[-_./:@]+")
_CAMEL: Final = bounded(r"(?<=[a-z])(?=[A-Z])")
_CHINESE: Final = bounded(r"[\u3400-\u9fff]")

MOST_IN_ORDER: Final = 60
"""Tokens whose order is compared, from the start: pairs grow with the square."""

LONGEST_MEASURED: Final = 4_000
"""Characters of a text that are measured, from the start. `differ.differences` never takes longer ones for
the same, so a common beginning does not make them one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What two texts share, each in [0, 1]; 1 is «all» except where said otherwise."""

    core: float  #: share of the smaller text's content tokens that the other has
    words: float  #: content words (Chinese cut by jieba) in common, of the larger text's
    characters: float  #: Dice coefficient of character pairs
    bag: float  #: 1: the same content tokens as often, in whatever order
    inverted: float  #: share of common tokens' pairs that stand in another order: 0 is none
    asks_other: float  #: 1: both ask, and not for the same
    end: float  #: 1: they end in the same token
    length: float  #: shorter through longer, in content tokens
    swapped: int  #: content tokens for which the other text has another: the lesser of both sides' leftovers
    chinese: bool  #: either holds Chinese writing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """One text, cut for comparison."""

    core: tuple[str, ...]
    last: str | None
    words: Counter[str]
    characters: Counter[str]
    asks: frozenset[str]
    chinese: bool


def measure_overlap(a: str, b: str) -> Overlap:
    """Return what two texts share (English and Chinese), in either order."""
    left, right = _cut(a), _cut(b)
    ours, theirs = Counter(left.core), Counter(right.core)
    common, mine, yours = (ours & theirs).total(), ours.total(), theirs.total()
    return Overlap(
        core=_share(common, min(mine, yours)),
        words=_share((left.words & right.words).total(), max(left.words.total(), right.words.total())),
        characters=_share(
            2 * (left.characters & right.characters).total(),
            left.characters.total() + right.characters.total(),
        ),
        bag=float(ours == theirs),
        inverted=_inverted(left.core, right.core),
        asks_other=float(bool(left.asks and right.asks and not left.asks & right.asks)),
        end=float(left.last == right.last),
        length=_share(min(mine, yours), max(mine, yours)),
        swapped=min(mine, yours) - common,
        chinese=left.chinese or right.chinese,
    )


def cover(new: str, old: str) -> float:
    """
    Return the share of the new text's own words that the old one has, in [0, 1]; of none, 0.

    Content words once each, as stems; in Chinese, characters; of an identifier such as `rows_lost` its words.
    Times and figures are left out. Of a new text longer than LONGEST_MEASURED nothing counts as covered.
    """
    if len(new) > LONGEST_MEASURED:
        return 0.0
    mine, yours = _own_words(new), _own_words(old)
    return len(mine & yours) / len(mine) if mine else 0.0


def _own_words(text: str) -> set[str]:
    return {stem(part) for token in _cut(_CAMEL.sub(" ", text)).core for part in _JOINT.split(token) if part}


def has_words(text: str) -> bool:
    """Tell whether a text has words of its own, beside times, figures and what serves the grammar."""
    return bool(_cut(text).core)


def has_chinese(text: str) -> bool:
    """Tell whether a text holds Chinese writing."""
    return _CHINESE.search(text) is not None


def _share(part: float, whole: float) -> float:
    """Return a share; of nothing, nothing is missing."""
    return part / whole if whole else 1.0


def _inverted(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return the share of pairs, among tokens that stand once in both, whose order is turned."""
    ours, theirs = Counter(left), Counter(right)
    place = {token: at for at, token in enumerate(right) if theirs[token] == 1}
    order = [place[token] for token in left if ours[token] == 1 and token in place][:MOST_IN_ORDER]
    pairs = len(order) * (len(order) - 1) / 2
    return sum(x > y for x, y in combinations(order, 2)) / pairs if pairs else 0.0


@lru_cache(maxsize=256)
def _cut(text: str) -> _Shape:
    text = text[:LONGEST_MEASURED]
    folded = fold(text).lower()
    whole = read_sequence(folded)
    # Times and figures are compared as such: «5 March» and «2026-03-05» share no token.
    core = read_sequence(_FILLER.sub(" ", read_text(text).remainder))
    return _Shape(
        core=tuple(token for token in core if token not in _STOPPED),
        last=whole[-1] if whole else None,
        words=Counter(stem(word) for word in content_words(folded)),
        characters=Counter(folded[at : at + 2] for at in range(max(1, len(folded) - 1))),
        asks=frozenset(name for name, asked in _QUESTIONS if asked.search(folded)),
        chinese=_CHINESE.search(folded) is not None,
    )
