"""
What a tool hands over: figures it measured, or the words of somebody else, and the orders in them.

A log line or a test result is a measurement. A page, a mail, a document is what its author says: kept as
said, believed like a document, never a state; and what orders its reader about is left out, whoever reads.
"""

import json
import re
from typing import Final

from memories.language import STOP_WORDS, find_entities, keywords, split_sentences
from memories.llms.base import Note, Turn, provenance_ceiling
from memories.llms.dates import find_time
from memories.llms.rules.cues import weigh_confidence, weigh_importance
from security.patterns import bounded

LONGEST_RECORD: Final = 1_000
"""Characters of a record that are looked through for names and words."""

FIRM_RECORD: Final = 0.8
FIRM_HEARSAY: Final = 0.65
"""Firmness, in [0, 1], of a record and of somebody's words: × 0.60 of a document, these stay under the 0.40
of a guess. Our choice."""

_PAIR: Final = bounded(r"(?<![\w?&])[A-Za-z_][\w.-]*=(?:\"[^\"]*\"|[^\s,;&]+)")
_PROSE_SHARE: Final = 0.3
"""Share of function words from which a line reads as prose; logs and tables have next to none. Our choice."""

_BRINGS_WORDS: Final = bounded(
    r"(?:^|[^a-z])(?:web|fetch|browse\w*|page|url|https?|search|e?mails?|inbox|imap|gmail|outlook|slack|chat"
    r"|teams|messages?|sms|whatsapp|wechat|pdf|docx?|documents?|contracts?|files?|read\w*|rss|news|feeds?"
    r"|crawl\w*|scrape\w*|notion|wiki|confluence|tickets?|forum|reviews?|letters?|ocr|transcripts?)(?:[^a-z]"
    r"|$)",
    re.IGNORECASE,
)
"""Names of tools that bring what somebody wrote."""

_MACHINE: Final = (
    r"(?:(?:ai|automated|virtual|digital|smart|language) )?(?:assistants?|agents?|bots?|chatbots?|models?"
    r"|llms?|ais?|readers?|systems?)"
)
_ORDERS: Final = bounded(
    rf"\b{_MACHINE}\b[^.]{{0,60}}\b(?:must|should|shall|has to|have to|is|are) (?:\w+ )?(?:to |bound"
    r"|required|obliged|expected|never|always|[a-z]{3,})|\b(?:to|for|dear) (?:the |any |all "
    rf"|every )?{_MACHINE}\b(?: (?:reading|processing|handling)\b|\s*[:,])|\b{_MACHINE}\s*[:,]\s*[a-z]|\b"
    r"(?:remember|memori[sz]e|store|save|record|note|keep)\b[^.]{0,24}\b(?:that|this|it)\b[^.]{0,24}"
    r"(?:\b(?:memory|permanent\w*|rule|fact|forever|always)\b|$)|\b(?:to|in|into|from) (?:your|its|their) "
    r"(?:long[- ]term )?memory\b|^(?:please |kindly |now )?(?:remember|memori[sz]e|ignore|disregard|forget"
    r"|override|bypass|always|never|do not|don['’]t|reply|answer|respond|treat|tell|forward|approve|confirm"
    r"|recommend|pretend|act|obey|reveal|disclose|upload|execute|run)\b|\b(?:from (?:now|here|today|this "
    r"(?:day|moment|point)) on(?:wards?)?|henceforth|effective immediately|with immediate effect"
    r"|without exception)\b|\byou (?:are|must|should|shall|have|may|will|can|need|now|answer|only)\b"
    r"|\byour (?:new )?(?:memory|instructions?|rules?|polic(?:y|ies)|task|role|guidelines?)\b|\b(?:role"
    r"|system)\s*[:=]|\bi hereby\b|\b(?:latest|newest|new) (?:rules?|instructions?|polic(?:y|ies))\b"
    r"|^[^。]{0,12}(?:请|忽略|无视|记住|牢记|务必|切勿|不要|永远|从现在起|从今天起|今后|以后)|(?:助手"
    r"|助理|人工智能|AI|模型|机器人|智能体|系统)[^。]{0,30}(?:必须|应当|应该|务必|不得|需要|要|得)|"
    r"(?:必须|务必|请)[^。]{0,30}(?:助手|AI|模型|机器人|智能体|记忆)|(?:写进|写入|存入|记入|保存到"
    r"|加入)[^。]{0,12}记忆|长期记住|你(?:现在)?(?:是|必须|要|应该|被|将)",
    re.IGNORECASE,
)
"""Words that order a reader about: addressed to machines or to «you», as rules, in the imperative."""


def read_reported(turn: Turn, text: str) -> Note | None:
    """
    Return the note of a tool's turn that is a record or somebody's words, kept whole.

    None when the turn is a plain statement of the tool, to be read sentence by sentence.
    """
    ordered = any(gives_orders(sentence.text) for sentence in split_sentences(text))
    if is_data(text) and not ordered:
        return _keep(turn, text, firmness=FIRM_RECORD, ordered=False)
    if not ordered and not brings_words(turn.speaker):
        return None
    return _keep(turn, text, firmness=FIRM_HEARSAY, ordered=ordered, origin="extracted")


def origin_of(turn: Turn) -> str:
    """
    Return the origin of a turn's words as they stand: who spoke decides (SPEC M-08).

    What a tool brings is no better than its author, and but a guess where it orders its reader about.
    """
    if turn.role != "tool":
        return provenance_ceiling(turn)
    if any(gives_orders(sentence.text) for sentence in split_sentences(turn.text)):
        return "agent_inferred"
    return "extracted" if brings_words(turn.speaker) else provenance_ceiling(turn)


def _keep(turn: Turn, text: str, *, firmness: float, ordered: bool, origin: str | None = None) -> Note:
    """Note a text as it stands; of one that orders its reader about, nothing is more than a guess."""
    said = " ".join(text.split())[:LONGEST_RECORD]
    entities = find_entities(said)
    occurred_at, resolved = find_time(turn, start=0, end=len(turn.text), is_event=True)
    return Note(
        kind="episode",
        content=said,
        value=None,
        keywords=keywords(said),
        entities=entities,
        concept_key=None,
        entity_key=entities[0].casefold() if entities else None,
        cardinality=None,
        importance=weigh_importance(said),
        occurred_at=occurred_at,
        occurred_resolved=resolved,
        confidence=weigh_confidence(said, firmness=firmness),
        provenance="agent_inferred" if ordered else origin or provenance_ceiling(turn),
        assigned_by=None,
    )


def is_data(text: str) -> bool:
    """Tell whether a text is a record, no prose: pairs of name and value, JSON, or hardly a function word."""
    if _PAIR.search(text) or _is_json(text):
        return True
    words = bounded(r"[A-Za-z']+").findall(text)
    return bool(words) and sum(word.lower() in STOP_WORDS for word in words) / len(words) < _PROSE_SHARE


def brings_words(tool: str | None) -> bool:
    """Tell by its name whether a tool brings what somebody wrote, rather than what it measured."""
    return tool is not None and _BRINGS_WORDS.search(tool.replace("_", " ")) is not None


def gives_orders(sentence: str) -> bool:
    """Tell whether a sentence orders its reader about (English and Chinese)."""
    return _ORDERS.search(sentence.strip("\"'“”‘’<>!-–— ")) is not None


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
