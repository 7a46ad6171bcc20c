"""The canonical form of a value: equal meaning, equal string."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.temporal.value import normalise_value

WEDNESDAY = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
WORDS = (
    *(
        "$1,200",
        "1200",
        "USD",
        "two",
        "weeks",
        "a",
        "the",
        "half",
        "of",
        "an hour",
        "and",
        "next",
        "Friday",
        "三天",
        "三分之二",
    ),
    *(
        "85",
        "%",
        "percent",
        "million",
        "5",
        "Mb",
        "March",
        "1",
        "3pm",
        "in",
        "last",
        "month",
        "to",
        "-",
        "。",
        "八成",
        "plan",
        "/",
    ),
    *(
        "2026-03-01",
        "10:00",
        "P3D",
        "ＡＢＣ",
        "昨天",
        "per",
        "day",
        "元",
        "1.5",
        "万",
        "\u200b",
        "(",
        "out",
        "3",
        "4",
    ),
)


def canon(text: str) -> str:
    return normalise_value(text, clock=WEDNESDAY, zone=ZoneInfo("UTC"))


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    "same",
    [
        ("$1,200", "1200 USD", "US$ 1.2k", "1,200.00 dollars", "USD 1200"),
        ("1.2万元", "12000元", "人民币12,000元", "12000 RMB"),
        ("two weeks", "14 days", "14 天", "两周", "a fortnight", "P14D"),
        ("an hour and a half", "90 minutes", "1.5 hours", "1h30m", "一个半小时", "PT90M"),
        ("85 %", "0.85", "85 percent", "八成五", "百分之八十五"),
        ("3 out of 4", "75%", "three quarters"),
        ("next Wednesday", "March 11, 2026", "2026-03-11", "下周三", "3月11日"),
        ("tomorrow at 3pm", "2026-03-05 15:00"),
        ("last month", "February 2026", "2026年2月", "上个月"),
        ("The Berlin office.", "berlin office", " ＢＥＲＬＩＮ　office "),
        ("three cats", "3 cats", "Three cats!"),
        ("$50/month", "50 USD a month", "$50 per month"),
        ("北京 市。", "北京市"),
        ("12 million users", "12,000,000 users"),
    ],
    ids=lambda same: same[0],
)
def test_equal_meaning_is_an_equal_string(same: tuple[str, ...]) -> None:
    assert {canon(text) for text in same} == {canon(same[0])}


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$1,200", "€1,200"),
        ("$1,200", "$1,201"),
        ("$50", "-$50"),
        ("¥500", "500元"),
        ("two weeks", "10 business days"),
        ("30 days", "one month"),
        ("3 nights", "3 days"),
        ("85 %", "8.5 %"),
        ("2/3", "0.67"),
        ("10 Mb", "10 MB"),
        ("10 mW", "10 MW"),
        ("version 1.10", "version 1.1"),
        ("Plan A", "Plan B"),
        ("vitamin A daily", "vitamin daily"),
        ("next Wednesday", "last Wednesday"),
        ("not vegan", "vegan"),
        ("C++", "C"),
        ("3pm", "3am"),
    ],
)
def test_another_amount_or_unit_is_another_string(one: str, other: str) -> None:
    assert canon(one) != canon(other)


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("$1,200 a month", "1200 usd per month"),
        ("in two weeks", "2026-03-18"),
        ("half of the team", "0.5 of team"),
        ("2030", "2030"),
        ("3/12", "3/12"),
        ("", ""),
        ("…", ""),
    ],
)
def test_the_form_is_readable(text: str, form: str) -> None:
    assert canon(text) == form


@pytest.mark.spec("W-03")
@settings(deadline=None, max_examples=150)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)))
def test_the_canonical_form_stays_as_it_is_and_no_text_is_refused(text: str) -> None:
    form = canon(text)

    assert canon(form) == form
