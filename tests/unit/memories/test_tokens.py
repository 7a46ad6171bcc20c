"""Terms of search, tags and keywords."""

import subprocess
import sys
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.language.tokens import content_words, date_words, keywords, stem, words


def test_latin_words_come_lower_cased_and_stemmed_without_stop_words() -> None:
    assert words("The Deployments were RUNNING in Berlin") == ["deploy", "run", "berlin"]


def test_identifiers_are_kept_whole_and_in_parts() -> None:
    assert words("payment-api v2.3 JIRA-123") == [
        "payment-api", "payment", "api", "v2.3", "v2", "3", "jira-123", "jira", "123",
    ]  # fmt: skip


def test_thousands_separators_do_not_split_a_number() -> None:
    assert words("1,000,000 rows at 3.5") == ["1000000", "row", "3.5"]


def test_contractions_are_stop_words_and_possessives_fall_away() -> None:
    assert words("Caroline’s team won't stop, it's fine") == ["carolin", "team", "stop", "fine"]


def test_the_month_of_may_is_searched() -> None:
    assert words("in May 2026") == ["may", "2026"]


def test_chinese_is_cut_into_character_bigrams_and_a_lone_character_stays() -> None:
    assert words("支付服务 a 我") == ["支付", "付服", "服务", "我"]


def test_full_width_letters_are_folded() -> None:
    assert words("ＡＢＣ１２３") == ["abc123"]


def test_words_with_vowel_signs_stay_whole() -> None:
    assert words("हिन्दी में") == ["हिन्दी", "में"]


@pytest.mark.spec("R-16")
def test_an_iso_date_meets_every_usual_way_of_asking_for_it() -> None:
    terms = set(words("shipped on 2026-03-05T10:00:00Z"))

    assert terms == {"ship", "2026-03-05", "2026-03", "2026", "march", "3月", "5", "10:00"}
    for question in ("March 2026", "5 March 2026", "2026年3月5日", "2026-03-05", "2026-03"):
        assert set(words(question)) <= terms | {"年", "日"}, question


@pytest.mark.spec("R-16")
def test_date_words_name_the_day_the_month_and_the_weekday_in_both_languages() -> None:
    assert date_words(datetime(2026, 3, 5, 9, 30)) == [
        "2026-03-05", "2026-03", "2026", "march", "3月", "5", "thursday", "周四", "三月",
    ]  # fmt: skip
    assert date_words(datetime(2026, 12, 6))[-4:] == ["sunday", "周日", "十二", "二月"]


@pytest.mark.parametrize("question", ["March 2026", "thursday", "周四", "三月", "3月5日", "2026"])
def test_date_words_contain_the_terms_of_a_question_about_the_day(question: str) -> None:
    assert set(words(question)) <= set(date_words(datetime(2026, 3, 5)))


def test_words_never_loads_the_chinese_dictionary() -> None:
    code = "import sys; from memories.language.tokens import words; words('支付');"
    code += "sys.exit('jieba' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.spec("M-12")
def test_content_words_leave_out_stop_words_numbers_and_dates() -> None:
    text = "We deployed payment-api v2.3 on 2026-03-05 with 40 pods, 支付服务的数据库更新了"

    assert content_words(text) == [
        "deployed",
        "payment-api",
        "v2.3",
        "pods",
        "支付",
        "服务",
        "数据库",
        "更新",
    ]


@pytest.mark.spec("M-12")
def test_keywords_put_what_is_frequent_or_an_identifier_first_and_join_forms_of_a_word() -> None:
    text = "The export failed. Exports of orders failed again because orders-db was slow."

    assert keywords(text, most=4) == ("export", "failed", "orders-db", "orders")


def test_keywords_are_at_most_as_many_as_asked() -> None:
    assert len(keywords("alpha beta gamma delta epsilon zeta eta theta iota kappa", most=3)) == 3
    assert keywords("") == ()


def test_only_english_words_are_stemmed() -> None:
    assert (stem("running"), stem("straße"), stem("v2"), stem("支付")) == ("run", "straße", "v2", "支付")


@given(st.text())
def test_every_term_is_a_lower_case_piece_without_spaces(text: str) -> None:
    for term in words(text):
        assert term
        assert term == term.lower()
        assert not any(char.isspace() for char in term)
