"""When a tenant dreams: the double gate, pure (SPEC E-04)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

REST: Final = timedelta(hours=24)
"""More than this has to have passed since the last dream."""

FEWEST_SESSIONS: Final = 5
FEWEST_MEMORIES: Final = 50
"""Sessions since the last dream, and live memories, from which a dream is worth its cost."""

NIGHT_HOURS: Final = (4, 5, 6)
"""Hours of the tenant's clock that are preferred. Three, since a look at 04:00 sharp comes just too soon
after a dream of 04:00 the day before: one of 05:00 does not, then one of 06:00, then a night is left out."""

LONGEST_WAIT: Final = timedelta(hours=48)
"""After so long any hour will do: at night nobody may be up to look. Ours: two nights were let go by then."""

Answer = Literal["dream", "too_soon", "few_sessions", "few_memories", "not_at_night"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What the gate looks at."""

    since: datetime  #: of the last dream; before the first one, of the tenant's beginning
    sessions: int  #: different ones since then
    memories: int  #: live ones


def may_dream(corpus: Corpus, *, local: datetime) -> Answer:
    """Return «dream», or why not yet. local: now on the tenant's clock."""
    waited = local - corpus.since
    if waited <= REST:
        return "too_soon"
    if corpus.sessions < FEWEST_SESSIONS:
        return "few_sessions"
    if corpus.memories < FEWEST_MEMORIES:
        return "few_memories"
    if local.hour not in NIGHT_HOURS and waited <= LONGEST_WAIT:
        return "not_at_night"
    return "dream"
