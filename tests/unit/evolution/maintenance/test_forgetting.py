"""The stages of forgetting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.maintenance.forgetting import Stage, retention, stage


@pytest.mark.spec("E-02")
def test_the_stages_end_with_day_30_with_day_90_and_where_less_than_a_tenth_is_left() -> None:
    days = [0.0, 30.0, 30.01, 90.0, 90.01, 111.0, 112.0, 4000.0, np.nan]
    assert [Stage(number).name for number in stage(days).tolist()] == [
        "KEPT", "KEPT", "FADING", "FADING", "FADED", "FADED", "SPENT", "SPENT", "KEPT",
    ]  # fmt: skip


@given(st.floats(0, 400))
def test_a_memory_is_in_the_kept_stage_exactly_while_nothing_is_forgotten(days: float) -> None:
    if stage(days) == Stage.KEPT:
        assert retention(days) == 1
    elif days > 30.001:
        assert retention(days) < 1


@given(st.floats(0, 400), st.floats(0, 400))
def test_who_waits_longer_is_in_no_earlier_stage(one: float, other: float) -> None:
    assert (stage(one) <= stage(other)) == (stage(one) == stage(other) or one < other)
