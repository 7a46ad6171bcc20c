"""Durations in ISO 8601."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.quantities.durations import DurationMention, find_durations, write_duration


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("text", "words", "iso"),
    [
        ("it took three days", "three days", "P3D"),
        ("an hour and a half", "an hour and a half", "PT90M"),
        ("one and a half hours", "one and a half hours", "PT90M"),
        ("1.5 hours", "1.5 hours", "PT90M"),
        ("2h30m", "2h30m", "PT150M"),
        ("2 hours and 15 minutes", "2 hours and 15 minutes", "PT135M"),
        ("half an hour", "half an hour", "PT30M"),
        ("two weeks", "two weeks", "P14D"),
        ("a fortnight", "a fortnight", "P14D"),
        ("twelve months", "twelve months", "P1Y"),
        ("two and a half years", "two and a half years", "P30M"),
        ("a six-week course", "six-week", "P42D"),
        ("2 years 1 month 21 days", "2 years 1 month 21 days", "P25M21D"),
        ("a couple of days", "a couple of days", "P2D"),
        ("两个半小时", "两个半小时", "PT150M"),
        ("两小时半", "两小时半", "PT150M"),
        ("1小时30分钟", "1小时30分钟", "PT90M"),
        ("一个半月", "一个半月", "P1M15D"),
        ("一年半", "一年半", "P18M"),
        ("半年", "半年", "P6M"),
        ("三周", "三周", "P21D"),
        ("一刻钟", "一刻钟", "PT15M"),
        ("P2W", "P2W", "P14D"),
    ],
)
def test_a_length_of_time_has_one_iso_form(text: str, words: str, iso: str) -> None:
    assert [(mention.text, mention.canonical) for mention in find_durations(text)] == [(words, iso)]


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    "text", ["3月5日", "2026年", "第三天", "10 business days", "the day", "PT", "5 pm", ""]
)
def test_a_date_or_an_ordinal_is_no_length(text: str) -> None:
    assert find_durations(text) == ()


def test_a_mention_is_told_whole() -> None:
    (found,) = find_durations("for 3 days")

    assert found == DurationMention(
        text="3 days", span=(4, 10), months=Fraction(0), seconds=Fraction(259_200)
    )


@given(st.integers(0, 10_000).map(Fraction), st.integers(0, 10_000_000).map(Fraction))
def test_the_iso_form_is_read_back_as_the_same_length(months: Fraction, seconds: Fraction) -> None:
    (found,) = find_durations(write_duration(months, seconds))

    assert (found.months, found.seconds) == (months, seconds)
