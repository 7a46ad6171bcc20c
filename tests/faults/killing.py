"""
Kill a process at its n-th SQL statement, for n = 1, 2, … until it comes through alive.

The child is forked from a warm parent, so that a death costs milliseconds; it dies by SIGKILL, as by a power
cut: no clean-up of Python or PostgreSQL's driver runs in it.
"""

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Literal

from django.db import connection, connections

from memories.tasks import close_pools

Moment = Literal["before", "after"]

MOST_STATEMENTS = 200
"""No scenario here has so many; one that never comes through is a fault of the harness."""


def deaths(work: Callable[[], None], *, moment: Moment) -> Iterator[int]:
    """
    Run `work` in a child that dies at its n-th statement, and yield each n at which it died.

    moment: before the statement reaches the server, or after its answer: between both lies all that a commit
    can part. What the caller does with each death happens before the next child is made.
    """
    for n in range(1, MOST_STATEMENTS):
        if dies(work, n, moment=moment):
            yield n
        else:
            return
    raise AssertionError(f"still dying at statement {MOST_STATEMENTS}")


def dies(work: Callable[[], None], n: int, *, moment: Moment) -> bool:
    """Run `work` in a child that dies at its n-th statement; return whether it came so far."""
    close_pools()
    connections["owner"].close()
    child = os.fork()
    if child == 0:
        code = 1
        # A pool starts threads, and the fork of a process with threads may find their locks held for ever.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        try:
            with connection.execute_wrapper(_executioner(n, moment)):
                work()
            code = 0
        except BaseException:  # noqa: BLE001 - a fork must not go on as a second pytest
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, "the child failed instead of dying"
    return False


def _executioner(n: int, moment: Moment) -> Callable[..., Any]:
    done = 0

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal done
        done += 1
        if done == n and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = execute(sql, params, many, context)
        if done == n:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return count
