"""
When a question's answer happened: in a range of time, or last of its kind (SPEC R-08, R-18). Pure.

What the channel `time` is asked with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from memories.language import words
from recall.questions.references import find_kind
from recall.questions.time_ranges import FAR_OFF, LONG_AGO, Range, find_range
from recall.questions.time_words import EMPTY_HAN, EMPTY_STEMS


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A time, a kind or both. Without a range a kind means the last of them."""

    range: Range | None
    kind: str | None  #: the kind of memory that is asked for, where the words name one
    latest: bool  #: the newest of its kind is asked for
    alone: bool  #: the question names nothing else by which it could be answered


def find_when(query: str, *, clock: datetime, zone: ZoneInfo) -> When | None:
    """
    Return when the answer to a folded question happened; None if its words do not say.

    clock: the asker's aware clock; zone: the zone its words are meant in. Raises ValueError if the clock has
    no zone.
    """
    stretch = find_range(query, clock=clock, zone=zone)
    rest = query if stretch is None else stretch.rest
    named = find_kind(rest)
    if stretch is None and (named is None or not named.latest):
        return None
    return When(
        range=stretch,
        kind=None if named is None else named.kind,
        latest=named is not None and named.latest,
        alone=says_nothing(rest if named is None else named.rest),
    )


def says_nothing(rest: str) -> bool:
    """Tell whether words, those beside a time before all, name nothing that could be looked for."""
    left = EMPTY_HAN.sub(" ", rest)
    return all(term in EMPTY_STEMS or not term.isalnum() for term in words(left))


NEVER: Final[Mapping[str, Any]] = {
    "when_from": None, "when_until": None, "day_from": None, "day_until": None, "when_kind": None,
    "when_latest": False,
}  # fmt: skip


def parameters_of(when: When | None) -> Mapping[str, Any]:
    """Return what the channel's SQL takes, by name."""
    if when is None:
        return NEVER
    span = when.range
    around = span.around if span else (LONG_AGO, FAR_OFF)
    return {
        "when_from": span.start if span else LONG_AGO,
        "when_until": span.end if span else FAR_OFF,
        "day_from": around[0],
        "day_until": around[1],
        "when_kind": when.kind,
        "when_latest": when.latest,
    }
