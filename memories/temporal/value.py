"""
The canonical form of a state's value: equal meaning, equal string (SPEC W-03: normalise before comparing).
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memories.language import fold
from memories.quantities import (
    BARE_FIGURES,
    WORDS,
    DurationMention,
    Quantity,
    find_durations,
    find_money,
    find_proportions,
    read_amount,
    scale_of,
    write_amount,
)
from memories.temporal.mention import TimeMention
from memories.temporal.time import resolve_times
from security.patterns import bounded

_MOST_ROUNDS: Final = 8
"""One round is enough for all but made-up texts; dropping a word can make its neighbours mean something."""
_MOST_TEXT: Final = 1_000
"""A value longer than this is prose: it is folded and cased, but its parts are not read."""

_SIGNS: Final = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "，": ",",
    "。": ".",
     "；": ";", "：": ":", "！": "!", "？": "?", "（": "(", "）": ")", "、": ",", "～": "~"}
)  # fmt: skip
_ARTICLE: Final = bounded(
    r"(?<![\w'-])(?:(?P<before>\w+)\s)?(?P<article>the|an?)\s(?=[^\W\d_])", re.IGNORECASE
)
_LETTERED: Final = frozenset(
    "plan option vitamin grade class team group type section version building block hepatitis part appendix"  # noqa: SIM905
    " level gate terminal hall room model series".split()
)
"""Behind these «A» is a name: plan A is not plan B."""
_BYTES: Final = bounded(
    r"(?<=\d)(?P<gap>\s?)(?P<unit>[kKMGTP]i?[bB](?:ps|/s)?|[mM]W[hH]?|[kKG]W[hH]?)(?![^\W_])"
)
_NUMBER: Final = bounded(
    rf"(?<![A-Za-z0-9_.,/:+-])(?P<figures>{BARE_FIGURES})(?:\s(?P<scale>thousand|million|billion)\b|"
    rf"(?![A-Za-z0-9_:-]))|(?P<words>{WORDS})",
    re.IGNORECASE,
)
_RATE: Final = bounded(
    r"\s?(?:/|\b(?:per|an?|each|every)\s)\s?(?P<unit>hour|day|week|month|quarter|year)\b", re.IGNORECASE
)
_PERCENT: Final = bounded(r"(?<=\d)\s?(?:%|percent\b|per\scent\b|pct\b)", re.IGNORECASE)
_CJK_GAP: Final = bounded(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_EDGE: Final = " \t.,;:!?…\"'`"


def normalise_value(text: str, *, clock: datetime, zone: ZoneInfo) -> str:
    """
    Return the form in which two values are compared: the same for the same meaning, never for another amount.

    Width, case, articles, blanks and trailing signs are folded; times become absolute («next Friday» by the
    clock, in the zone), sums «1200 USD», lengths of time ISO 8601, proportions decimals, number words
    figures.
    What is done is done: a canonical form stays as it is. Raises ValueError if the clock has no zone, for no
    text.
    """
    value = _clean(text)
    for _ in range(_MOST_ROUNDS):
        before, value = value, _settle(value, clock, zone)
        if value == before:
            break
    return value


def _settle(value: str, clock: datetime, zone: ZoneInfo) -> str:
    read = _read_parts(value, clock, zone) if len(value) <= _MOST_TEXT else value
    return _clean(_drop_articles(_casefold(read)))


def _clean(text: str) -> str:
    """Fold width, signs and blanks, and cut what a sentence ends with."""
    plain = unicodedata.normalize("NFC", fold(text)).translate(_SIGNS)
    blanks = _CJK_GAP.sub("", " ".join(plain.split()))
    return blanks.strip(_EDGE)


def _read_parts(text: str, clock: datetime, zone: ZoneInfo) -> str:
    """Replace times, then quantities, then plain numbers by their canonical forms."""
    times = resolve_times(text, clock=clock, zone=zone)
    parts = [(mention.span, write_time(mention)) for mention in times]
    # Of a place that two kinds claim, the former is read: «half an hour» is no half.
    quantities: tuple[Quantity | DurationMention, ...] = (
        *find_money(text), *find_durations(text), *find_proportions(text),
    )  # fmt: skip
    for quantity in quantities:
        rate = _RATE.match(text, quantity.span[1])
        span = (quantity.span[0], rate.end() if rate else quantity.span[1])
        if _is_free(quantity.span, parts) and _is_free(span, parts):
            parts.append((span, f"{quantity.canonical} per {rate['unit']}" if rate else quantity.canonical))
    for match in _NUMBER.finditer(text):
        if _is_free(match.span(), parts):
            parts.append((match.span(), _write_number(match)))
    pieces: list[str] = []
    end = 0
    for span, canonical in sorted(parts):
        pieces += (text[end : span[0]], canonical)
        end = span[1]
    return _PERCENT.sub("%", "".join((*pieces, text[end:])))


def _is_free(span: tuple[int, int], parts: Sequence[tuple[tuple[int, int], str]]) -> bool:
    return all(span[1] <= start or end <= span[0] for (start, end), _ in parts)


def _write_number(match: re.Match[str]) -> str:
    """Write a number in figures; its decimals stay, for 1.10 may be a version."""
    if match["scale"]:
        return write_amount(read_amount(match["figures"]) * scale_of(match["scale"]))
    figures = match["figures"]
    return figures.replace(",", "") if figures else write_amount(read_amount(match["words"]))


def write_time(mention: TimeMention) -> str:
    """Write what a mention means: a day, a point in time, a time of day, or a period with its last day."""
    if mention.resolution == "day":
        return mention.start.date().isoformat()
    if not mention.dated and mention.start == mention.end:
        return mention.start.strftime("%H:%M")
    if mention.start == mention.end:
        return mention.start.strftime("%Y-%m-%d %H:%M")
    midnight = not any((*mention.start.timetuple()[3:6], *mention.end.timetuple()[3:6]))
    if midnight:
        last = mention.end - timedelta(days=1)
        return f"{mention.start.date().isoformat()} to {last.date().isoformat()}"
    return f"{mention.start:%Y-%m-%d %H:%M} to {mention.end:%Y-%m-%d %H:%M}"


def _casefold(text: str) -> str:
    """Fold case, but for units in which case tells bits from bytes and milli from mega."""
    pieces: list[str] = []
    end = 0
    for match in _BYTES.finditer(text):
        pieces += (text[end : match.start()].casefold(), match["unit"])
        end = match.end()
    return "".join((*pieces, text[end:].casefold()))


def _drop_articles(text: str) -> str:
    return _ARTICLE.sub(_drop_article, text)


def _drop_article(match: re.Match[str]) -> str:
    before = match["before"]
    if before is None:
        return ""
    return match[0] if before.lower() in _LETTERED else before + " "
