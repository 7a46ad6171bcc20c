"""Read matches of the English grammar."""

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from memories.normalise import feasts
from memories.normalise.english_words import day_of, month_of, shift_from, weekday_of, which_of
from memories.normalise.mention import (
    Reading,
    Setting,
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
)
from memories.normalise.numbers import read_english_number

_GOES_ON: Final = re.compile(r"\s?(?:[-–—/&]|to|or|and|through)\s?\d")
_DEADLINE: Final = re.compile(r"\b(?:by|until|till|due)\s(?:the\s)?$", re.IGNORECASE)
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season: meteorological, of the northern half."""


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


def read_weekday(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_weekday(setting.today, weekday_of(match), setting.tense))


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
    first = date(setting.today.year, _SEASONS[match["season"].lower()], 1)
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
    # «We learned it in 3 days» tells how long it took.
    if match[0].lower().startswith("in") and setting.tense == "past":
        return None
    return shift_from(setting, read_english_number(match["number"]), match["unit"])


def read_rolling(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the last 3 weeks» as the days up to today, «the next 3 weeks» as those after it."""
    number = read_english_number(match["number"]) if "number" in match.re.groupindex else 1
    ahead = which_of(match) > 0
    edge = shift_from(setting, number if ahead else -number, match["unit"]).start.date()
    if not ahead:
        return read_range(edge, setting.today)
    return read_range(setting.today + timedelta(days=1), edge + timedelta(days=1))


def read_month_day(match: re.Match[str], setting: Setting) -> Reading | None:
    if match["month"] in ("may", "mar") and not match["year"] and match["day"].isdigit():
        return None  # «you may 5 times»
    if match["year"]:
        day = date(int(match["year"]), month_of(match), day_of(match))
    else:
        day = nearest_year(month_of(match), day_of(match), _due(match, setting))
    reading = read_day(day)
    # «July 13-14» would become 2026-07-13-14.
    goes_on = _GOES_ON.match(match.string, match.end()) and not match["year"]
    return replace(reading, absolute=None) if goes_on else reading


def _due(match: re.Match[str], setting: Setting) -> Setting:
    """Return the setting turned to the future behind «by», «until», «due»."""
    if _DEADLINE.search(match.string[max(0, match.start() - 10) : match.start()]):
        return replace(setting, tense="future")
    return setting


def read_month_year(match: re.Match[str], _setting: Setting) -> Reading:
    return read_month(date(int(match["year"]), month_of(match), 1))


def read_lone_month(match: re.Match[str], setting: Setting) -> Reading:
    first = nearest_month(month_of(match), setting)
    return read_month(first, f"{match['month']} {first.year}")


def read_day_of_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(nearest_day_of_month(day_of(match), setting))


def read_nth_weekday(match: re.Match[str], setting: Setting) -> Reading:
    """Read «the first Monday of next month», «the last Friday in October 2026»."""
    if match["month"]:
        year = int(match["year"]) if match["year"] else read_lone_month(match, setting).start.year
        first = date(year, month_of(match), 1)
    else:
        first = shift_months(setting.today.replace(day=1), which_of(match))
    nth = ("first", "second", "third", "fourth", "last").index(match["nth"].lower())
    if nth < 4:
        return read_day(first + timedelta(days=(weekday_of(match) - first.weekday()) % 7, weeks=nth))
    last = shift_months(first, 1) - timedelta(days=1)
    return read_day(last - timedelta(days=(last.weekday() - weekday_of(match)) % 7))


def read_day_of_that_month(match: re.Match[str], setting: Setting) -> Reading:
    return read_day(shift_months(setting.today.replace(day=1), which_of(match)).replace(day=day_of(match)))


def read_years(match: re.Match[str], _setting: Setting) -> Reading:
    return read_year(int(match["year"]))


def read_feast(match: re.Match[str], setting: Setting) -> Reading:
    name = match["feast"]
    rule = next(
        rule for pattern, rule in feasts.ENGLISH.items() if re.fullmatch(pattern, name, re.IGNORECASE)
    )
    if match["year"]:
        return replace(read_day(rule(int(match["year"]))), absolute=None)
    day = feasts.find_feast(rule, setting, step=which_of(match) if match["which"] else 0)
    return replace(read_day(day), absolute=f"{name} {day.year}" if match["which"] else None)
