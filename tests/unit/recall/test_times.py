"""The time a question is about, read against the asker's clock (SPEC R-08)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.temporal import fold
from recall.questions.time_ranges import FAR_OFF, LONG_AGO, Range, find_range

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = datetime(2026, 5, 13, 10, 30, tzinfo=BERLIN)


def found(query: str, clock: datetime = WEDNESDAY, zone: ZoneInfo = BERLIN) -> Range | None:
    return find_range(fold(query), clock=clock, zone=zone)


def told(query: str, clock: datetime = WEDNESDAY, zone: ZoneInfo = BERLIN) -> tuple[str, str] | None:
    """Return both ends in the asker's zone, to the minute; a midnight as its day, no end as «…»."""
    one = found(query, clock, zone)
    if one is None:
        return None
    names = {LONG_AGO: "…", FAR_OFF: "…"}
    first, last = (names.get(end) or _local(end, zone) for end in (one.start, one.end))
    return first, last


def _local(moment: datetime, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00")


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(
    ("query", "first", "after"),
    [
        ("What happened yesterday?", "2026-05-12", "2026-05-13"),
        ("what did we decide last week about billing?", "2026-05-04", "2026-05-11"),
        ("What was decided in April?", "2026-04-01", "2026-05-01"),
        ("from last month until now, what changed?", "2026-04-01", "2026-05-14"),
        ("what changed since Monday?", "2026-05-11", "2026-05-14"),
        ("What changed from Monday to now?", "2026-05-11", "2026-05-14"),
        ("what has been decided since March", "2026-03-01", "2026-05-14"),
        ("what did I do 2 weeks ago?", "2026-04-26", "2026-05-03"),
        ("what was our address three months ago", "2026-01-29", "2026-03-01"),
        ("what did we do in the last 2 weeks", "2026-04-29", "2026-05-14"),
        ("what happened in the past three days?", "2026-05-10", "2026-05-14"),
        ("what was shipped between 3 and 9 May", "2026-05-03", "2026-05-10"),
        ("what happened in Q2?", "2026-04-01", "2026-07-01"),
        ("what did we ship in 2025?", "2025-01-01", "2026-01-01"),
        ("what did I do today", "2026-05-13", "2026-05-14"),
        ("who did I meet last Tuesday", "2026-05-12", "2026-05-13"),
        ("Monday's decisions", "2026-05-11", "2026-05-12"),
        ("what did I say this morning", "2026-05-13 05:00", "2026-05-13 12:00"),
        ("who came yesterday afternoon", "2026-05-12 12:00", "2026-05-12 18:00"),
        ("what broke last night", "2026-05-12 18:00", "2026-05-13 06:00"),
        ("what did we decide an hour ago", "2026-05-13 09:00", "2026-05-13 10:00"),
        ("what came in during the last hour", "2026-05-13 09:30", "2026-05-14"),
        ("what was known before April?", "…", "2026-04-01"),
        ("what had been done until last week", "…", "2026-05-11"),
        ("what happened after 3 May?", "2026-05-04", "2026-05-14"),
        ("what will come after 3 June?", "2026-06-04", "…"),
        ("did we talk of it in April or in May?", "2026-04-01", "2026-06-01"),
        ("what is planned for next week", "2026-05-18", "2026-05-25"),
        ("Who is on duty on Monday?", "2026-05-18", "2026-05-19"),
        ("上个月我们决定了什么?", "2026-04-01", "2026-05-01"),
        ("去年三月到现在发生了什么", "2025-03-01", "2026-05-14"),
        ("昨天下午谁来了", "2026-05-12 12:00", "2026-05-12 18:00"),
        ("上周讨论了什么", "2026-05-04", "2026-05-11"),
        ("从上个月到现在有什么变化", "2026-04-01", "2026-05-14"),
        ("周一以来有什么变化", "2026-05-11", "2026-05-14"),
        ("自从三月以来", "2026-03-01", "2026-05-14"),
        ("两周前我们做了什么", "2026-04-26", "2026-05-03"),
        ("5月3日到9日之间发生了什么", "2026-05-03", "2026-05-10"),
        ("第二季度的收入", "2026-04-01", "2026-07-01"),
        ("2025年我们发布了什么", "2025-01-01", "2026-01-01"),
        ("最近三天", "2026-05-10", "2026-05-14"),
        ("昨晚我吃了什么", "2026-05-12 18:00", "2026-05-13 06:00"),
        ("三月以前住在哪里", "…", "2026-03-01"),
    ],
)
def test_a_time_in_a_question_is_a_range_against_the_askers_clock(query: str, first: str, after: str) -> None:
    assert told(query) == (first, after)


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(
    "query",
    [
        "Where does the staging server stand?",
        "What happened before the launch?",
        "How long ago did we meet?",
        "what did we do some days ago",
        "What may I eat?",
        "Can I march with the second team?",
        "what do we do every Monday",
        "服务器在哪里",
        "前几天发生了什么",
        "",
    ],
)
def test_a_question_that_names_no_time_of_the_calendar_has_no_range(query: str) -> None:
    assert found(query) is None


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(
    ("clock", "zone", "query", "first", "after"),
    [
        # Just before and after the asker's midnight, on days that the service's clock tells otherwise.
        ("2026-05-12T22:59:59+01:00", "Europe/Berlin", "what happened yesterday", "2026-05-11", "2026-05-12"),
        ("2026-05-12T23:00:00+01:00", "Europe/Berlin", "what happened yesterday", "2026-05-12", "2026-05-13"),
        ("2026-05-12T23:00:00+00:00", "Asia/Tokyo", "what happened today", "2026-05-13", "2026-05-14"),
        ("2026-05-12T23:00:00+00:00", "America/New_York", "今天发生了什么", "2026-05-12", "2026-05-13"),
        # The ends of months and years, and of a leap February.
        ("2026-03-31T12:00:00+00:00", "UTC", "what happened last month", "2026-02-01", "2026-03-01"),
        ("2024-02-29T12:00:00+00:00", "UTC", "what happened last year", "2023-01-01", "2024-01-01"),
        ("2026-01-01T00:00:00+00:00", "UTC", "what happened yesterday", "2025-12-31", "2026-01-01"),
        ("2026-01-01T00:00:00+00:00", "UTC", "上周发生了什么", "2025-12-22", "2025-12-29"),
        # Days of 23 and 25 hours.
        ("2026-03-30T12:00:00+02:00", "Europe/Berlin", "what happened yesterday", "2026-03-29", "2026-03-30"),
        ("2026-10-26T12:00:00+01:00", "Europe/Berlin", "what happened yesterday", "2026-10-25", "2026-10-26"),
    ],
)
def test_days_are_the_askers_own(clock: str, zone: str, query: str, first: str, after: str) -> None:
    assert told(query, datetime.fromisoformat(clock), ZoneInfo(zone)) == (first, after)


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(("month", "hours"), [(3, 23), (10, 25), (5, 24)])
def test_a_day_on_which_clocks_change_has_its_own_length(month: int, hours: int) -> None:
    day = {3: 30, 10: 26, 5: 13}[month]
    one = found("what happened yesterday", datetime(2026, month, day, 12, tzinfo=BERLIN))

    assert one is not None
    assert one.end - one.start == timedelta(hours=hours)


@pytest.mark.spec("R-07", "R-08")
@pytest.mark.parametrize(
    ("query", "past"),
    [
        ("Where did I live last year?", True),
        ("what was the database in March", True),
        ("last month's revenue", True),
        ("三月的数据库是什么", True),
        ("去年住在哪里", True),
        ("what changed since Monday?", True),
        # What is asked is now, whatever day is named.
        ("What is due on 3 March?", False),
        ("What is left of last week's tasks?", False),
        ("Does the price of last year still hold?", False),
        ("上周定的价格现在是多少", False),
        ("3月3日到期的是什么", False),
        # The day belongs to the name of a thing.
        ("Did we pay the invoice of 12 May?", False),
        ("the invoice of 12 May", False),
        ("5月12日的发票付了吗", False),
        # What is to come was not.
        ("what will we do next week", False),
        ("what is planned for tomorrow", False),
    ],
)
def test_a_question_is_about_the_past_only_if_its_words_ask_what_was(query: str, past: bool) -> None:
    one = found(query)

    assert one is not None
    assert one.past is past


@pytest.mark.spec("R-08")
def test_a_part_of_a_day_keeps_the_day_around_it() -> None:
    one = found("what did we decide yesterday afternoon")

    assert one is not None
    day = datetime(2026, 5, 12, tzinfo=BERLIN)
    assert one.around == (day, day + timedelta(days=1))
    assert (one.start, one.end) == (day + timedelta(hours=12), day + timedelta(hours=18))


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="the clock needs a zone"):
        find_range("yesterday", clock=datetime(2026, 5, 13), zone=BERLIN)


