"""
Periods of English, and places inside them: the end of March, the first half of 2026, the third Monday of next
month, Q2, the nineties, the week of the 18th.
"""

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memories.normalise.english_words import (
    MONTH,
    SEASONS,
    WEEKDAY,
    YEAR,
    month_of,
    read_ordinal,
    read_year_words,
    weekday_of,
)
from memories.normalise.grammar import Rule, rules
from memories.normalise.mention import (
    Reading,
    Setting,
    monday_of,
    nearest_day_of_month,
    nearest_month,
    read_day,
    read_range,
    shift_months,
    tell_days,
)
from memories.normalise.numbers import read_english_number
from security.patterns import bounded

_UNIT: Final = r"(?P<punit>week|month|quarter|qtr|year|yr|decade|century)"
_PERIOD: Final = (
    rf"(?:(?:the\s)?(?P<pwhich>last|past|previous|next|coming|this|current|the)\s{_UNIT}\b(?!'s\s)"
    rf"|{MONTH}\.?(?:,?\s(?:of\s)?{YEAR})?|(?:the\syear\s)?{YEAR.replace('P<year>', 'P<pyear>')})"
)
_NTH: Final = (
    r"(?P<nth>first|second|third|fourth|fifth|last|final|(?:second|third|fourth|fifth|2nd|3rd|4th|5th)[\s-]"
    r"(?:to[\s-])?last|1st|2nd|3rd|4th|5th)"
)
_PART: Final = r"(?P<part>beginning|start|early|middle|mid|late|later|earlier|end|close)"
_STEPS: Final = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}
_DECADES: Final = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
"seventies": 70,
                   "eighties": 80, "nineties": 90}  # fmt: skip
