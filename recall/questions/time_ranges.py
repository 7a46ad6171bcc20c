"""
The time a question is about: its words as a range against the asker's clock (SPEC R-08). Pure.

What a time means is read by `memories.temporal`; here stands what a question makes of it. A captured note
looks ahead and tells a day («the release is on Friday»); a question looks back and names a stretch: «since
Monday», «in the last two weeks» (today is in), «two weeks ago» (about then).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from memories.temporal import TimeMention, guess_tense, resolve_times
from recall.questions.time_words import (
    ABOUT_AGO,
    AFTER,
    BARE_DATE,
    BARE_WEEKDAY,
    BEFORE,
    CALENDAR,
    CALENDAR_DAY,
    JOINED,
    NAME_OF,
    NOWADAYS,
    PART_BEHIND,
    PARTS_OF_DAY,
    PRESENT,
    SINCE,
    UNTIL,
    UP_TO_NOW,
    WAS,
    respelled,
)

LONG_AGO: Final = datetime(1, 1, 2, tzinfo=UTC)
FAR_OFF: Final = datetime(9999, 12, 30, tzinfo=UTC)
"""Ends of a range that has none; a day short of the calendar's own, so that every zone can tell them."""

_DAY: Final = timedelta(days=1)
_HALF_HOUR: Final = timedelta(minutes=30)
"""How far around a point in time is meant by it. Ours: what is told to the hour is rounded to it."""

_HALF: Final = {"w": timedelta(days=3), "m": timedelta(days=15), "y": timedelta(days=182)}
"""How far around «some weeks, months or years ago» is meant: half of the unit."""

_NEAR: Final = 24
"""Characters before and behind a mention in which the words that bound it stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A stretch of time that a question is about. Moments are UTC, ends exclusive, each after its start."""

    start: datetime
    end: datetime
    around: tuple[datetime, datetime]  #: the days it lies in: what is dated to a day only may be meant too
    past: bool  #: the question is about what was then, not about what is now (docs/decisions/0015)
    words: str  #: those of the range
    rest: str  #: the question without them
    relative: bool  #: told by words that mean something else on another day: «last week»
    named: bool  #: the day belongs to a thing's name, which may have happened at any time


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A range in the asker's zone with the words it was read from."""

    start: datetime
    end: datetime
    around: tuple[datetime, datetime] | None
    span: tuple[int, int]  #: with the words that bound it
    relative: bool
    names_a_thing: bool  #: «the invoice of 12 May»: the day belongs to a name


def find_range(query: str, *, clock: datetime, zone: ZoneInfo) -> Range | None:
    """
    Return the range of time that a folded question is about, None if its words name none.

    clock: the asker's aware clock; zone: the zone its words are meant in. English and Chinese; a question
    without signs of time costs some microseconds. «Before the launch», «recently» and «some days ago» name no
    range. Raises ValueError if the clock has no zone.
    """
    text = respelled(query)
    now = clock.astimezone(zone)
    found = [_placed(text, mention, now) for mention in resolve_times(text, clock=clock, zone=zone)]
    chosen = _choose(text, [one for one in found if one is not None])
    return None if chosen is None else _as_asked(text, chosen, now)


def _placed(text: str, mention: TimeMention, now: datetime) -> _Placed | None:
    """Return what a mention means in a question; None for one that only helps to say when."""
    begin, end = mention.span
    before, behind = text[max(0, begin - _NEAR) : begin], text[end : end + _NEAR]
    bound, relative = _bound(before, behind), not CALENDAR.search(mention.text)
    if not mention.dated and (bound is None or mention.start == mention.end):
        return None
    try:
        mention = _looking_back(text, mention, now, since=bound is not None and bound[0] == "since")
        start, stop, around = _stretch(text, mention, now)
    except OverflowError:  # at the calendar's ends
        return None
    if bound is None:
        names = bool(
            CALENDAR_DAY.search(mention.text) and (NAME_OF[0].search(before) or NAME_OF[1].match(behind))
        )
        return _Placed(
            start=start, end=stop, around=around, span=(begin, end), relative=relative, names_a_thing=names
        )
    kind, lead, tail = bound
    start, stop = _bounded(kind, start, stop, now)
    span = (begin - lead, end + tail)
    return _Placed(start=start, end=stop, around=None, span=span, relative=relative, names_a_thing=False)


_BOUNDS: Final = {"since": SINCE, "after": AFTER, "before": BEFORE, "until": UNTIL}


def _bound(before: str, behind: str) -> tuple[str, int, int] | None:
    """Return which bound the words beside a time make it, and how many characters they have on each side."""
    for kind, (front, back) in _BOUNDS.items():
        lead, tail = front.search(before), back.match(behind)
        if lead or tail:
            return kind, len(lead[0]) if lead else 0, tail.end() if tail else 0
    return None


