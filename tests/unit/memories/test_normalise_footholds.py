"""What helps to say when, but is not when, dates nothing; what is one phrase is read as one."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memories.temporal import normalise, resolve_times
from memories.temporal.value import normalise_value

ZONE = ZoneInfo("Europe/Berlin")
CLOCK = datetime(2026, 2, 26, 10, 0, tzinfo=ZONE)  # a Thursday


def read(text: str) -> list[tuple[str, str, str, bool]]:
    """Return (words, first day, last day, dated) of each mention."""
    found = resolve_times(text, clock=CLOCK, zone=ZONE)
    return [
        (m.text, m.start.date().isoformat(), (m.end - timedelta(microseconds=1)).date().isoformat(), m.dated)
        for m in found
    ]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    "text",
    ["We met at Hanukkah last year.", "Founders day last year was wet.", "Diwali six years ago was loud.",
     "It opens the second week after next month.", "Orders later than last year", "去年光明节我们见过",
     "去年以后再没见过"],
)  # fmt: skip
def test_part_of_a_phrase_dates_nothing(text: str) -> None:
    told = normalise(text, clock=CLOCK, zone=ZONE)

    assert (told.occurred_resolved, [mention.dated for mention in told.mentions]) == (False, [False])


@pytest.mark.parametrize(
    "text",
    ["We spent two weeks in July.", "It rained every day last year.", "since 2019", "before May 2019",
     "去年调节了税率", "去年情人节", "2018年以来"],
)  # fmt: skip
def test_a_time_that_is_told_whole_stays_dated(text: str) -> None:
    assert [dated for *_, dated in read(text)] == [True]


def test_a_feast_of_another_country_is_not_put_on_our_day() -> None:
    assert [dated for *_, dated in read("法国国庆节放假")] == [False]
    assert [dated for *_, dated in read("国庆节放假")] == [True]


def test_a_period_that_dates_nothing_keeps_its_days_in_a_value() -> None:
    assert normalise_value("after 2024", clock=CLOCK, zone=ZONE) == "after 2024-01-01 to 2024-12-31"


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "words", "first", "last"),
    [
        ("the third Tuesday after 5 May", "the third Tuesday after 5 May", "2026-05-26", "2026-05-26"),
        ("the Friday before Easter", "the Friday before Easter", "2026-04-03", "2026-04-03"),
        ("the day after Christmas", "the day after Christmas", "2026-12-26", "2026-12-26"),
        ("Thanksgiving in two years", "Thanksgiving in two years", "2028-11-23", "2028-11-23"),
        ("Christmas two months ago", "Christmas two months ago", "2025-12-25", "2025-12-25"),
        ("March two years ago", "March two years ago", "2024-03-01", "2024-03-31"),
        ("in two weeks on Friday", "in two weeks on Friday", "2026-03-13", "2026-03-13"),
        ("I am off for 3 days from today", "3 days from today", "2026-02-26", "2026-02-28"),
        ("from the 28th to the 3rd of April", "28th to the 3rd of April", "2026-03-28", "2026-04-03"),
        ("due by the end of next month", "by the end of next month", "2026-02-26", "2026-03-31"),
        ("the next three quarters", "the next three quarters", "2026-04-01", "2026-12-31"),
        ("this year's Q3", "this year's Q3", "2026-07-01", "2026-09-30"),
        ("the winter of 2017", "the winter of 2017", "2017-12-01", "2018-02-28"),
        ("later in the year", "later in the year", "2026-07-01", "2026-12-31"),
        ("the weekend of May 5", "the weekend of May 5", "2026-05-02", "2026-05-03"),
        ("away from 5/1-5/7, 2027", "5/1-5/7, 2027", "2027-05-01", "2027-05-07"),
        ("春节后一周", "春节后一周", "2027-02-13", "2027-02-13"),
        ("三年前的五月", "三年前的五月", "2023-05-01", "2023-05-31"),
        ("农历八月十五", "农历八月十五", "2026-09-25", "2026-09-25"),
        ("2020年腊月二十三", "2020年腊月二十三", "2021-02-04", "2021-02-04"),
        ("今年前三个月", "今年前三个月", "2026-01-01", "2026-03-31"),
        ("2019年的最后三周", "2019年的最后三周", "2019-12-09", "2019-12-29"),
        ("明年三月的第一周", "明年三月的第一周", "2027-03-01", "2027-03-07"),
        ("下周一至周五", "下周一至周五", "2026-03-02", "2026-03-06"),
        ("去年夏天", "去年夏天", "2025-06-01", "2025-08-31"),
        ("我11-12-05去的", "11-12-05", "2011-12-05", "2011-12-05"),
    ],
)
def test_a_phrase_is_read_whole(text: str, words: str, first: str, last: str) -> None:
    assert read(text) == [(words, first, last, True)]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    "text",
    [
        "that Monday",
        "the second Tuesday of every month",
        "Mega Tuesday",
        "Islamic New Year 2018",
        "乾隆二十三年十二月",
        "周一到周三",
    ],
)
def test_a_piece_of_what_is_not_understood_is_no_mention(text: str) -> None:
    assert read(text) == []


def test_the_minutes_of_a_time_are_no_day_of_a_month() -> None:
    assert [(words, first) for words, first, *_ in read("we close from 11:30 am to 12:30 December 27th")][
        -1
    ] == (
        "12:30 December 27th",
        "2026-12-27",
    )
