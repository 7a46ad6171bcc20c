"""Money as amount and currency."""

from fractions import Fraction

import pytest

from memories.quantities.amounts import Quantity, find_money


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    ("text", "words", "canonical"),
    [
        ("It costs $1,200.50 now", "$1,200.50", "1200.5 USD"),
        ("We raised US$ 1.2M", "US$ 1.2M", "1200000 USD"),
        ("a budget of €3.5k", "€3.5k", "3500 EUR"),
        ("pay 20€ each", "20€", "20 EUR"),
        ("pay $5 CAD", "$5 CAD", "5 CAD"),
        ("HK$ 20 a ride", "HK$ 20", "20 HKD"),
        ("USD 30 or so", "USD 30", "30 USD"),
        ("two hundred and fifty bucks", "two hundred and fifty bucks", "250 USD"),
        ("half a million dollars", "half a million dollars", "500000 USD"),
        ("3.2 million euros", "3.2 million euros", "3200000 EUR"),
        ("预算1.2万元", "1.2万元", "12000 CNY"),
        ("一共三千五百块钱", "三千五百块钱", "3500 CNY"),
        ("花了10万美元", "10万美元", "100000 USD"),
        ("人民币12,000元", "人民币12,000元", "12000 CNY"),
        ("¥500", "¥500", "500 ¥"),
    ],
)
def test_a_sum_is_told_as_amount_and_currency(text: str, words: str, canonical: str) -> None:
    assert [(mention.text, mention.canonical) for mention in find_money(text)] == [(words, canonical)]


@pytest.mark.spec("W-03")
@pytest.mark.parametrize(
    "text",
    ["I won 3 games", "version 1.2", "5 pounds of flour", "一元首", "公元前", "the dollar fell", "", "$"],
)
def test_what_names_no_sum_is_no_mention(text: str) -> None:
    assert find_money(text) == ()


def test_a_mention_is_told_whole_and_sums_stand_in_order() -> None:
    first, second = find_money("from $5 to 7 EUR")

    assert first == Quantity(text="$5", span=(5, 7), amount=Fraction(5), currency="USD")
    assert second.canonical == "7 EUR"
