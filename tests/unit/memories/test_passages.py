"""Cutting documents into passages, and saying in short what they say (SPEC M-11)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.documents.passages import LONGEST, SHORTEST, cut_passages
from memories.entity_resolution.summary import LONGEST_SUMMARY, OF_A_DOCUMENT, OF_A_PASSAGE, summarise
from memories.language.sentences import split_sentences

SENTENCES = st.lists(
    st.tuples(st.integers(1, 30), st.sampled_from([" ", " ", "\n", "\n\n"]), st.booleans()), max_size=80
)


def write(plan: list[tuple[int, str, bool]]) -> str:
    """Return a text of sentences of so many words, each with what stands behind it."""
    return "".join(
        ("那台服务器在法兰克福" * length + "。" if chinese else "The relay holds" + " steady" * length + ".")
        + after
        for length, after, chinese in plan
    )


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.spec("M-11")
@given(SENTENCES)
def test_passages_hold_the_whole_text_once_and_in_order(plan: list[tuple[int, str, bool]]) -> None:
    text = write(plan)
    passages = cut_passages(text)
    assert bare("".join(passage.text for passage in passages)) == bare(text)
    assert [text[passage.start : passage.end] for passage in passages] == [
        passage.text for passage in passages
    ]


@pytest.mark.spec("M-11")
@given(SENTENCES)
def test_no_passage_ends_in_a_sentence_and_only_a_single_sentence_is_too_long(
    plan: list[tuple[int, str, bool]],
) -> None:
    text = write(plan)
    ends = {sentence.end for sentence in split_sentences(text)}
    for passage in cut_passages(text):
        assert passage.end in ends
        assert len(passage.text) <= LONGEST or len(split_sentences(passage.text)) == 1


@pytest.mark.spec("M-11")
def test_passages_are_as_long_as_their_sentences_allow_and_the_rest_stands_last() -> None:
    text = "The relay restarts at noon on every working day. " * 40
    lengths = [len(passage.text) for passage in cut_passages(text)]
    assert lengths == [979, 979]
    assert [len(passage.text) for passage in cut_passages(text + "It is older than its own clock.")] == [
        979,
        979,
        31,
    ]


def test_a_paragraph_of_some_length_is_a_passage_of_its_own() -> None:
    paragraph = "The relay restarts at noon. " * 20
    passages = cut_passages(f"{paragraph}\n\n{paragraph}\n\nShort.")
    assert [len(passage.text) >= SHORTEST for passage in passages] == [True, True, False]
    assert [passage.text[-5:] for passage in passages] == ["noon.", "noon.", "hort."]


@pytest.mark.parametrize("text", ["", "  \n\n "])
def test_a_text_of_blanks_has_no_passage(text: str) -> None:
    assert cut_passages(text) == ()


TALK = (
    "The payment service was rebuilt in March. It writes every order to a queue before it answers. "
    "The queue is drained by four workers, and each worker takes an order at most once. "
    "When the queue is longer than 10 000 orders, the payment service refuses new orders. Lunch was nice. "
    "The old payment service lost orders when the database was slow, which is why the queue was built."
)


@pytest.mark.spec("M-11")
@pytest.mark.parametrize("most", [OF_A_PASSAGE, OF_A_DOCUMENT])
def test_a_summary_has_few_sentences_of_the_text_in_its_order(most: int) -> None:
    said = [sentence.text for sentence in split_sentences(TALK)]
    chosen = [sentence.text for sentence in split_sentences(summarise(TALK, most=most))]
    assert len(chosen) == most
    assert [sentence for sentence in said if sentence in chosen] == chosen
    assert "Lunch was nice." not in chosen


def test_a_short_text_is_its_own_summary() -> None:
    assert summarise(" It works. Really. ", most=2) == "It works. Really."


@given(st.text(max_size=3000), st.integers(1, 3))
def test_a_summary_of_anything_is_short_and_no_text_fails(text: str, most: int) -> None:
    assert len(summarise(text, most=most)) <= LONGEST_SUMMARY


def test_chinese_sentences_stand_together_without_blanks() -> None:
    text = "支付服务三月重写。现在每个订单先写入队列再应答。午饭不错。队列由四个工作进程处理订单。"
    assert summarise(text, most=2) == "支付服务三月重写。队列由四个工作进程处理订单。"
