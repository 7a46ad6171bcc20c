"""Two texts of knowledge made one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.merging import LONGEST, merge_texts
from memories.tokens import words


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


def test_chinese_sentences_are_joined_without_a_blank() -> None:
    assert (
        merge_texts("缓存五分钟后失效。", "五分钟后失效。延长时间有帮助。")
        == "缓存五分钟后失效。延长时间有帮助。"
    )


def test_what_would_grow_too_long_stays_apart() -> None:
    assert merge_texts("a cache. " * 400, "Another matter. " + "b" * LONGEST) is None


@given(
    old=st.lists(
        st.sampled_from(["redis", "cache", "pool", "timeout", "retry", "deploy"]), min_size=1, max_size=6
    ),
    new=st.lists(
        st.sampled_from(["redis", "cache", "pool", "timeout", "retry", "deploy"]), min_size=1, max_size=6
    ),
)
def test_no_word_is_lost(old: list[str], new: list[str]) -> None:
    first, second = " ".join(old) + ".", " ".join(new) + "."

    merged = merge_texts(first, second)

    assert merged is not None
    assert set(words(merged)) == set(words(first)) | set(words(second))


@pytest.mark.parametrize("text", ["One thing.", "一件事。"])
def test_a_text_merged_with_itself_is_itself(text: str) -> None:
    assert merge_texts(text, text) == text
