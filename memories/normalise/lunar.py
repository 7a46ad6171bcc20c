"""
Days of the Chinese lunisolar calendar, from where the moon and the sun stand.

Formulas: Meeus, «Astronomical Algorithms» (2nd ed.), chapter 49 (new moons, some seconds), chapter 25
(longitude of
the sun, 0.01 degrees). Days are those of China (UTC+8); checked against published calendars for 1950 to 2100.
"""

import math
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import Final

_SYNODIC: Final = 29.530588861
_BEIJING: Final = 8 / 24
_EPOCH: Final = 1721424.5  #: Julian day of 0001-01-00, so that day 1 is date.min

_MOON_TERMS: Final = (
    (-0.40720, 0, 0, 1, 0), (0.17241, 1, 1, 0, 0), (0.01608, 0, 0, 2, 0), (0.01039, 0, 0, 0, 2),
    (0.00739, 1, -1, 1, 0),
    (-0.00514, 1, 1, 1, 0), (0.00208, 2, 2, 0, 0), (-0.00111, 0, 0, 1, -2), (-0.00057, 0, 0, 1, 2),
    (0.00056, 1, 1, 2, 0),
    (-0.00042, 0, 0, 3, 0), (0.00042, 1, 1, 0, 2), (0.00038, 1, 1, 0, -2), (-0.00024, 1, -1, 2, 0),
    (-0.00007, 0, 2, 1, 0),
    (0.00004, 0, 0, 2, -2), (0.00004, 0, 3, 0, 0), (0.00003, 0, 1, 1, -2), (0.00003, 0, 0, 2, 2),
    (-0.00003, 0, 1, 1, 2),
    (0.00003, 0, -1, 1, 2), (-0.00002, 0, -1, 1, -2), (-0.00002, 0, 1, 3, 0), (0.00002, 0, 0, 4, 0),
)  # fmt: skip
"""
Days; power of the eccentricity; multiples of the sun's anomaly, the moon's anomaly, the moon's latitude.
"""
_PLANET_TERMS: Final = (
    (0.000325, 299.77, 0.107408), (0.000165, 251.88, 0.016321), (0.000164, 251.83, 26.651886),
    (0.000126, 349.42, 36.412478),
    (0.000110, 84.66, 18.206239), (0.000062, 141.74, 53.303771), (0.000060, 207.14, 2.453732),
    (0.000056, 154.84, 7.306860),
    (0.000047, 34.52, 27.261239), (0.000042, 207.19, 0.121824), (0.000040, 291.34, 1.844379),
    (0.000037, 161.72, 24.198154),
    (0.000035, 239.56, 25.513099), (0.000023, 331.55, 3.592518),
)  # fmt: skip


def lunar_day(year: int, month: int, day: int) -> date:
    """
    Return the day of such a lunar date; a leap month is never meant. A negative day counts from the month's
    end.

    year: that in which the lunar year begins. Raises ValueError if the month has no such day.
    """
    start, after = _month(year, month)
    found = start + timedelta(days=day - 1) if day > 0 else after + timedelta(days=day)
    if not start <= found < after:
        raise ValueError("no such day in the month")
    return found


def solar_term_day(year: int, longitude: int) -> date:
    """
    Return the day in a year on which the sun reaches a longitude in degrees: 15 is Qingming, 270 midwinter.
    """
    days_after_equinox = longitude / 360 * 365.2422
    guess = _julian(date(year, 3, 20)) + days_after_equinox
    if longitude >= 285:
        guess -= 365.2422
    for _ in range(6):
        ahead = math.sin(math.radians(longitude - _sun_longitude(guess)))
        guess += 58.13 * ahead  # 365.2422 / 2 pi: how far a radian is in days
    return _day(guess - _delta_t(guess))


@cache
def _month(year: int, month: int) -> tuple[date, date]:
    """Return the first day of a lunar month, and the one after its last."""
    months = _months_from_winter(year if month >= 11 else year - 1)
    return months[(month, False)]