_COUNTS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def unit_of(day: date, unit: str, step: int) -> tuple[date, date]:
    """Return the calendar week, month, quarter, year, decade or century of a day, or one some steps away."""
    if unit == "week":
        first = monday_of(day) + timedelta(weeks=step)
        return first, first + timedelta(weeks=1)
    months = {"month": 1, "quarter": 3, "qtr": 3, "year": 12, "yr": 12, "decade": 120, "century": 1200}[unit]
    index = day.year * 12 + day.month - 1
    first = _month_at((index // months + step) * months)
    return first, shift_months(first, months)


def _month_at(index: int) -> date:
    year, month = divmod(index, 12)
    return date(year, month + 1, 1)


def _period(match: re.Match[str], setting: Setting) -> tuple[date, date]:
    """Return the days of the period a match names."""
    if match["punit"]:
        return unit_of(setting.today, match["punit"].lower(), _STEPS.get(match["pwhich"].lower(), 0))
    if match["pyear"]:
        return unit_of(date(read_year_words(match["pyear"]), 1, 1), "year", 0)
    if match["year"]:
        first = date(read_year_words(match["year"]), month_of(match), 1)
    else:
        first = nearest_month(month_of(match), setting)
    return first, shift_months(first, 1)


def _ordinal(said: str) -> int:
    """Return the place of an ordinal, negative when counted from the end."""
    words = bounded(r"[\s-]+").split(said.lower())
    if words[-1] in ("last", "final"):
        return -1 if len(words) == 1 else -read_ordinal(words[0])
    return read_ordinal(words[0])


def _told(first: date, after: date) -> Reading:
    return read_range(first, after, tell_days(first, after, " to "))


def _read_nth(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «the third Monday of October», «the last day of next month», «the first week of 2027»."""
    (first, after), nth = _period(match, setting), _ordinal(match["nth"])
    if match["weekday"] or match["inner"] == "day":
        step = 7 if match["weekday"] else 1
        if nth > 0:
            skip = (weekday_of(match) - first.weekday()) % 7 if match["weekday"] else 0
            day = first + timedelta(days=skip + step * (nth - 1))
        else:
            back = (after - timedelta(days=1)).weekday() - weekday_of(match) if match["weekday"] else 0
            day = after - timedelta(days=1 + back % 7 + step * (-nth - 1))
        return read_day(day) if first <= day < after else None
    return _read_nth_unit(first, after, nth, match["inner"].lower())


def _read_nth_unit(first: date, after: date, nth: int, unit: str) -> Reading | None:
    """Read the nth week (the one with most of its days inside), weekend, month or quarter of a period."""
    if unit[:4] == "week":
        monday = monday_of(first + timedelta(days=3)) if nth > 0 else monday_of(after - timedelta(days=4))
        monday += timedelta(weeks=nth - 1 if nth > 0 else nth + 1)
        if unit != "week":
            monday = _nth_saturday(first, after, nth) - timedelta(days=5)
            return _told(monday + timedelta(days=5), monday + timedelta(weeks=1))
        return _told(monday, monday + timedelta(weeks=1))
    months = 3 if unit == "quarter" else 1
    start = shift_months(first, months * (nth - 1)) if nth > 0 else shift_months(after, months * nth)
    return _told(start, shift_months(start, months)) if first <= start < after else None


def _nth_saturday(first: date, after: date, nth: int) -> date:
    if nth > 0:
        return first + timedelta(days=(5 - first.weekday()) % 7, weeks=nth - 1)
    last = after - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - 5) % 7, weeks=-nth - 1)


def _read_several(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the last three weeks of the year», «the first 10 days of May»."""
    first, after = _period(match, setting)
    days = read_english_number(match["number"]) * {"d": 1, "w": 7}.get(match["several"][0].lower(), 0)
    months = read_english_number(match["number"]) if match["several"][0].lower() == "m" else 0
    if match["end"].lower() == "first":
        return _told(first, shift_months(first, months) + timedelta(days=days))
    return _told(shift_months(after, -months) - timedelta(days=days), after)


def _read_half(match: re.Match[str], setting: Setting) -> Reading:
    first, after = _period(match, setting)
    middle = _middle(first, after)
    return _told(first, middle) if match["half"].lower() == "first" else _told(middle, after)


def _middle(first: date, after: date) -> date:
    """Return where the second half of a period begins: with a month, if it has an even number of them."""
    months = after.year * 12 + after.month - first.year * 12 - first.month
    if first.day == 1 and months and months % 2 == 0:
        return shift_months(first, months // 2)
    return first + (after - first) / 2


def _read_rest(match: re.Match[str], setting: Setting) -> Reading | None:
    first, after = _period(match, setting)
    start = max(first, setting.today)
    return _told(start, after) if start < after else None


def _read_part(match: re.Match[str], setting: Setting) -> Reading:
    """
    Read the beginning, middle or end of a period as its first, second or last third.

    «Earlier» this month reaches to the clock's day; «later» is the second half, or what is left of it.
    """
    first, after = _period(match, setting)
    part = (match["part"] or match["adverb"]).lower()
    if part in ("earlier", "later") and first <= setting.today < after:
        return (
            _told(first, max(setting.today, first + timedelta(days=1)))
            if part == "earlier"
            else _told(max(setting.today, _middle(first, after)), after)
        )
    lower, upper = _thirds(first, after)
    if part in ("beginning", "start", "early", "earlier"):
        return _told(first, lower)
    return _told(lower, upper) if part in ("middle", "mid") else _told(upper, after)


def _read_deadline(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «by the end of next month» as the days that are left until then; what is over had its end."""
    _, after = _period(match, setting)
    if setting.tense == "past" or after <= setting.today:
        return None
    return read_range(setting.today, after, f"by {(after - timedelta(days=1)).isoformat()}")


def _thirds(first: date, after: date) -> tuple[date, date]:
    """Return where the second and the last third of a period begin; of a month, the 11th and the 21st."""
    days = (after - first).days
    if days < 8:
        return first + timedelta(days=3), after - timedelta(days=3)
    if days < 32:
        return first + timedelta(days=10), first + timedelta(days=20)
    months = after.year * 12 + after.month - first.year * 12 - first.month
    return shift_months(first, months // 3), shift_months(first, months - months // 3)


def _read_numbered(match: re.Match[str], setting: Setting) -> Reading:
    """Read Q1 2026, 2026 H2; without a year, the clock's."""
    year = int(match["year"] or match["pyear"] or setting.today.year)
    year += _STEPS.get((match["pwhich"] or "").lower(), 0)
    size = 3 if match["kind"].lower() == "q" else 6
    first = date(year, size * (int(match["n"]) - 1) + 1, 1)
    stays = f"{year}-{match['kind'].upper()}{match['n']}"
    return read_range(first, shift_months(first, size), stays)


def _read_ordinal_quarter(match: re.Match[str], setting: Setting) -> Reading:
    first = date(int(match["year"] or setting.today.year), 3 * _COUNTS[match["n"].lower()] - 2, 1)
    return read_range(first, shift_months(first, 3), f"{first.year}-Q{first.month // 3 + 1}")


def _read_decade(match: re.Match[str], _setting: Setting) -> Reading:
    year = int(match["decade"])
    return read_range(date(year, 1, 1), date(year + 10, 1, 1))


def _read_named_decade(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the nineties», «the '90s»: those of the last hundred years, begun ten years ago or more."""
    told = match["name"] or match["figures"]
    ten = _DECADES[told.lower()] if match["name"] else int(told)
    year = setting.today.year // 100 * 100 + ten
    year -= 100 if year > setting.today.year - 10 else 0
    return read_range(date(year, 1, 1), date(year + 10, 1, 1), f"the {year}s")


def _read_century(match: re.Match[str], _setting: Setting) -> Reading:
    year = 100 * (int(match["n"]) - 1)
    return read_range(date(max(year, 1), 1, 1), date(year + 100, 1, 1))


def _read_week_of(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the week of the 18th» as the week that day lies in."""
    monday = monday_of(nearest_day_of_month(read_ordinal(match["day"]), setting))
    return _told(monday, monday + timedelta(weeks=1))


def _read_week_number(match: re.Match[str], setting: Setting) -> Reading:
    monday = date.fromisocalendar(
        int(match["pyear"] or match["year"] or setting.today.year), int(match["n"]), 1
    )
    return _told(monday, monday + timedelta(weeks=1))


def _read_season(match: re.Match[str], setting: Setting) -> Reading:
    """Read «summer 2019», «the winter of last year»; a winter begins in December."""
    step = _STEPS.get((match["pwhich"] or "").lower(), 0)
    year = read_year_words(match["year"]) if match["year"] else setting.today.year + step
    first = date(year, SEASONS[match["season"].lower()], 1)
    said = None if match["year"] else f"{match['season']} {year}"
    return read_range(first, shift_months(first, 3), said)


def _read_to_date(match: re.Match[str], setting: Setting) -> Reading:
    first, _ = unit_of(setting.today, match["punit"].lower(), 0)
    return replace(_told(first, setting.today + timedelta(days=1)))


def _read_work_week(match: re.Match[str], setting: Setting) -> Reading:
    monday = monday_of(setting.today) + timedelta(weeks=_STEPS.get(match["pwhich"].lower(), 0))
    return _told(monday, monday + timedelta(days=5))


def _read_abbreviated(match: re.Match[str], setting: Setting) -> Reading:
    """Read EOM, EOY, EOW as the last day of the clock's period."""
    unit = {"w": "week", "m": "month", "q": "quarter", "y": "year"}[match["abbr"].lower()]
    last = unit_of(setting.today, unit, 0)[1] - timedelta(days=3 if unit == "week" else 1)
    return read_day(last)


PERIODS: Final[tuple[Rule, ...]] = rules(
    (
        rf"\b(?<!twenty\s)(?<!thirty\s)(?<!twenty-)(?<!thirty-)(?:the\s)?{_NTH}\s"
        rf"(?:{WEEKDAY}|(?P<inner>day|week-?end|week|month|quarter))\s(?:of|in)\s{_PERIOD}",
        _read_nth,
    ),
    (
        rf"\b(?:the\s)?(?P<end>first|last|final)\s(?P<number>\d{{1,2}}|two|three|four|five|six|ten)\s"
        r"(?P<several>days|weeks|months)"
        rf"\s(?:of|in)\s{_PERIOD}",
        _read_several,
    ),
    (rf"\b(?:the\s)?(?:rest|remainder)\sof\s{_PERIOD}", _read_rest),
    (rf"\b(?:the\s)?(?P<half>first|second|latter)\shalf\sof\s{_PERIOD}", _read_half),
    (rf"\bby\s(?:the\s)?end\sof\s{_PERIOD}(?!\s\d)", _read_deadline),
    (
        rf"\b(?:the\s)?(?:very\s)?(?:{_PART.replace('early|', '').replace('|late|later|earlier', '')}\sof"
        rf"|(?P<adverb>early|mid|late|earlier|later)(?:\sin|\s?-)?)\s{_PERIOD}(?!\s\d)",
        _read_part,
    ),
    (rf"\b(?P<part>mid|early|late)-(?P<adverb>){_PERIOD}(?!\s\d)", _read_part),
    (
        r"(?<!\w)(?P<pyear>(?:19|20)\d\d)[\s-]?(?P<kind>[QH])(?P<n>[1-4])\b(?P<year>)(?P<pwhich>)",
        _read_numbered,
    ),
    (
        r"\b(?P<pwhich>last|past|previous|next|coming|this|current)\syear['’]?s\s(?P<kind>[QH])(?P<n>[1-4])\b"
        r"(?P<year>)(?P<pyear>)",
        _read_numbered,
    ),
    (
        r"\b(?P<kind>[QH])(?P<n>[1-4])(?:\s?[-,/]?\s?(?:of\s)?(?P<year>(?:19|20)\d\d)"
        r"|,?\s(?:of\s)?(?P<pwhich>last|past|previous|next|coming|this|current)\syear\b)?(?P<pyear>)(?!\w)",
        _read_numbered,
    ),
    (
        r"\b(?:the\s)?(?P<n>first|second|third|fourth|1st|2nd|3rd|4th)\squarter(?:\sof)?\s(?P<year>(?:19"
        r"|20)\d\d)\b",
        _read_ordinal_quarter,
    ),
    (r"\b(?:the\s)?(?P<decade>[12]\d\d0)['’]?s\b", _read_decade),
    (
        r"\b(?:in|of|from|during|since)\s(?P<say>(?:the\s)?"
        r"(?:(?P<name>(?:twen|thir|for|fif|six|seven|eigh|nine)ties)|['’]?(?P<figures>[2-9]0)['’]?s))\b",
        _read_named_decade,
    ),
    (r"\b(?:the\s)?(?P<n>\d{1,2})(?:st|nd|rd|th)\s+century\b", _read_century),
    (
        r"\b(?:the\s)?week\s(?:of|starting|beginning|commencing)\s(?:on\s)?"
        r"the\s(?P<day>\d{1,2}(?:st|nd|rd|th))(?!\s(?:of\s)?[a-z]*\d)",
        _read_week_of,
    ),
    (
        r"\bweek\s(?P<n>[1-4]?\d|5[0-3])(?:,?\s(?:of\s)?(?P<year>(?:19|20)\d\d))?(?P<pyear>)\b"
        r"(?![-/.:]\d|\sof\s)",
        _read_week_number,
    ),
    (
        rf"\b(?:the\s)?(?P<season>spring|summer|autumn|fall|winter),?\s(?:(?:of\s|in\s)?{YEAR}"
        r"|(?:of\s|in\s)?(?P<pwhich>last|past|this|next)\syear\b)",
        _read_season,
    ),
    (r"\b(?:the\s)?(?P<punit>year|month|quarter|week)[\s-]to[\s-]date\b", _read_to_date),
    (
        r"\b(?P<pwhich>last|past|next|this|current)\s(?:work(?:ing)?\s?-?week|business\sweek)\b",
        _read_work_week,
    ),
    (r"\b(?:by\s|before\s|at\s|until\s)(?P<say>EO(?P<abbr>[WMQY]))\b", _read_abbreviated),
    fragments=(
        (
            _NTH,
            (
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "last",
                "final",
                "1st",
                "2nd",
                "3rd",
                "4th",
                "5th",
            ),
        ),
        (r"shalf\sof", ("half",)),
        (r"s+century", ("century",)),
        (r"squarter(?:", ("quarter",)),
        ("working", ("week",)),
        (r"bweek", ("week",)),
        (r"to[\s-]date", ("date",)),
        ("<abbr>", ("eo",)),
        ("<decade>", ("0s", "0's", "0’s")),
        ("<name>", ("ties", "0s", "0's", "0’s")),
        ("<kind>", ("q1", "q2", "q3", "q4", "h1", "h2", "h3", "h4")),
        ("<adverb>", ("begin", "start", "early", "mid", "late", "earlier", "end", "close")),
        ("<several>", ("days", "weeks", "months")),
    ),
)
"""Forms that name a part of a period, before the forms of the periods themselves."""
