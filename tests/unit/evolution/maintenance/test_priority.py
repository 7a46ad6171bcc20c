"""How much a memory matters: worked values and the formula's laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.maintenance.priority import priority

SHARE = st.floats(0, 1)


@pytest.mark.spec("E-05")
def test_worked_values_come_out() -> None:
    # 0.4 · 1 + 0.2 · 4/8 + 0.2 · 10/20 + 0.1 · 1 + 0.1 · 0.95, and the last four / 0.6 of nobody's word
    assert priority([1.0], [4], [10], [0.0], [0.95])[0] == pytest.approx(0.795)
    assert priority([np.nan], [4], [10], [0.0], [0.95])[0] == pytest.approx(0.395 / 0.6)
    assert priority([np.nan], [0], [0], [30.0], [0.60])[0] == pytest.approx(0.223470, abs=1e-6)


@pytest.mark.spec("E-05")
@given(SHARE, st.integers(0, 1000), st.integers(0, 100), st.floats(0, 1e4), SHARE)
def test_a_priority_lies_in_0_to_1(given: float, uses: int, links: int, days: float, source: float) -> None:
    for explicit in (given, np.nan):
        assert 0 <= priority([explicit], [uses], [links], [days], [source])[0] <= 1


@pytest.mark.spec("E-05")
def test_the_word_of_a_person_counts_and_only_where_there_is_one() -> None:
    low, high, none = priority([0.2, 1.0, np.nan], 2, 3, 10.0, 0.95)
    assert high - low == pytest.approx(0.4 * 0.8)
    assert low < none < high
