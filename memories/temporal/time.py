"""Find the times a text speaks of, resolved against the clock of its capture (SPEC W-02)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memories.temporal import chinese, english
from memories.temporal.clock_times import join_times
from memories.temporal.counted import read_counted
from memories.temporal.cues import guess_tense, speaks_chinese, speaks_english
from memories.temporal.english import shift_days
from memories.temporal.footholds import mark_footholds
from memories.temporal.grammar import gaps, read
from memories.temporal.mention import Placed, Reading, Setting, TimeMention
from memories.temporal.ranges import join_ranges
from memories.temporal.recognition import Language, recognise
from security.patterns import bounded

_MORE_ENGLISH: Final = bounded(
    r"\b(?:week|month|year|quarter|decade|weekend|day|century)s?\s(?:of|from|after|before|starting)\s"
    r"|\b(?:first|second|third|last|next|past|previous|coming|end|beginning|start|middle|mid|early|late"
    r"|earlier|later)\s"
    r"(?:\w+\s){0,2}(?:week|month|year|quarter|decade|weekend|century)s?\b"
    r"|\bbetween\s(?:\w+\s){0,3}\u00b7|\bof\s\u00b7|\u00b7\s(?:to|until|till|through|-)\s|\bago\b"
    r"|\bfrom\snow\b(?!\son\b)|\bfortnight\b"
    r"|\bthe\s(?:\w+th|\d*(?:1st|2nd|3rd)|first|second|third)\sof\b|\b(?:twenty|thirty)[\s-]\w+"
    r"|\b\w+teen\s\w+\s\w+ty\b"
    r"|\b[12]\d\d0s\b|\bQ[1-4]\b|\bquarter\b",
    re.IGNORECASE,
)
_MORE_CHINESE: Final = bounded(
    r"(?<!\d)\d\d\s?年|[上下本这這前后後頭头]\s?[\d一二三四五六七八九十两兩]+\s?[个個]?(?:年|月|周|週|天|日"
    r"|星期)"
    r"|[第末][一二三四1234]?[个個]?(?:季|周|週|星期|月)|世纪|世紀|年代|季度"
)
_MOST_TEXT: Final = 400
"""The recogniser reads sentences up to this many characters; longer ones are left to our own grammar."""
_MOST_ASKED: Final = 8
"""How many sentences of a piece the recogniser is asked about, at some 10 ms each."""
_THOROUGH: Final = 8_000
"""Beyond this many characters only our own grammar reads: what is so long is a document, not a message."""
_MOST_MENTIONS: Final = 500
"""A text with so many mentions is a table or a trick; what follows stays as it is."""
_PIECE: Final = 2_000
"""Characters of a long text that are read at a time."""

_NUMERIC: Final = bounded(r"\d[-/.]\d\d?[-/.]\d|(?<!\d)\d\d?\s\d\d?\s(?:19|20)\d\d")
_SENTENCE_END: Final = bounded(r"[\n。！？]|[.!?](?=\s)")
_SENTENCES: Final = bounded(r"[^\n!?。！？]+")


def resolve_times(
    text: str, *, clock: datetime, zone: ZoneInfo, thorough: bool = True
) -> tuple[TimeMention, ...]:
    """
    Return the mentions of time in a folded text, in order of place, without overlaps.

    clock: the aware moment of capture; zone: the zone its words are meant in. English and Chinese; a text
    without signs of time costs some microseconds. What cannot be resolved («a few days ago», «every
    Monday», «the next day» of a story) is no mention.
    thorough: ask the recogniser, at some 20 ms a sentence, about what our own grammar leaves; off where texts
    are compared that were normalised before. Raises ValueError if the clock has no zone.
    """
    if clock.tzinfo is None:
        raise ValueError("the clock needs a zone")
    setting = Setting(now=clock.astimezone(zone).replace(tzinfo=None), zone=zone)
    placed: list[Placed] = []
    for offset, piece in _pieces(text):
        found = _read_piece(piece, setting, thorough=thorough and offset < _THOROUGH)
        placed += [((start + offset, end + offset), reading) for (start, end), reading in found]
        if len(placed) >= _MOST_MENTIONS:
            break
    return tuple(_mention(text, span, reading, clock, zone) for span, reading in placed)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Cut a long text at line or sentence ends, so that the work grows with its length and no faster."""
    start = 0
    while len(text) - start > _PIECE:
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start + _PIECE // 2, start + _PIECE)]
        end = ends[-1] if ends else start + _PIECE
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _read_piece(text: str, setting: Setting, *, thorough: bool) -> list[Placed]:
    """Read a piece in the languages it has signs of."""
    chinese_too = speaks_chinese(text)
    placed = _find(text, "zh", setting, thorough=thorough) if chinese_too else []
    if speaks_english(text) or (not chinese_too and _NUMERIC.search(text)):
        placed = _united(placed, _find(text, "en", setting, thorough=thorough))
    return placed


def _find(text: str, language: Language, setting: Setting, *, thorough: bool) -> list[Placed]:
    """Read a piece in one language; what is only part of a phrase that nobody understands dates nothing."""
    placed = _read_all(text, language, setting, thorough=thorough)
    return mark_footholds(text, placed, chinese=language == "zh")


def _read_all(text: str, language: Language, setting: Setting, *, thorough: bool) -> list[Placed]:
    own = english if language == "en" else chinese
    placed = read(text, own.GRAMMAR, setting)
    if language == "en":
        placed = shift_days(text, placed, setting)
    placed = read_counted(text, placed, replace(setting, tense=guess_tense(text)))
    placed = join_ranges(text, join_times(text, placed, setting, chinese=language == "zh"), setting)
    if not thorough:
        return placed
    more = _MORE_ENGLISH if language == "en" else _MORE_CHINESE
    asked = 0
    for sentence in _SENTENCES.finditer(text):
        inside = [item for item in placed if sentence.start() <= item[0][0] < sentence.end()]
        if len(sentence[0]) > _MOST_TEXT or asked == _MOST_ASKED or not more.search(_rest(sentence, inside)):
            continue
        asked += 1
        shift = sentence.start()
        found = recognise(sentence[0], language, setting)
        placed = _united(placed, [((a + shift, b + shift), reading) for (a, b), reading in found])
    return placed


def _rest(sentence: re.Match[str], inside: list[Placed]) -> str:
    """Return the sentence with what is read already blotted out, so that only signs of more are seen."""
    shift = sentence.start()
    return " \u00b7 ".join(gaps(sentence[0], [((a - shift, b - shift), r) for (a, b), r in inside]))


def _united(own: list[Placed], others: list[Placed]) -> list[Placed]:
    """Add what others read: where both speak, one that goes beyond ours on the same words replaces it."""
    result = list(own)
    for span, reading in others:
        touched = [item for item in result if span[0] < item[0][1] and item[0][0] < span[1]]
        beyond = all(span[0] <= a and b <= span[1] and (a, b) != span for (a, b), _ in touched)
        if beyond:
            result = [item for item in result if item not in touched]
            result.append((span, reading))
    return sorted(result, key=lambda item: item[0])


def _mention(
    text: str, span: tuple[int, int], reading: Reading, clock: datetime, zone: ZoneInfo
) -> TimeMention:
    start, end = reading.start.replace(tzinfo=zone), reading.end.replace(tzinfo=zone)
    return TimeMention(
        text=text[slice(*span)],
        span=span,
        start=start,
        end=end,
        resolution=reading.resolution,
        past=end <= clock,
        dated=reading.dated,
    )
