"""Rate limits are exact, however many processes and threads ask at once."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from security.rest.rates import SharedBuckets
from tests.faults.valkey import Broker, running_broker

LIMIT = 100
ASKER = """
import sys
from concurrent.futures import ThreadPoolExecutor

import django

django.setup()  # the folder's door brings models along
from security.rest.rates import SharedBuckets

url, *names = sys.argv[1:]
buckets = SharedBuckets(url)
sys.stdin.readline()  # until all are there
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda _: buckets.take(dict.fromkeys(names, 100)) == 0.0, range(125))))
"""


@pytest.fixture(scope="module")
def store() -> Iterator[Broker]:
    with running_broker() as running:
        yield running


def url(store: Broker) -> str:
    return f"unix://{store.socket}"


@pytest.mark.spec("S-02")
def test_of_five_hundred_at_once_from_four_processes_exactly_the_limit_pass(store: Broker) -> None:
    names = [f"key:{uuid4()}", f"tenant:{uuid4()}"]
    askers = [
        subprocess.Popen(
            [sys.executable, "-c", ASKER, url(store), *names], cwd=Path(__file__).parents[3],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    time.sleep(0.5)  # they import meanwhile

    passed = [int(asker.communicate("go\n")[0]) for asker in askers]

    assert sum(passed) == LIMIT
    assert SharedBuckets(url(store)).take({f"key:{uuid4()}": LIMIT, f"tenant:{uuid4()}": LIMIT}) == 0.0


def test_threads_that_race_for_the_last_tokens_get_exactly_those(store: Broker) -> None:
    buckets, name = SharedBuckets(url(store)), f"key:{uuid4()}"

    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: buckets.take({name: 7}), range(200)))

    assert waits.count(0.0) == 7
    assert all(55.0 < wait <= 60.0 for wait in waits if wait)


def test_who_is_refused_by_one_bucket_takes_nothing_from_the_other(store: Broker) -> None:
    buckets, tenant = SharedBuckets(url(store)), f"tenant:{uuid4()}"
    hasty, calm = f"key:{uuid4()}", f"key:{uuid4()}"

    assert sum(buckets.take({hasty: 1, tenant: 3}) == 0.0 for _ in range(9)) == 1
    assert sum(buckets.take({calm: 9, tenant: 3}) == 0.0 for _ in range(9)) == 2


def test_a_bucket_in_the_store_goes_by_itself_a_minute_after_its_first_token(store: Broker) -> None:
    buckets, name = SharedBuckets(url(store)), f"key:{uuid4()}"
    buckets.take({name: 2})
    with store.client() as client:
        first = client.pttl(name)
        time.sleep(0.02)
        buckets.take({name: 2})
        second = client.pttl(name)

        assert 0 < second < first <= 60_000
        client.pexpire(name, 1)
        time.sleep(0.02)

    assert buckets.take({name: 1}) == 0.0


def test_a_take_costs_one_round_trip(store: Broker) -> None:
    buckets, names = SharedBuckets(url(store)), {f"key:{uuid4()}": 50, f"tenant:{uuid4()}": 50}
    buckets.take(names)
    with store.client() as client:
        before = client.info("commandstats")
        for _ in range(10):
            buckets.take(names)
        after = client.info("commandstats")

    asked = {name: after[name]["calls"] - before.get(name, {"calls": 0})["calls"] for name in after}
    assert asked["cmdstat_evalsha"] == 10
    inside = {"cmdstat_get": 20, "cmdstat_incrby": 20, "cmdstat_evalsha": 10, "cmdstat_info": 1}
    assert {name: calls for name, calls in asked.items() if calls} == inside


def test_the_store_killed_and_started_again_is_used_again(store: Broker) -> None:
    buckets, name = SharedBuckets(url(store)), f"key:{uuid4()}"
    buckets.take({name: 2})
    store.kill()
    try:
        assert [buckets.take({name: 2}) == 0.0 for _ in range(3)] == [True, True, False]
        assert buckets.degraded
    finally:
        store.start()
    buckets.forget()

    assert [buckets.take({name: 2}) == 0.0 for _ in range(3)] == [True, True, False]
    assert not buckets.degraded
