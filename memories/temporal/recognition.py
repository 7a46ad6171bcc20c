"""
The long tail of time expressions: recognizers-text, asked only when our own grammar leaves signs of more.

Its models take 0.3 s each to build and are built at the first use, each language apart. It swallows its own
errors and then answers nothing, which is what we want of it here.
"""

import re
import threading
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal

from memories.temporal.calendar import read_day, read_instant
from memories.temporal.cues import guess_tense
from memories.temporal.mention import Placed, Reading, Setting, Tense
from security.patterns import bounded

Language = Literal["en", "zh"]

_TYPES: Final = frozenset(("date", "datetime", "daterange", "datetimerange"))
_LETTER: Final = bounded(r"[^\W\d_]")
_VAGUE: Final = bounded(
    r"\b(?:few|several|some|recent(?:ly)?|soon|same|that|those)\b|[几幾数數多同该该]|最近|近来|[农農阴陰旧舊][历曆]|[正冬腊臘]月"
    r"|\bthe\s(?:day|night|week|month|year)s?\s(?:before|after)|\b(?:next|following|previous)\s(?:day"
    r"|morning|night|hour)"
    r"|^(?:the\s|of\sthe\s)?(?:day|week|weekend|month|year|morning|night)$",
    re.IGNORECASE,
)
_lock: Final = threading.Lock()


@cache
def _model(language: Language) -> Any:
    from recognizers_date_time import Culture, DateTimeRecognizer

    culture = Culture.English if language == "en" else Culture.Chinese
    return DateTimeRecognizer(culture).get_datetime_model(culture)


def recognise(text: str, language: Language, setting: Setting) -> list[Placed]:
    """Return what the recogniser reads in the text; open-ended ranges and repeated times are left out."""
    with _lock:  # two threads would build the model twice, and its parsers share state
        results = _model(language).parse(text, setting.now)
    placed: list[Placed] = []
    for result in results:
        reading = _choose(result, guess_tense(text))
        if reading is not None and not _is_doubtful(text, result.start, result.text):
            placed.append(((result.start, result.end + 1), reading))
    return placed


def _is_doubtful(text: str, start: int, said: str) -> bool:
    """
    Say whether a find is better left alone.

    Numbers alone («31-2019», a telephone number, «4000 bricks») are no date that our grammar would not have
    known; «the day before» counts from another day than the clock's, and «a few years ago» from no certain
    one. «60 days from now on» is a length that holds from now on.
    """
    inside_number = start > 0 and text[start - 1].isalnum() and text[start - 1].isascii()
    holds_on = said.lower().endswith("from now") and text.startswith(" on", start + len(said))
    return inside_number or holds_on or not _LETTER.search(said) or bool(_VAGUE.search(said))


def _choose(result: Any, tense: Tense) -> Reading | None:
    """Choose among the recogniser's readings of one expression: the former for the past, else the latter."""
    values = (result.resolution or {}).get("values") or []
    readings = [reading for value in values if (reading := _convert(value)) is not None]
    readings.sort(key=lambda reading: reading.start)
    if not readings:
        return None
    return readings[0] if tense == "past" else readings[-1]


def _convert(value: dict[str, str]) -> Reading | None:
    if value.get("type") not in _TYPES or value.get("timex") == "PRESENT_REF":
        return None
    try:
        if "value" in value:
            start = datetime.fromisoformat(value["value"])
        else:
            start, end = datetime.fromisoformat(value["start"]), datetime.fromisoformat(value["end"])
            return Reading(start=start, end=end, resolution="range") if start < end else None
    except (KeyError, ValueError):
        return None
    if value["type"] == "datetime":
        return read_instant(start)
    return read_day(start.date())
