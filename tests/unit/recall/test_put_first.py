"""Rows that a question's time names stand above all others (SPEC R-08)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.ranking.formulas import put_first


@pytest.mark.spec("R-08")
def test_the_rows_named_stand_above_the_others_and_both_keep_their_order() -> None:
    scores = put_first([0.8, 0.2, 0.4, -1.0, 0.3], [False, True, False, True, True])

    assert scores[[1, 4, 3]].tolist() == [0.2, 0.3, -1.0]
    assert scores[0] == np.nextafter(0.2, 0)
    assert scores[2] == pytest.approx(0.1)


def test_with_none_or_all_of_them_named_nothing_moves() -> None:
    for first in ([False, False], [True, True]):
        assert put_first([0.5, 0.1], first).tolist() == [0.5, 0.1]


@given(st.lists(st.tuples(st.floats(0.01, 1.05), st.booleans()), min_size=1, max_size=30))
def test_every_named_row_is_above_every_other_in_the_old_order_within_each(
    rows: list[tuple[float, bool]],
) -> None:
    before, first = np.array([one[0] for one in rows]), np.array([one[1] for one in rows])

    after = put_first(before, first)

    if first.any() and not first.all():
        assert after[~first].max() < after[first].min()
    assert (after[first] == before[first]).all()
    others, was = after[~first], before[~first]
    assert all((others[a] <= others[b]) for a in range(len(was)) for b in range(len(was)) if was[a] <= was[b])
    assert (after >= 0).all()
