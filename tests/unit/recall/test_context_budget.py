"""Packing under a budget: its laws, and a few rooms filled by hand (SPEC C-01)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.context.budget import SHARES, BudgetItem, pack, shorten

pytestmark = pytest.mark.spec("C-01")

NAMES = tuple(SHARES)
PAST, LESSONS, EXAMPLES, PATTERNS = NAMES


def words(text: str) -> int:
    """Count as the simplest tokenizer does."""
    return len(text.split())


def a_card(section: str, size: int, *needs: str) -> BudgetItem:
    return BudgetItem(section=section, text="word " * size, needs=needs)


def filled(candidates: list[BudgetItem], room: int, **parts: int) -> list[int]:
    return pack(candidates, room=room, parts=parts, count=words)


def test_the_shares_are_the_whole() -> None:
    assert sum(SHARES.values()) == pytest.approx(1.0)


def test_each_section_gets_its_share_before_any_gets_more() -> None:
    candidates = [a_card(PAST, 10) for _ in range(10)] + [a_card(LESSONS, 10), a_card(PATTERNS, 10)]

    assert filled(candidates, 100) == [0, 1, 2, 3, 4, 5, 6, 7, 10, 11]


def test_room_that_a_section_does_not_need_is_passed_on() -> None:
    assert filled([a_card(PATTERNS, 10) for _ in range(12)], 100) == list(range(10))


def test_a_card_that_does_not_fit_gives_way_to_the_next_smaller_one() -> None:
    assert filled([a_card(PAST, 60), a_card(PAST, 50), a_card(PAST, 40)], 100) == [0, 2]


def test_a_part_is_paid_for_once_and_with_the_card_that_needs_it() -> None:
    two = [a_card(PAST, 30, "alert"), a_card(PAST, 30, "alert")]

    assert filled(two, 80, alert=20) == [0, 1]
    assert filled(two, 79, alert=20) == [0]
    assert filled(two, 49, alert=20) == []


CARDS = st.lists(
    st.builds(
        BudgetItem,
        section=st.sampled_from(NAMES),
        text=st.integers(0, 40).map(lambda size: "w " * size),
        needs=st.lists(st.sampled_from(["a", "b", "c"]), max_size=2, unique=True).map(tuple),
    ),
    max_size=12,
)
PARTS = st.fixed_dictionaries({name: st.integers(0, 15) for name in "abc"})


@given(cards=CARDS, room=st.integers(0, 200), parts=PARTS)
def test_no_room_is_overdrawn_and_none_is_left_that_a_card_would_fit(
    cards: list[BudgetItem], room: int, parts: dict[str, int]
) -> None:
    taken = pack(cards, room=room, parts=parts, count=words)

    def cost(numbers: list[int]) -> int:
        needed = {name for number in numbers for name in cards[number].needs}
        return sum(words(cards[number].text) for number in numbers) + sum(parts[name] for name in needed)

    assert taken == sorted(set(taken))
    assert cost(taken) <= room
    assert [n for n in range(len(cards)) if n not in taken and cost([*taken, n]) <= room] == []


@given(cards=CARDS)
def test_all_are_taken_where_there_is_room_for_all(cards: list[BudgetItem]) -> None:
    assert pack(cards, room=1_000, parts={"a": 1, "b": 1, "c": 1}, count=words) == list(range(len(cards)))


@given(text=st.text(alphabet="ab cde\n中", max_size=80), most=st.integers(0, 30))
def test_a_shortened_text_has_no_more_tokens_than_it_may_and_begins_like_the_whole(
    text: str, most: int
) -> None:
    kept = shorten(text, most=most, count=words)

    assert words(kept) <= most
    assert kept == text or kept == "" or text.startswith(kept.removesuffix(" …"))


def test_a_text_is_cut_behind_a_whole_word() -> None:
    text = "The nightly export of invoices runs on heron and on egret since the move to Porto."

    assert shorten(text, most=7, count=words) == "The nightly export of invoices …"
