"""Dates written in figures, which mean the same in every language: ISO, 23.04.2022, 10/31/1974."""

import re
from datetime import date
from typing import Final

from memories.normalise.grammar import Rule, rules
from memories.normalise.mention import Reading, Setting, nearest_year, read_day, read_iso_moment


def read_numeric(match: re.Match[str], setting: Setting) -> Reading:
    """Read 3/12 as month and day, 23.04. as day and month; the other way round if only that is a date."""
    first, second, year = int(match["first"]), int(match["second"]), match["year"]
    day_first = first > 12 or (match["dot"] == "." and second <= 12)
    month, day = (second, first) if day_first else (first, second)
    if not year:
        return read_day(nearest_year(month, day, setting))
    return read_day(date(int(year) if len(year) == 4 else 2000 + int(year), month, day))


NUMERIC: Final[tuple[Rule, ...]] = rules(
    (
        r"(?<![A-Za-z0-9_-])(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?![A-Za-z0-9_-]|[./]\d)"
        r"|(?<![A-Za-z0-9_-])[12]\d{3}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?",
        read_iso_moment,
    ),
    (
        r"(?<![A-Za-z0-9_/.-])(?P<first>\d{1,2})(?P<dot>[/.-])(?P<second>\d{1,2})(?P=dot)(?P<year>\d{4}|\d\d)(?![A-Za-z0-9_/-]|\.\d)",
        read_numeric,
    ),
)
"""Dates in figures that need no word beside them."""
