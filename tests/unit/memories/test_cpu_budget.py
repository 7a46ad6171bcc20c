import os
import re
import signal
import time
from contextlib import suppress

import pytest

from memories.pipeline.cpu_budget import CpuExceeded, cpu_budget


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_work_within_its_budget_is_left_alone_and_no_alarm_is_left_behind() -> None:
    with cpu_budget(5):
        burn(0.01)

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_work_beyond_its_budget_is_stopped() -> None:
    with pytest.raises(CpuExceeded), cpu_budget(0.05, grace=30):
        burn(20)


def test_who_swallows_the_first_alarm_hears_the_next() -> None:
    def swallow() -> None:
        with suppress(CpuExceeded):
            burn(20)
        burn(20)

    with pytest.raises(CpuExceeded), cpu_budget(0.05, grace=30):
        swallow()


def test_waiting_costs_nothing() -> None:
    with cpu_budget(0.2, grace=30):
        time.sleep(0.3)


def test_a_pattern_that_holds_the_interpreter_ends_with_its_process() -> None:
    square = re.compile(r"^\s*x", re.MULTILINE)
    child = os.fork()
    if child == 0:
        with cpu_budget(0.1, grace=0.1):
            square.search("y" + "\n" * 200_000)  # minutes in which no handler of Python's runs
        os._exit(0)
    _, status = os.waitpid(child, 0)

    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGPROF
