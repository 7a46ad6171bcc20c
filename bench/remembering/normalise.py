"""
`normalise`: are times found, and is the day right? Beside what recognizers-text alone does (SPEC W-02, W-03).

A reading is right when it starts on the day of a gold one; where gold offers several (the last 3rd of May
and the next), any of them. `day` is the share of the days and points in time that are found so; `range`
that of the periods found with the right first and last day (of an open one, the end that is told). A bare
time of day counts when its reader puts it on the right day; durations and repetitions are no dates, and
reading them as such costs precision. `precision` is the share of what was found as dated that is right
for some gold of its text. `false_anchor` is the share of texts without a date that are given one. What is
found but dates nothing (a bare time of day, the year in «after 2018») is no find to these two; it counts
for `day` and `range` where it is right. Feasts, which duckling knows by the hundred, stand apart and are
in `day` only when gold does not name them as such; of texts that are there twice, each counts.
"""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from bench.rig.harness import Run, print_table
from bench.rig.jsonl import parse_jsonl, read_jsonl
from bench.rig.service import PROJECT

LANGUAGES: Final = ("en", "zh")
SOURCES: Final = {"recognizers-spec": "spec", "duckling": "duckling"}
WARM_UP: Final = ("the week after the last one of some quarter", "农历腊月二十三")
"""Texts that make the recogniser build its models, which is no part of the cost of a text."""
POINTS: Final = ("date", "datetime")
PERIODS: Final = ("daterange", "datetimerange")
QUICK_CASES: Final = 300
GRAIN: Final = re.compile(r",P\d+([YM])\)$")
"""The unit in which a timex such as (2014-01-01,2018-01-01,P4Y) counts."""

Span = tuple[datetime | None, datetime | None]
"""A start and an exclusive end, local; a day has both, an open period one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One thing that should be found, with all readings that are right."""

    readings: tuple[Span, ...]
    kind: str  #: day, range, feast, or none: a time that is no date


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A text with a clock and what should be found in it."""

    text: str
    ref: str  #: ISO, local
    lang: str
    source: str  #: spec or duckling
    gold: tuple[Gold, ...]

    @property
    def kept(self) -> bool:
        """Whether this case belongs to the half that nobody looks at while developing."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a reader found in a text as dated: each find with one reading or more."""

    times: tuple[tuple[Span, ...], ...]
    supposed: tuple[
        tuple[Span, ...], ...
    ] = ()  #: what dates nothing, such as bare times of day: right or not, no anchors
    ms: float = 0.0


