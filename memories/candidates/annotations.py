"""
Annotate what was said: the times, amounts, lengths and shares in it, by their place (SPEC K-02). Pure.

An annotation stands beside the words and never in their place: {start, end, kind, value, certainty}, the
place in characters of the text it belongs to.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

from memories.candidates.places import Places
from memories.quantities import find_durations, find_money, find_proportions
from memories.temporal import Normalised, TimeMention, find_recurring

AnnotationKind = Literal[
    "point", "period", "recurring", "duration", "unanchored", "amount", "proportion", "until"
]

SURE: Final = 0.9
SUPPOSED: Final = 0.6
UNKNOWN: Final = 0.5
"""Certainty, in [0, 1], of what is read by rule: a time that is named, one whose day is supposed, one that
nothing ties to an occasion. Ours."""

MOST: Final = 200
"""Annotations of a text; what has more is a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What a place in a text means."""

    start: int
    end: int
    kind: AnnotationKind
    value: str  #: ISO 8601 of a time or a length; «1200 USD»; a share in [0, 1]; empty: not known
    certainty: float  #: in [0, 1]


def annotate(normalised: Normalised, folded: str, places: Places) -> tuple[Annotation, ...]:
    """Return what is found in a text, by place, without overlaps: times first."""
    found = [*_times(normalised.mentions), *_measures(folded)]
    taken = bytearray(len(folded))
    kept: list[Annotation] = []
    for one in found:
        if not any(taken[one.start : one.end]) and len(kept) < MOST:
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
            start, end = places.of_folded(one.start, one.end)
            kept.append(replace(one, start=start, end=end))
    return tuple(sorted(kept, key=lambda one: one.start))


def within(annotations: Iterable[Annotation], start: int, end: int) -> tuple[dict[str, Any], ...]:
    """Return the annotations of a span, as JSON, their places counted from its start."""
    return tuple(
        asdict(one) | {"start": one.start - start, "end": one.end - start}
        for one in annotations
        if start <= one.start and one.end <= end
    )


def days_of(annotations: Iterable[Mapping[str, Any]]) -> tuple[date, ...]:
    """Return the days that annotations name as points in time, each once."""
    points = (str(one.get("value", ""))[:10] for one in annotations if one.get("kind") == "point")
    return tuple(dict.fromkeys(day for said in points if (day := _day(said)) is not None))


def with_days(content: str, annotations: Sequence[Mapping[str, Any]]) -> str:
    """Return the words with the day behind those that mean one: «on Tuesday (2026-03-17)»."""
    pieces, end = list[str](), 0
    for one in annotations:
        day = _day(str(one["value"])[:10]) if one["kind"] == "point" else None
        if (
            day is not None
            and one["end"] >= end
            and day.isoformat() not in content[one["start"] : one["end"]]
        ):
            pieces += (content[end : one["end"]], f" ({day.isoformat()})")
            end = one["end"]
    return "".join((*pieces, content[end:]))


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return None


def _times(mentions: Sequence[TimeMention]) -> Iterator[Annotation]:
    for mention in mentions:
        kind, value = _read_time(mention)
        certainty = UNKNOWN if mention.kind != "date" else SURE if mention.dated else SUPPOSED
        yield Annotation(
            start=mention.span[0], end=mention.span[1], kind=kind, value=value, certainty=certainty
        )


def _read_time(mention: TimeMention) -> tuple[AnnotationKind, str]:
    if mention.kind != "date":
        return mention.kind, _recurring_value(mention)
    if mention.resolution == "instant":
        return "point", mention.start.isoformat(timespec="minutes")
    if mention.resolution == "day":
        return "point", mention.start.date().isoformat()
    if mention.end - mention.start < timedelta(days=1):
        return "period", f"{_minute(mention.start)}/{_minute(mention.end)}"
    last = (mention.end - timedelta(days=1)).date()
    return "period", f"{mention.start.date().isoformat()}/{last.isoformat()}"


def _minute(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")


def _recurring_value(mention: TimeMention) -> str:
    """Return a weekday, a day of the month or a month in ISO 8601-2 form, what is not said marked X."""
    if mention.resolution == "range":
        return f"XXXX-{mention.start.month:02}"
    if any(char.isdigit() for char in mention.text):
        return f"XXXX-XX-{mention.start.day:02}"
    return f"XXXX-WXX-{mention.start.isoweekday()}"


def _measures(folded: str) -> Iterator[Annotation]:
    for start, end in find_recurring(folded):
        yield Annotation(start=start, end=end, kind="recurring", value="", certainty=SURE)
    for money in find_money(folded):
        yield _measure(money.span, "amount", money.canonical)
    for share in find_proportions(folded):
        yield _measure(share.span, "proportion", share.canonical)
    for length in find_durations(folded):
        yield _measure(length.span, "duration", length.canonical)


def _measure(span: tuple[int, int], kind: AnnotationKind, value: str) -> Annotation:
    return Annotation(start=span[0], end=span[1], kind=kind, value=value, certainty=SURE)
