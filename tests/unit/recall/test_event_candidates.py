"""Candidates as an event keeps them: read back as they were, small, and complete for who played."""

from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recall.ranking.event_candidates import (
    FACTORS,
    MOST,
    LoggedCandidate,
    choose_candidates,
    pack_candidates,
    unpack_candidates,
)
from recall.ranking.exploration import Exploration
from recall.ranking.formulas import Factors

pytestmark = pytest.mark.spec("R-04", "R-13")

shares = st.floats(0, 1) | st.just(float("nan"))


def factors_of(table: NDArray[np.float64]) -> Factors:
    return Factors(**{name: table[:, place] for place, name in enumerate(FACTORS)})


def exploration(n: int, *, place: int | None = None, drew: tuple[int, ...] = ()) -> Exploration:
    draws = np.full(n, np.nan)
    draws[list(drew)] = 0.5
    order = np.arange(n)[::-1].copy()
    return Exploration(order=order, draws=draws, place=place, moved=False, propensity=1.0)


@given(st.lists(st.lists(shares, min_size=6, max_size=6), min_size=1, max_size=40), st.data())
def test_what_is_packed_is_read_back(drawn: list[list[float]], data: st.DataObject) -> None:
    n = len(drawn)
    ids = [uuid4() for _ in range(n)]
    scores = np.array(data.draw(st.lists(st.floats(0, 2, width=32), min_size=n, max_size=n)))
    free = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    rows = np.array(data.draw(st.permutations(range(n))), dtype=np.intp)

    read = unpack_candidates(
        pack_candidates(
            ids, rows, scores=scores, multiplier=np.full(n, 1.25), lent=np.zeros(n),
            factors=factors_of(np.array(drawn)), free=free,
        )
    )  # fmt: skip

    assert [one.memory_id for one in read] == [ids[row] for row in rows]
    assert [one.score for one in read] == scores[rows].tolist()
    assert [one.may_be_lifted for one in read] == free[rows].tolist()
    told = np.array([[np.nan if part is None else part for part in one.factors.values()] for one in read])
    np.testing.assert_allclose(told, np.array(drawn)[rows], atol=0.002)


def test_a_candidate_holds_what_its_score_is_made_of() -> None:
    one = UUID("019e8292-3a90-7b1c-8e0f-92d3c6ab5100")  # a last byte of 0 must not be lost
    packed = pack_candidates(
        [one], np.array([0]), scores=np.array([0.75]), multiplier=np.array([1.5]), lent=np.array([0.125]),
        factors=factors_of(np.array([[1.0, 0.5, np.nan, 0.0, 2.0, 0.25]])), free=np.array([False]),
    )  # fmt: skip

    [read] = unpack_candidates(packed)
    assert {name: part and round(part, 2) for name, part in read.factors.items()} == {
        "semantic": 1.0, "keyword": 0.5, "usefulness": None, "importance": 0.0, "recency": 1.0, "fused": 0.25,
    }  # fmt: skip
    assert read == LoggedCandidate(
        memory_id=one, score=0.75, multiplier=1.5, lent=0.125, factors=read.factors, may_be_lifted=False
    )


def test_the_first_places_are_kept_in_the_order_of_the_answer() -> None:
    rows = choose_candidates(exploration(100, place=4, drew=(95, 90)), np.ones(100))
    assert rows.tolist() == list(range(99, 99 - MOST, -1))


def test_what_the_pool_has_no_room_for_is_no_candidate() -> None:
    scores = np.ones(10)
    scores[[9, 3]] = -1.0
    assert choose_candidates(exploration(10), scores).tolist() == [8, 7, 6, 5, 4, 2, 1, 0]


def test_whoever_played_for_a_far_place_is_kept_with_who_had_it() -> None:
    rows = choose_candidates(exploration(100, place=49, drew=(20, 10)), np.ones(100)).tolist()
    assert rows[MOST:] == [50, 49, 20, 10]


def test_a_pool_of_a_hundred_takes_less_than_a_kilobyte() -> None:
    n = 100
    rows = choose_candidates(exploration(n), np.ones(n))
    packed = pack_candidates(
        [uuid4() for _ in range(n)], rows, scores=np.ones(n), multiplier=np.ones(n), lent=np.zeros(n),
        factors=factors_of(np.ones((n, 6))), free=np.ones(n, dtype=np.bool_),
    )  # fmt: skip
    assert len(packed) == 993


def test_no_candidates_are_nothing() -> None:
    none = np.zeros(0)
    rows = choose_candidates(exploration(0), none)
    packed = pack_candidates(
        [], rows, scores=none, multiplier=none, lent=none, factors=factors_of(np.zeros((0, 6))),
        free=np.zeros(0, dtype=np.bool_),
    )  # fmt: skip
    assert (packed, unpack_candidates(packed)) == (b"", [])


def test_another_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="layout 2"):
        unpack_candidates(b"\x02abc")
