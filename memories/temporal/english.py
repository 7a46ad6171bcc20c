"""
English words of time: the commonest forms, by a grammar of our own, the more telling first.

The recogniser (`recognise.py`) knows many more, but takes some 10 ms a text, reads «last Friday» as that of
last week, leaves «last summer» alone, and finds days in «the day». What stands here is read here first.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memories.quantities import ENGLISH, read_english_number
from memories.temporal.calendar import (
    feasts,
    in_full_year,
    monday_of,
    nearest_day_of_month,
    nearest_month,
    nearest_weekday,
    nearest_year,
    nth_week,
    nth_weekday,
    read_day,
    read_month,
    read_rolling,
    read_span,
    read_unit,
    read_year,
    shift,
    shift_months,
    unit_of,
)
from memories.temporal.cues import MONTH_NAME, WEEKDAY_NAME, counts_within
from memories.temporal.grammar import Rule, rules
from memories.temporal.mention import Placed, Reading, Setting
from memories.temporal.numeric import NUMERIC
from security.patterns import bounded

Match = re.Match[str]

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_UNITS: Final = {
    "d": "day", "ni": "day", "w": "week", "f": "fortnight", "mo": "month", "q": "quarter", "y": "year",
    "h": "hour", "mi": "minute", "de": "decade", "c": "century",
}  # fmt: skip
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season: meteorological, of the northern half."""
_DECADES: Final = {
    "twen": 20,
    "thir": 30,
    "for": 40,
    "fif": 50,
    "six": 60,
    "seven": 70,
    "eigh": 80,
    "nine": 90,
}

MONTH: Final = rf"(?P<month>{MONTH_NAME})\b"
WEEKDAY_FORMS: Final = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
_WEEKDAY: Final = rf"(?P<weekday>{WEEKDAY_FORMS})\b"
_WORDS: Final = "|".join(word for word in sorted(ENGLISH, key=len, reverse=True) if " " not in word)
_NUMBER: Final = rf"(?P<number>\d{{1,3}}|a\scouple(?:\sof)?|couple\sof|twenty[- ]\w+|{_WORDS})"
_SPELLED_DAY: Final = (
    rf"(?:twenty|thirty)[\s-]?(?:{'|'.join(_ORDINALS[:9])})|thirtieth|{'|'.join(reversed(_ORDINALS))}"
)
_DAY: Final = rf"(?P<day>(?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?|{_SPELLED_DAY}))(?!\w)"
_ONES: Final = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TENS: Final = rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-]{_ONES})?)"
_TEENS: Final = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_SPELLED_YEAR: Final = (
    rf"(?:(?:eighteen|nineteen|twenty)[\s-](?:hundred\s(?:and\s)?)?(?:{_TENS}|{_TEENS}|oh[\s-]{_ONES})"
    rf"|two\sthousand(?:\s(?:and\s)?(?:{_TENS}|{_TEENS}|{_ONES}))?)"
)
_YEAR: Final = rf"(?P<year>(?:19|20)\d\d|{_SPELLED_YEAR})(?![\w]|[-/:.]\d)"
_ITS_YEAR: Final = rf"(?:,?[\s/-](?:of\s)?{_YEAR})?"
LAST_OR_NEXT: Final = r"(?P<which>(?:this\s)?(?:last|past|previous|next|coming|upcoming)|this|current)"
_UNIT: Final = (
    r"(?P<unit>days?|nights?|weeks?|wks?|fortnights?|months?|quarters?|qtrs?|years?|yrs?|hours?|hrs?"
    r"|minutes?|mins?)\b"
)
_FEAST: Final = rf"(?P<feast>{feasts.ENGLISH})"
_TO: Final = r"(?:-|–|—|~|\bto\b|\buntil\b|\btill?\b|\bthrough\b|\bthru\b|\band\b)\s?(?:the\b)?"
_DOT: Final = r"(?:\.(?=,?\s?\d))?"
_PWHICH: Final = r"(?P<pwhich>last|past|previous|next|coming|this|current)"
_PUNIT: Final = r"(?P<punit>week|month|quarter|qtr|year|yr|decade|century)"
_PERIOD: Final = (
    rf"(?:(?:the\s)?{_PWHICH.replace(')', '|the)')}\s{_PUNIT}\b(?!'s\s)|{MONTH}\.?(?:,?\s(?:of\s)?{_YEAR})?|"
    rf"(?:the\syear\s)?{_YEAR.replace('P<year>', 'P<pyear>')})"
)
_NTH: Final = (
    r"(?P<nth>first|second|third|fourth|fifth|last|final|(?:second|third|fourth|fifth|2nd|3rd|4th|5th)[\s-]"
    r"(?:to[\s-])?last|1st|2nd|3rd|4th|5th)"
)
_AWAY: Final = (
    rf"(?:(?P<ahead>in)\s{_NUMBER}\s{_UNIT}|"
    + rf"{_NUMBER}\s{_UNIT}\s(?P<side>ago|hence|from\s(?:now"
    rf"|today))\b)".replace("<number>", "<count>").replace("<unit>", "<of>")
)
_YEARS: Final = r"(?P<unit>years?|yrs?)\b"
_YEARS_AWAY: Final = _AWAY.replace(_UNIT, _YEARS).replace(
    _UNIT.replace("<unit>", "<of>"), _YEARS.replace("<unit>", "<of>")
)

