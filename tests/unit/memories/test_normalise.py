"""Times resolved against the clock of the capture."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.normalise import Normalised, TimeMention, normalise, resolve_times

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEDNESDAY = datetime(2026, 3, 4, 10, 0, tzinfo=SHANGHAI)


PIECES = [
    *("yesterday", "last week", "in 3 days", "2026-02-30", "3/12", "99:99", "上周三", "三月五日", "五点半"),
    *("the 31st", "May 2026", "ok", "on", "1"),
]


def resolve(text: str, clock: datetime = WEDNESDAY) -> list[tuple[str, str, str]]:
    """Return (words, start, resolution) of each mention, starts as local ISO to the minute."""
    found = resolve_times(text, clock=clock, zone=SHANGHAI)
    return [(m.text, m.start.strftime("%Y-%m-%dT%H:%M"), m.resolution) for m in found]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("We shipped it yesterday.", "yesterday", "2026-03-03"),
        ("See you the day after tomorrow", "the day after tomorrow", "2026-03-06"),
        ("The review is next Wednesday", "next Wednesday", "2026-03-11"),
        ("We met last Friday", "last Friday", "2026-02-27"),
        ("We met last Wednesday", "last Wednesday", "2026-02-25"),
        ("It broke 3 days ago", "3 days ago", "2026-03-01"),
        ("It broke two weeks ago", "two weeks ago", "2026-02-18"),
        ("We will ship in two weeks", "in two weeks", "2026-03-18"),
        ("We shipped it on Friday", "Friday", "2026-02-27"),
        ("We will ship it on Friday", "Friday", "2026-03-06"),
        ("Due March 1", "March 1", "2027-03-01"),
        ("We met on March 20", "March 20", "2025-03-20"),
        ("It is due by the 15th.", "the 15th", "2026-03-15"),
        ("The first Monday of next month works", "The first Monday of next month", "2026-04-06"),
        ("We leave on 12/3", "12/3", "2026-12-03"),
        ("昨天我去了北京", "昨天", "2026-03-03"),
        ("他下周三回来", "下周三", "2026-03-11"),
        ("上周五开会了", "上周五", "2026-02-27"),
        ("三天前出了故障", "三天前", "2026-03-01"),
        ("后天交付", "后天", "2026-03-06"),
        ("大前天到的", "大前天", "2026-03-01"),
        ("去年三月五日签的合同", "去年三月五日", "2025-03-05"),
        ("二〇二六年三月五日上线", "二〇二六年三月五日", "2026-03-05"),
        ("周三开会了", "周三", "2026-02-25"),
        ("周三要开会", "周三", "2026-03-11"),
    ],
)
def test_a_relative_day_is_resolved_against_the_clock(text: str, words: str, day: str) -> None:
    assert resolve(text) == [(words, f"{day}T00:00", "day")]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("last month was hard", "2026-02-01", "2026-03-01"),
        ("what a year, last year", "2025-01-01", "2026-01-01"),
        ("last week was calm", "2026-02-23", "2026-03-02"),
        ("last weekend was calm", "2026-02-28", "2026-03-02"),
        ("last summer was hot", "2025-06-01", "2025-09-01"),
        ("next quarter we hire", "2026-04-01", "2026-07-01"),
        ("What did we do in April?", "2025-04-01", "2025-05-01"),
        ("上个月很忙", "2026-02-01", "2026-03-01"),
        ("去年很忙", "2025-01-01", "2026-01-01"),
        ("上周很忙", "2026-02-23", "2026-03-02"),
        ("2025年11月很忙", "2025-11-01", "2025-12-01"),
    ],
)
def test_a_period_becomes_a_range(text: str, start: str, end: str) -> None:
    (found,) = resolve_times(text, clock=WEDNESDAY, zone=SHANGHAI)

    assert (found.resolution, found.start.date().isoformat(), found.end.date().isoformat()) == (
        "range",
        start,
        end,
    )


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "words", "moment"),
    [
        ("The call is tomorrow at 3pm.", "tomorrow at 3pm", "2026-03-05T15:00"),
        ("at 10:30 on 5 May 2025", "10:30 on 5 May 2025", "2025-05-05T10:30"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T18:00"),
        ("明晚8点聚餐", "明晚8点", "2026-03-05T20:00"),
        ("上周五下午三点半开会", "上周五下午三点半", "2026-02-27T15:30"),
        ("2小时前部署", "2小时前", "2026-03-04T08:00"),
    ],
)
def test_a_day_and_the_time_beside_it_become_one_instant(text: str, words: str, moment: str) -> None:
    assert resolve(text) == [(words, moment, "instant")]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    "text",
    [
        "You may march on for a second.",
        "One day I will learn it well.",
        "We meet every Monday.",
        "The next day it rained.",
        "I learned it in 3 days.",
        "A few days ago it broke.",
        "The ratio is 3/12, version 2.3.4, call 555-0199.",
        "每周一开会，先天后天都重要",
        "有一天会好的，周日常用品",
        "",
        "no time here at all",
    ],
)
def test_what_tells_no_certain_time_is_no_mention(text: str) -> None:
    assert resolve(text) == []


@pytest.mark.spec("W-02")
def test_a_mention_is_told_whole() -> None:
    (found,) = resolve_times("We met yesterday", clock=WEDNESDAY, zone=SHANGHAI)

    assert found == TimeMention(
        text="yesterday",
        span=(7, 16),
        start=datetime(2026, 3, 3, tzinfo=SHANGHAI),
        end=datetime(2026, 3, 4, tzinfo=SHANGHAI),
        resolution="day",
        past=True,
        absolute="2026-03-03",
        dated=True,
    )


@pytest.mark.spec("W-02")
def test_the_zone_of_the_capture_decides_which_day_it_is() -> None:
    clock = datetime(2026, 3, 4, 20, 0, tzinfo=UTC)  # already the 5th in Shanghai

    assert resolve("today", clock) == [("today", "2026-03-05T00:00", "day")]
    assert resolve_times("today", clock=clock, zone=ZoneInfo("UTC"))[0].start.day == 4


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="the clock needs a zone"):
        resolve_times("today", clock=datetime(2026, 3, 4), zone=SHANGHAI)


@pytest.mark.spec("W-02", "W-03")
@pytest.mark.parametrize(
    ("text", "absolute"),
    [
        ("I left yesterday and return tomorrow.", "I left 2026-03-03 and return 2026-03-05."),
        ("Yesterday's build broke", "2026-03-03's build broke"),
        ("last month we moved; last week we rested", "2026-02 we moved; the week of 2026-02-23 we rested"),
        ("3 years ago we began", "2023 we began"),
        ("On 5 May, 2025 it began", "On 2025-05-05 it began"),
        ("off on July 13-14", "off on July 13-14"),
        ("in May we ship", "in May 2026 we ship"),
        ("the cron runs at 3am, since 2019", "the cron runs at 3am, since 2019"),
        ("昨天上线，下周三复盘", "2026-03-03上线，2026-03-11复盘"),
        ("ＡＰＩ昨晚挂了", "API2026-03-03晚上挂了"),
    ],
)
def test_relative_words_are_replaced_and_the_rest_of_the_sentence_stays(text: str, absolute: str) -> None:
    assert normalise(text, clock=WEDNESDAY, zone=SHANGHAI).text == absolute


@pytest.mark.spec("W-02")
def test_the_first_day_told_is_when_it_occurred() -> None:
    told = normalise("Last week was dull, but on Monday we won.", clock=WEDNESDAY, zone=SHANGHAI)

    assert (told.occurred_at, told.occurred_resolved) == (datetime(2026, 3, 2, tzinfo=SHANGHAI), True)


@pytest.mark.spec("W-02")
def test_without_a_day_the_clock_itself_is_taken_and_marked_as_such() -> None:
    clock = datetime(2026, 3, 4, 2, 0, tzinfo=UTC)

    assert normalise("All quiet.", clock=clock, zone=SHANGHAI) == Normalised(
        text="All quiet.", mentions=(), occurred_at=WEDNESDAY, occurred_resolved=False
    )
    assert normalise("The cron runs at 3am.", clock=clock, zone=SHANGHAI).occurred_resolved is False


def test_a_date_without_its_year_takes_that_of_the_date_before_it() -> None:
    assert resolve("First draft by 10 April 2024, final one by 20 April.") == [
        ("10 April 2024", "2024-04-10T00:00", "day"),
        ("20 April", "2024-04-20T00:00", "day"),
    ]


def test_a_mention_is_past_when_it_is_over_before_the_clock() -> None:
    found = resolve_times("yesterday, today, tomorrow", clock=WEDNESDAY, zone=SHANGHAI)

    assert [mention.past for mention in found] == [True, False, False]


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=6,
    ),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),
)
def test_mentions_are_in_order_apart_and_quote_the_text(pieces: list[str], moment: datetime) -> None:
    text = " ".join(pieces)
    found = resolve_times(text, clock=moment.replace(tzinfo=SHANGHAI), zone=SHANGHAI)

    assert all(text[slice(*mention.span)] == mention.text for mention in found)
    assert all(mention.start <= mention.end for mention in found)
    assert all(mention.end - mention.start <= timedelta(days=366) for mention in found)
    spans = [mention.span for mention in found]
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
