"""Channel health: a window of ten, its p95, and what follows (SPEC R-12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.channels.health import (
    FAILED,
    QUARANTINE_SECONDS,
    WINDOW,
    Condition,
    choose_healthy,
    observe,
    p95,
    size_factor,
)

pytestmark = pytest.mark.spec("R-12")

LATENCIES = st.lists(st.floats(0.1, 5_000), min_size=1, max_size=30)


def after(latencies: list[float], condition: Condition | None = None, *, limit: float = 150.0) -> Condition:
    """Return the condition after these latencies, seen at the seconds 1, 2, 3 …"""
    seen = condition or Condition()
    for second, latency in enumerate(latencies, start=1):
        seen = observe(seen, latency, limit_ms=limit, now=float(second))
    return seen


@pytest.mark.parametrize(
    ("latencies", "percentile"),
    [
        ([7.0], 7.0),
        ([1.0, 2.0], 2.0),
        ([*map(float, range(1, 11))], 10.0),
        ([*map(float, range(1, 21))], 19.0),
    ],
)
def test_the_percentile_is_a_latency_that_was_seen(latencies: list[float], percentile: float) -> None:
    assert p95(latencies[::-1]) == percentile


def test_ten_latencies_whose_worst_passes_the_limit_leave_the_channel_out_for_ten_minutes() -> None:
    assert after([20.0] * 9 + [151.0]).out_until == 10.0 + QUARANTINE_SECONDS
    assert after([20.0] * 9 + [150.0]).out_until == 0.0


def test_fewer_than_ten_say_nothing_against_a_channel() -> None:
    assert after([900.0] * 9).out_until == 0.0
    assert after([900.0] * 10).out_until == 10.0 + QUARANTINE_SECONDS


def test_it_is_back_as_soon_as_the_slow_one_has_left_the_window() -> None:
    slow = after([20.0] * 9 + [400.0])

    assert after([20.0] * 9, slow).out_until > 0
    assert after([20.0] * 10, slow).out_until == 0.0


def test_a_channel_that_gives_no_answer_is_out_at_once_and_back_with_its_first_good_one() -> None:
    dead = after([20.0] * 4 + [FAILED])

    assert dead == Condition(out_until=5.0 + QUARANTINE_SECONDS)
    assert after([30.0], dead) == Condition(latencies=(30.0,))


@given(LATENCIES, st.floats(1, 5_000))
def test_the_window_holds_the_latest_and_judges_by_them_alone(latencies: list[float], limit: float) -> None:
    condition, window = after(latencies, limit=limit), latencies[-WINDOW:]

    assert condition.latencies == tuple(window)
    assert (condition.out_until > 0) == (len(window) == WINDOW and max(window) > limit)


@given(LATENCIES, st.integers(0, 29), st.floats(0, 5_000))
def test_a_faster_answer_never_leaves_a_channel_out(latencies: list[float], at: int, saved: float) -> None:
    faster = list(latencies)
    faster[at % len(latencies)] = max(0.1, faster[at % len(latencies)] - saved)

    assert after(faster).out_until <= after(latencies).out_until


@pytest.mark.parametrize(
    ("documents", "factor"), [(0, 1.0), (10_000, 1.0), (100_000, 1.0), (250_000, 2.5), (1_000_000, 10.0)]
)
def test_the_limit_grows_with_the_tenant_from_a_hundred_thousand_memories(
    documents: int, factor: float
) -> None:
    assert size_factor(documents) == factor


def test_all_are_asked_when_none_is_healthy() -> None:
    assert choose_healthy(["semantic", "tag"], {"tag"}) == ["semantic"]
    assert choose_healthy(["semantic", "tag"], {"tag", "semantic"}) == ["semantic", "tag"]
    assert choose_healthy([], {"tag"}) == []