def measure(run: Run) -> dict[str, Any]:
    """
    Return {en_spec: {day, range, precision, false_anchor, …}, zh_spec, en_duckling, zh_duckling, ms_per_100}.
    Raises NoData.
    """
    rows = read_jsonl(run.file("temporal.jsonl"))
    cases = [read_case(row) for row in rows if row["lang"] in LANGUAGES and is_readable(row)]
    if run.quick:
        cases = cases[:: max(1, len(cases) // QUICK_CASES)]
    found, floor = ask_ours(cases), ask_recogniser(cases)
    figures: dict[str, Any] = {}
    for source in SOURCES.values():
        for lang in LANGUAGES:
            chosen = [i for i, case in enumerate(cases) if (case.lang, case.source) == (lang, source)]
            figures[f"{lang}_{source}"] = _figures(cases, found, chosen) | {
                "floor": _figures(cases, floor, chosen),
                "developed": _figures(cases, found, [i for i in chosen if not cases[i].kept]),
                "kept": _figures(cases, found, [i for i in chosen if cases[i].kept]),
            }
    _print(figures)
    spent, written = sum(one.ms for one in found), sum(len(case.text) for case in cases)
    print_table("Cost", ("", "ms per 100 characters"), [("ours", 100 * spent / written)])
    return figures | {"ms_per_100": round(100 * spent / written, 3), "quick": run.quick}


def read_case(row: dict[str, Any]) -> Case:
    """Read a line of the set."""
    source = SOURCES[row["source"]]
    read = _read_spec if source == "spec" else _read_duckling
    return Case(
        text=row["text"],
        ref=datetime.fromisoformat(row["ref"]).replace(tzinfo=None).isoformat(),
        lang=row["lang"],
        source=source,
        gold=tuple(read(gold) for gold in row["gold"]),
    )


def _read_spec(gold: dict[str, Any]) -> Gold:
    readings = tuple(span for value in gold["values"] for span in read_value(value))
    kind = "day" if gold["type"] in POINTS else "range" if gold["type"] in PERIODS else "none"
    return Gold(readings=readings, kind=kind if readings else "none")


def is_readable(row: dict[str, Any]) -> bool:
    """
    Say whether the gold is in the calendar: duckling has years before the common era, a 30th of February.
    """
    try:
        return all(_read_duckling(gold) for gold in row["gold"] if "grain" in gold)
    except ValueError:
        return False


def _read_duckling(gold: dict[str, Any]) -> Gold:
    start = datetime.fromisoformat(gold["start"])
    end = datetime.fromisoformat(gold["end"]) if gold["end"] else start + timedelta(days=1)
    kind = "feast" if gold["holiday"] else "range" if gold["end"] else "day"
    return Gold(readings=((start, end),), kind=kind)


def read_value(value: dict[str, str]) -> list[Span]:
    """
    Read a value in the recogniser's form; nothing if it is no date.

    It ends «from 2014 to 2018» where 2018 begins. Meant is mostly the end of 2018, so that counts as well.
    """
    try:
        if "value" in value:
            start = datetime.fromisoformat(value["value"])
            return [(start, start + timedelta(days=1))]
        ends = [datetime.fromisoformat(value[key]) if key in value else None for key in ("start", "end")]
    except ValueError:
        return []  # «15:00», «not resolved», seconds of a duration
    grain = GRAIN.search(value.get("timex", ""))
    if grain and ends[0] and ends[1]:
        months = 12 if grain[1] == "Y" else 1
        year, month = divmod(ends[1].year * 12 + ends[1].month - 1 + months, 12)
        return [(ends[0], ends[1]), (ends[0], ends[1].replace(year=year, month=month + 1, day=1))]
    return [(ends[0], ends[1])] if any(ends) else []


def ask_ours(cases: Sequence[Case]) -> list[Found]:
    """Have the service's normaliser read the texts, in a process of its own."""
    texts = [(text, "2026-01-01T00:00:00") for text in WARM_UP] + [(case.text, case.ref) for case in cases]
    asked = "".join(json.dumps({"text": text, "ref": ref}) + "\n" for text, ref in texts)
    command = (sys.executable, "-m", "memories.temporal")
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, cwd=PROJECT)
    return [_read_told(row) for row in parse_jsonl(done.stdout)[len(WARM_UP) :]]


def _read_told(told: dict[str, Any]) -> Found:
    spans = [((_moment(time["start"]), _moment(time["end"])), time["dated"]) for time in told["times"]]
    return Found(
        times=tuple((span,) for span, dated in spans if dated),
        supposed=tuple((span,) for span, dated in spans if not dated),
        ms=told["ms"],
    )


def _moment(said: str) -> datetime:
    return datetime.fromisoformat(said)


def ask_recogniser(cases: Sequence[Case]) -> list[Found]:
    """Have recognizers-text read the texts; of its alternatives, any that is right counts."""
    from recognizers_date_time import Culture, DateTimeRecognizer

    culture = {"en": Culture.English, "zh": Culture.Chinese}
    models = {lang: DateTimeRecognizer(name).get_datetime_model(name) for lang, name in culture.items()}
    results = []
    for case in cases:
        times = []
        for result in models[case.lang].parse(case.text, _moment(case.ref)):
            values = (result.resolution or {}).get("values") or []
            kind = result.type_name.rpartition(".")[2]
            readings = tuple(span for value in values for span in read_value(value))
            if kind in (*POINTS, *PERIODS) and readings:
                times.append(readings)
        results.append(Found(times=tuple(times)))
    return results


def _figures(cases: Sequence[Case], found: Sequence[Found], chosen: Sequence[int]) -> dict[str, Any]:
    """Return the shares among the chosen cases, None where there is nothing to share."""
    pairs = [(cases[index], found[index]) for index in chosen]

    def share(kind: str, right: Callable[[Span, Span], bool]) -> float | None:
        return _mean(
            _is_found(gold, seen, right) for case, seen in pairs for gold in case.gold if gold.kind == kind
        )

    return {
        "day": share("day", same_day),
        "range": share("range", same_days),
        "feast": share("feast", same_day),
        "precision": _mean(
            any(_is_found(gold, Found(times=(time,)), same_day) for gold in case.gold)
            for case, seen in pairs
            for time in seen.times
        ),
        "false_anchor": _mean(bool(seen.times) for case, seen in pairs if not case.gold),
        "undated_anchor": _mean(
            bool(seen.times) for case, seen in pairs if all(gold.kind == "none" for gold in case.gold)
        ),
        "cases": len(pairs),
    }


def _is_found(gold: Gold, seen: Found, right: Callable[[Span, Span], bool]) -> bool:
    return any(
        right(reading, wanted)
        for time in (*seen.times, *seen.supposed)
        for reading in time
        for wanted in gold.readings
    )


def same_day(found: Span, wanted: Span) -> bool:
    """Say whether a reading begins on the wanted day; of a period open to the past, whether it ends there."""
    if wanted[0] is None or found[0] is None:
        return same_days(found, wanted)
    return found[0].date() == wanted[0].date()


def same_days(found: Span, wanted: Span) -> bool:
    """
    Say whether a reading has the wanted first and last day.

    The recogniser ends «from the 4th to the 6th» on the 6th, duckling and we after it: either end will do.
    Where
    the wanted one is open, its one day has to be an end of what was found: for «before May», May is right.
    """
    if wanted[0] is not None and wanted[1] is not None:
        if found[0] is None or found[1] is None or found[0].date() != wanted[0].date():
            return False
        return _last_day(wanted[1]) <= _last_day(found[1]) <= wanted[1].date()
    told = wanted[0] or wanted[1]
    return told is not None and any(moment is not None and moment.date() == told.date() for moment in found)


def _last_day(end: datetime) -> date:
    """Return the last day before an exclusive end."""
    return (end - timedelta(microseconds=1)).date()


def _mean(hits: Iterable[bool]) -> float | None:
    seen = list(hits)
    return round(sum(seen) / len(seen), 4) if seen else None


def _print(figures: dict[str, Any]) -> None:
    columns = ("day", "range", "feast", "precision", "false_anchor", "undated_anchor", "cases")
    rows = []
    for name, told in figures.items():
        for part, values in (
            ("", told),
            (" floor", told["floor"]),
            (" developed", told["developed"]),
            (" kept", told["kept"]),
        ):
            rows.append(
                (name + part, *("–" if values[column] is None else values[column] for column in columns))
            )
    print_table("Times read right", ("", *columns), rows)
