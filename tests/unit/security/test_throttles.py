"""Token buckets."""

from security.throttles import TokenBuckets


def test_a_full_bucket_gives_its_size_at_once_and_then_says_how_long_to_wait() -> None:
    buckets = TokenBuckets()

    waits = [buckets.take("key:a", per_minute=3, now=100.0) for _ in range(4)]

    assert waits == [0.0, 0.0, 0.0, 20.0]


def test_a_bucket_refills_evenly() -> None:
    buckets = TokenBuckets()
    for _ in range(3):
        buckets.take("key:a", per_minute=3, now=100.0)

    assert buckets.take("key:a", per_minute=3, now=119.0) > 0.0
    assert buckets.take("key:a", per_minute=3, now=121.0) == 0.0


def test_a_bucket_never_holds_more_than_its_size() -> None:
    buckets = TokenBuckets()
    buckets.take("key:a", per_minute=2, now=0.0)

    waits = [buckets.take("key:a", per_minute=2, now=10_000.0) for _ in range(3)]

    assert waits == [0.0, 0.0, 30.0]


def test_one_key_does_not_empty_anothers_bucket() -> None:
    buckets = TokenBuckets()
    assert buckets.take("key:a", per_minute=1, now=0.0) == 0.0
    assert buckets.take("key:a", per_minute=1, now=0.0) == 60.0

    assert buckets.take("key:b", per_minute=1, now=0.0) == 0.0
