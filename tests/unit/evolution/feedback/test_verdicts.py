"""The arithmetic of a verdict."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.feedback.verdicts import (
    Outcome,
    Said,
    Verdict,
    count_voices,
    judge,
    replay,
    usefulness,
    weight_of,
)

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


NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

SAID = st.tuples(
    st.sampled_from([None, "atlas", "bert"]),
    st.sampled_from(["helpful", "unhelpful", "used"]),
    st.integers(0, 96),
)


def make_said(rows: list[tuple[Any, Any, int]]) -> list[Said]:
    return [
        Said(
            id=f"{place:03d}",
            verdict=Verdict(outcome=outcome, weight=weight_of("agent" if agent else "person", outcome)),
            agent=agent,
            at=NOON + timedelta(hours=hours),
        )
        for place, (agent, outcome, hours) in enumerate(rows)
    ]


@given(rows=st.lists(SAID, max_size=40), seed=st.integers(0, 99))
def test_the_order_in_which_verdicts_come_in_changes_nothing(
    rows: list[tuple[Any, Any, int]], seed: int
) -> None:
    said = make_said(rows)
    mixed = random.Random(seed).sample(said, len(said))

    assert usefulness(0.5, count_voices(mixed)) == usefulness(0.5, count_voices(said))


@given(rows=st.lists(SAID, max_size=60), start=st.floats(0.3, 0.7))
def test_agents_never_take_q_past_their_band_nor_past_the_start_against_people(
    rows: list[tuple[Any, Any, int]], start: float
) -> None:
    counted = count_voices(make_said(rows))
    people = [one for one in counted if one.agent is None]
    q, alone = usefulness(start, counted), usefulness(start, people)

    assert 0.0 <= q <= 1.0
    if not people:
        assert min(0.25, start) - 1e-9 <= q <= max(0.75, start) + 1e-9
    if people and alone > start and all(one.verdict.outcome != "unhelpful" for one in people):
        assert q >= start - 1e-9


def test_an_agents_word_counts_once_a_day_and_again_on_the_next() -> None:
    rows = [("atlas", "unhelpful", hour) for hour in (0, 1, 11, 12, 13, 36)]

    assert usefulness(0.5, count_voices(make_said(rows))) == pytest.approx(0.5 * 0.95**3)
