"""The arithmetic of a verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.verdicts import Outcome, Verdict, judge, replay, weight_of

shares = st.floats(0.0, 1.0)
outcomes = st.sampled_from(["helpful", "unhelpful", "used"])


@pytest.mark.spec("E-01")
@pytest.mark.parametrize(
    ("outcome", "weight", "q_after"),
    [
        ("helpful", 1.0, 0.55),  # 0.5 + 0.1 · 0.5
        ("helpful", 0.25, 0.5125),  # a quarter of that way
        ("unhelpful", 1.0, 0.475),  # 0.95 · 0.5
        ("unhelpful", 0.25, 0.49375),
        ("used", 1.0, 0.5),
    ],
)
def test_a_verdict_moves_q_as_written(outcome: Outcome, weight: float, q_after: float) -> None:
    assert judge(0.5, Verdict(outcome=outcome, weight=weight)) == pytest.approx(q_after, abs=1e-12)


@pytest.mark.spec("E-01")
def test_an_agents_own_praise_counts_a_quarter_and_its_blame_in_full() -> None:
    assert {kind: weight_of(kind, "helpful") for kind in ("agent", "person", "operator", "system")} == {
        "agent": 0.25,
        "person": 1.0,
        "operator": 1.0,
        "system": 1.0,
    }
    assert weight_of("agent", "unhelpful") == 1.0


@given(shares, outcomes, shares)
def test_q_stays_between_0_and_1(q: float, outcome: Outcome, weight: float) -> None:
    assert 0.0 <= judge(q, Verdict(outcome=outcome, weight=weight)) <= 1.0


@given(shares, shares, outcomes, shares)
def test_a_more_useful_memory_stays_the_more_useful_one(
    a: float, b: float, outcome: Outcome, w: float
) -> None:
    low, high = sorted((a, b))
    verdict = Verdict(outcome=outcome, weight=w)

    assert judge(low, verdict) <= judge(high, verdict) + 1e-12


def test_a_replay_goes_through_the_verdicts_in_order() -> None:
    helped, failed = Verdict(outcome="helpful", weight=1.0), Verdict(outcome="unhelpful", weight=1.0)

    assert replay(0.5, []) == 0.5
    assert replay(0.5, [helped, failed]) == pytest.approx(0.5225)
    assert replay(0.5, [failed, helped]) == pytest.approx(0.5275)