_NAMED_DAY: Final = bounded(
    r"\b(?:super|mega|giga|mini|ultra|duper|cyber|giving|taco|prime|casual|black|fat|shrove|clean|holy|palm"
    r"|ash|maundy|blue|bloody|ruby|whit|trinity|that|those|any|some|first|second|third|fourth|fifth|1st|2nd"
    r"|3rd|4th|5th)[\s-]$",
    re.IGNORECASE,
)
"""Before a weekday these make it the name of some day of the year (a feast, a sale), or of no certain one."""
_BETWEEN: Final = bounded(r"\bbetween\s(?:the\s)?$", re.IGNORECASE)
_SINCE: Final = bounded(r"\bsince\s(?:the\s)?(?:\d\w*\s)?(?:of\s)?$", re.IGNORECASE)
_DEADLINE: Final = bounded(r"\b(?:by|until|till|due)\s(?:the\s)?$", re.IGNORECASE)
_DAY_BEFORE: Final = bounded(r"(?:day,?|\bon|\bby|\buntil|\bsince)\s(?:the\s)?$", re.IGNORECASE)
_STRETCH: Final = bounded(
    r"\bfor\s(?:the\s)?[\w-]+\s(?:day|night|week|month|year)s?,?\s(?:from|starting|beginning|commencing)"
    r"(?:\son)?\s(?:the\s)?$",
    re.IGNORECASE,
)
"""What is to last so long from a day on is a plan, where nothing else says."""
_MONTH_BEFORE: Final = bounded(rf"\b(?:{'|'.join(_MONTHS)})[a-z]*\.?\s$", re.IGNORECASE)
_REACH_BACK: Final = 80
"""Characters before a date in which the words that belong to it stand."""
_ACROSS: Final = 14
"""«The 27th to the 3rd of April» begins in March; with ends less than so many days apart it is a slip."""


# --- what the words of a match mean ---


def read_ordinal(said: str) -> int:
    """Read `3`, `3rd`, `third` or `twenty-third`. Raises KeyError or ValueError for others."""
    if said[0].isdigit():
        return int(bounded(r"\D").sub("", said))
    words = bounded(r"[\s-]+").sub(" ", said.lower())
    if words == "thirtieth":
        return 30
    for tens, value in (("twenty", 20), ("thirty", 30)):
        if words.startswith(tens) and words != "twentieth":
            return value + _ORDINALS.index(words.removeprefix(tens).strip()) + 1
    return _ORDINALS.index(words) + 1


def _year(said: str) -> int:
    """Read `2026`, `twenty twenty-six`, `nineteen hundred and five`, `two thousand and six`."""
    if said.isdigit():
        return int(said)
    words = [word for word in bounded(r"[\s-]+").split(said.lower()) if word not in ("hundred", "and", "oh")]
    if words[:2] == ["two", "thousand"]:
        return 2000 + sum(ENGLISH[word] for word in words[2:])
    return 100 * ENGLISH[words[0]] + sum(ENGLISH[word] for word in words[1:])


def _unit(said: str) -> str:
    word = said.lower()
    return _UNITS.get(word[:2]) or _UNITS[word[0]]


def _which(word: str | None) -> int:
    """Return -1 for last, 0 for this, 1 for next."""
    last = (word or "this").lower().split()[-1]
    return {"this": 0, "current": 0, "the": 0, "next": 1, "coming": 1, "upcoming": 1}.get(last, -1)


def _month(match: Match) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def _weekday(match: Match) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def _before(match: Match, group: str | int = 0) -> str:
    """Return the few words before a find: with all of them, reading many dates would take the square."""
    return match.string[max(0, match.start(group) - _REACH_BACK) : match.start(group)]


def _due(match: Match, setting: Setting) -> Setting:
    """Return the setting turned to the future behind «by», «until», «due», to the past behind «since»."""
    before = match.string[max(0, match.start() - 10) : match.start("month")]
    if _SINCE.search(before):
        return replace(setting, tense="past")
    if _DEADLINE.search(before) or (setting.tense == "open" and _STRETCH.search(_before(match))):
        return replace(setting, tense="future")
    return setting


def _period(match: Match, setting: Setting) -> tuple[date, date]:
    """Return the days of the period a match names."""
    if match["punit"]:
        return unit_of(setting.today, _unit(match["punit"]), _which(match["pwhich"]))
    if match["pyear"]:
        return unit_of(date(_year(match["pyear"]), 1, 1), "year")
    if match["year"]:
        return unit_of(date(_year(match["year"]), _month(match), 1), "month")
    return unit_of(nearest_month(_month(match), setting), "month")


# --- periods, and places inside them ---


def _read_nth(match: Match, setting: Setting) -> Reading | None:
    """Read «the third Monday of October», «the last day of next month», «the first week of 2027»."""
    first, after = _period(match, setting)
    words = bounded(r"[\s-]+").split(match["nth"].lower())
    nth = read_ordinal(words[0]) if words[-1] not in ("last", "final") else -1
    nth = -read_ordinal(words[0]) if nth < 0 and len(words) > 1 else nth
    unit = (match["inner"] or "").lower().replace("-", "")
    if match["weekday"]:
        day = nth_weekday(first, after, _weekday(match), nth)
        return read_day(day) if day else None
    if unit == "day":
        day = first + timedelta(days=nth - 1) if nth > 0 else after + timedelta(days=nth)
        return read_day(day) if first <= day < after else None
    if unit == "weekend":
        saturday = nth_weekday(first, after + timedelta(days=366), 5, nth) if nth > 0 else None
        saturday = saturday or nth_weekday(first - timedelta(days=366), after, 5, nth)
        return read_span(saturday, saturday + timedelta(days=2)) if saturday else None
    if unit == "week":
        return read_unit(nth_week(first, after, nth), "week")
    months = 3 if unit == "quarter" else 1
    start = shift_months(first, months * (nth - 1)) if nth > 0 else shift_months(after, months * nth)
    return read_span(start, shift_months(start, months)) if first <= start < after else None


