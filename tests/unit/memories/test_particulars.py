"""The particulars of a text: the same amount meets itself however it is written."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.particulars import count_common, find_missing, read_particulars
from tests.unit.memories.rows import MARCH


def missing(new: str, old: str, **more: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        find_missing(read_particulars(new, clock=MARCH), read_particulars(old, clock=MARCH), **more)
    )


@pytest.mark.spec("W-11", "W-03")
@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("covered for three years", "a warranty of 36 months"),
        ("the deposit is 20 %", "订金是百分之二十"),
        ("five for the workshop", "a raise of 5 percent for the workshop"),
        ("about a quarter of it bounces", "23 % of it bounces"),
        ("it comes on the 24th", "it comes on 24 February"),
        ("closed from the 14th", "2026-02-14至2026-02-23放假"),
        ("Chaoyang pays in Hangzhou", "朝阳在杭州付款"),
        ("box AB 12-345 is lost", "AB12345 is lost"),
        ("finished at 00:26", "finished on 2026-02-14 00:26"),
        ("Ask Mr. Qian", "对接人是钱工"),
        ("a 24-ton silo", "the silo holds 24 tons"),
        ("max_lag=38s", "the lag was 38 s at most"),
        ("a call cut the mails by half", "calling halves the mails"),
        ("2026-05合格率低", "the rate of May 2026 was low"),
        ("the rate was low in 2026-05.", "五月的合格率低"),
        ("in 2025 it was enough", "2025's two were enough"),
        ("Returned goods go to Odense", "Returns go to Odense"),
    ],
)
def test_what_is_told_in_other_signs_is_not_missing(new: str, old: str) -> None:
    assert missing(new, old) == frozenset()


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("it takes 36 weeks", "it takes 36 months", "figure"),
        ("it costs 212 euros", "it costs 212 dollars", "figure"),
        ("a quarter of it bounces", "23 % of it bounces", "figure"),
        ("on 15 March we meet", "on 16 March we meet", "time"),
        ("it finished at 00:27", "it finished on 2026-02-14 00:26", "time"),
        ("it runs on Relay 2.4.2", "it runs on Relay 2.4.0", "name"),
        ("box AB12346 is lost", "AB12345 is lost", "name"),
        ("we pay in Suzhou", "杭州付款", "name"),
        ("联系张玮", "联系张伟", "name"),
        ("对接人是钱工", "对接人是孙工", "name"),
        ("Heron needs a lock", "Wren needs a lock", "name"),
        ("a 25-ton silo", "the silo holds 24 tons", "figure"),
        ("a call halves the mails", "a call cut the mails by a third", "figure"),
        ("2026-06合格率低", "the rate of May 2026 was low", "time"),
        ("2025's were enough", "in 2024 they were enough", "time"),
        ("max_lag=38s", "min_lag=38s", "name"),
    ],
)
def test_another_figure_time_or_name_is_missing(new: str, old: str, kind: str) -> None:
    assert missing(new, old) == frozenset({kind})


def test_names_that_go_with_the_old_one_are_known() -> None:
    assert missing("so says Ines about Odense", "about Odense", known=("Ines",)) == frozenset()


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(("said", "known"), [("2026-03-05", True), ("2026-03-06", False)])
def test_the_day_of_the_old_one_is_known_though_it_need_not_tell_it(said: str, known: bool) -> None:
    new, old = (read_particulars(text, clock=MARCH) for text in (f"closed since {said}", "it is closed"))

    assert (not find_missing(new, old, day=date(2026, 3, 5))) is known
    assert find_missing(new, old) == {"time"}


@settings(deadline=None, max_examples=60)  # the first reading loads a grammar
@given(st.text(alphabet="abc 0123456789.,%/-年月日三十百 ", max_size=40))
def test_nothing_of_a_text_is_missing_in_itself(text: str) -> None:
    assert missing(text, text) == frozenset()


def test_what_is_common_is_counted_without_whom_one_speaks_to() -> None:
    old = read_particulars("Maria paid 45 kroner in Odense on 5 March", clock=MARCH)

    counts = [
        count_common(read_particulars(text, clock=MARCH), old)
        for text in ("On 5 March it was 45 in Odense", "Thanks, Maria! It was 45", "It was dear")
    ]

    assert counts == [3, 1, 0]
