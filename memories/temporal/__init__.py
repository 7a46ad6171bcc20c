"""Normalise a captured text: width, invisible characters, and the times it speaks of (SPEC W-02, W-03)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memories.language import fold
from memories.temporal.cues import guess_tense
from memories.temporal.mention import Setting, TimeMention
from memories.temporal.recognition import recognise
from memories.temporal.recurring import find_recurring, settle
from memories.temporal.time import resolve_times
from memories.temporal.value import normalise_value

_DAY: Final = timedelta(days=1)

__all__ = [
    "Normalised",
    "Setting",
    "TimeMention",
    "find_recurring",
    "fold",
    "guess_tense",
    "normalise",
    "normalise_value",
    "recognise",
    "resolve_times",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """A text as it is compared and remembered."""

    text: str  #: folded
    mentions: tuple[TimeMention, ...]  #: spans in it
    occurred_at: datetime  #: aware, in the capture's zone
    occurred_resolved: bool  #: False: nothing in the text says when, so this is the capture's own time


def normalise(text: str, *, clock: datetime, zone: ZoneInfo) -> Normalised:
    """
    Fold the text, resolve its times against the capture's clock, and say when what it reports happened.

    The moment is the first mention of a day, a point in time or some hours; longer ranges and bare times of
    day
    do not tell one.
    Raises ValueError if the clock has no zone.
    """
    folded = fold(text)
    mentions = settle(folded, resolve_times(folded, clock=clock, zone=zone), clock=clock)
    told = next(
        (m for m in mentions if m.dated and (m.resolution != "range" or m.end - m.start < _DAY)), None
    )
    return Normalised(
        text=folded,
        mentions=mentions,
        occurred_at=told.start if told else clock.astimezone(zone),
        occurred_resolved=told is not None,
    )
