"""
Word the memory's own mistake as a lesson: what was believed, why it was wrong, what to check (SPEC W-18).

Pure. Without all three there is nothing to learn, and no `meta` memory is written.
"""

import re
from dataclasses import replace
from typing import Final

from memories.candidates import Draft
from memories.extraction.note_drafts import automatic_tags
from memories.language import find_entities, keywords
from security.patterns import bounded

_CAUSE: Final = bounded(
    r"\b(?:because|since|caused by|due to|the (?:cause|reason) (?:is|was)(?: that)?)\s+"
    r"(?P<cause>[^.!?。；;]{4,})"
    r"|(?:因为|由于|原因是)(?P<zh>[^。！？；，,]{2,})",
    re.IGNORECASE,
)
_CHECK: Final = bounded(
    r"(?:^|[.!?;,]\s+)(?:(?:so|and|please|next time|in future|always),? )*"
    r"(?P<check>(?:check|verify|look (?:at|up|in)|ask|confirm|compare)\b[^.!?。]{4,})"
    r"|(?:下次|以后|请|先)+(?P<zh>(?:检查|核对|查看|核实|确认|问)[^。！？]{2,})",
    re.IGNORECASE,
)
_CLAIM: Final = bounded(
    r"(?:,| and| but) not (?P<claim>[^,.;!?，。]{2,}?)(?=,|\.|;|!|\?|$| because| since| as\b)"
    r"|\b(?:instead of|rather than) (?P<instead>[^,.;!?，。]{2,})"
    r"|\b(?:thought|believed|noted|said|wrote|remembered) (?:that )?(?P<thought>[^,.;!?，。]{4,})"
    r"|(?:而不是|不是)(?P<zh>[^，。；！？,]{1,})",
    re.IGNORECASE,
)


def read_lesson(said: str) -> str | None:
    """Return the lesson of a correction made in talk, or None unless it names claim, cause and check."""
    claim, cause, check = _first(_CLAIM, said), _first(_CAUSE, said), _first(_CHECK, said)
    return word_lesson(claim=claim, cause=cause, check=check)


def _first(pattern: re.Pattern[str], said: str) -> str:
    match = pattern.search(said)
    return next((group for group in match.groups() if group), "") if match else ""


def word_lesson(*, claim: str, cause: str, check: str) -> str | None:
    """Return a lesson in the language of its parts; None when claim, cause or check is missing."""
    said, why, what = (_plain(text) for text in (claim, cause, check))
    if not (said and why and what):
        return None
    if bounded(r"[\u4e00-\u9fff]").search(said + why + what):
        return f"曾误信：「{said}」。原因：{why}。下次检查：{what}。"
    return f"Wrongly believed: «{said}». Cause: {why}. To check: {what}."


def draft_lesson(right: Draft, *, claim: str, cause: str, check: str) -> Draft | None:
    """Return the lesson of a correction for whoever may see it, or None when one of the three is missing."""
    content = word_lesson(claim=claim, cause=cause, check=check)
    return None if content is None else as_lesson(right, content)


def as_lesson(origin: Draft, content: str) -> Draft:
    """Return a `meta` memory with this text, of the origin's owner, class, trust and time."""
    names = keywords(content)
    return replace(
        origin, kind="meta", card="knowledge", content=content, concept_key=None, entity_key=None,
        value=None, cardinality=None, change="none", keywords=names, tags=automatic_tags(names),
        manual_tags=(), entities=find_entities(content), assigned_by=None, valid_from=None, valid_until=None,
    )  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .。,，")
