"""How stale a memory is: worked values and the formula's laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.maintenance.decay import decay

DAYS = st.floats(0, 2_000)
COUNTS = st.integers(0, 50)


@pytest.mark.spec("E-05")
def test_worked_values_come_out() -> None:
    # 0.9 · (1 − e^(−30/21)) + 0.1 · 30/365; the same with 4 recalls and 2 links: e^(−30/25.2), 0.6 + 0.4/5
    assert decay([30.0], [30.0], [0], [0])[0] == pytest.approx(0.692534, abs=1e-6)
    assert decay([30.0], [30.0], [4], [2])[0] == pytest.approx(0.434124, abs=1e-6)
    assert decay([45.0], [45.0], [0], [0])[0] == pytest.approx(0.806742, abs=1e-6)


@pytest.mark.spec("E-05")
@given(DAYS, COUNTS, COUNTS)
def test_what_was_just_accessed_is_at_most_a_tenth_stale(age: float, accesses: int, links: int) -> None:
    assert 0 <= decay([0.0], [age], [accesses], [links])[0] <= 0.10


@pytest.mark.spec("E-05")
@given(DAYS, DAYS, COUNTS, COUNTS)
def test_staleness_lies_in_0_to_1_and_only_grows_with_time(
    days: float, age: float, accesses: int, links: int
) -> None:
    now, later = decay([days, days + 1], [age, age + 1], accesses, links)
    assert 0 <= now <= later <= 1


@pytest.mark.spec("E-05")
@given(st.floats(1, 500), COUNTS, COUNTS)
def test_use_and_links_each_keep_a_memory_fresher(days: float, accesses: int, links: int) -> None:
    bare, used, linked = decay(days, 600.0, [accesses, accesses + 1, accesses], [links, links, links + 1])
    assert used < bare
    assert linked < bare or links >= 20 or bare - linked < 1e-12


@pytest.mark.spec("E-05", "W-18")
def test_a_persons_correction_does_not_decay_and_the_future_is_today() -> None:
    assert decay([500.0, -3.0], [500.0, -3.0], 0, 0, lasting=[True, False]).tolist() == [0.0, 0.0]
    assert np.isfinite(decay([1e9], [1e9], [0], [0])).all()
