"""Two texts of knowledge made one."""

from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.merging import LONGEST, merge_texts
from memories.tokens import words
from tests.unit.memories.minimal_pairs import MINIMAL_PAIRS

WORDS = st.lists(
    st.sampled_from(
        ["redis", "cache", "pool", "timeout", "retry", "deploy", "not", "3", "red", "缓存", "Anna"]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(lambda sentences: ". ".join(sentences) + ".")


def test_a_text_that_adds_nothing_leaves_the_old_one_as_it_is() -> None:
    assert (
        merge_texts("The cache expired after 5 minutes.", "the CACHE expired")
        == "The cache expired after 5 minutes."
    )


def test_a_text_that_says_all_of_the_old_and_more_takes_its_place() -> None:
    fuller = "The cache expired after 5 minutes because of its TTL."

    assert merge_texts("The cache expired after 5 minutes.", fuller) == fuller


def test_else_the_new_sentences_follow_the_old_text() -> None:
    old = "The cache expired after 5 minutes."
    new = "The cache expired. Raising the TTL helped."

    assert merge_texts(old, new) == "The cache expired after 5 minutes. Raising the TTL helped."


def test_a_fuller_sentence_takes_the_place_of_the_one_it_contains() -> None:
    old = "Redis dropped keys. The pool was empty."
    new = "The pool was empty for an hour."

    assert merge_texts(old, new) == "Redis dropped keys. The pool was empty for an hour."


def test_chinese_sentences_are_joined_without_a_blank() -> None:
    assert (
        merge_texts("缓存五分钟后失效。", "五分钟后失效。延长时间有帮助。")
        == "缓存五分钟后失效。延长时间有帮助。"
    )


def test_a_point_inside_a_number_or_a_name_ends_no_sentence() -> None:
    old = "Release v2.4 needs 3.5 GB of memory."

    assert (
        merge_texts(old, "Node 18.2 is enough for api.example.")
        == f"{old} Node 18.2 is enough for api.example."
    )


def test_what_would_grow_too_long_stays_apart() -> None:
    assert merge_texts("a cache. " * 400, "Another matter. " + "b" * LONGEST) is None


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(("what", "a", "b"), MINIMAL_PAIRS)
def test_both_sides_of_a_difference_are_never_in_one_text(what: str, a: str, b: str) -> None:
    assert merge_texts(f"{a} Ask the team.", f"{b} Ask the team.") is None
    assert merge_texts(f"{b} Ask the team.", f"{a} Ask the team.") is None


@settings(deadline=None)
@given(old=TEXTS, new=TEXTS)
def test_no_word_is_lost(old: str, new: str) -> None:
    merged = merge_texts(old, new)

    assert merged is None or set(words(merged)) == set(words(old)) | set(words(new))


@settings(deadline=None)
@given(old=TEXTS, new=TEXTS)
def test_merging_the_same_text_again_changes_nothing(old: str, new: str) -> None:
    merged = merge_texts(old, new)

    assert merged is None or merge_texts(merged, new) == merged


@settings(deadline=None, max_examples=50)
@given(st.lists(TEXTS, min_size=2, max_size=8))
def test_a_text_never_grows_without_end(texts: list[str]) -> None:
    *_, last = accumulate(texts * 3, lambda old, new: merge_texts(old, new) or old)

    assert len(last) <= LONGEST


@pytest.mark.parametrize("text", ["One thing.", "一件事。"])
def test_a_text_merged_with_itself_is_itself(text: str) -> None:
    assert merge_texts(text, text) == text
