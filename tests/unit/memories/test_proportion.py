"""Proportions from 0 to 1."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.quantities.amounts import Quantity, find_proportions


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("85 % are done", "85 %", 0.85),
        ("0.5% of it", "0.5%", 0.005),
        ("twelve percent", "twelve percent", 0.12),
        ("3 out of 4 agree", "3 out of 4", 0.75),
        ("two thirds of them", "two thirds", 2 / 3),
        ("half of the users", "half", 0.5),
        ("a quarter", "a quarter", 0.25),
        ("三分之二的人", "三分之二", 2 / 3),
        ("八成完成", "八成", 0.8),
        ("八成五", "八成五", 0.85),
        ("百分之八十五", "百分之八十五", 0.85),
        ("百分之3.5", "百分之3.5", 0.035),
        ("一半", "一半", 0.5),
    ],
)
def test_a_part_of_a_whole_is_a_number_from_0_to_1(text: str, words: str, value: float) -> None:
    assert [(mention.text, float(mention.amount)) for mention in find_proportions(text)] == [(words, value)]


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    "text",
    [
        "150 %",
        "3 percentage points",
        "half an hour",
        "a third party",
        "成功了",
        "4 out of 5 stars",
        "9 out of 4",
        "",
    ],
)
def test_what_is_no_part_of_a_whole_is_no_mention(text: str) -> None:
    assert find_proportions(text) == ()


def test_a_mention_is_told_whole_and_exactly() -> None:
    (found,) = find_proportions("about 2 out of 3")

    assert found == Quantity(text="2 out of 3", span=(6, 16), amount=Fraction(2, 3))
    assert found.canonical == "2/3"


@given(st.integers(0, 100))
def test_percent_and_its_words_in_chinese_are_one_number(percent: int) -> None:
    (english,), (chinese,) = find_proportions(f"{percent} %"), find_proportions(f"百分之{percent}")

    assert english.amount == chinese.amount == Fraction(percent, 100)
