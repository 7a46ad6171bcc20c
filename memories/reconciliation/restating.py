"""
Judge whether a new row says no more and no less than one that stands, in whatever language (SPEC K-04). Pure.

It decides a link and never a loss: both rows are kept, and recall shows one of them for both. So it must be
sure: what lies near is not the same where a figure, a name, a «not» or a question stands in one text alone.
"""

import re
from collections.abc import Iterable
from typing import Final

from memories.calibration import SKIP_ABOVE
from memories.candidates import Candidate, Draft, Neighbour
from memories.comparison import judge_same
from memories.domain import PASSAGE
from memories.language import fold_all
from security.patterns import bounded

_FIGURE: Final = bounded(r"\d+(?:[.,:/-]\d+)*|[零〇一二两三四五六七八九十百千万億亿]{1,12}")
_NAME: Final = bounded(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞΑ-ΩА-Я][\w'’-]*|[\u30a0-\u30ff]{2,}", re.MULTILINE)
_DENIAL: Final = bounded(
    r"\b(?:not|no|none|never|nobody|nothing|without|neither|nor|cannot|\w+n['’]t"
    r"|nicht|kein\w*|nie(?:mals|mand)?|ohne|weder|ne|pas|jamais|aucune?|sans|rien|sin|nunca|ning[uú]n\w*|nadie|nada|tampoco"
    r"|não|nem|non|mai|nessuno|нет|не|ни|никогда|без|nie|nikdy|inte|ingen|aldrig|niet|geen|nooit)\b"
    r"|[不没沒無无未非别勿莫]|ない|ません|なかっ|ず(?:に|。|$)|않|못|없|아니|لا|لم|لن|ليس|नहीं|मत|ไม่|không|chưa",
    re.IGNORECASE,
)
_QUESTION: Final = bounded(r"[?？؟;՞፧]\s*$|[吗嗎么呢][。！]?\s*$|か[。]?\s*$")


def find_same(candidate: Candidate, neighbours: Iterable[Neighbour]) -> Neighbour | None:
    """Return the nearest row that surely says the same, within the candidate's class."""
    rank = candidate.draft.audience.classification
    for near in neighbours:
        if near.audience.classification <= rank and says_same(candidate, near):
            return near
    return None


def says_same(candidate: Candidate, near: Neighbour) -> bool:
    """Tell whether a row surely says the same: the same words, or near enough with nothing that differs."""
    draft = candidate.draft
    if PASSAGE in (near.kind, draft.kind):  # a document keeps its passages
        return False
    if near.content_hash == candidate.content_hash or _same_failure(draft, near):
        return True
    similarity = min(max(near.similarity or 0.0, 0.0), 1.0)
    if similarity <= SKIP_ABOVE or differ(near.content, draft.content) or _other_day(draft, near):
        return False
    return judge_same(near.content, draft.content, similarity=similarity).verdict == "same"


def _same_failure(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both report one failure: what changes with each run is not in their notes (W-19)."""
    return draft.kind == near.kind == "negative" and bool(draft.note) and draft.note == near.note


def differ(one: str, other: str) -> bool:
    """Tell whether a figure, a name, a denial or a question stands in one of two texts alone."""
    return any(_bag(pattern, one) != _bag(pattern, other) for pattern in (_FIGURE, _NAME)) or any(
        bool(pattern.search(one)) != bool(pattern.search(other)) for pattern in (_DENIAL, _QUESTION)
    )


def _bag(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(fold_all(found) for found in pattern.findall(text))


def _other_day(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both name a day, and not the same one."""
    resolved = draft.occurred_resolved and near.occurred_resolved
    return (
        resolved and draft.occurred_at.date() != near.occurred_at.astimezone(draft.occurred_at.tzinfo).date()
    )
