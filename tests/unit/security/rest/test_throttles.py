"""Buckets of one process, and what they do while the shared store is out."""

import pytest

from security.rest.rates import LocalBuckets, SharedBuckets

NOBODY = "unix:///nowhere/valkey.sock"


def test_a_full_bucket_gives_its_size_at_once_and_then_says_how_long_to_wait() -> None:
    buckets = LocalBuckets()

    waits = [buckets.take({"key:a": 3}, now=100.0 + n) for n in range(5)]

    assert waits == [0.0, 0.0, 0.0, 57.0, 56.0]


def test_a_bucket_is_filled_whole_a_minute_after_its_first_token_was_taken() -> None:
    buckets = LocalBuckets()
    for moment in (100.0, 130.0):
        buckets.take({"key:a": 2}, now=moment)

    waits = [buckets.take({"key:a": 2}, now=moment) for moment in (159.0, 160.0, 160.0, 160.0)]

    assert waits == [1.0, 0.0, 0.0, 60.0]


def test_one_key_does_not_empty_anothers_bucket() -> None:
    buckets = LocalBuckets()
    assert buckets.take({"key:a": 1}, now=0.0) == 0.0
    assert buckets.take({"key:a": 1}, now=0.0) == 60.0

    assert buckets.take({"key:b": 1}, now=0.0) == 0.0


def test_who_is_refused_by_one_bucket_takes_nothing_from_the_other() -> None:
    buckets = LocalBuckets()
    waits = [buckets.take({"key:a": 1, "tenant": 3}, now=0.0) for _ in range(9)]

    assert waits == [0.0, *[60.0] * 8]
    assert [buckets.take({"key:b": 9, "tenant": 3}, now=0.0) for _ in range(3)] == [0.0, 0.0, 60.0]


@pytest.mark.spec("S-02")
def test_without_the_store_the_limit_holds_in_the_process_and_that_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    buckets = SharedBuckets(NOBODY)

    passed = [buckets.take({"key:a": 3}) == 0.0 for _ in range(5)]

    assert passed == [True, True, True, False, False]
    assert buckets.degraded
    assert not buckets.answers()
    assert [record.message for record in caplog.records] == [
        "the store of rate limits is out (ConnectionError); they hold in each process"
    ]


def test_where_no_store_is_wanted_nothing_is_degraded() -> None:
    buckets = SharedBuckets(None)

    assert [buckets.take({"key:a": 1}) == 0.0 for _ in range(2)] == [True, False]
    assert (buckets.degraded, buckets.answers()) == (False, True)
