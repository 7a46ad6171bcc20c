"""When a sentence of a turn happened: the time it names itself, else the turn's."""

import re
from datetime import datetime
from typing import Final

from memories.llms.base import Turn
from security.patterns import bounded

_LIMIT_BEFORE: Final = bounded(
    r"(?:\b(?:until|till|til|before|by|due(?: on)?|no later than) (?:the )?|[到至])$", re.I
)
_BORDER: Final = bounded(r"[,;:，；：](?!\d)")
"""Behind it another clause begins, with times of its own."""
_LIMIT_BEHIND: Final = bounded(r" ?(?:之?前|以前|为止|截止)")


def find_time(
    turn: Turn, *, start: int, end: int, is_event: bool, value: str | None = None
) -> tuple[datetime, bool]:
    """
    Return when what stands in `turn.text[start:end]` happened, and whether the text resolves that.

    A time named in the sentence counts first. Without one, an event happened when the turn happened («We were
    in Porto yesterday. The kids swam.»); a state or an insight holds from when it was said.
    value: of a state; a day that it consists of («the fair is on 3 May»), lasts to («until Friday») or that a
    later clause names is not when it began.
    """
    sentence = turn.text[start:end]
    for mention in turn.mentions:
        # Where it stood is lost when times before it were rewritten; what stands there now is known.
        said = next((said for said in (mention.absolute, mention.text) if said and said in sentence), None)
        if said is not None and (value is None or _begins(said, sentence, value)):
            return mention.start, True
    if is_event:
        return turn.occurred_at, bool(turn.mentions)
    return turn.clock, False


def _begins(said: str, sentence: str, value: str) -> bool:
    """Tell whether a state may have begun at a time that its sentence names."""
    before, _, behind = sentence.partition(said)
    if said.casefold() in value or _LIMIT_BEFORE.search(before) or _LIMIT_BEHIND.match(behind):
        return False
    _, _, between = before.casefold().rpartition(value)
    return between == before.casefold() or not _BORDER.search(between)
