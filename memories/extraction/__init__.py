"""From what was said to its rows: cut in place, read, annotated; nothing is rewritten (SPEC K-01)."""

from memories.extraction.capture_drafts import keep_words
from memories.extraction.document_drafts import SECTION, draft_facts, draft_passage, is_no_fact
from memories.extraction.failure_lessons import find_lessons
from memories.extraction.insights import tell_insights
from memories.extraction.layers import with_layer
from memories.extraction.learned import (
    NO_CONTENT,
    is_empty_talk,
    learned_kind,
    read_candidates,
    with_kind,
    with_mode,
)
from memories.extraction.lessons import draft_lesson
from memories.extraction.lineage import mark_recalled, rest_on, rest_on_sources
from memories.extraction.modes import mode_of
from memories.extraction.note_drafts import (
    GUESS_CEILING,
    MOST_TAGS,
    automatic_tags,
    believe,
    own_key,
    owned_key,
)
from memories.extraction.reflection import CORRECTION, reflect
from memories.extraction.rows import Row, cut_rows
from memories.extraction.segments import segment
from memories.extraction.validity import end_of, with_end, with_end_of_words

__all__ = [
    "CORRECTION",
    "GUESS_CEILING",
    "MOST_TAGS",
    "NO_CONTENT",
    "SECTION",
    "Row",
    "automatic_tags",
    "believe",
    "cut_rows",
    "draft_facts",
    "draft_lesson",
    "draft_passage",
    "end_of",
    "find_lessons",
    "is_empty_talk",
    "is_no_fact",
    "keep_words",
    "learned_kind",
    "mark_recalled",
    "mode_of",
    "own_key",
    "owned_key",
    "read_candidates",
    "reflect",
    "rest_on",
    "rest_on_sources",
    "segment",
    "tell_insights",
    "with_end",
    "with_end_of_words",
    "with_kind",
    "with_layer",
    "with_mode",
]
