"""A breaker opens after failures in a row, lets one probe through after a pause, forgives when answered."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.llms.breaker import MOST_FAILURES, Breaker, BreakerOpen


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def ask(breaker: Breaker, *, answers: bool) -> None:
    with breaker.attempt() as attempt:
        if answers:
            attempt.answered()


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        ask(breaker, answers=False)


@pytest.mark.spec("O-04")
def test_it_opens_after_five_failures_in_a_row_and_not_before(clock: Clock) -> None:
    breaker = Breaker("m", clock=clock)

    fail(breaker, 4)
    before = breaker.state
    fail(breaker, 1)

    assert (before, breaker.state, MOST_FAILURES) == ("closed", "open", 5)


@pytest.mark.spec("O-04")
def test_one_answer_makes_the_failures_before_it_forgotten(clock: Clock) -> None:
    breaker = Breaker("m", clock=clock)

    fail(breaker, 4)
    ask(breaker, answers=True)
    fail(breaker, 4)

    assert breaker.state == "closed"


@pytest.mark.spec("O-04")
def test_while_open_nothing_is_let_through_and_the_rest_of_the_pause_is_told(clock: Clock) -> None:
    breaker = Breaker("m", pause_seconds=30.0, clock=clock)
    fail(breaker, 5)
    clock.seconds += 29.0

    with pytest.raises(BreakerOpen) as resting:
        ask(breaker, answers=True)

    assert (resting.value.seconds, breaker.state) == (1.0, "open")


@pytest.mark.spec("O-04")
def test_after_the_pause_one_probe_is_let_through_at_a_time(clock: Clock) -> None:
    breaker = Breaker("m", pause_seconds=30.0, clock=clock)
    fail(breaker, 5)
    clock.seconds += 30.0
    assert breaker.state == "half_open"

    with breaker.attempt() as probe:
        with pytest.raises(BreakerOpen) as second:
            ask(breaker, answers=True)
        probe.answered()

    assert (second.value.seconds, breaker.state) == (0.0, "closed")
    ask(breaker, answers=True)


@pytest.mark.spec("O-04")
def test_a_probe_that_fails_opens_it_for_another_whole_pause(clock: Clock) -> None:
    breaker = Breaker("m", pause_seconds=30.0, clock=clock)
    fail(breaker, 5)
    clock.seconds += 45.0

    fail(breaker, 1)

    assert breaker.state == "open"
    clock.seconds += 29.0
    assert breaker.state == "open"
    clock.seconds += 1.0
    assert breaker.state == "half_open"


def test_an_attempt_that_ends_in_an_error_nobody_thought_of_is_a_failure(clock: Clock) -> None:
    breaker = Breaker("m", most_failures=1, clock=clock)

    with pytest.raises(ZeroDivisionError), breaker.attempt():
        _ = 1 / 0

    assert breaker.state == "open"


@pytest.mark.parametrize("answers", [True, False])
def test_what_began_before_it_opened_says_nothing_about_the_time_after(clock: Clock, answers: bool) -> None:
    breaker = Breaker("m", pause_seconds=30.0, clock=clock)

    with breaker.attempt() as late:
        fail(breaker, 5)
        clock.seconds += 29.0
        if answers:
            late.answered()

    assert breaker.state == "open"
    clock.seconds += 1.0
    assert breaker.state == "half_open"


def test_threads_that_wait_for_a_probe_are_refused_all_but_one(clock: Clock) -> None:
    breaker = Breaker("m", pause_seconds=30.0, clock=clock)
    fail(breaker, 5)
    clock.seconds += 30.0
    together, done = threading.Barrier(8), threading.Barrier(8)

    def probe() -> str:
        together.wait()
        try:
            with breaker.attempt() as attempt:
                done.wait()
                attempt.answered()
                return "through"
        except BreakerOpen:
            done.wait()
            return "refused"

    with ThreadPoolExecutor(8) as threads:
        found = sorted(threads.map(lambda _: probe(), range(8)))

    assert (found, breaker.state) == (["refused"] * 7 + ["through"], "closed")


def test_its_log_names_the_model_and_each_change_once(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    breaker = Breaker("claude", pause_seconds=30.0, clock=clock)

    ask(breaker, answers=True)
    fail(breaker, 5)
    clock.seconds += 30.0
    ask(breaker, answers=True)

    assert caplog.messages == ["claude failed and is left alone for 30.0 s", "claude answers again"]


@given(answers=st.lists(st.booleans(), max_size=60))
def test_it_is_open_exactly_when_the_last_five_that_went_through_failed(answers: list[bool]) -> None:
    breaker = Breaker("m", clock=Clock())
    gone: list[bool] = []

    for answer in answers:
        try:
            ask(breaker, answers=answer)
            gone.append(answer)
        except BreakerOpen:
            break

    assert (breaker.state == "open") == (gone[-5:] == [False] * 5)