def _read_several(match: Match, setting: Setting) -> Reading | None:
    """Read «the last three weeks of the year», «the first 10 days of May»."""
    first, after = _period(match, setting)
    number, unit = read_english_number(match["number"]), match["several"][0].lower()
    days, months = timedelta(days=number * {"d": 1, "w": 7}.get(unit, 0)), number * (unit == "m")
    if match["end"].lower() == "first":
        return read_span(first, shift_months(first, months) + days)
    return read_span(shift_months(after, -months) - days, after)


def _middle(first: date, after: date) -> date:
    """Return where the second half of a period begins: with a month, if it has an even number of them."""
    months = after.year * 12 + after.month - first.year * 12 - first.month
    if first.day == 1 and months and months % 2 == 0:
        return shift_months(first, months // 2)
    return first + (after - first) / 2


def _read_half(match: Match, setting: Setting) -> Reading | None:
    first, after = _period(match, setting)
    middle = _middle(first, after)
    return read_span(first, middle) if match["half"].lower() == "first" else read_span(middle, after)


def _read_rest(match: Match, setting: Setting) -> Reading | None:
    first, after = _period(match, setting)
    return read_span(max(first, setting.today), after)


def _read_part(match: Match, setting: Setting) -> Reading | None:
    """
    Read the beginning, middle or end of a period as its first, second or last third.

    «Earlier» this month reaches to the clock's day; «later» is the second half, or what is left of it.
    """
    first, after = _period(match, setting)
    part = (match["part"] or match["adverb"]).lower()
    if part in ("earlier", "later") and first <= setting.today < after:
        if part == "earlier":
            return read_span(first, max(setting.today, first + timedelta(days=1)))
        return read_span(max(setting.today, _middle(first, after)), after)
    lower, upper = _thirds(first, after)
    if part in ("beginning", "start", "early", "earlier"):
        return read_span(first, lower)
    return read_span(lower, upper) if part in ("middle", "mid") else read_span(upper, after)


def _thirds(first: date, after: date) -> tuple[date, date]:
    """Return where the second and the last third of a period begin; of a month, the 11th and the 21st."""
    days = (after - first).days
    if days < 32:
        return (first + timedelta(days=3), after - timedelta(days=3)) if days < 8 else (
            first + timedelta(days=10), first + timedelta(days=20),
        )  # fmt: skip
    months = after.year * 12 + after.month - first.year * 12 - first.month
    return shift_months(first, months // 3), shift_months(first, months - months // 3)


def _read_deadline(match: Match, setting: Setting) -> Reading | None:
    """Read «by the end of next month» as the days that are left until then; what is over had its end."""
    return None if setting.tense == "past" else read_span(setting.today, _period(match, setting)[1])


def _read_numbered(match: Match, setting: Setting) -> Reading | None:
    """Read Q1 2026, 2026 H2; without a year, the clock's."""
    told = match.groupdict()
    year = int(told["year"] or told.get("pyear") or setting.today.year) + _which(told.get("pwhich"))
    number = told["n"].lower()
    place = int(number[0]) if number[0].isdigit() else _ORDINALS.index(number) + 1
    size = 6 if (told.get("kind") or "q").lower() == "h" else 3
    return read_unit(date(year, size * (place - 1) + 1, 1), "half" if size == 6 else "quarter")


def _read_named_decade(match: Match, setting: Setting) -> Reading | None:
    """Read «the nineties», «the '90s»: those of the last hundred years, begun ten years ago or more."""
    ten = _DECADES[match["name"].lower()] if match["name"] else int(match["figures"])
    year = setting.today.year // 100 * 100 + ten
    return read_unit(date(year - (100 if year > setting.today.year - 10 else 0), 1, 1), "decade")


def _read_season_of_year(match: Match, setting: Setting) -> Reading | None:
    """Read «summer 2019», «the winter of last year»; a winter begins in December."""
    year = _year(match["year"]) if match["year"] else setting.today.year + _which(match["pwhich"])
    first = date(year, _SEASONS[match["season"].lower()], 1)
    return read_span(first, shift_months(first, 3))


def _read_season(match: Match, setting: Setting) -> Reading | None:
    """Read «last summer» as the latest that is over, «next summer» as the first not begun."""
    first, which = date(setting.today.year, _SEASONS[match["season"].lower()], 1), _which(match["which"])
    if first.month == 12 and setting.today.month < 3:
        first = shift_months(first, -12)  # in January «this winter» began last December
    over, begun = shift_months(first, 3) <= setting.today, first <= setting.today
    if (which < 0 and not over) or (which > 0 and begun):
        first = shift_months(first, 12 * which)
    return read_span(first, shift_months(first, 3))


def _read_edge(match: Match, setting: Setting) -> Reading:
    """Read EOM, EOY, EOW as the last day of the clock's period."""
    unit = _unit(match["abbr"] if match["abbr"].lower() != "m" else "mo")
    return read_day(unit_of(setting.today, unit)[1] - timedelta(days=3 if unit == "week" else 1))


# --- feasts, and what is told from another day ---


def _read_feast(match: Match, setting: Setting) -> Reading:
    told = match.groupdict()
    if told.get("year"):
        return read_day(feasts.day_of(match["feast"], _year(match["year"])))
    step = _which(told["which"]) if told.get("which") else 0
    return read_day(feasts.find_feast(match["feast"], setting, step=step))


def _read_feast_of_year(match: Match, setting: Setting) -> Reading:
    return read_day(feasts.day_of(match["feast"], setting.today.year + _which(match["which"])))


def _read_feast_weekend(match: Match, setting: Setting) -> Reading | None:
    """Read «Labor Day weekend»: the Saturday and Sunday next to the feast, and the feast beside them."""
    day = _read_feast(match, setting).start.date()
    back = day.weekday() + 2 if day.weekday() < 2 else day.weekday() - 5
    saturday = day - timedelta(days=back)
    return read_span(min(saturday, day), max(saturday + timedelta(days=2), day + timedelta(days=1)))


def _away(match: Match, setting: Setting) -> tuple[date, str]:
    """Return the day that is so far away, and the unit it is counted in."""
    number, unit = match["number"] or match["count"], _unit(match["unit"] or match["of"])
    step = -1 if (match["side"] or "").lower() == "ago" else 1
    return shift(setting, step * read_english_number(number), unit).start.date(), unit


def _nearest_feast(name: str, day: date) -> date:
    found = (feasts.day_of(name, day.year + step) for step in (-1, 0, 1))
    return min(found, key=lambda other: abs(other - day))


def _read_feast_away(match: Match, setting: Setting) -> Reading:
    """Read «Christmas three years ago» as that of the year, «two months ago» as the one nearest by."""
    day, unit = _away(match, setting)
    by_year = unit == "year"
    return read_day(
        feasts.day_of(match["feast"], day.year) if by_year else _nearest_feast(match["feast"], day)
    )


def _read_month_away(match: Match, setting: Setting) -> Reading | None:
    """Read «March two years ago»; «we may in two years» names no month."""
    if match["month"] in ("may", "march", "mar"):
        return None
    return read_month(_away(match, setting)[0].year, _month(match))


def _read_weekday_away(match: Match, setting: Setting) -> Reading | None:
    """
    Read «in two weeks on Friday»: counted in days or weeks, the Friday nearest to then.

    What is counted in months or years is meant roughly: the first Friday from then on.
    """
    if _NAMED_DAY.search(match.string[max(0, match.start("weekday") - 16) : match.start("weekday")]):
        return None
    day, unit = _away(match, setting)
    behind = (_weekday(match) - day.weekday()) % 7
    nearer = behind > 3 and unit in ("day", "week", "fortnight")
    return read_day(day + timedelta(days=behind - 7 if nearer else behind))


_OFFSET: Final = bounded(
    rf"\b(?:(?:{_NUMBER}\s(?P<unit>days?|weeks?|months?|years?)|the\s(?P<one>day|morning|evening|night))\s"
    r"(?P<side>before|after|from|following)|(?:the\s)?(?:(?P<nth>first|second|third|fourth|fifth|1st|2nd"
    rf"|3rd|4th|5th)\s)?(?P<weekday>{WEEKDAY_FORMS})\s(?P<weekday_side>before|after|following))\s(?:the\s)?$",
    re.IGNORECASE,
)
_OFFSET_REACH: Final = 40
_FOR: Final = bounded(r"\bfor\s(?:the\s)?$", re.IGNORECASE)


def shift_days(text: str, placed: Sequence[Placed], setting: Setting) -> list[Placed]:
    """Move each day that something is counted from, as in «two weeks after Easter»."""
    shifted: list[Placed] = []
    for item in placed:
        moved = _shift_day(text, item, setting)
        if moved is not None:
            shifted = [former for former in shifted if former[0][1] <= moved[0][0]]
        shifted.append(moved or item)
    return shifted


def _shift_day(text: str, item: Placed, setting: Setting) -> Placed | None:
    (start, end), reading = item
    before = text[max(0, start - _OFFSET_REACH) : start]
    offset = _OFFSET.search(before)
    if offset is None or reading.resolution != "day":
        return None
    if offset["weekday"] and text[start:end].lower() in ("today", "yesterday", "tomorrow"):
        return None  # «on Monday after yesterday's talk»
    begin = start - len(before) + offset.start()
    if _FOR.search(text[max(0, begin - _OFFSET_REACH) : begin]):
        return None  # «for two weeks from Monday» is a stretch, read elsewhere
    return (begin, end), read_day(_moved(reading.start.date(), offset, replace(setting, now=reading.start)))


def _moved(day: date, offset: Match, there: Setting) -> date:
    step = -1 if (offset["side"] or offset["weekday_side"]).lower() == "before" else 1
    if offset["weekday"]:
        first = nearest_weekday(day, _weekday(offset), "past" if step < 0 else "future")
        return first + timedelta(weeks=step * ((read_ordinal(offset["nth"]) if offset["nth"] else 1) - 1))
    if offset["one"]:
        return day + timedelta(days=step)
    return shift(there, step * read_english_number(offset["number"]), _unit(offset["unit"])).start.date()


# --- days, and periods by their own names ---


def _read_month_day(match: Match, setting: Setting) -> Reading | None:
    month, said, year = match["month"], match["day"], match["year"]
    if month in ("may", "mar", "march") and not year and said[-1:] not in "tdh":
        return None  # «you may 5 times»
    spelled = said.lower() in ("first", "second", "third") and not _DAY_BEFORE.search(_before(match))
    if month in ("may", "march") and spelled and not year:
        return None  # «you may first ask»
    if match.start("day") < match.start("month") and _MONTH_BEFORE.search(_before(match, "day")):
        return None  # «Nov 18-Dec 19»: the day is the other month's
    day = read_ordinal(said)
    if year:
        return read_day(date(_year(year), _month(match), day))
    return read_day(nearest_year(_month(match), day, _due(match, setting)))


def _read_days(match: Match, setting: Setting) -> Reading | None:
    """Read «13th to 15th July», «July 13-15»; «and» joins days behind «between» only."""
    if bounded(r"\sand\s", re.IGNORECASE).search(match[0]) and not _BETWEEN.search(_before(match)):
        return None
    first_day, last_day, month = read_ordinal(match["first"]), read_ordinal(match["day"]), _month(match)
    if match["year"]:
        last = date(_year(match["year"]), month, last_day)
    else:
        last = nearest_year(month, last_day, _due(match, setting))
    if first_day == last_day or last_day < first_day < last_day + _ACROSS:
        return None
    first = date(last.year, month, 1)
    first = (first if first_day < last_day else shift_months(first, -1)).replace(day=first_day)
    return read_span(first, last + timedelta(days=1))


def _read_months(match: Match, setting: Setting) -> Reading | None:
    """Read «May to March», «between August and October»; «May and June» are two months."""
    if not match["lead"] and (" and " in match[0].lower() or "may" in (match["first"], match["month"])):
        return None
    first_month, month = _MONTHS.index(match["first"][:3].lower()) + 1, _month(match)
    last = date(_year(match["year"]), month, 1) if match["year"] else nearest_month(month, setting)
    return read_span(date(last.year - (first_month > month), first_month, 1), shift_months(last, 1))


def _read_short_year(match: Match, setting: Setting) -> Reading:
    """Read 31-Oct-74, 2019-Aug-1."""
    return read_day(
        date(in_full_year(match["year"], setting.today), _month(match), read_ordinal(match["day"]))
    )


def _read_spelled_day(match: Match, _setting: Setting) -> Reading:
    """Read «twenty five January nineteen eighty six»."""
    return read_day(date(_year(match["year"]), _month(match), read_english_number(match["day"])))


def _read_weekday_and_day(match: Match, setting: Setting) -> Reading | None:
    """Read «Friday the 26th»: the next 26th that is a Friday, or the last, within a year."""
    step = -1 if setting.tense == "past" else 1
    found = []
    for months in (*range(0, 12 * step, step), -step):
        first = shift_months(setting.today.replace(day=1), months)
        day = first + timedelta(days=read_ordinal(match["day"]) - 1)
        if day.month == first.month and day.weekday() == _weekday(match):
            found.append(day)
    facing = [day for day in found if (day - setting.today).days * step >= 0]
    return read_day((facing or found)[0]) if found else None


def _read_years_between(match: Match, _setting: Setting) -> Reading | None:
    """Read «from 2014 to 2018» with both years in; «2014 and 2018» behind «between» only."""
    if " and " in match[0].lower() and not match[0].lower().startswith(("between", "from")):
        return None
    first, last = int(match["first"]), int(match["last"])
    return read_span(date(first, 1, 1), date(last + 1, 1, 1)) if first < last else None


def _read_near_day(match: Match, setting: Setting) -> Reading:
    words = match[0].lower()
    steps = {"yesterday": -1, "tomorrow": 1, "last night": -1, "the day before yesterday": -2}
    step = steps.get(words, 2 if words.startswith("the day") else 0)
    return read_day(setting.today + timedelta(days=step))


def _read_modified_weekday(match: Match, setting: Setting) -> Reading:
    word = match["which"].lower().split()[-1]
    if word in ("last", "past", "coming", "upcoming"):
        back = word in ("last", "past")
        return read_day(nearest_weekday(setting.today, _weekday(match), "past" if back else "future"))
    return _read_weekday_of_week(match, setting)


def _read_weekday_of_week(match: Match, setting: Setting) -> Reading:
    return read_day(monday_of(setting.today) + timedelta(days=_weekday(match), weeks=_which(match["which"])))


def _read_weekday(match: Match, setting: Setting) -> Reading | None:
    if _NAMED_DAY.search(match.string[max(0, match.start("weekday") - 16) : match.start("weekday")]):
        return None
    return read_day(nearest_weekday(setting.today, _weekday(match), setting.tense))


def _read_weekdays_away(match: Match, setting: Setting) -> Reading:
    """Read «three Fridays ago», «two Sundays from now»."""
    number, back = read_english_number(match["number"]), match["side"].lower() == "ago"
    nearest = nearest_weekday(setting.today, _weekday(match), "past" if back else "future")
    return read_day(nearest + timedelta(weeks=(1 - number) if back else (number - 1)))


def _read_after_next(match: Match, setting: Setting) -> Reading | None:
    """Read «Friday after next», «the week after next»: one further than the next."""
    if match["weekday"]:
        return read_day(nearest_weekday(setting.today, _weekday(match), "future") + timedelta(weeks=1))
    return read_unit(setting.today, match["unit"].lower(), 2)


def _read_which(match: Match, setting: Setting) -> Reading | None:
    """Read «last week», «this quarter», «next decade»."""
    said = match["unit"].lower()
    unit = "weekend" if "end" in said else _unit("y" if said[0] == "y" else said)
    return read_unit(setting.today, unit, _which(match["which"]))


def _read_modified_month(match: Match, setting: Setting) -> Reading | None:
    month, which, today = _month(match), _which(match["which"]), setting.today
    moved = (which < 0 and month >= today.month) or (which > 0 and month <= today.month)
    return read_month(today.year + which * moved, month)


def _read_ahead(match: Match, setting: Setting) -> Reading | None:
    # «We learned it in 3 days» tells how long it took, «the third time in 3 days» how often it was.
    within = setting.tense == "past" or counts_within(match.string, match.start())
    if within and match[0].lower().startswith("in"):
        return None
    return shift(setting, read_english_number(match["number"]), _unit(match["unit"]))


def _read_last_units(match: Match, setting: Setting) -> Reading | None:
    """Read «the last 3 weeks» as the days up to today, «the next 3 weeks» as those after it."""
    told = match.groupdict()
    number = read_english_number(told["number"]) if told.get("number") else 1
    said = told["unit"].removeprefix("24 ")
    number = 24 if said != told["unit"] else number
    return read_rolling(setting, number if _which(told["which"]) > 0 else -number, _unit(said))


def _read_ordinal_days(match: Match, setting: Setting) -> Reading | None:
    """Read «from the 3rd until the 10th»: those of a month, or of two that follow each other."""
    last = nearest_day_of_month(read_ordinal(match["day"]), setting)
    day, first = read_ordinal(match["first"]), last.replace(day=1)
    if day == last.day:
        return None
    first = (first if day < last.day else shift_months(first, -1)).replace(day=day)
    return read_span(first, last + timedelta(days=1))


_FIRST: Final = _DAY.replace("P<day>", "P<first>")
_WHICH_UNIT: Final = rf"(?<!the\s)\b{LAST_OR_NEXT}\s(?P<unit>"

GRAMMAR: Final[tuple[Rule, ...]] = (
    *NUMERIC,
    *rules(
        (rf"\b(?<!twenty\s)(?<!thirty\s)(?<!twenty-)(?<!thirty-)(?:the\s)?{_NTH}\s"
         rf"(?:{_WEEKDAY}|(?P<inner>day|week-?end|week|month|quarter))\s(?:of|in)\s{_PERIOD}", _read_nth),
        (r"\b(?:the\s)?(?P<end>first|last|final)\s(?P<number>\d{1,2}|two|three|four|five|six|ten)\s"
         rf"(?P<several>days|weeks|months)\s(?:of|in)\s{_PERIOD}", _read_several),
        (rf"\b(?:the\s)?(?:rest|remainder)\sof\s{_PERIOD}", _read_rest),
        (rf"\b(?:the\s)?(?P<half>first|second|latter)\shalf\sof\s{_PERIOD}", _read_half),
        (rf"\bby\s(?:the\s)?end\sof\s{_PERIOD}(?!\s\d)", _read_deadline),
        (r"\b(?:the\s)?(?:very\s)?(?:(?P<part>beginning|start|middle|mid|end|close)\sof"
         rf"|(?P<adverb>early|mid|late|earlier|later)(?:\sin|\s?-)?)\s{_PERIOD}(?!\s\d)", _read_part),
        (rf"\b(?P<part>mid|early|late)-(?P<adverb>){_PERIOD}(?!\s\d)", _read_part),
        (r"(?<!\w)(?P<pyear>(?:19|20)\d\d)[\s-]?(?P<kind>[QH])(?P<n>[1-4])\b(?P<year>)", _read_numbered),
        (rf"\b{_PWHICH}\syear['’]?s\s(?P<kind>[QH])(?P<n>[1-4])\b(?P<year>)", _read_numbered),
        (r"\b(?P<kind>[QH])(?P<n>[1-4])(?:\s?[-,/]?\s?(?:of\s)?(?P<year>(?:19|20)\d\d)"
         rf"|,?\s(?:of\s)?{_PWHICH}\syear\b)?(?!\w)", _read_numbered),
        (r"\b(?:the\s)?(?P<n>first|second|third|fourth|1st|2nd|3rd|4th)\squarter(?:\sof)?\s"
         r"(?P<year>(?:19|20)\d\d)\b", _read_numbered),
        (r"\b(?:the\s)?(?P<decade>[12]\d\d0)['’]?s\b",
         lambda match, _: read_unit(date(int(match["decade"]), 1, 1), "decade")),
        (r"\b(?:in|of|from|during|since)\s(?P<say>(?:the\s)?"
         r"(?:(?P<name>twen|thir|for|fif|six|seven|eigh|nine)ties|['’]?(?P<figures>[2-9]0)['’]?s))\b",
         _read_named_decade),
        (r"\b(?:the\s)?(?P<n>\d{1,2})(?:st|nd|rd|th)\s+century\b",
         lambda match, _: read_unit(date(max(100 * (int(match["n"]) - 1), 1), 1, 1), "century")),
        (r"\b(?:the\s)?week\s(?:of|starting|beginning|commencing)\s(?:on\s)?"
         r"the\s(?P<day>\d{1,2}(?:st|nd|rd|th))(?!\s(?:of\s)?[a-z]*\d)",
         lambda match, setting: read_unit(nearest_day_of_month(read_ordinal(match["day"]), setting), "week")),
        (r"\bweek\s(?P<n>[1-4]?\d|5[0-3])(?:,?\s(?:of\s)?(?P<year>(?:19|20)\d\d))?\b(?![-/.:]\d|\sof\s)",
         lambda match, setting: read_unit(
             date.fromisocalendar(int(match["year"] or setting.today.year), int(match["n"]), 1), "week")),
        (rf"\b(?:the\s)?(?P<season>spring|summer|autumn|fall|winter),?\s(?:(?:of\s|in\s)?{_YEAR}"
         r"|(?:of\s|in\s)?(?P<pwhich>last|past|this|next)\syear\b)", _read_season_of_year),
        (r"\b(?:the\s)?(?P<punit>year|month|quarter|week)[\s-]to[\s-]date\b",
         lambda match, setting: read_span(
             unit_of(setting.today, match["punit"].lower())[0], setting.today + timedelta(days=1))),
        (r"\b(?P<pwhich>last|past|next|this|current)\s(?:work(?:ing)?\s?-?week|business\sweek)\b",
         lambda match, setting: read_unit(setting.today, "workweek", _which(match["pwhich"]))),
        (r"\b(?:by\s|before\s|at\s|until\s)(?P<say>EO(?P<abbr>[WMQY]))\b", _read_edge),
        (rf"\b{_FEAST},?\s{_AWAY}", _read_feast_away),
        (rf"\b(?:the\s)?(?:closest|nearest)\s{_FEAST}(?:\s(?:to|from)\s(?:today|now))?\b",
         lambda match, setting: read_day(_nearest_feast(match["feast"], setting.today))),
        (rf"\b{MONTH},?\s{_YEARS_AWAY}", _read_month_away),
        (rf"\b{_AWAY},?\s(?:on\s)?(?:a\s)?{_WEEKDAY}", _read_weekday_away),
        (rf"\b{_WEEKDAY}\s{_AWAY}", _read_weekday_away),
        (rf"\b(?:the\s)?{_FEAST}\s(?:(?P<year>(?:19|20)\d\d)\s)?week-?end\b", _read_feast_weekend),
        (rf"\b{_FEAST},?\s(?:of\s|in\s)?{LAST_OR_NEXT}\syear\b", _read_feast_of_year),
        (rf"\b(?P<which>last|this|next)\s{_FEAST}\b", _read_feast),
        (r"(?:^|(?<=[.!?]\s)|\b(?:on|by|before|after|since|until|till|for)\s)(?P<say>"
         rf"{_FEAST}\b(?:,?\s(?:of\s|in\s)?{_YEAR})?)", _read_feast),
        (rf"\b{_FEAST},?\s(?:of\s|in\s)?{_YEAR}", _read_feast),
        (rf"(?<![:.])\b{_FIRST}\s?{_TO}\s?{_DAY}(?:\sof)?[\s/-]{MONTH}{_DOT}{_ITS_YEAR}", _read_days),
        (rf"\b{MONTH}{_DOT}\s(?:the\s)?{_FIRST}\s?{_TO}\s?{_DAY}(?!\s?(?:%|[ap]m\b|[:.]\d|[a-z]+\s\d{{4}}))"
         rf"{_ITS_YEAR}", _read_days),
        (r"(?<![\w./-])(?:(?:between|from|in|during)\s)?(?P<first>(?:19|20)\d\d)\s?(?:-|–|—|~|\bto\b"
         r"|\buntil\b"
         r"|\btill\b|\bthrough\b|\band\b)\s?(?P<last>(?:19|20)\d\d)(?![\w/-]|[.:]\d)", _read_years_between),
        (rf"\b(?:{WEEKDAY_FORMS}),?\s(?:the\s)?{_DAY}"
         rf"(?:\sof)?[\s/-]{MONTH}{_DOT}{_ITS_YEAR}", _read_month_day),
        (rf"\b(?:{WEEKDAY_FORMS}),?\s{MONTH}{_DOT}\s(?:the\s)?{_DAY}{_ITS_YEAR}", _read_month_day),
        (rf"\b(?:(?P<lead>from|between)\s)?(?P<first>{MONTH_NAME})\.?\s?{_TO}\s?{MONTH}(?!\s?\d{{1,2}}\b"
         rf"(?!\d))"
         rf"(?:\.?,?\s(?:of\s)?{_YEAR})?", _read_months),
        (rf"\b(?P<day>(?:twenty|thirty)[\s-]?\w+|\w+teen|ten|eleven|twelve)\s(?:of\s)?{MONTH},?\s{_YEAR}",
         _read_spelled_day),
        (rf"\b{_DAY}[-/]{MONTH}[-/](?P<year>\d\d(?:\d\d)?)(?![\w/-])", _read_short_year),
        (rf"(?<![\w-])(?P<year>(?:19|20)\d\d)[-/\s]{MONTH}[-/\s]{_DAY}", _read_short_year),
        (rf"(?<![:.])\b(?:the\s)?{_DAY}(?:\sday)?(?:\sof)?[\s/-]{MONTH}{_DOT}{_ITS_YEAR}", _read_month_day),
        (rf"\b{MONTH}{_DOT}[\s/-](?:the\s)?{_DAY}(?!\s?(?:%|[ap]m\b|[:.]\d)){_ITS_YEAR}", _read_month_day),
        (rf"\b{MONTH}{_DOT}(?:,|\sof)?[\s-]{_YEAR}",
         lambda match, _: read_month(_year(match["year"]), _month(match))),
        (r"\bthe\sday\s(?:before\syesterday|after\stomorrow)\b|\b(?:yesterday|(?<!ago\s)today|tomorrow)\b"
         r"|\b(?:last\snight|tonight|tonite)\b|\bthis\s(?:morning|afternoon|evening)\b", _read_near_day),
        (rf"\b(?:the\s)?{_DAY}\sof\s(?:the\s)?{LAST_OR_NEXT}\smonth\b",
         lambda match, setting: read_day(unit_of(setting.today, "month", _which(match["which"]))[0].replace(
             day=read_ordinal(match["day"])))),
        (rf"\b{_WEEKDAY},?\s(?:the\s)?(?P<day>\d{{1,2}}(?:st|nd|rd|th))\b(?!\s(?:of\s)?(?:{MONTH_NAME})\b)",
         _read_weekday_and_day),
        (rf"\b{_WEEKDAY}(?:,|\sof|\sin)?\s{LAST_OR_NEXT}\sweek\b", _read_weekday_of_week),
        (rf"\b{LAST_OR_NEXT}\sweek(?:,|\son|\s-)?\s{_WEEKDAY}", _read_weekday_of_week),
        (rf"\b(?:the\s)?{LAST_OR_NEXT}\s{_NUMBER}\s{_UNIT}(?!\s(?:of|ago)\b)", _read_last_units),
        (r"(?<![\w:.,/-])(?:the\s)?(?P<number>two|three|four|five|six|ten|\d{1,2})\s(?P<which>last|past|next"
         r"|coming|upcoming)\s(?P<unit>days|weeks|months|quarters|years|hours)\b", _read_last_units),
        (r"\bthe\s(?P<which>last|past|next|coming)\s(?P<unit>week|month|year|24\shours)\b(?!\sof\b|')",
         _read_last_units),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{_WEEKDAY}", _read_modified_weekday),
        (rf"{_WHICH_UNIT}week)\b(?!\sof\b|-end)", _read_which),
        (rf"{_WHICH_UNIT}week-?end)\b", _read_which),
        (rf"{_WHICH_UNIT}month|quarter|qtr|ye?a?r)\b(?!\sof\b)", _read_which),
        (rf"\b(?:the\s)?{LAST_OR_NEXT}\s(?P<unit>decade|century)\b(?!\sof\b)", _read_which),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s(?P<season>spring|summer|autumn|fall|winter)\b", _read_season),
        (rf"(?<!the\s)\b{LAST_OR_NEXT}\s{MONTH}", _read_modified_month),
        (rf"(?<!and\s)\b{_NUMBER}\sweekends\sago\b",
         lambda match, setting: read_unit(setting.today, "weekend", -read_english_number(match["number"]))),
        (rf"\b{_NUMBER}\s(?P<weekday>{WEEKDAY_FORMS})s\s(?P<side>hence|ago"
         rf"|from\snow)\b", _read_weekdays_away),
        (rf"\b(?:the\s)?(?:{_WEEKDAY}|(?P<unit>week|weekend|month|year))\safter\snext\b", _read_after_next),
        (rf"\b(?P<day>0?[1-9]|[12]\d|3[01]){MONTH}(?:,?[\s/-]?{_YEAR})?", _read_month_day),
        (rf"(?<!and\s)(?<!half\s)\b{_NUMBER}\s{_UNIT}\sago\b(?:\stoday\b)?",
         lambda match, setting: shift(setting, -read_english_number(match["number"]), _unit(match["unit"]))),
        (rf"\bin\s(?:about\s)?{_NUMBER}\s{_UNIT}(?:'?s?'?\stime)?(?!\s(?:of|ago|or|before|after|old|from)\b)",
         _read_ahead),
        (rf"(?<!and\s)(?<!half\s)(?<!for\s)\b{_NUMBER}\s{_UNIT}\s(?:from\s(?:now(?!\son\b)|today)|hence)\b",
         _read_ahead),
        (r"\b(?:in|since|until|till|by|during|of|for|from|before|after|through|to|early|late|mid)[\s-]"
         rf"(?P<say>{MONTH})(?!\s\d|')",
         lambda match, setting: read_unit(nearest_month(_month(match), _due(match, setting)), "month")),
        (r"\bfrom\s(?P<say>the\s(?P<first>\d{1,2}(?:st|nd|rd|th))\s(?:to|until|till|through)\s(?:the\s)?"
         r"(?P<day>\d{1,2}(?:st|nd|rd|th)))\b(?!\s(?:of\s)?[a-z]*\d|\sof\b)", _read_ordinal_days),
        (r"\b(?:on|by|since|until|before|after)\s(?P<say>(?:the\s)?(?P<day>\d{1,2}(?:st|nd|rd|th)))(?=\s*"
         r"(?:[.,;!?)]|$|at\b|and\b|for\b))",
         lambda match, setting: read_day(nearest_day_of_month(read_ordinal(match["day"]), setting))),
        (rf"\b(?:on|by|until|till|since|before|after|from|for)\s(?P<say>{_WEEKDAY})(?!s\b)", _read_weekday),
        (r"(?<!every\s)(?<!each\s)(?<!every\sother\s)(?<!on\sa\s)(?<!-)\b"
         rf"(?P<weekday>{WEEKDAY_NAME})\b", _read_weekday),
        (r"(?<!every\s)(?<!each\s)(?<!every\sother\s)\b(?P<weekday>(?-i:Mon|Tues?|Wed|Thurs?|Fri))\b(?!-)",
         _read_weekday),
        (r"\b(?:in|since|during|until|till|by|from|before|after|between|than|(?<!new\s)year|of|back\sin)\s"
         rf"(?P<say>{_YEAR})", lambda match, _: read_year(_year(match["year"]))),
    ),
)  # fmt: skip
