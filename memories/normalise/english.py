"""
English words of time: the commonest forms, by a grammar of our own.

The recogniser (`recognise.py`) knows many more, but takes some 10 ms a text, reads «last Friday» as that of
last week, leaves «last summer» alone, and finds days in «the day». What stands here is read here first.
"""

from typing import Final

from memories.normalise.english_displaced import DISPLACED
from memories.normalise.english_periods import PERIODS
from memories.normalise.english_readers import (
    read_after_next,
    read_ago,
    read_ahead,
    read_day_of_month,
    read_day_of_that_month,
    read_days,
    read_feast,
    read_feast_of_year,
    read_feast_weekend,
    read_lone_month,
    read_long,
    read_modified_month,
    read_modified_weekday,
    read_month_day,
    read_month_year,
    read_months,
    read_near_day,
    read_night,
    read_ordinal_days,
    read_part_of_today,
    read_quarter,
    read_rolling,
    read_season,
    read_short_year,
    read_spelled_day,
    read_week,
    read_weekday,
    read_weekday_and_day,
    read_weekday_of_week,
    read_weekdays_away,
    read_weekend,
    read_weekends_ago,
    read_whole_month,
    read_whole_year,
    read_years,
    read_years_between,
)
from memories.normalise.english_words import (
    DAY,
    FEASTS,
    FRAGMENTS,
    LAST_OR_NEXT,
    MONTH,
    NUMBER,
    UNIT,
    WEEKDAY,
    WEEKDAY_FORMS,
    WEEKDAY_IN_FULL,
    YEAR,
)
from memories.normalise.grammar import Rule, rules
from memories.normalise.numeric import NUMERIC

_FIRST: Final = DAY.replace("P<day>", "P<first>")
_MONTHS: Final = MONTH.removesuffix(r")\b").replace("(?P<month>", "")
_TO: Final = r"(?:-|–|—|~|\bto\b|\buntil\b|\btill?\b|\bthrough\b|\bthru\b|\band\b)\s?(?:the\b)?"

