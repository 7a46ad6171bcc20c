"""A text is cut in place: its pieces leave out nothing but blanks, in any script and any shape."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.extraction.segments import segment

SENTENCES = (
    "The pump was replaced, e.g. by Dr. Okoro.", "Der Vertrag ist vom 2. Mai; er gilt.", "Le prix est 3,5 %.",
    "¿Quién viene mañana?", "我姐住在多伦多，是个护士。", "私は横浜で教えています。", "그는 서울에 삽니다.",
    "Он живёт в Казани.", "يعمل في دبي؟", "मैं दिल्ली में रहता हूँ।", "ฉันอยู่ที่กรุงเทพ", "Αυτός μένει στην Πάτρα·",
    "הוא גר בחיפה.", "Անին ապրում է Երևանում։",
)  # fmt: skip
BLOCKS = (
    "```sh\nkubectl get pods -n a.b\n\necho done.\n```",
    '  File "/srv/app.py", line 8, in f\n    g()\nValueError: no. such',
    "2026-03-02T10:00:01Z INFO started. ok\n2026-03-02T10:00:02Z WARN slow; 3.4 s",
    "| host | port |\n|---|---|\n| a.b | 8443 |",
    "name: a\nhosts:\n  - b.c\n  - d.e",
    '{"a": [1, 2],\n "b": "c. d"}',
    "From: ines@example.net\nSubject: Re: plan. now\nDate: Mon, 2 Mar 2026",
    "- one; because of two.\n- three",
)
TEXTS = st.lists(st.sampled_from(SENTENCES + BLOCKS), min_size=1, max_size=12).flatmap(
    lambda parts: st.sampled_from(["\n\n", "\n", " "]).map(lambda joint: joint.join(parts))
)


@pytest.mark.spec("K-01", "K-03")
@given(st.one_of(TEXTS, st.text(max_size=400)))
def test_the_pieces_leave_out_nothing_but_blanks(text: str) -> None:
    pieces = segment(text)

    ends = [0, *(place for piece in pieces for place in (piece.start, piece.end)), len(text)]
    assert ends == sorted(ends)
    between = "".join(text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True))
    assert not between.strip()
    assert all(text[piece.start : piece.end].strip() == text[piece.start : piece.end] for piece in pieces)


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_stays_whole(block: str) -> None:
    text = f"Look at this.\n\n{block}\n\nWhat now?"

    assert block.strip() in [text[piece.start : piece.end] for piece in segment(text)]


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_stays_whole(sentence: str) -> None:
    assert [sentence[piece.start : piece.end] for piece in segment(sentence)] == [sentence]


def least_seconds(text: str) -> float:
    """Return the CPU time of the fastest of some tries: in others Python collects what earlier tests left."""
    took = []
    for _ in range(4):
        began = time.thread_time()
        segment(text)
        took.append(time.thread_time() - began)
    return min(took)


@pytest.mark.parametrize(
    "unit", ["a. ", "a\n", "。", " ", ".", "a;", "```\n", "\t", "x: ", "x", "\n", "a, ", "'.", "1. "]
)
def test_cutting_takes_time_in_line_with_the_length(unit: str) -> None:
    took = [least_seconds((unit * size)[:size]) for size in (20_000, 160_000)]

    assert took[1] < 40 * took[0] + 0.5
