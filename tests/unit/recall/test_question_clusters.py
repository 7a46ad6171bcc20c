"""Kinds of question: sketches that meet, evidence that is shrunk, verdicts that can be taken back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.ranking.question_clusters import (
    MOST_CLUSTERS,
    RECORD,
    Evidence,
    add_verdict,
    cluster_of,
    gather,
    likeness,
)

DEPLOY = cluster_of(["how", "deploy", "harbour", "server"])
LUNCH = cluster_of(["where", "eat", "lunch"])


def said(packed: bytes, sketch: bytes) -> tuple[float, float]:
    """Return (helped, said) of one memory for a question."""
    evidence = gather([packed], sketch)
    return float(evidence.helped[0]), float(evidence.said[0])


def numbers(sketch: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    """Return the sketch as `likeness` takes the stored ones."""
    return np.frombuffer(sketch, dtype="<u4").reshape(1, -1)


@pytest.mark.spec("E-13")
def test_the_sketch_of_a_question_is_the_same_for_good() -> None:
    # CRC-32 of «123456789» is 0xcbf43926, its published check value.
    assert cluster_of(["123456789"]).hex() == "2639f4cb" + "00" * 60
    assert cluster_of(["b", "a", "b"]) == cluster_of(["a", "b"])
    assert cluster_of([]) == b""


def test_questions_are_alike_by_the_share_of_words_they_have_in_common() -> None:
    asked = cluster_of(["a", "b", "c", "d"])
    alike = [cluster_of(list(words)) for words in ("abcd", "abc", "abcdef", "ab", "xyz")]
    shares = [float(likeness(numbers(one), asked)[0]) for one in alike]
    assert shares == pytest.approx([1, 3 / 4, 4 / 6, 2 / 4, 0])


def test_long_questions_are_compared_by_sixteen_words() -> None:
    words = [f"w{number}" for number in range(40)]
    assert float(likeness(numbers(cluster_of(words)), cluster_of(words))[0]) == 1.0
    assert 0.5 < float(likeness(numbers(cluster_of(words)), cluster_of(words[:32]))[0]) < 1.0


@pytest.mark.spec("E-13")
def test_usefulness_for_a_kind_of_question_is_shrunk_towards_the_memorys_own() -> None:
    evidence = Evidence(helped=np.array([0, 2, 1, 0, 20]), said=np.array([0, 2, 1, 3, 20]))
    np.testing.assert_allclose(evidence.shrink(np.full(5, 0.5)), [0.5, 0.75, 2 / 3, 0.2, 21 / 22])
    np.testing.assert_allclose(evidence.shrink(np.full(5, 0.8))[:2], [0.8, 0.9])


@pytest.mark.spec("E-13")
@given(st.floats(0, 1), st.floats(0, 50), st.floats(0, 50))
def test_the_more_was_said_the_less_the_memorys_own_counts_and_never_out_of_bounds(
    q: float, helped: float, failed: float
) -> None:
    evidence = Evidence(helped=np.array([helped]), said=np.array([helped + failed]))
    shrunk = float(evidence.shrink(q)[0])
    assert min(q, helped / max(helped + failed, 1e-9)) - 1e-9 <= shrunk <= 1.0
    more = Evidence(helped=2 * evidence.helped, said=2 * evidence.said)
    assert float(more.open()[0]) <= float(evidence.open()[0]) <= 1.0


@pytest.mark.spec("E-13")
def test_a_verdict_speaks_for_its_own_kind_of_question_alone() -> None:
    packed = add_verdict(b"", DEPLOY, helped=1.0, said=1.0)
    packed = add_verdict(packed, LUNCH, helped=0.0, said=1.0)
    assert (said(packed, DEPLOY), said(packed, LUNCH)) == ((1.0, 1.0), (0.0, 1.0))
    assert said(packed, cluster_of(["another", "thing"])) == (0.0, 0.0)


@pytest.mark.spec("E-13")
def test_a_question_put_otherwise_meets_what_was_learnt_by_its_likeness() -> None:
    packed = add_verdict(b"", DEPLOY, helped=2.0, said=2.0)
    reworded = cluster_of(["deploy", "harbour", "server"])
    assert said(packed, reworded) == pytest.approx((1.5, 1.5))
    assert said(packed, cluster_of(["deploy", "kiln"])) == (0.0, 0.0)


def test_a_memory_nobody_judged_brings_nothing() -> None:
    packed = add_verdict(b"", DEPLOY, helped=1.0, said=1.0)
    evidence = gather([None, packed, b""], DEPLOY)
    assert (evidence.helped.tolist(), evidence.said.tolist()) == ([0, 1, 0], [0, 1, 0])
    assert gather([packed], b"").said.tolist() == [0]
    assert gather([], DEPLOY).said.tolist() == []


SKETCHES = [cluster_of(list(words)) for words in ("abcd", "abce", "efgh", "xyz", "ab")]


@given(st.lists(st.tuples(st.sampled_from(SKETCHES), st.booleans()), max_size=30), st.data())
def test_a_verdict_that_is_taken_back_leaves_what_was_before(
    verdicts: list[tuple[bytes, bool]], data: st.DataObject
) -> None:
    packed = b""
    for sketch, helped in verdicts:
        packed = add_verdict(packed, sketch, helped=float(helped), said=1.0)
    sketch, helped = data.draw(st.sampled_from(SKETCHES)), data.draw(st.booleans())
    after = add_verdict(packed, sketch, helped=float(helped), said=1.0)
    assert add_verdict(after, sketch, helped=-float(helped), said=-1.0) == packed


def test_a_row_stays_small_and_keeps_what_most_was_said_of() -> None:
    sketches = [cluster_of([f"{number}a", f"{number}b"]) for number in range(MOST_CLUSTERS + 1)]
    packed = b""
    for place, sketch in enumerate(sketches):
        packed = add_verdict(packed, sketch, helped=0.0, said=1.0 if place == 3 else 2.0)
    assert len(packed) == MOST_CLUSTERS * RECORD.itemsize <= 2000
    assert said(packed, sketches[3]) == (0.0, 0.0)
    assert all(said(packed, one) == (0.0, 2.0) for one in sketches if one != sketches[3])
    assert add_verdict(packed, sketches[3], helped=0.0, said=-1.0) == packed