GRAMMAR: Final[tuple[Rule, ...]] = (
    *NUMERIC,
    *PERIODS,
    *DISPLACED,
    *rules(
        (rf"\b(?:the\s)?(?P<feast>{FEASTS})\s(?:(?P<year>(?:19|20)\d\d)\s)?week-?end\b", read_feast_weekend),
        (rf"\b(?P<feast>{FEASTS}),?\s(?:of\s|in\s)?{LAST_OR_NEXT}\syear\b", read_feast_of_year),
        (rf"\b(?P<which>last|this|next)\s(?P<feast>{FEASTS})\b(?P<year>)", read_feast),
        (
            r"(?:^|(?<=[.!?]\s)|\b(?:on|by|before|after|since|until|till|for)\s)(?P<say>"
            rf"(?P<feast>{FEASTS})\b(?:,?\s(?:of\s|in\s)?{YEAR})?)(?P<which>)",
            read_feast,
        ),
        (rf"\b(?P<feast>{FEASTS}),?\s(?:of\s|in\s)?{YEAR}(?P<which>)", read_feast),
        (
            rf"(?<![:.])\b{_FIRST}\s?{_TO}\s?{DAY}(?:\sof)?[\s/-]{MONTH}(?:\.(?=,?\s?\d))?(?:,?[\s/-]"
            rf"(?:of\s)?{YEAR})?",
            read_days,
        ),
        (
            rf"\b{MONTH}(?:\.(?=,?\s?\d))?\s(?:the\s)?{_FIRST}\s?{_TO}\s?{DAY}(?!\s?(?:%|[ap]m\b|[:.]\d"
            rf"|[a-z]+\s\d{{4}}))(?:,?[\s/-](?:of\s)?{YEAR})?",
            read_days,
        ),
        (
            r"(?<![\w./-])(?:(?:between|from|in|during)\s)?(?P<first>(?:19|20)\d\d)\s?(?:-|–|—|~|\bto\b"
            r"|\buntil\b|\btill\b|\bthrough\b|\band\b)\s?"
            r"(?P<last>(?:19|20)\d\d)(?![\w/-]|[.:]\d)",
            read_years_between,
        ),
        (
            rf"\b(?:{WEEKDAY_FORMS}),?\s(?:the\s)?{DAY}(?:\sof)?[\s/-]{MONTH}(?:\.(?=,?\s?\d))?(?:,?[\s/-]"
            rf"(?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b(?:{WEEKDAY_FORMS}),?\s{MONTH}(?:\.(?=,?\s?\d))?\s(?:the\s)?{DAY}(?:,?[\s/-]"
            rf"(?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b(?:(?P<lead>from|between)\s)?(?P<first>{_MONTHS})\.?\s?{_TO}\s?{MONTH}(?!\s?\d{{1,2}}\b"
            rf"(?!\d))(?:\.?,?\s(?:of\s)?{YEAR})?",
            read_months,
        ),
        (
            rf"\b(?P<day>(?:twenty|thirty)[\s-]?\w+|\w+teen|ten|eleven|twelve)\s(?:of\s)?{MONTH},?\s{YEAR}",
            read_spelled_day,
        ),
        (rf"\b{DAY}[-/]{MONTH}[-/](?P<year>\d\d(?:\d\d)?)(?![\w/-])", read_short_year),
        (rf"(?<![\w-])(?P<year>(?:19|20)\d\d)[-/\s]{MONTH}[-/\s]{DAY}", read_short_year),
        (
            rf"(?<![:.])\b(?:the\s)?{DAY}(?:\sday)?(?:\sof)?[\s/-]{MONTH}(?:\.(?=,?\s?\d))?(?:,?[\s/-]"
            rf"(?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (
            rf"\b{MONTH}(?:\.(?=,?\s?\d))?[\s/-](?:the\s)?{DAY}(?!\s?(?:%|[ap]m\b|[:.]\d))(?:,?[\s/-]"
            rf"(?:of\s)?{YEAR})?",
            read_month_day,
        ),
        (rf"\b{MONTH}(?:\.(?=,?\s?\d))?(?:,|\sof)?[\s-]{YEAR}", read_month_year),
        (
            r"\bthe\sday\s(?:before\syesterday|after\stomorrow)\b|\b(?:yesterday|(?<!ago\s)today|tomorrow)\b",
            read_near_day,
        ),
        (r"\b(?:last\snight|tonight|tonite)\b", read_night),
        (r"\bthis\s(?P<part>morning|afternoon|evening)\b", read_part_of_today),
        (rf"\b(?:the\s)?{DAY}\sof\s(?:the\s)?{LAST_OR_NEXT}\smonth\b", read_day_of_that_month),
        (
            rf"\b{WEEKDAY},?\s(?:the\s)?(?P<day>\d{{1,2}}(?:st|nd|rd|th))\b(?!\s(?:of\s)?(?:{_MONTHS})\b)",
            read_weekday_and_day,
        ),
        (rf"\b{WEEKDAY}(?:,|\sof|\sin)?\s{LAST_OR_NEXT}\sweek\b", read_weekday_of_week),
        (rf"\b{LAST_OR_NEXT}\sweek(?:,|\son|\s-)?\s{WEEKDAY}", read_weekday_of_week),
        (rf"\b(?:the\s)?{LAST_OR_NEXT}\s{NUMBER}\s{UNIT}(?!\s(?:of|ago)\b)", read_rolling),
        (
            r"(?<![\w:.,/-])(?:the\s)?(?P<number>two|three|four|five|six|ten|\d{1,2})\s(?P<which>last|past"
            r"|next|coming|upcoming)\s"
            r"(?P<unit>days|weeks|months|quarters|years|hours)\b",
            read_rolling,
        ),
        (
            r"\bthe\s(?P<which>last|past|next|coming)\s(?P<unit>week|month|year|24\shours)\b(?!\sof\b|')",
            read_rolling,
        ),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{WEEKDAY}", read_modified_weekday),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\sweek\b(?!\sof\b|-end)", read_week),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\sweek-?end\b", read_weekend),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\smonth\b(?!\sof\b)", read_whole_month),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s(?:quarter|qtr)\b(?!\sof\b)", read_quarter),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\sye?a?r\b(?!\sof\b)", read_whole_year),
        (rf"\b(?:the\s)?{LAST_OR_NEXT}\s(?P<long>decade|century)\b(?!\sof\b)", read_long),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s(?P<season>spring|summer|autumn|fall|winter)\b", read_season),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{MONTH}", read_modified_month),
        (rf"(?<!and\s)\b{NUMBER}\sweekends\sago\b", read_weekends_ago),
        (rf"\b{NUMBER}\s(?P<weekday>{WEEKDAY_FORMS})s\s(?P<side>hence|ago|from\snow)\b", read_weekdays_away),
        (rf"\b(?:the\s)?{WEEKDAY}(?P<unit>)\safter\snext\b", read_after_next),
        (r"\b(?:the\s)?(?P<weekday>)(?P<unit>week|weekend|month|year)\safter\snext\b", read_after_next),
        (rf"\b(?P<day>0?[1-9]|[12]\d|3[01]){MONTH}(?:,?[\s/-]?{YEAR})?", read_month_day),
        (rf"(?<!and\s)(?<!half\s)\b{NUMBER}\s{UNIT}\sago\b(?:\stoday\b)?", read_ago),
        (
            rf"\bin\s(?:about\s)?{NUMBER}\s{UNIT}(?:'?s?'?\stime)?(?!\s(?:of|ago|or|before|after|old"
            r"|from)\b)",
            read_ahead,
        ),
        (
            rf"(?<!and\s)(?<!half\s)(?<!for\s)\b{NUMBER}\s{UNIT}\s(?:from\s(?:now(?!\son\b)|today)|hence)\b",
            read_ahead,
        ),
        (
            r"\b(?:in|since|until|till|by|during|of|for|from|before|after|through|to|early|late|mid)[\s-]"
            rf"(?P<say>{MONTH})(?!\s\d|')",
            read_lone_month,
        ),
        (
            r"\bfrom\s(?P<say>the\s(?P<first>\d{1,2}(?:st|nd|rd|th))\s(?:to|until|till|through)\s(?:the\s)?"
            r"(?P<day>\d{1,2}(?:st|nd|rd|th)))\b(?!\s(?:of\s)?[a-z]*\d|\sof\b)",
            read_ordinal_days,
        ),
        (
            r"\b(?:on|by|since|until|before|after)\s(?P<say>(?:the\s)?(?P<day>\d{1,2}(?:st|nd|rd|th)))(?=\s*"
            r"(?:[.,;!?)]|$|at\b|and\b|for\b))",
            read_day_of_month,
        ),
        (rf"\b(?:on|by|until|till|since|before|after|from|for)\s(?P<say>{WEEKDAY})(?!s\b)", read_weekday),
        (rf"(?<!every\s)(?<!each\s)(?<!every\sother\s)(?<!on\sa\s)(?<!-)\b{WEEKDAY_IN_FULL}", read_weekday),
        (
            r"(?<!every\s)(?<!each\s)(?<!every\sother\s)\b(?P<weekday>(?-i:Mon|Tues?|Wed|Thurs?|Fri))\b(?!-)",
            read_weekday,
        ),
        (
            r"\b(?:in|since|during|until|till|by|from|before|after|between|than|(?<!new\s)year|of|back\sin)\s"
            rf"(?P<say>{YEAR})",
            read_years,
        ),
        fragments=FRAGMENTS,
    ),
)
"""English forms, the more telling first."""
