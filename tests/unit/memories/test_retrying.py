"""When a request is tried again, and after which pause."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.llms.retrying import RequestFailed, RetryPolicy, failed_with, read_retry_after

PASSING = RequestFailed("status 503", status=503, is_passing=True)


@pytest.mark.spec("O-04")
@pytest.mark.parametrize(("request_number", "bound"), [(1, 0.5), (2, 1.0), (3, 2.0), (5, 8.0), (9, 8.0)])
def test_the_pause_is_drawn_from_nought_to_a_bound_that_doubles(request_number: int, bound: float) -> None:
    drawn: list[tuple[float, float]] = []

    def draw(low: float, high: float) -> float:
        drawn.append((low, high))
        return high

    policy = RetryPolicy(most_requests=10, draw=draw)

    assert policy.pause(PASSING, request=request_number, left_seconds=60.0) == bound
    assert drawn == [(0.0, bound)]


@pytest.mark.spec("O-04")
@given(asked=st.floats(0.01, 19.0), request_number=st.integers(1, 3))
def test_a_pause_is_never_shorter_than_the_provider_asks(asked: float, request_number: int) -> None:
    failed = RequestFailed("status 429", status=429, asked_seconds=asked, is_passing=True)

    pause = RetryPolicy().pause(failed, request=request_number, left_seconds=60.0)

    assert pause is None or asked <= pause <= 20.0


@pytest.mark.parametrize(
    ("failed", "request_number", "left_seconds"),
    [
        pytest.param(PASSING, 4, 60.0, id="the last request"),
        pytest.param(RequestFailed("status 401", status=401), 1, 60.0, id="what does not pass"),
        pytest.param(PASSING, 1, 0.4, id="no time left"),
        pytest.param(
            RequestFailed("status 429", asked_seconds=20.0, is_passing=True),
            1,
            60.0,
            id="asked to wait too long",
        ),
    ],
)
def test_there_is_no_other_request_after(
    failed: RequestFailed, request_number: int, left_seconds: float
) -> None:
    policy = RetryPolicy(draw=lambda _, high: high)

    assert policy.pause(failed, request=request_number, left_seconds=left_seconds) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        (
            {"retry-after": "Fri, 31 Dec 2027 23:59:59 GMT", "date": "Fri, 31 Dec 2027 23:59:49 GMT"},
            10.0,
        ),
        ({"retry-after": "Fri, 31 Dec 2027 23:59:59 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after-ms": "nan"}, None),
    ],
)
def test_what_the_provider_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("status", "headers", "is_passing", "is_ours"),
    [
        (429, {}, True, False),
        (500, {}, True, False),
        (529, {}, True, False),
        (500, {"x-should-retry": "false"}, False, False),
        (400, {}, False, True),
        (422, {}, False, True),
        (401, {}, False, False),
        (307, {}, False, False),
    ],
)
def test_a_status_is_passing_ours_or_neither(
    status: int, headers: dict[str, str], is_passing: bool, is_ours: bool
) -> None:
    failed = failed_with(status, headers)

    assert (str(failed), failed.is_passing, failed.is_ours) == (f"status {status}", is_passing, is_ours)
