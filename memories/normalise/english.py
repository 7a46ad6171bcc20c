"""
English words of time: the commonest forms, by a grammar of our own.

The recogniser (`recognise.py`) knows many more, but takes some 10 ms a text, reads «last Friday» as that of
last week, leaves «last summer» alone, and finds days in «the day». What stands here is read here first.
"""

import re
from dataclasses import replace
from typing import Final

from memories.normalise.english_readers import (
    read_ago,
    read_ahead,
    read_day_of_month,
    read_day_of_that_month,
    read_feast,
    read_lone_month,
    read_modified_month,
    read_modified_weekday,
    read_month_day,
    read_month_year,
    read_near_day,
    read_night,
    read_nth_weekday,
    read_part_of_today,
    read_quarter,
    read_rolling,
    read_season,
    read_week,
    read_weekday,
    read_weekday_of_week,
    read_weekend,
    read_weekends_ago,
    read_whole_month,
    read_whole_year,
    read_years,
)
from memories.normalise.english_words import (
    DAY,
    FEASTS,
    LAST_OR_NEXT,
    MONTH,
    NUMBER,
    UNIT,
    WEEKDAY,
    WEEKDAY_FORMS,
    WEEKDAY_IN_FULL,
    YEAR,
    shift_from,
)
from memories.normalise.grammar import Placed, Rule, rules
from memories.normalise.mention import Reading, Setting, read_day
from memories.normalise.numbers import read_english_number
from memories.normalise.numeric import NUMERIC, read_numeric

