"""Times of day, and joining them to the day beside them: «tomorrow at 3pm» is one point in time."""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from memories.quantities import ENGLISH, read_chinese_number
from memories.temporal.calendar import read_instant
from memories.temporal.cues import guess_tense
from memories.temporal.mention import Placed, Reading, Setting
from security.patterns import bounded

_PART_OF_DAY: Final = r"(?P<part>\sin\sthe\s(?:morning|afternoon|evening)|\sat\snight)"
_SPELLED: Final = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_ENGLISH: Final = bounded(
    r"(?<![\w:.$/-])(?:(?P<hour>\d{1,2})(?:[:.]?(?P<minute>[0-5]\d)(?::[0-5]\d)?)?(?:\so'?\s?clock)?\s?"
    r"(?P<half>[ap])(?:\s?m\b|\.\s?m\.)"
    r"|(?P<colon>\d{1,2}):(?P<past>[0-5]\d)(?P<letter>[ap])\b"
    rf"|(?P<told>\d{{1,2}})(?::?(?P<since>[0-5]\d))?(?:\so'?clock)?{_PART_OF_DAY}"
    r"|(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?::[0-5]\d)?(?![\w:%]|\.\d)"
    r"|(?P<hours>[01]?\d|2[0-3])h(?P<minutes>[0-5]\d)\b"
    rf"|(?P<spelled>{_SPELLED})\s(?P<letters>[ap])\.?\s?m\b|(?P<clock>{_SPELLED})\so'clock"
    rf"|(?P<shift>half|(?:a\s)?quarter|\d{{1,2}}(?:\sminutes?)?|five|ten|twenty)\s(?P<way>past|to|after)\s"
    rf"(?P<near>noon|midnight|(?:\d{{1,2}}|{_SPELLED})\b(?:\s?(?P<near_half>[ap])\.?m\b)?)"
    r"|(?P<named>noon|midnight)\b|(?P<oclock>\d{1,2})\so'?clock)",
    re.IGNORECASE,
)
_COUNT: Final = r"\d{1,2}|[零一二三四五六七八九十]{1,3}"
_CHINESE: Final = bounded(
    r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|半夜|深夜)?的?\s?"
    rf"(?P<hour>\d{{1,2}}|[一二两兩三四五六七八九十]{{1,3}})\s?(?:[点點时時](?!候|间|間|代|期|刻|常)"
    rf"(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<minute>{_COUNT})分?|整|钟|鐘)?|:(?P<colon>[0-5]\d)"
    r"(?::[0-5]\d)?)"
)
_AFTERNOON: Final = frozenset(("下午", "午后", "傍晚", "晚上", "晚间", "夜里"))

_GAP: Final = bounded(r"(?:[\s,，的在T]|\b(?:at|around|about|by|from|on|of|@)\b|@){0,6}", re.IGNORECASE)
_CUED: Final = bounded(r"(?:\b(?:at|by|until|till|from|around|before|after|since)\s|@\s?)$", re.IGNORECASE)
_EVENING: Final = bounded(r"[晚夜]|night|evening", re.IGNORECASE)
_NEAR: Final = 12  #: characters between a day and its time


def find_times(text: str, *, chinese: bool) -> list[tuple[tuple[int, int], time, bool]]:
    """
    Find times of day: their place, the time, and whether they stand on their own.

    A bare «14:30» may be a score or a ratio: it needs a day beside it or a word such as «at» before.
    """
    found = []
    for match in (_CHINESE if chinese else _ENGLISH).finditer(text):
        try:
            moment = _read_chinese(match) if chinese else _read_english(match)
        except (ValueError, KeyError):
            continue
        telling = match["colon" if chinese else "hour24"] is None
        alone = telling or bool(_CUED.search(text[max(0, match.start() - 8) : match.start()]))
        found.append((match.span(), moment, alone))
    return found


