"""Read matches of the English grammar."""

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.cues import counts_within
from memories.normalise.english_words import (
    NAMED_DAY,
    SEASONS,
    day_of,
    month_of,
    read_ordinal,
    shift_from,
    weekday_of,
    which_of,
    year_of,
)
from memories.normalise.mention import (
    Reading,
    Setting,
    in_full_year,
    monday_of,
    nearest_day_of_month,
    nearest_month,
    nearest_weekday,
    nearest_year,
    read_day,
    read_month,
    read_range,
    read_year,
    shift_months,
    tell_days,
)
from memories.normalise.numbers import read_english_number
from security.patterns import bounded

_GOES_ON: Final = bounded(r"\s?(?:[-–—/&]|to|or|and|through)\s?\d")
_BETWEEN: Final = bounded(r"\bbetween\s(?:the\s)?$", re.IGNORECASE)
_SINCE: Final = bounded(r"\bsince\s(?:the\s)?(?:\d\w*\s)?(?:of\s)?$", re.IGNORECASE)
_DEADLINE: Final = bounded(r"\b(?:by|until|till|due)\s(?:the\s)?$", re.IGNORECASE)
_ADVERBS: Final = ("first", "second", "third")
_DAY_BEFORE: Final = bounded(r"(?:day,?|\bon|\bby|\buntil|\bsince)\s(?:the\s)?$", re.IGNORECASE)
_STRETCH: Final = bounded(
    r"\bfor\s(?:the\s)?[\w-]+\s(?:day|night|week|month|year)s?,?\s(?:from|starting|beginning|commencing)(?:\son)?"
    r"\s(?:the\s)?$",
    re.IGNORECASE,
)
"""What is to last so long from a day on is a plan, where nothing else says."""
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_REACH_BACK: Final = 80
"""Characters before a date in which the words that belong to it stand."""
_BEFORE_DAY: Final = bounded(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s$", re.IGNORECASE
)
_ACROSS: Final = 14
"""«The 27th to the 3rd of April» begins in March; with ends less than so many days apart it is a slip."""


def read_near_day(match: re.Match[str], setting: Setting) -> Reading:
    words = match[0].lower()
    steps = {"yesterday": -1, "today": 0, "tomorrow": 1}
    step = steps.get(words, -2 if "before" in words else 2)
    return read_day(setting.today + timedelta(days=step))


def read_night(match: re.Match[str], setting: Setting) -> Reading:
    day = setting.today - timedelta(days=1 if match[0].lower().startswith("last") else 0)
    return read_day(day, f"the night of {day.isoformat()}")