def _bounded(kind: str, start: datetime, end: datetime, now: datetime) -> tuple[datetime, datetime]:
    """Return the stretch that lies on one side of a time; one that runs on from the past runs to now."""
    if kind == "before":
        return LONG_AGO, start
    if kind == "until":
        return LONG_AGO, end
    first = start if kind == "since" else end
    return first, _end_of_day(now) if first <= now else FAR_OFF


def _looking_back(text: str, mention: TimeMention, now: datetime, *, since: bool) -> TimeMention:
    """Return a bare weekday or date without its year as the last one, unless the question looks ahead."""
    if mention.start <= now or not (since or not _looks_ahead(text)):
        return mention
    if BARE_WEEKDAY.fullmatch(mention.text):
        return replace(mention, start=mention.start - 7 * _DAY, end=mention.end - 7 * _DAY)
    if BARE_DATE.fullmatch(mention.text):
        try:
            return replace(mention, start=_a_year_before(mention.start), end=_a_year_before(mention.end))
        except ValueError:  # the 29th of February
            return mention
    return mention


def _a_year_before(moment: datetime) -> datetime:
    return moment.replace(year=moment.year - 1)


def _stretch(
    text: str, mention: TimeMention, now: datetime
) -> tuple[datetime, datetime, tuple[datetime, datetime] | None]:
    """Return the start, the end and the days around of what a mention stretches over."""
    start, end = mention.start, mention.end
    if mention.resolution == "instant":
        day = _start_of_day(start)
        return start - _HALF_HOUR, start + _HALF_HOUR, (day, day + _DAY)
    if mention.resolution == "day":
        if part := _part_of_day(text, mention):
            first, last = (start + timedelta(hours=hour) for hour in part)
            return first, last, (start, max(end, last))
        if ago := ABOUT_AGO.search(mention.text):
            half = _HALF[next(unit for unit in _HALF if ago[unit])]
            return start - half, end + half, None
    if UP_TO_NOW.match(mention.text) and start < now and now - end < _DAY:
        return start, max(end, _end_of_day(now)), None
    return start, end, None


def _part_of_day(text: str, mention: TimeMention) -> tuple[int, int] | None:
    """Return the hours of the part of a day that is named in a mention or right behind it."""
    begin, end = mention.span
    said = text[begin : end + _NEAR]
    for words_of_part, hours in PARTS_OF_DAY:
        match = words_of_part.search(said)
        if match and (match.start() < end - begin or PART_BEHIND.fullmatch(said, end - begin, match.start())):
            return hours
    return None


def _start_of_day(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time(), moment.tzinfo)


def _end_of_day(moment: datetime) -> datetime:
    return _start_of_day(moment) + _DAY


def _choose(text: str, placed: Sequence[_Placed]) -> _Placed | None:
    """Return the range a question is about: two that are joined as one, else the first that is no name."""
    if not placed:
        return None
    for one, other in pairwise(placed):
        if JOINED.fullmatch(text, one.span[1], other.span[0]):
            start, end = min(one.start, other.start), max(one.end, other.end)
            return replace(one, start=start, end=end, around=None, span=(one.span[0], other.span[1]))
    return next((one for one in placed if not one.names_a_thing), placed[0])


def _as_asked(text: str, chosen: _Placed, now: datetime) -> Range | None:
    rest = f"{text[: chosen.span[0]]} · {text[chosen.span[1] :]}"
    try:
        start, end = chosen.start.astimezone(UTC), chosen.end.astimezone(UTC)
        first, last = (one.astimezone(UTC) for one in chosen.around or (start, end))
    except OverflowError:
        return None
    if not start < end:
        return None
    return Range(
        start=start,
        end=end,
        around=(min(first, start), max(last, end)),
        past=start < now and not chosen.names_a_thing and _asks_what_was(rest),
        words=text[slice(*chosen.span)],
        rest=rest,
        relative=chosen.relative,
        named=chosen.names_a_thing,
    )


def _asks_what_was(rest: str) -> bool:
    """
    Tell whether a question that names a past range asks what was, by its words.

    rest: the question without the words of the range. «What is due on 3 March» and «what is left of last
    week's tasks» are about now. Chinese verbs have no tense: there the past range itself says it.
    """
    if NOWADAYS.search(rest):
        return False
    return WAS.search(rest) is not None or not _looks_ahead(rest)


@lru_cache(maxsize=64)  # asked for each time of a question
def _looks_ahead(text: str) -> bool:
    """Tell whether a question speaks of what is or will be; without a tense it asks what was."""
    if WAS.search(text):
        return False
    return PRESENT.search(text) is not None or guess_tense(text) == "future"
