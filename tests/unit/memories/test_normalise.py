"""Times resolved against the clock of the capture."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.temporal import Normalised, TimeMention, normalise, resolve_times

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


@pytest.mark.spec("K-01", "W-03")
@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("I left yesterday and return tomorrow.", "I left yesterday and return tomorrow."),
        ("ＡＰＩ昨晚挂了", "API昨晚挂了"),
    ],
)
def test_a_text_is_folded_and_its_words_stay(text: str, folded: str) -> None:
    assert normalise(text, clock=WEDNESDAY, zone=SHANGHAI).text == folded


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


THURSDAY = datetime(2026, 2, 26, 10, 0, tzinfo=SHANGHAI)


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The price changes on 1 March.", "2026-03-01"),
        ("Anna said the price changes on 1 March.", "2026-03-01"),
        ("The rate, announced last week, changes on 1 March.", "2026-03-01"),
        ("He has a review on 3 March.", "2026-03-03"),
        ("The fee was changed on 1 March.", "2025-03-01"),
        ("We met on 20 March.", "2025-03-20"),
        ("March 20: board meeting", "2026-03-20"),
        ("20 January: board meeting", "2026-01-20"),
        ("31 October: annual report", "2026-10-31"),
        ("I said we met on 5 January.", "2026-01-05"),
        ("They moved the launch to 15 March.", "2026-03-15"),
        ("The audit was pushed back to the 20th of May.", "2026-05-20"),
        ("The rate was changed to 5 on 15 March.", "2025-03-15"),
        ("Copper went up, so they charge more and it costs 219 dollars from 15 March.", "2026-03-15"),
        ("She brought the samples on 20 June.", "2025-06-20"),
        ("Prices rose, so from 15 March deliveries go elsewhere.", "2026-03-15"),
        ("On 20 March, we met in Odense.", "2025-03-20"),
        ("The last shift I sign: 12 May instead of 28 April, papers are late.", "2026-04-28"),
        ("船公司换船了，四月那个柜改到4月23日出发", "2026-04-23"),
        ("说错了，是6月17日", "2026-06-17"),
        ("4月23日，我们搬家了", "2025-04-23"),
        ("新价格3月1日起生效", "2026-03-01"),
        ("3月1日签了合同", "2025-03-01"),
    ],
)
def test_a_date_without_a_year_goes_where_the_sentence_looks_else_to_the_nearest(text: str, day: str) -> None:
    assert resolve(text, THURSDAY)[-1][1] == f"{day}T00:00"


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "start", "last"),
    [
        ("from 13th to 15th July", "2026-07-13", "2026-07-15"),
        ("August 27th - 29th", "2026-08-27", "2026-08-29"),
        ("Nov 18-Dec 19, 2015", "2015-11-18", "2015-12-19"),
        ("between 2014 and 2018", "2014-01-01", "2018-12-31"),
        ("between August and October", "2026-08-01", "2026-10-31"),
        ("from Monday to Wednesday", "2026-03-02", "2026-03-04"),
        ("for 3 days from tomorrow", "2026-02-27", "2026-03-01"),
        ("since January until now", "2026-01-01", "2026-02-26"),
        ("the week of the 18th", "2026-03-16", "2026-03-22"),
        ("the end of next month", "2026-03-21", "2026-03-31"),
        ("in the first half of 2026", "2026-01-01", "2026-06-30"),
        ("the last 3 weeks were hard", "2026-02-05", "2026-02-25"),
        ("back in the nineties", "1990-01-01", "1999-12-31"),
        ("Q2 results", "2026-04-01", "2026-06-30"),
        ("Labor Day weekend", "2026-09-05", "2026-09-07"),
        ("上个月底交的", "2026-01-21", "2026-01-31"),
        ("三月中旬", "2026-03-11", "2026-03-20"),
        ("年底回国", "2026-12-01", "2026-12-31"),
        ("从3月5日到8日休假", "2026-03-05", "2026-03-08"),
        ("1995-1997年", "1995-01-01", "1997-12-31"),
        ("前三天", "2026-02-23", "2026-02-25"),
        ("十九世纪七十年代", "1870-01-01", "1879-12-31"),
    ],
)
def test_a_period_has_its_first_and_its_last_day(text: str, start: str, last: str) -> None:
    (found,) = resolve_times(text, clock=THURSDAY, zone=SHANGHAI)

    assert found.start.date().isoformat() == start
    assert (found.end - timedelta(microseconds=1)).date().isoformat() == last


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2 weeks and 2 days ago", "2026-02-10T00:00"),
        ("in an hour and a half", "2026-02-26T11:30"),
        ("three Fridays ago", "2026-02-06T00:00"),
        ("the Friday after next", "2026-03-06T00:00"),
        ("the week after next", "2026-03-09T00:00"),
        ("the rest of the month", "2026-02-26T00:00"),
        ("两个半小时后开会", "2026-02-26T12:30"),
        ("the third Monday of next month", "2026-03-16T00:00"),
        ("Let's meet Friday the 6th", "2026-03-06T00:00"),
        ("Sunday, Feb 10 2013", "2013-02-10T00:00"),
        ("十月第一个星期一", "2026-10-05T00:00"),
        ("twenty-third of March 2026", "2026-03-23T00:00"),
        ("31-Oct-74", "1974-10-31T00:00"),
        ("on 3/12 at 4pm", "2026-03-12T16:00"),
        ("Easter next year", "2027-03-28T00:00"),
        ("今年春节", "2026-02-17T00:00"),
        ("明年中秋", "2027-09-15T00:00"),
        ("端午節", "2026-06-19T00:00"),
    ],
)
def test_a_longer_expression_is_read_as_one_day_or_moment(text: str, moment: str) -> None:
    assert [start for _, start, _ in resolve(text, THURSDAY)] == [moment]


@pytest.mark.spec("W-02", "W-03")
@pytest.mark.parametrize(
    "text",
    [
        "The limit is 2030.",
        "2030",
        "a ratio of 3/12",
        "10/10 for effort",
        "I may first ask",
        "Super Tuesday",
        "每年春节都回家",
    ],
)
def test_a_number_a_fraction_or_a_name_is_no_date(text: str) -> None:
    assert resolve(text, THURSDAY) == []


@pytest.mark.spec("W-02", "W-03")
@pytest.mark.parametrize(
    "text",
    [
        "Retention goes down to 60 days from now on",
        "The third address in four months!",
        "It broke twice in 2 weeks",
    ],
)
def test_a_length_within_which_something_holds_or_was_counted_is_no_time(text: str) -> None:
    assert resolve(text, THURSDAY) == []


def test_a_meeting_that_was_moved_is_no_period() -> None:
    found = resolve("The meeting moved from Monday to Tuesday", THURSDAY)

    assert [(words, resolution) for words, _, resolution in found] == [("Monday", "day"), ("Tuesday", "day")]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("zone", "clock", "text", "start", "end"),
    [
        # Just before and after midnight in Los Angeles, which is the same day in London.
        (
            "America/Los_Angeles",
            "2026-03-05T07:59:00+00:00",
            "today",
            "2026-03-04T00:00:00-08:00",
            "2026-03-05T00:00:00-08:00",
        ),
        (
            "America/Los_Angeles",
            "2026-03-05T08:01:00+00:00",
            "today",
            "2026-03-05T00:00:00-08:00",
            "2026-03-06T00:00:00-08:00",
        ),
        # Clocks go forward on 8 March 2026 there: the day has 23 hours.
        (
            "America/Los_Angeles",
            "2026-03-07T12:00:00-08:00",
            "tomorrow",
            "2026-03-08T00:00:00-08:00",
            "2026-03-09T00:00:00-07:00",
        ),
        (
            "Europe/Berlin",
            "2026-10-24T23:30:00+02:00",
            "tomorrow",
            "2026-10-25T00:00:00+02:00",
            "2026-10-26T00:00:00+01:00",
        ),
        (
            "Asia/Shanghai",
            "2026-03-04T16:30:00+00:00",
            "昨天",
            "2026-03-04T00:00:00+08:00",
            "2026-03-05T00:00:00+08:00",
        ),
        (
            "Pacific/Kiritimati",
            "2026-12-31T12:00:00+00:00",
            "today",
            "2027-01-01T00:00:00+14:00",
            "2027-01-02T00:00:00+14:00",
        ),
    ],
)
def test_a_day_begins_and_ends_at_midnight_of_its_zone(
    zone: str, clock: str, text: str, start: str, end: str
) -> None:
    (found,) = resolve_times(text, clock=datetime.fromisoformat(clock), zone=ZoneInfo(zone))

    assert (found.start.isoformat(), found.end.isoformat()) == (start, end)