_PIECES = (
    st.sampled_from(
        (
            "since before after until from to now between and the last next 3 30 31 2 weeks days",
            "months years ago",
            "yesterday today Monday Friday May February 29 of 2024 9999 1 0001 morning night",
            "Q1 Q4 at 3pm 25:00",
            "昨天 上个月 三月 31日 以来 之前 之后 到 现在 凌晨 去年 两周前 9998年 第二季度",
            "what did we do is 12/31 2026-02-30 century decade",
        )
    )
    .map(str.split)
    .flatmap(st.sampled_from)
)


@pytest.mark.spec("R-08")
@settings(deadline=None)  # the slow recogniser loads itself at the first odd text
@given(
    query=st.lists(_PIECES, max_size=9).map(" ".join) | st.text(max_size=60),
    clock=st.datetimes(datetime(1900, 1, 1), datetime(2199, 12, 31), timezones=st.just(UTC)),
    zone=st.sampled_from(["UTC", "Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin"]).map(ZoneInfo),
)
def test_any_text_has_no_range_or_one_that_ends_after_it_starts(
    query: str, clock: datetime, zone: ZoneInfo
) -> None:
    one = find_range(query, clock=clock, zone=zone)

    if one is not None:
        first, last = one.around
        assert first <= one.start < one.end <= last
        assert {one.start.tzinfo, one.end.tzinfo, first.tzinfo, last.tzinfo} == {UTC}
        assert not (one.past and one.start >= clock)