def read_part_of_today(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(setting.today, f"the {match['part'].lower()} of {setting.today.isoformat()}")


def read_modified_weekday(match: re.Match[str], setting: Setting) -> Reading:
    word = match["which"].lower().split()[-1]
    if word in ("last", "past"):
        return read_day(nearest_weekday(setting.today, weekday_of(match), "past"))
    if word in ("coming", "upcoming"):
        return read_day(nearest_weekday(setting.today, weekday_of(match), "future"))
    return read_weekday_of_week(match, setting)


def read_weekday_of_week(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(monday_of(setting.today) + timedelta(days=weekday_of(match), weeks=which_of(match)))


def read_weekday(match: re.Match[str], setting: Setting) -> Reading | None:
    if NAMED_DAY.search(match.string[max(0, match.start("weekday") - 16) : match.start("weekday")]):
        return None
    return read_day(nearest_weekday(setting.today, weekday_of(match), setting.tense))


def read_weekdays_away(match: re.Match[str], setting: Setting) -> Reading:
    """Read «three Fridays ago», «two Sundays from now»."""
    number = read_english_number(match["number"])
    back = match["side"].lower() == "ago"
    nearest = nearest_weekday(setting.today, weekday_of(match), "past" if back else "future")
    return read_day(nearest + timedelta(weeks=(1 - number) if back else (number - 1)))


def read_after_next(match: re.Match[str], setting: Setting) -> Reading:
    """Read «Friday after next», «the week after next»: one further than the next."""
    if match["weekday"]:
        return read_day(nearest_weekday(setting.today, weekday_of(match), "future") + timedelta(weeks=1))
    unit = match["unit"].lower()
    if unit == "weekend":
        return _weekend(setting, 2)
    if unit == "week":
        first = monday_of(setting.today) + timedelta(weeks=2)
        return read_range(first, first + timedelta(weeks=1), f"the week of {first.isoformat()}")
    if unit == "year":
        return read_year(setting.today.year + 2, str(setting.today.year + 2))
    first = shift_months(setting.today.replace(day=1), 2)
    return read_month(first, first.strftime("%Y-%m"))


def read_week(match: re.Match[str], setting: Setting) -> Reading:
    first = monday_of(setting.today) + timedelta(weeks=which_of(match))
    return read_range(first, first + timedelta(weeks=1), f"the week of {first.isoformat()}")


def read_weekend(match: re.Match[str], setting: Setting) -> Reading:
    return _weekend(setting, which_of(match))


def read_weekends_ago(match: re.Match[str], setting: Setting) -> Reading:
    return _weekend(setting, -read_english_number(match["number"]))


def _weekend(setting: Setting, weeks: int) -> Reading:
    saturday = monday_of(setting.today) + timedelta(days=5, weeks=weeks)
    return read_range(saturday, saturday + timedelta(days=2), f"the weekend of {saturday.isoformat()}")


def read_whole_month(match: re.Match[str], setting: Setting) -> Reading:
    first = shift_months(setting.today.replace(day=1), which_of(match))
    return read_month(first, first.strftime("%Y-%m"))


def read_quarter(match: re.Match[str], setting: Setting) -> Reading:
    this = setting.today.replace(month=(setting.today.month - 1) // 3 * 3 + 1, day=1)
    first = shift_months(this, 3 * which_of(match))
    return read_range(first, shift_months(first, 3), f"{first.year}-Q{first.month // 3 + 1}")


def read_whole_year(match: re.Match[str], setting: Setting) -> Reading:
    year = setting.today.year + which_of(match)
    return read_year(year, str(year))


def read_season(match: re.Match[str], setting: Setting) -> Reading:
    """Read «last summer» as the latest that is over, «next summer» as the first not begun."""
    first = date(setting.today.year, SEASONS[match["season"].lower()], 1)
    if first.month == 12 and setting.today.month < 3:
        first = shift_months(first, -12)  # in January «this winter» began last December
    over, begun = shift_months(first, 3) <= setting.today, first <= setting.today
    if (which_of(match) < 0 and not over) or (which_of(match) > 0 and begun):
        first = shift_months(first, 12 * which_of(match))
    return read_range(first, shift_months(first, 3), f"{match['season']} {first.year}")


def read_modified_month(match: re.Match[str], setting: Setting) -> Reading:
    month, which, today = month_of(match), which_of(match), setting.today
    shift = (which < 0 and month >= today.month) or (which > 0 and month <= today.month)
    year = today.year + which * shift
    return read_month(date(year, month, 1), f"{year}-{month:02}")


def read_ago(match: re.Match[str], setting: Setting) -> Reading:
    return shift_from(setting, -read_english_number(match["number"]), match["unit"])


def read_ahead(match: re.Match[str], setting: Setting) -> Reading | None:
    # «We learned it in 3 days» tells how long it took, «the third time in 3 days» how often it was.
    within = setting.tense == "past" or counts_within(match.string, match.start())
    if within and match[0].lower().startswith("in"):
        return None
    return shift_from(setting, read_english_number(match["number"]), match["unit"])


def read_rolling(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the last 3 weeks» as the days up to today, «the next 3 weeks» as those after it."""
    number = read_english_number(match["number"]) if "number" in match.re.groupindex else 1
    ahead = which_of(match) > 0
    if match["unit"][0] in "qQ":
        return _read_quarters(setting, number if ahead else -number)
    if match["unit"].lower()[:2] in ("ho", "hr", "mi"):
        edge_moment = shift_from(setting, number if ahead else -number, match["unit"]).start
        start, end = sorted((setting.now, edge_moment))
        said = f"{start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}"
        return Reading(start=start, end=end, resolution="range", absolute=said)
    edge = shift_from(setting, number if ahead else -number, match["unit"]).start.date()
    first, after = (
        (setting.today + timedelta(days=1), edge + timedelta(days=1)) if ahead else (edge, setting.today)
    )
    return read_range(first, after, tell_days(first, after, " to "))


def _read_quarters(setting: Setting, number: int) -> Reading:
    """Read «the next three quarters» as those of the calendar: nobody counts quarters from a day."""
    this = setting.today.replace(month=(setting.today.month - 1) // 3 * 3 + 1, day=1)
    start = shift_months(this, 3 if number > 0 else 3 * number)
    after = shift_months(this, 3 * number + 3) if number > 0 else this
    return read_range(start, after, tell_days(start, after, " to "))


def _before(match: re.Match[str], group: str | int = 0) -> str:
    """Return the few words before a find: with all of them, reading many dates would take the square."""
    end = match.start(group)
    return match.string[max(0, end - _REACH_BACK) : end]


def read_month_day(match: re.Match[str], setting: Setting) -> Reading | None:
    if match["month"] in ("may", "mar", "march") and not match["year"] and match["day"][-1:] not in "tdh":
        return None  # «you may 5 times»
    spelled = match["day"].lower() in _ADVERBS and not _DAY_BEFORE.search(_before(match))
    if match["month"] in ("may", "march") and spelled and not match["year"]:
        return None  # «you may first ask»
    if match.start("day") < match.start("month") and _BEFORE_DAY.search(_before(match, "day")):
        return None  # «Nov 18-Dec 19»: the day is the other month's
    if match["year"]:
        day = date(year_of(match), month_of(match), day_of(match))
    else:
        day = nearest_year(month_of(match), day_of(match), _due(match, setting))
    reading = read_day(day)
    # «July 13-14» would become 2026-07-13-14.
    goes_on = _GOES_ON.match(match.string, match.end()) and not match["year"]
    return replace(reading, absolute=None) if goes_on else reading


def read_days(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «13th to 15th July», «July 13-15»; «and» joins days behind «between» only."""
    if bounded(r"\sand\s", re.IGNORECASE).search(match[0]) and not _BETWEEN.search(_before(match)):
        return None
    first_day, last_day, month = read_ordinal(match["first"]), day_of(match), month_of(match)
    if match["year"]:
        last = date(year_of(match), month, last_day)
    else:
        last = nearest_year(month, last_day, _due(match, setting))
    if first_day == last_day or (first_day < last_day + _ACROSS and first_day > last_day):
        return None
    first = date(last.year, month, 1)
    first = (first if first_day < last_day else shift_months(first, -1)).replace(day=first_day)
    return read_range(first, last + timedelta(days=1), tell_days(first, last + timedelta(days=1), " to "))


def read_months(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «May to March», «between August and October»; «May and June» are two months."""
    if " and " in match[0].lower() and not match["lead"]:
        return None
    if not match["lead"] and "may" in (match["first"], match["month"]):
        return None  # «a march to may»
    first_month, month = _MONTHS.index(match["first"][:3].lower()) + 1, month_of(match)
    last = date(year_of(match), month, 1) if match["year"] else nearest_month(month, setting)
    first = date(last.year - (first_month > month), first_month, 1)
    after = shift_months(last, 1)
    return read_range(first, after, f"{first:%Y-%m} to {last:%Y-%m}")


def read_short_year(match: re.Match[str], setting: Setting) -> Reading:
    """Read 31-Oct-74, 2019-Aug-1."""
    return read_day(date(in_full_year(match["year"], setting.today), month_of(match), day_of(match)))


def read_spelled_day(match: re.Match[str], _setting: Setting) -> Reading:
    """Read «twenty five January nineteen eighty six»."""
    return read_day(date(year_of(match), month_of(match), read_english_number(match["day"])))


def read_weekday_and_day(match: re.Match[str], setting: Setting) -> Reading | None:
    """
    Read «Friday the 26th»: the next 26th that is a Friday, or the last, within a year.
    """
    step = -1 if setting.tense == "past" else 1
    found = []
    for months in (*range(0, 12 * step, step), -step):
        first = shift_months(setting.today.replace(day=1), months)
        day = first + timedelta(days=day_of(match) - 1)
        if day.month == first.month and day.weekday() == weekday_of(match):
            found.append(day)
    facing = [day for day in found if (day - setting.today).days * step >= 0]
    return read_day((facing or found)[0]) if found else None


def read_long(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the next decade», «last century»."""
    size = 10 if match["long"].lower() == "decade" else 100
    year = (setting.today.year // size + which_of(match)) * size
    return read_range(date(year, 1, 1), date(year + size, 1, 1), f"{year} to {year + size - 1}")


def read_years_between(match: re.Match[str], _setting: Setting) -> Reading | None:
    """Read «from 2014 to 2018» with both years in; «2014 and 2018» behind «between» only."""
    first, last = int(match["first"]), int(match["last"])
    joined = " and " in match[0].lower() and not match[0].lower().startswith(("between", "from"))
    if first >= last or joined:
        return None
    return read_range(date(first, 1, 1), date(last + 1, 1, 1))


def _due(match: re.Match[str], setting: Setting) -> Setting:
    """Return the setting turned to the future behind «by», «until», «due», to the past behind «since»."""
    before = match.string[max(0, match.start() - 10) : match.start("month")]
    if _SINCE.search(before):
        return replace(setting, tense="past")
    if setting.tense == "open" and _STRETCH.search(_before(match)):
        return replace(setting, tense="future")
    return replace(setting, tense="future") if _DEADLINE.search(before) else setting


def read_month_year(match: re.Match[str], _setting: Setting) -> Reading:
    return read_month(date(year_of(match), month_of(match), 1))


def read_lone_month(match: re.Match[str], setting: Setting) -> Reading:
    first = nearest_month(month_of(match), _due(match, setting))
    return read_month(first, f"{match['month']} {first.year}")


def read_day_of_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_day_of_month(day_of(match), setting))


def read_ordinal_days(match: re.Match[str], setting: Setting) -> Reading | None:
    """Read «from the 3rd until the 10th»: those of a month, or of two that follow each other."""
    last = nearest_day_of_month(day_of(match), setting)
    first = last.replace(day=1)
    first_day = read_ordinal(match["first"])
    first = (first if first_day < last.day else shift_months(first, -1)).replace(day=first_day)
    after = last + timedelta(days=1)
    return read_range(first, after, tell_days(first, after, " to ")) if first_day != last.day else None


def read_day_of_that_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(shift_months(setting.today.replace(day=1), which_of(match)).replace(day=day_of(match)))


def read_years(match: re.Match[str], _setting: Setting) -> Reading:
    return read_year(year_of(match))


def read_feast_of_year(match: re.Match[str], setting: Setting) -> Reading:
    year = setting.today.year + which_of(match)
    return read_day(feasts.rule_of(match["feast"])(year), f"{match['feast']} {year}")


def read_feast(match: re.Match[str], setting: Setting) -> Reading:
    name, rule = match["feast"], feasts.rule_of(match["feast"])
    if match["year"]:
        return replace(read_day(rule(year_of(match))), absolute=None)
    day = feasts.find_feast(rule, setting, step=which_of(match) if match["which"] else 0)
    return replace(read_day(day), absolute=f"{name} {day.year}" if match["which"] else None)


def read_feast_weekend(match: re.Match[str], setting: Setting) -> Reading:
    """Read «Labor Day weekend»: the Saturday and Sunday next to the feast, and the feast beside them."""
    rule = feasts.rule_of(match["feast"])
    day = rule(int(match["year"])) if match["year"] else feasts.find_feast(rule, setting)
    back = day.weekday() + 2 if day.weekday() < 2 else day.weekday() - 5
    saturday = day - timedelta(days=back)
    after = max(saturday + timedelta(days=2), day + timedelta(days=1))
    first = min(saturday, day)
    return read_range(first, after, tell_days(first, after, " to "))
