"""
The quality gate: is an experience worth remembering as it is told? (SPEC W-09)

The score, in [0, 1], is the sum of three parts: length 0.30, the kind's keywords 0.40, structure and depth
0.30 (half for words of why, how, root cause or lesson, half for not being a bare status). It passes from
0.60. The weights and the pass mark are the rule's; the word lists (`quality_words.py`), lengths and shares
are our own.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from memories.domain import KINDS
from memories.gates.quality_words import DEPTH, KEYWORDS, STATUS
from security.patterns import bounded

PASS_MARK: Final = 0.60
LENGTH_WEIGHT: Final = 0.30
KEYWORDS_WEIGHT: Final = 0.40
STRUCTURE_WEIGHT: Final = 0.30

TOO_SHORT: Final = 5
"""Words up to which a text is too short to score; two Chinese characters count as a word."""
LONG_ENOUGH: Final = 10
"""Words from which the length scores in full."""
TOO_LONG: Final = 150
"""Words beyond which the score falls: it is no longer one experience but several."""
FAR_TOO_LONG: Final = 450
"""Words from which the length scores the least it can, a third."""
ONE_KEYWORD: Final = 0.65
"""Share of the keyword part for a single keyword; two or more score in full."""
SHORT_SENTENCE: Final = 12
"""Words up to which a sentence with a word of status and none of depth is a bare status."""

FIGURES_TELL: Final = frozenset({"finding", "estimate", "correction", "negative"})
"""Kinds that a figure makes concrete; a decision or a pattern with one may still be none."""

_ADVICE: Final = {
    "short": "length: too short; say what happened, to what, and with which result",
    "long": "length: too long; split it into one memory for each point",
    "keywords": "keywords: too few words that mark a memory of kind {kind}, such as {examples}",
    "structure": "structure: tells neither why nor how; add the root cause, the reason or the lesson",
}

_WORD: Final = bounded(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:[-'’./_][^\W_\u3040-\u30ff\u3400-\u9fff]+)*")
_CJK: Final = bounded(r"[\u3040-\u30ff\u3400-\u9fff]")
_SENTENCE: Final = bounded(r"[^.!?。！？；;\n]+(?:\.(?=\S)[^.!?。！？；;\n]*)*")
_FIGURE: Final = bounded(r"(?<!\d)\d{1,15}(?:[.,]\d{1,9})?\s?(?:%|[a-zA-Z]{1,12}\b|[天周月年秒分倍个次毫小])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How a text fares at the gate; the parts sum to the total."""

    total: float  #: in [0, 1]
    length: float  #: in [0, 0.30]
    keywords: float  #: in [0, 0.40]
    structure: float  #: in [0, 0.30]
    failed: tuple[str, ...]  #: of a refusal: the parts below 60 % of their weight, and what to do about each
    passed: bool


def score_quality(content: str, kind: str, *, sure: float = 0.0) -> Quality:
    """
    Score what is told as an experience of a kind.

    Kinds that the gate does not hold (states, episodes, passages …) pass with a total of 1. sure: how likely
    it is of the kind, in [0, 1], where that was learned; it tells what the kind's words tell where there are
    lists of them, and the higher of both counts.
    """
    if kind not in KINDS or not KINDS[kind].gated:
        return Quality(
            total=1.0,
            length=LENGTH_WEIGHT,
            keywords=KEYWORDS_WEIGHT,
            structure=STRUCTURE_WEIGHT,
            failed=(),
            passed=True,
        )
    length, keywords, structure = (
        score_length(content),
        max(score_keywords(content, kind), round(KEYWORDS_WEIGHT * sure, 4)),
        score_structure(content),
    )
    total = round(length + keywords + structure, 4)
    passed = total >= PASS_MARK
    failed = () if passed else tuple(_advise(content, kind, length, keywords, structure))
    return Quality(
        total=total, length=length, keywords=keywords, structure=structure, failed=failed, passed=passed
    )


def score_length(content: str) -> float:
    """Score the length, in [0, 0.30]: nothing for a scrap, all from 10 to 150 words, a third for a heap."""
    size = count_words(content)
    if size <= TOO_SHORT:
        return 0.0
    if size < LONG_ENOUGH:
        return round(LENGTH_WEIGHT * (size - TOO_SHORT) / (LONG_ENOUGH - TOO_SHORT), 4)
    excess = min(1.0, max(0.0, (size - TOO_LONG) / (FAR_TOO_LONG - TOO_LONG)))
    return round(LENGTH_WEIGHT * (1 - excess * 2 / 3), 4)


def score_keywords(content: str, kind: str) -> float:
    """Score the kind's keywords, in [0, 0.40]; a figure with its unit counts as one where figures tell."""
    hits = len({match.lower() for match in _pattern(KEYWORDS[kind]).findall(content)})
    if kind in FIGURES_TELL and _FIGURE.search(content):
        hits += 1
    share = (0.0, ONE_KEYWORD, 1.0)[min(hits, 2)]
    return round(KEYWORDS_WEIGHT * share, 4)


def score_structure(content: str) -> float:
    """Score depth and the absence of bare status, half each, in [0, 0.30]."""
    half = STRUCTURE_WEIGHT / 2
    sentences = [sentence for sentence in _SENTENCE.findall(content) if count_words(sentence)]
    bare = sum(_is_bare_status(sentence) for sentence in sentences)
    telling = 1 - bare / len(sentences) if sentences else 0.0
    return round(half * bool(_pattern(DEPTH).search(content)) + half * telling, 4)


def count_words(content: str) -> float:
    """Count words, two Chinese or Japanese characters as one."""
    return len(_WORD.findall(content)) + len(_CJK.findall(content)) / 2


def _is_bare_status(sentence: str) -> bool:
    if count_words(sentence) > SHORT_SENTENCE or _pattern(DEPTH).search(sentence):
        return False
    return bool(_pattern(STATUS).search(sentence))


def _advise(content: str, kind: str, length: float, keywords: float, structure: float) -> Iterable[str]:
    if length < PASS_MARK * LENGTH_WEIGHT:
        yield _ADVICE["short" if count_words(content) < LONG_ENOUGH else "long"]
    if keywords < PASS_MARK * KEYWORDS_WEIGHT:
        yield _ADVICE["keywords"].format(kind=kind, examples=", ".join(KEYWORDS[kind][:4]))
    if structure < PASS_MARK * STRUCTURE_WEIGHT:
        yield _ADVICE["structure"]


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Compile a list: Latin entries as whole words, Chinese ones wherever they stand, the longest first."""
    entries = sorted(words, key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in entries if word.isascii())
    chinese = "|".join(word for word in entries if not word.isascii())
    return bounded(rf"\b(?:{latin})\b|(?:{chinese})", re.IGNORECASE)
