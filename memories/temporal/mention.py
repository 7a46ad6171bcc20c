"""What a mention of time is, and what a reading of it depends on."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

Resolution = Literal["instant", "day", "range"]
Tense = Literal["past", "future", "open"]
"""Which way a sentence looks; open: it does not say, and most words then mean what is to come."""

MentionKind = Literal["date", "recurring", "unanchored"]
"""Whether a mention means one time, one that recurs, or one tied to no occasion (SPEC K-02)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeMention:
    """A place in a text that speaks of a time, and the time it means."""

    text: str  #: as written
    span: tuple[int, int]  #: in the folded text, end exclusive
    start: datetime  #: aware, in the capture's zone
    end: datetime  #: exclusive; equal to `start` for an instant
    resolution: Resolution
    past: bool  #: over before the clock
    dated: bool = True  #: False for a foothold, and a bare time of day, whose day is only supposed
    kind: MentionKind = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What some words mean, in local time without zone."""

    start: datetime
    end: datetime
    resolution: Resolution
    dated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a reading depends on beside the words: the clock, its zone, and the tense of the sentence."""

    now: datetime  #: local, without zone
    zone: ZoneInfo
    tense: Tense = "future"
    year_said: int | None = None  #: the year of a date told shortly before, for those that leave theirs out

    @property
    def today(self) -> date:
        """The day of the clock."""
        return self.now.date()


Placed = tuple[tuple[int, int], Reading]
"""A reading and where its words stand."""