GRAMMAR: Final[tuple[Rule, ...]] = (
    *NUMERIC,
    *rules(
        (
            rf"\b(?:{WEEKDAY_FORMS}),?\s(?:the\s)?{DAY}(?:\sof)?[\s/-]{MONTH}(?:\.(?=,?\s?\d))?(?:,?[\s/-](?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b(?:{WEEKDAY_FORMS}),?\s{MONTH}(?:\.(?=,?\s?\d))?\s(?:the\s)?{DAY}(?:,?[\s/-](?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b(?:the\s)?{DAY}(?:\sof)?[\s/-]{MONTH}(?:\.(?=,?\s?\d))?(?:,?[\s/-](?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b{MONTH}(?:\.(?=,?\s?\d))?[\s/-](?:the\s)?{DAY}(?!\s?(?:%|[ap]m\b|[:.]\d))(?:,?[\s/-](?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (rf"\b{MONTH}(?:\.(?=,?\s?\d))?(?:,|\sof)?[\s-]{YEAR}", read_month_year),
        (
            r"\bthe\sday\s(?:before\syesterday|after\stomorrow)\b|\b(?:yesterday|today|tomorrow)\b",
            read_near_day,
        ),
        (r"\b(?:last\snight|tonight)\b", read_night),
        (r"\bthis\s(?P<part>morning|afternoon|evening)\b", read_part_of_today),
        (
            rf"\b(?:the\s)?(?P<nth>first|second|third|fourth|last)\s{WEEKDAY}\s(?:of|in)\s"
            rf"(?:(?:the\s)?{LAST_OR_NEXT}\smonth|{MONTH}(?:,?\s{YEAR})?)",
            read_nth_weekday,
        ),
        (rf"\b(?:the\s)?{DAY}\sof\s(?:the\s)?{LAST_OR_NEXT}\smonth\b", read_day_of_that_month),
        (rf"\b{WEEKDAY}(?:,|\sof|\sin)?\s{LAST_OR_NEXT}\sweek\b", read_weekday_of_week),
        (rf"\b{LAST_OR_NEXT}\sweek(?:,|\son|\s-)?\s{WEEKDAY}", read_weekday_of_week),
        (rf"\b(?:the\s)?{LAST_OR_NEXT}\s{NUMBER}\s{UNIT}(?!\s(?:of|ago)\b)", read_rolling),
        (
            r"\bthe\s(?P<which>last|past|next|coming)\s(?P<unit>week|month|year|24\shours)\b(?!\sof\b|')",
            read_rolling,
        ),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{WEEKDAY}", read_modified_weekday),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\sweek\b(?!\sof\b)", read_week),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\sweekend\b", read_weekend),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\smonth\b(?!\sof\b)", read_whole_month),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\squarter\b(?!\sof\b)", read_quarter),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\syear\b(?!\sof\b)", read_whole_year),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s(?P<season>spring|summer|autumn|fall|winter)\b", read_season),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{MONTH}", read_modified_month),
        (rf"(?<!and\s)\b{NUMBER}\sweekends\sago\b", read_weekends_ago),
        (rf"(?<!and\s)(?<!half\s)\b{NUMBER}\s{UNIT}\sago\b", read_ago),
        (
            rf"\bin\s(?:about\s)?{NUMBER}\s{UNIT}(?:'?s?'?\stime)?(?!\s(?:of|ago|or|before|after|old|from)\b)",
            read_ahead,
        ),
        (rf"(?<!and\s)(?<!half\s)\b{NUMBER}\s{UNIT}\s(?:from\s(?:now|today)|hence)\b", read_ahead),
        (rf"\b(?P<which>last|this|next)\s(?P<feast>{FEASTS})\b(?P<year>)", read_feast),
        (
            rf"(?:^|(?<=[.!?]\s)|\b(?:on|by|before|after|since|until|till|for)\s)(?P<say>(?P<feast>{FEASTS})\b(?:,?\s{YEAR})?)(?P<which>)",
            read_feast,
        ),
        (rf"\b(?P<feast>{FEASTS}),?\s(?:of\s|in\s)?{YEAR}(?P<which>)", read_feast),
        (
            rf"\b(?:on|by|before|after|until|since|due|from|{WEEKDAY_FORMS}),?\s"
            r"(?P<say>(?P<first>\d{1,2})(?P<dot>/)(?P<second>\d{1,2}))(?P<year>)(?![\w/]|\.\d)",
            read_numeric,
        ),
        (
            rf"\b(?:in|since|until|till|by|during|of|for|from|before|after|through|to|early|late|mid)[\s-](?P<say>{MONTH})(?!\s\d|')",
            read_lone_month,
        ),
        (
            r"\b(?:on|by|since|until|before|after)\s(?P<say>the\s(?P<day>\d{1,2}(?:st|nd|rd|th)))(?=\s*(?:[.,;!?)]|$|at\b|and\b|for\b))",
            read_day_of_month,
        ),
        (rf"\b(?:on|by|until|till|since|before|after|from|for)\s(?P<say>{WEEKDAY})(?!s\b)", read_weekday),
        (rf"(?<!every\s)(?<!each\s)(?<!on\sa\s)\b{WEEKDAY_IN_FULL}", read_weekday),
        (
            rf"\b(?:in|since|during|until|till|by|from|before|after|year|of|back\sin)\s(?P<say>{YEAR})",
            read_years,
        ),
    ),
)
"""English forms, the more telling first."""

_OFFSET: Final = re.compile(
    rf"\b{NUMBER}\s(?P<unit>days?|weeks?|months?|years?)\s(?P<side>before|after|from)\s(?:the\s)?$",
    re.IGNORECASE,
)


def shift_days(text: str, placed: list[Placed], setting: Setting) -> list[Placed]:
    """Move each day that something is counted from, as in «two weeks after Easter»."""
    return [_shift_day(text, span, reading, setting) for span, reading in placed]


def _shift_day(text: str, span: tuple[int, int], reading: Reading, setting: Setting) -> Placed:
    offset = _OFFSET.search(text[max(0, span[0] - 40) : span[0]])
    if offset is None or reading.resolution != "day":
        return span, reading
    number = read_english_number(offset["number"]) * (-1 if offset["side"].lower() == "before" else 1)
    there = replace(setting, now=reading.start)
    return (span[0] - len(offset[0]), span[1]), read_day(
        shift_from(there, number, offset["unit"]).start.date()
    )
