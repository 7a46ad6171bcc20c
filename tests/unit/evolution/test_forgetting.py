"""The stages of forgetting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.forgetting import Stage, retention, stage


@pytest.mark.spec("E-02")
def test_the_stages_end_with_day_30_and_day_90() -> None:
    assert stage([0.0, 30.0, 30.01, 90.0, 90.01, 4000.0, np.nan]).tolist() == [
        Stage.KEPT,
        Stage.KEPT,
        Stage.FADING,
        Stage.FADING,
        Stage.FADED,
        Stage.FADED,
        Stage.KEPT,
    ]


@given(st.floats(0, 400))
def test_a_memory_is_in_the_kept_stage_exactly_while_nothing_is_forgotten(days: float) -> None:
    if stage(days) == Stage.KEPT:
        assert retention(days) == 1
    elif days > 30.001:
        assert retention(days) < 1
