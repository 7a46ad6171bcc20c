"""Compare two texts: what they share, where they differ, whether they say the same (SPEC W-11). Pure."""

from memories.comparison.alignment import LONGEST, TOKEN, UNSPACED, Alignment, align, common_start, tokens_of
from memories.comparison.difference import differences
from memories.comparison.paraphrase import judge_same
from memories.comparison.speaker_support import is_stated

__all__ = [
    "LONGEST",
    "TOKEN",
    "UNSPACED",
    "Alignment",
    "align",
    "common_start",
    "differences",
    "is_stated",
    "judge_same",
    "tokens_of",
]