def _read_english(match: re.Match[str]) -> time:
    if match["named"]:
        return time(12 if match["named"].lower() == "noon" else 0)
    if match["shift"]:
        return _read_shifted(match)
    for hours, minutes in (("hour24", "minute24"), ("hours", "minutes")):
        if match[hours]:
            return time(int(match[hours]), int(match[minutes]))
    if match["told"]:
        later = match["part"].split()[-1].lower() != "morning"
        return _of_half_day(int(match["told"]), match["since"], later=later)
    if match["oclock"] or match["clock"]:
        return time(int(match["oclock"] or ENGLISH[match["clock"].lower()]))
    hour = int(match["hour"] or match["colon"] or ENGLISH[match["spelled"].lower()])
    letter = match["half"] or match["letter"] or match["letters"]
    return _of_half_day(hour, match["minute"] or match["past"], later=letter.lower() == "p")


def _read_shifted(match: re.Match[str]) -> time:
    """
    Read «half past 3», «a quarter to noon», «10 minutes after 5pm»; a bare hour is one of the clock's face.
    """
    words = match["shift"].lower().split()
    word = words[1] if words[0] == "a" else words[0]
    minutes = {"half": 30, "quarter": 15}.get(word) or (int(word) if word.isdigit() else ENGLISH[word])
    near = match["near"].lower().split()[0]
    if near in ("noon", "midnight"):
        hour = 12 if near == "noon" else 0
    else:
        figures = bounded(r"\d+").match(near)
        hour = int(figures[0]) if figures else ENGLISH[near]
        if match["near_half"]:
            hour = hour % 12 + (12 if match["near_half"].lower() == "p" else 0)
    total = (hour * 60 + (minutes if match["way"].lower() != "to" else -minutes)) % (24 * 60)
    if not match["near_half"] and near.isdigit() and int(near) > 23:
        raise ValueError("no hour")
    return time(total // 60, total % 60)


def _of_half_day(hour: int, minute: str | None, *, later: bool) -> time:
    """Return a time of a twelve-hour clock. Raises ValueError if it has no such hour."""
    if not 1 <= hour <= 12:
        raise ValueError("no hour of a half day")
    return time(hour % 12 + (12 if later else 0), int(minute or 0))


def _read_chinese(match: re.Match[str]) -> time:
    hour = read_chinese_number(match["hour"])
    if match["part"] in _AFTERNOON and hour < 12:
        hour += 12
    if match["part"] == "中午" and hour < 3:
        hour += 12
    if match["half"]:
        return time(hour, 30)
    if match["quarter"]:
        return time(hour, 15 * read_chinese_number(match["quarter"]))
    minute = match["colon"] or match["minute"]
    return time(hour, read_chinese_number(minute) if minute else 0)


def join_times(text: str, days: list[Placed], setting: Setting, *, chinese: bool) -> list[Placed]:
    """Join each time of day to the day beside it; a lone one is read as the next of its kind, undated."""
    placed, facing = list(days), replace(setting, tense=guess_tense(text))
    for span, moment, alone in find_times(text, chinese=chinese):
        if any(span[0] < end and start < span[1] for (start, end), _ in placed):
            continue
        beside = _find_beside(text, placed, span)
        if beside is not None:
            day_span, day = placed[beside]
            evening = moment.hour < 12 and _EVENING.search(text[slice(*day_span)])
            later = moment.replace(hour=moment.hour + 12) if evening else moment
            joined = read_instant(datetime.combine(day.start.date(), later))
            placed[beside] = ((min(day_span[0], span[0]), max(day_span[1], span[1])), joined)
        elif alone:
            # 三点 may be either half of the day: only the day is supposed, and that is the clock's.
            placed.append((span, _next_of_kind(moment, replace(facing, tense="past") if chinese else facing)))
    return sorted(placed, key=lambda item: item[0])


def _find_beside(text: str, placed: list[Placed], span: tuple[int, int]) -> int | None:
    """Return the index of the day that stands right before or after the time, if one does."""
    for index, ((start, end), reading) in enumerate(placed):
        if reading.resolution != "day":
            continue
        gap = text[end : span[0]] if end <= span[0] else text[span[1] : start]
        if len(gap) <= _NEAR and _GAP.fullmatch(gap):
            return index
    return None


def _next_of_kind(moment: time, setting: Setting) -> Reading:
    start = datetime.combine(setting.today, moment)
    if start < setting.now and setting.tense != "past":
        start += timedelta(days=1)
    return Reading(start=start, end=start, resolution="instant", dated=False)
