"""When a sentence of a turn happened: the time it names itself, else the turn's."""

from datetime import datetime

from memories.llms.base import Turn


def find_time(turn: Turn, *, start: int, end: int, is_event: bool) -> tuple[datetime, bool]:
    """
    Return when what stands in `turn.text[start:end]` happened, and whether the text resolves that.

    A time named in the sentence counts first. Without one, an event happened when the turn happened («We were
    in Porto yesterday. The kids swam.»); a state or an insight holds from when it was said.
    """
    sentence = turn.text[start:end]
    for mention in turn.mentions:
        # Where it stood is lost when times before it were rewritten; what stands there now is known.
        if any(said in sentence for said in (mention.absolute, mention.text) if said):
            return mention.start, True
    if is_event:
        return turn.occurred_at, bool(turn.mentions)
    return turn.clock, False
