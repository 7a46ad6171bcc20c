"""Days of the Chinese calendar, against published ones."""

from datetime import date

import pytest

from memories.temporal.calendar.lunar import lunar_day, solar_term_day


@pytest.mark.parametrize(
    ("lunar", "day"),
    [
        ((1978, 8, 15), date(1978, 9, 17)),
        ((2017, 5, 5), date(2017, 5, 30)),
        ((2020, 8, 15), date(2020, 10, 1)),
        ((2023, 1, 1), date(2023, 1, 22)),
        ((2024, 1, 1), date(2024, 2, 10)),
        ((2025, 8, 15), date(2025, 10, 6)),
        ((2025, 9, 9), date(2025, 10, 29)),
        ((2026, 1, 1), date(2026, 2, 17)),
        ((2025, 12, -1), date(2026, 2, 16)),
        ((2033, 12, 1), date(2034, 1, 20)),
    ],
)
def test_a_lunar_date_falls_on_its_day(lunar: tuple[int, int, int], day: date) -> None:
    assert lunar_day(*lunar) == day


def test_a_month_has_no_thirty_first_day() -> None:
    with pytest.raises(ValueError, match="no such day"):
        lunar_day(2026, 1, 31)


@pytest.mark.parametrize(
    ("year", "longitude", "day"),
    [
        (2024, 15, date(2024, 4, 4)),
        (2026, 15, date(2026, 4, 5)),
        (2025, 270, date(2025, 12, 21)),
    ],
)
def test_a_solar_term_falls_on_its_day(year: int, longitude: int, day: date) -> None:
    assert solar_term_day(year, longitude) == day