@cache
def _months_from_winter(year: int) -> dict[tuple[int, bool], tuple[date, date]]:
    """
    Return the months from the 11th of a lunar year to the 10th of the next, by (number, leap).

    The 11th holds the winter solstice. With thirteen months between two of them, the first without a
    principal
    term of the sun is the leap month.
    """
    first, last = (_index_before(solar_term_day(one, 270)) for one in (year, year + 1))
    starts = [_new_moon_day(index) for index in range(first, last + 1)]
    leap_year = last - first == 13
    result: dict[tuple[int, bool], tuple[date, date]] = {}
    number, seen = 10, False
    for start, after in pairwise(starts):
        leap = leap_year and not seen and number >= 11 and not _has_principal_term(start, after)
        seen |= leap
        number += not leap
        result[((number - 1) % 12 + 1, leap)] = (start, after)
    return result


def _has_principal_term(start: date, after: date) -> bool:
    """Say whether the sun reaches a multiple of 30 degrees on one of the days."""
    lower, upper = (
        _sun_longitude(_julian(day) - _BEIJING + _delta_t(_julian(day))) for day in (start, after)
    )
    return int(lower // 30) != int(upper // 30)


def _index_before(day: date) -> int:
    """Return the number of the last new moon on or before a day."""
    index = round((_julian(day) - 2451550.1) / _SYNODIC) + 1
    while _new_moon_day(index) > day:
        index -= 1
    return index


@cache
def _new_moon_day(index: int) -> date:
    moment = _new_moon(index)
    return _day(moment - _delta_t(moment))


def _new_moon(index: int) -> float:
    """Return the Julian ephemeris day of a new moon, counted from that of 6 January 2000."""
    t = index / 1236.85
    mean = 2451550.09766 + _SYNODIC * index + 0.00015437 * t**2 - 0.00000015 * t**3
    eccentricity = 1 - 0.002516 * t - 0.0000074 * t**2
    sun = 2.5534 + 29.10535670 * index - 0.0000014 * t**2
    moon = 201.5643 + 385.81693528 * index + 0.0107582 * t**2
    latitude = 160.7108 + 390.67050284 * index - 0.0016118 * t**2
    node = 124.7746 - 1.56375588 * index + 0.0020672 * t**2
    shift = -0.00017 * math.sin(math.radians(node))
    for size, power, by_sun, by_moon, by_latitude in _MOON_TERMS:
        angle = by_sun * sun + by_moon * moon + by_latitude * latitude
        shift += size * eccentricity**power * math.sin(math.radians(angle))
    for size, start, speed in _PLANET_TERMS:
        extra = -0.009173 * t**2 if speed == 0.107408 else 0.0
        shift += size * math.sin(math.radians(start + speed * index + extra))
    return mean + shift


def _sun_longitude(moment: float) -> float:
    """Return the apparent longitude of the sun in degrees, [0, 360), at a Julian ephemeris day."""
    t = (moment - 2451545.0) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t**2
    anomaly = math.radians(357.52911 + 35999.05029 * t - 0.0001537 * t**2)
    centre = (
        (1.914602 - 0.004817 * t - 0.000014 * t**2) * math.sin(anomaly)
        + (0.019993 - 0.000101 * t) * math.sin(2 * anomaly)
        + 0.000289 * math.sin(3 * anomaly)
    )
    node = math.radians(125.04 - 1934.136 * t)
    return (mean + centre - 0.00569 - 0.00478 * math.sin(node)) % 360


def _delta_t(moment: float) -> float:
    """Return by how many days ephemeris time runs ahead of universal time, roughly (a minute at most off)."""
    years = (moment - 2451545.0) / 365.25
    return (
        (63.86 + 0.3345 * years if years < 20 else 69 + 0.5 * (years - 20)) / 86400
        if years > -50
        else 30 / 86400
    )


def _julian(day: date) -> float:
    """Return the Julian day of a day's beginning."""
    return day.toordinal() + _EPOCH


def _day(moment: float) -> date:
    """Return the day in China of a Julian day of universal time."""
    return date.fromordinal(math.floor(moment + _BEIJING - _EPOCH))
